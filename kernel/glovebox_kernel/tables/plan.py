"""What is asked for of a table, and how it is to be loaded."""

import builtins
from typing import Any, NamedTuple

from .code import Expression, literal
from .refusal import Refusal

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_MOST_NAMES = 5
_LONGEST_NAME = 40
_MOST_OFFERED = 60


class Wanted(NamedTuple):
    columns: list[str] | None = None
    rows: int | None = None
    as_text: bool = False


class Plan(NamedTuple):
    """`names` are all the file's columns; `rows` is how many there are to be, where that is known."""

    value: Expression
    modules: list[str]
    names: list[str]
    rows: int | None
    notes: list[str]


def check_columns(wanted: Wanted, names: list[str], path: str) -> None:
    unknown = [name for name in wanted.columns or [] if name not in names]
    if unknown:
        offered = named(names, _MOST_OFFERED)
        raise Refusal("UnknownColumn", f"{path!r} has no column {named(unknown)}; its columns are {offered}.")


def choose(wanted: Wanted, names: list[str]) -> tuple[list | None, str]:
    """The argument that picks the columns, and the code that puts them into the order asked for."""
    if wanted.columns is None:
        return None, ""
    places = [names.index(name) for name in wanted.columns]
    # Names that pandas has made itself, for repeated or blank headers, are not in the file.
    usecols: list[Any] = places if any("." in name or name.startswith("Unnamed: ") for name in wanted.columns) else wanted.columns
    in_order = places == sorted(places) and len(set(places)) == len(places)
    return usecols, "" if in_order else f"[{literal(wanted.columns)}]"


def named(names: list[str], most: int = _MOST_NAMES) -> str:
    """Names of columns as data: quoted, and only so many."""
    shown = [literal(name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…") for name in map(str, names[:most])]
    return ", ".join(shown) + (f" and {len(names) - most:,} more" if len(names) > most else "")
