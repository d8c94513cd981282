"""One pass over the rows of a text file: how many, how even, and what each column holds."""

import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from .clock import Clock
from .layout import Layout, is_blank, is_comment
from .refusal import Refusal
from .rows import Lines, Rows
from .values_seen import ColumnSeen, Kind

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

MOST_COMMENTS = 1000
MOST_COLUMNS = 200_000
_FIRST_ROWS = 50
_PART_ROWS = 5000
_PART_FIELDS = 200_000
_PART_CHARACTERS = 4 << 20
_BARE_RETURN = re.compile(r"\r(?!\n)")


@dataclass
class Survey:
    width: int
    widest: int
    rows: int = 0
    blank: int = 0
    comments: list[int] = field(default_factory=list)
    short: int = 0
    long: int = 0
    is_whole: bool = True
    is_unclosed: bool = False
    characters: int = 0
    columns: list[ColumnSeen] = field(default_factory=list)
    header: list[str] = field(default_factory=list)
    returns_inside: int | None = None  # Carriage returns alone within fields, where they are counted.

    def take(self, part: list[list[str]], first: int) -> None:
        if self.width == 1 or set(map(len, part)) != {self.width}:
            part = self._even_out(part, first)
        if not part:
            return
        self.rows += len(part)
        if self.returns_inside is not None:
            self.returns_inside += sum(len(_BARE_RETURN.findall(value)) for row in part for value in row if "\r" in value)
        while len(self.columns) < self.widest:
            self.columns.append(ColumnSeen())
        for column, values in zip(self.columns, zip_longest(*part, fillvalue="")):
            column.take(values)

    def _even_out(self, part: list[list[str]], first: int) -> list[list[str]]:
        kept = []
        for place, row in enumerate(part, first):
            if is_blank(row):
                self.blank += 1
                continue
            if len(row) != self.width and is_comment(row) and len(self.comments) < MOST_COMMENTS:
                self.comments.append(place)
                continue
            self.short += len(row) < self.width
            self.long += len(row) > self.width
            self.widest = max(self.widest, len(row))
            kept.append(row)
        if self.widest > MOST_COLUMNS:
            raise Refusal("TooWide", f"A row has {self.widest:,} fields; tables of more than {MOST_COLUMNS:,} columns are not read.")
        return kept

    @property
    def lacks_first_name(self) -> bool:
        """Every row is one field longer than the header, as R writes tables whose rows have names."""
        is_longer = bool(self.header) and self.width == self.widest == len(self.header) + 1
        return is_longer and self.rows > 1 and not self.short and self.columns[-1].kinds != Kind.EMPTY

    def finish(self) -> None:
        """Columns that only long rows have are empty in the others."""
        for column in self.columns[self.width :]:
            column.seen |= Kind.EMPTY


def survey_rows(
    lines: Lines, rows: Rows, layout: Layout, most_rows: int | None, counts_returns: bool, clock: Clock
) -> Survey:
    survey = Survey(layout.width, layout.width, returns_inside=0 if counts_returns else None)
    skipped = layout.start + layout.has_header
    first = 0
    for part in rows.parts(_part_sizes(layout.width, lines)):
        if first <= layout.start < first + len(part):
            survey.header = part[layout.start - first] if layout.has_header else []
        survey.take(part[max(skipped - first, 0) :], max(first, skipped))
        first += len(part)
        if clock.is_over() or (most_rows is not None and survey.rows >= most_rows):
            survey.is_whole = False
            break
    survey.is_unclosed = rows.is_unclosed
    survey.characters = lines.characters
    survey.finish()
    return survey


def _part_sizes(width: int, lines: Lines) -> Iterator[int]:
    """Small parts first; larger ones as long as the rows are short and narrow enough."""
    most = max(1, min(_PART_ROWS, _PART_FIELDS // max(width, 1)))
    size, read = min(_FIRST_ROWS, most), 0
    while True:
        yield size
        taken, read = lines.characters - read, lines.characters
        size = max(1, size // 2) if taken > _PART_CHARACTERS else min(most, size * 2)
