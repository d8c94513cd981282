"""Where the table begins in a text file: the lines above it, its header, and the comments in between."""

import builtins
from collections import Counter
from typing import NamedTuple

from .values_seen import Kind, kind_of

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_SAMPLE_ROWS = 300
_SAMPLE_COLUMNS = 300
_NUMERIC = ~(Kind.EMPTY | Kind.WORD | Kind.TEXT | Kind.BOOL)
_YEARS = range(1800, 2200)


class Layout(NamedTuple):
    """`start` counts rows, blank ones too, before the header or, without one, before the first row."""

    start: int
    preamble: int
    has_header: bool
    width: int


def find_layout(rows: list[list[str]]) -> Layout:
    filled = [(place, row) for place, row in enumerate(rows) if not is_blank(row)]
    if not filled:
        return Layout(0, 0, False, 0)
    places = [place for place, row in filled if not is_comment(row)] or [filled[0][0]]
    usual = _usual_width([rows[place] for place in places])
    start = _first_of_table(rows, places, usual)
    following = [rows[place] for place in places if place > start]
    has_header = _is_header(rows[start], following[:_SAMPLE_ROWS])
    preamble = sum(place < start for place, _ in filled)
    return Layout(start, preamble, has_header, max(usual, len(rows[start])) if has_header else usual)


def is_blank(row: list[str]) -> bool:
    """As pandas has it: nothing, or nothing but blanks; a pair of quotes is an empty field."""
    return not row or (len(row) == 1 and row[0] != "" and not row[0].strip(" \t"))


def is_comment(row: list[str]) -> bool:
    return bool(row) and row[0].lstrip().startswith("#")


def _usual_width(rows: list[list[str]]) -> int:
    """The commonest; of several the one that comes first."""
    return Counter(map(len, rows)).most_common(1)[0][0]


def _first_of_table(rows: list[list[str]], places: list[int], usual: int) -> int:
    if usual == 1:
        return places[0]
    for index, place in enumerate(places):
        row = rows[place]
        full = len(row) >= usual and sum(map(bool, row)) > (1 if usual > 2 else 0)
        if not full:
            continue
        before = rows[places[index - 1]] if index else []
        # A header that is short of names is still the header when what follows it is data.
        if 2 <= len(before) < usual and _looks_like_names(before) and not _looks_like_names(row):
            return places[index - 1]
        return place
    return places[0]


def _looks_like_names(row: list[str]) -> bool:
    return all(not kind_of(field) & _NUMERIC for field in row) and any(map(str.strip, row))


def _is_header(first: list[str], rows: list[list[str]]) -> bool:
    names = first[:_SAMPLE_COLUMNS]
    if _are_years(names):
        return True
    evidence = 0.0
    for place, name in enumerate(names):
        kinds = [kind_of(row[place]) for row in rows if place < len(row) and row[place]]
        own = kind_of(name)
        if own & (Kind.EMPTY | Kind.WORD):
            continue
        if not kinds:
            evidence -= 0.1 if own & _NUMERIC else 0.0
        elif all(kind & (_NUMERIC | Kind.WORD) for kind in kinds):
            evidence += -1.0 if own & _NUMERIC else 1.0
        elif all(kind & Kind.BOOL for kind in kinds):
            evidence += -1.0 if own & Kind.BOOL else 1.0
        elif own & _NUMERIC and not rows:
            evidence -= 1.0
    return evidence >= 0


def _are_years(names: list[str]) -> bool:
    """Years, or other numbers in a row, that name columns beside one with a name in words."""
    numbers = [int(name) for name in names if name.isdecimal() and len(name) < 10]
    if len(numbers) < 2 or len(numbers) == len(names) or kind_of(names[0]) & _NUMERIC:
        return False
    if any(kind_of(name) & _NUMERIC and not name.isdecimal() for name in names):
        return False
    steps = {after - before for before, after in zip(numbers, numbers[1:])}
    return len(steps) == 1 and steps != {0} and (all(number in _YEARS for number in numbers) or steps == {1})
