"""A pandas DataFrame or Series as a Table."""

import builtins
import sys
from typing import Any

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

TEXT_ROWS = 20
TEXT_COLUMNS = 20
TEXT_WIDTH = 120
CELL_WIDTH = 50
WEIGHED_COLUMNS = 1000


class PandasTable:
    source = "pandas"

    def __init__(self, value: Any) -> None:
        pandas = sys.modules["pandas"]
        self.is_one_column = issubclass(type(value), pandas.Series)
        base = pandas.Series if self.is_one_column else pandas.DataFrame
        # A shallow copy of the plain class sheds whatever a subclass overrides.
        self.data = value if type(value) is base else base(value)
        self.row_count = len(self.data.index)
        self.column_count = 1 if self.is_one_column else len(self.data.columns)

    def labels(self, columns: int) -> list:
        if self.is_one_column:
            return ["0" if self.data.name is None else self.data.name]
        return self.data.columns[:columns].tolist()

    def dtypes(self, columns: int) -> list:
        return [self.data.dtype] if self.is_one_column else list(self._first_row(columns).dtypes)

    def _first_row(self, columns: int) -> Any:
        """Rows first: taking columns of all rows would copy them."""
        return self.data.iloc[:1].iloc[:, :columns]

    def column(self, position: int, rows: int) -> list:
        return (self.data.iloc[:rows] if self.is_one_column else self.data.iloc[:rows, position]).tolist()

    def index(self, rows: int) -> list | None:
        index = self.data.index
        if type(index) is sys.modules["pandas"].RangeIndex and index.start == 0 and index.step == 1:
            return None
        return index[:rows].tolist()

    def text(self) -> str:
        if self.is_one_column:
            return self.data.to_string(max_rows=TEXT_ROWS, min_rows=TEXT_ROWS, name=True, dtype=True, length=True)
        return self.data.to_string(
            max_rows=TEXT_ROWS,
            min_rows=TEXT_ROWS,
            max_cols=TEXT_COLUMNS,
            line_width=TEXT_WIDTH,
            max_colwidth=CELL_WIDTH,
            show_dimensions=True,
        )

    def size_bytes(self) -> int:
        if self.is_one_column:
            return int(self.data.memory_usage(deep=False))
        weighed = min(self.column_count, WEIGHED_COLUMNS)
        columns = int(self._first_row(weighed).memory_usage(index=False, deep=False).sum()) * self.row_count
        index = int(self.data.index.memory_usage(deep=False))
        return index + (columns * self.column_count // weighed if weighed else 0)
