"""A pyarrow Table, RecordBatch, Array or ChunkedArray as a Table."""

import builtins
import sys
from typing import Any

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

TEXT_COLUMNS = 20
TEXT_WINDOW = 10


class ArrowTable:
    source = "arrow"

    def __init__(self, value: Any) -> None:
        pyarrow = sys.modules["pyarrow"]
        self.is_one_column = issubclass(type(value), (pyarrow.Array, pyarrow.ChunkedArray))
        self.data = value
        self.row_count = len(value)
        self.column_count = 1 if self.is_one_column else value.num_columns

    def labels(self, columns: int) -> list:
        return ["0"] if self.is_one_column else self.data.schema.names[:columns]

    def dtypes(self, columns: int) -> list:
        return [self.data.type] if self.is_one_column else self.data.schema.types[:columns]

    def column(self, position: int, rows: int) -> list:
        array = self.data if self.is_one_column else self.data.column(position)
        return [_python_value(scalar) for scalar in array.slice(0, rows)]

    def index(self, rows: int) -> list | None:
        return None

    def text(self) -> str:
        if self.is_one_column:
            shown = self.data.to_string(window=TEXT_WINDOW)
        else:
            shown = repr(self.data.select(list(range(min(self.column_count, TEXT_COLUMNS)))))
        return f"{shown}\n\n[{self.row_count} rows x {self.column_count} columns]"

    def size_bytes(self) -> int:
        return int(self.data.nbytes)


def _python_value(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except (ValueError, OverflowError, ImportError):  # nanoseconds or years that a datetime cannot hold
        return str(scalar)
