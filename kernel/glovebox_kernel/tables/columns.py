"""What pandas is told about the columns of a text file, so that every value stays what it is."""

import builtins
from dataclasses import dataclass, field

from .values_seen import COMMAS, NUMBERS, PANDAS_MISSING_WORDS, ColumnSeen, Kind

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_MISSING = Kind.EMPTY | Kind.WORD
_PART_OF_PANDAS = 200_000  # Types are guessed for parts of this many characters, each by itself.


@dataclass
class ColumnPlan:
    decimal: str = "."
    thousands: str | None = None
    text: list[str] = field(default_factory=list)  # told to be text
    exact_ints: list[str] = field(default_factory=list)
    missing_words: dict[str, set[str]] = field(default_factory=dict)
    kept_words: dict[str, set[str]] = field(default_factory=dict)
    padded: list[str] = field(default_factory=list)
    huge: list[str] = field(default_factory=list)
    floats: list[str] = field(default_factory=list)  # whole numbers with gaps
    dates: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)  # written with the other decimal mark
    is_fine: bool = False


def plan_columns(names: list[str], columns: list[ColumnSeen], has_exact_gaps: bool, characters: int) -> ColumnPlan:
    """`has_exact_gaps`: whether this pandas reads long whole numbers exactly where others are missing."""
    plan = ColumnPlan()
    numeric = [column.kinds for column in columns if _is_numeric(column.kinds)]
    plan.decimal, plan.thousands = _marks(numeric)
    told = set()
    for name, column in zip(names, columns):
        _plan_column(plan, name, column, has_exact_gaps)
        told.update(plan.text[-1:])
        if name not in told and _is_text(column.kinds) and (
            plan.thousands or (characters > _PART_OF_PANDAS and (column.has_numbers or column.kinds & ~(Kind.TEXT | _MISSING)))
        ):
            plan.text.append(name)
    return plan


def _is_numeric(kinds: int) -> bool:
    other = Kind.TEXT | Kind.PADDED | Kind.HUGE | Kind.DATE | Kind.BOOL
    return not kinds & other and bool(kinds & (NUMBERS | COMMAS))


def _marks(numeric: list[int]) -> tuple[str, str | None]:
    """The decimal mark and that of thousands, from the columns where they cannot be mistaken."""
    has_comma = any(kinds & (Kind.COMMA | Kind.POINT_GROUPS) for kinds in numeric)
    has_point = any(kinds & (Kind.REAL | Kind.FINE | Kind.COMMA_GROUPS) for kinds in numeric)
    commas = sum(bool(kinds & (Kind.COMMA | Kind.POINT_GROUPS)) for kinds in numeric)
    points = sum(bool(kinds & (Kind.REAL | Kind.FINE | Kind.COMMA_GROUPS)) for kinds in numeric)
    if has_comma and (not has_point or commas >= points):
        grouped = any(kinds & Kind.POINT_GROUPS for kinds in numeric)
        return ",", "." if grouped else None
    grouped = any(kinds & (Kind.COMMA_GROUP | Kind.COMMA_GROUPS) for kinds in numeric)
    return ".", "," if grouped else None


def _fits(kinds: int, plan: ColumnPlan) -> bool:
    """Whether a column of numbers is written with the marks of the file."""
    if plan.decimal == ",":
        points = Kind.REAL | Kind.FINE | Kind.COMMA_GROUPS
        if plan.thousands is None:
            points |= Kind.POINT_GROUP
        return not kinds & points
    return not kinds & (Kind.COMMA | Kind.POINT_GROUPS)


def _is_text(kinds: int) -> bool:
    """Whether pandas makes text of it by itself."""
    if kinds & (Kind.TEXT | Kind.DATE):
        return True
    return bool(kinds & Kind.BOOL and kinds & (NUMBERS | COMMAS))


def _plan_column(plan: ColumnPlan, name: str, column: ColumnSeen, has_exact_gaps: bool) -> None:
    kinds = column.kinds
    if kinds & Kind.TEXT:
        if column.words:
            plan.kept_words[name] = column.words
        return
    if kinds & Kind.DATE and not kinds & ~(Kind.DATE | _MISSING):
        plan.dates.append(name)
        if column.words:
            plan.missing_words[name] = column.words
        return
    if kinds & (Kind.PADDED | Kind.HUGE):
        plan.text.append(name)
        (plan.padded if kinds & Kind.PADDED else plan.huge).append(name)
        if column.words:
            plan.kept_words[name] = column.words
        return
    if column.words:
        plan.missing_words[name] = column.words
    if not kinds & (NUMBERS | COMMAS) or kinds & Kind.BOOL:
        return
    if not _fits(kinds, plan):
        plan.text.append(name)
        plan.undecided.append(name)
        return
    plan.is_fine |= bool(kinds & Kind.FINE)
    has_gaps = bool(kinds & _MISSING)
    if kinds & Kind.LONG and (has_gaps or kinds & ~(Kind.WHOLE | Kind.LONG)):
        is_whole = not kinds & ~(Kind.WHOLE | Kind.LONG | _MISSING)
        if is_whole and has_exact_gaps:
            plan.exact_ints.append(name)
        else:
            plan.text.append(name)
            plan.huge.append(name)
    elif has_gaps and not kinds & ~(Kind.WHOLE | _MISSING):
        plan.floats.append(name)


def missing_arguments(plan: ColumnPlan, names: list[str]) -> dict:
    """The empty field is missing everywhere; words for it only in columns that hold no other words."""
    words = set().union(*plan.missing_words.values()) if plan.missing_words else set()
    kept = set().union(*plan.kept_words.values()) if plan.kept_words else set()
    if not kept & (PANDAS_MISSING_WORDS | words):
        own = sorted(words - PANDAS_MISSING_WORDS)
        return {"na_values": own} if own else {}
    if not words & kept:
        return {"keep_default_na": False, "na_values": ["", *sorted(words)]}
    by_name = {name: ["", *sorted(plan.missing_words.get(name, ()))] for name in names}
    return {"keep_default_na": False, "na_values": by_name}
