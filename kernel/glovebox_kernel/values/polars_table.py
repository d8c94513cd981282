"""A polars DataFrame or Series as a Table."""

import builtins
import re
import sys
from typing import Any

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

TEXT_ROWS = 20
TEXT_COLUMNS = 20
TEXT_WIDTH = 120
CELL_WIDTH = 50
SHAPE_LINE = re.compile(r"^shape: \(.*\)$", re.MULTILINE)  # of the printed rows, not of the whole


class PolarsTable:
    source = "polars"

    def __init__(self, value: Any) -> None:
        self.is_one_column = issubclass(type(value), sys.modules["polars"].Series)
        self.data = value
        self.row_count = len(value)
        self.column_count = 1 if self.is_one_column else value.width

    def labels(self, columns: int) -> list:
        return [self.data.name or "0"] if self.is_one_column else self.data.columns[:columns]

    def dtypes(self, columns: int) -> list:
        return [self.data.dtype] if self.is_one_column else self.data.dtypes[:columns]

    def column(self, position: int, rows: int) -> list:
        series = self.data if self.is_one_column else self.data.to_series(position)
        return series.head(rows).to_list()

    def index(self, rows: int) -> list | None:
        return None

    def text(self) -> str:
        polars = sys.modules["polars"]
        shown = self.data
        if self.row_count > TEXT_ROWS + 1:
            half = TEXT_ROWS // 2 + 1
            shown = polars.concat([shown.head(half), shown.tail(half)])
        with polars.Config(
            tbl_rows=TEXT_ROWS, tbl_cols=TEXT_COLUMNS, tbl_width_chars=TEXT_WIDTH, fmt_str_lengths=CELL_WIDTH
        ):
            text = str.__str__(repr(shown))
        return SHAPE_LINE.sub(_shape_line(self.data.shape), text, count=1)

    def size_bytes(self) -> int:
        return int(self.data.estimated_size())


def _shape_line(shape: tuple) -> str:
    return f"shape: ({', '.join(f'{length:_}' for length in shape)}{',' if len(shape) == 1 else ''})"
