"""Which characters part and quote the fields: the reading that gives even rows of clean values."""

import builtins
import re
from collections import Counter

from .rows import WHITESPACE, Dialect, Rows, split_lines
from .values_seen import Kind, kind_of

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_SAMPLE_LINES = 400
_SAMPLE_FIELDS = 20_000
_USUAL = (",", ";", "\t", "|")
_UNUSUAL = ("^", "~", "\x1f", "\x01", "¦", "§", "!", "#", "&", "*", "$", ":")
_HINT = re.compile(r"sep=(.)\s*$", re.IGNORECASE)
_TIME = re.compile(r"\d:\d\d")
_LONGEST_CHECKED = 200


def hinted_delimiter(first_line: str) -> str | None:
    """Excel's own first line, `sep=;`, which is no part of the table."""
    match = _HINT.fullmatch(first_line.strip("\r\n\ufeff"))
    return match[1] if match else None


def find_dialect(text: str, is_tabbed: bool) -> Dialect:
    lines = split_lines(text)[:_SAMPLE_LINES]
    if lines and (hint := hinted_delimiter(lines[0])):
        return _refine(lines[1:], Dialect(hint))
    usual = ("\t", *_USUAL) if is_tabbed else _USUAL
    best = _best(lines, [_refine(lines, Dialect(mark)) for mark in usual if mark in text])
    if best is not None:
        return best
    even = [dialect for mark in _UNUSUAL if mark in text and (dialect := _even(lines, Dialect(mark)))]
    if (found := _best(lines, even)) is not None:
        return found
    if spaced := _even(lines, Dialect(WHITESPACE)):
        return spaced
    return _refine(lines, Dialect())


def _best(lines: list[str], dialects: list[Dialect]) -> Dialect | None:
    scored = [(score(lines, dialect), -place) for place, dialect in enumerate(dialects)]
    if not scored:
        return None
    value, place = max(scored)
    return dialects[-place] if value > 0 else None


def _rows(lines: list[str], dialect: Dialect) -> tuple[list[list[str]], bool]:
    reader = Rows(lines, dialect)
    rows: list[list[str]] = []
    fields = 0
    for part in reader.parts([1] * _SAMPLE_LINES):
        rows += filter(any, part)
        fields += len(part[0])
        if fields > _SAMPLE_FIELDS:
            break
    return rows, reader.is_unclosed


def score(lines: list[str], dialect: Dialect) -> float:
    """Even rows and many columns count, and fields that are values and not pieces of them."""
    rows, unclosed = _rows(lines, dialect)
    if not rows:
        return 0.0
    widths = Counter(map(len, rows))
    evenness = sum(count * (width - 1) / width for width, count in widths.items()) / len(widths) / len(rows)
    others = [mark for mark in _USUAL if mark != dialect.delimiter]
    clean = total = 0
    for row in rows:
        for field in row:
            total += 1
            clean += _is_clean(field[:_LONGEST_CHECKED], others, dialect)
    return evenness * clean / max(total, 1) * (0.5 if unclosed else 1.0)


def _is_clean(field: str, others: list[str], dialect: Dialect) -> float:
    if not kind_of(field) & Kind.TEXT:
        return 1.0
    if field.count('"') % 2 or field.startswith('"'):
        return 0.0
    if any(mark in field for mark in others):
        return 0.4 if " " in field else 0.1
    return 0.9


def _refine(lines: list[str], dialect: Dialect) -> Dialect:
    """The blanks, quotes and escapes that go with a delimiter."""
    mark = re.escape(dialect.delimiter)
    text = "".join(lines)
    chosen = Dialect(dialect.delimiter, skip_space=_is_spaced(lines, dialect))
    quoted_single = len(re.findall(rf"(?:^|{mark})\s*'[^'\r\n]*'\s*(?={mark}|[\r\n]|$)", text, re.MULTILINE))
    single = Dialect(chosen.delimiter, "'", None, chosen.skip_space)
    if quoted_single > 1 and '"' not in text and score(lines, single) >= score(lines, chosen):
        chosen = single
    escaped = re.search(rf"\\{chosen.quote}(?!\s*(?:{mark}|[\r\n]|$))", text)
    if escaped and chosen.quote is not None:
        with_escape = Dialect(chosen.delimiter, chosen.quote, "\\", chosen.skip_space)
        if score(lines, with_escape) >= score(lines, chosen):
            return with_escape
    return chosen


def _is_spaced(lines: list[str], dialect: Dialect) -> bool:
    """A blank after every delimiter, or before a quote, is no part of the field."""
    rows, _ = _rows(lines, dialect)
    later = [field for row in rows for field in row[1:] if field]
    if any(field[0] == " " and field.lstrip(" ").startswith('"') for field in later):
        return True
    return len(later) > 1 and all(field[0] == " " for field in later)


def _even(lines: list[str], dialect: Dialect) -> Dialect | None:
    """A rarer delimiter is believed only where every row has as many fields, most of them values."""
    rows, _ = _rows(lines, dialect)
    widths = set(map(len, rows))
    if len(rows) < 2 or len(widths) != 1 or widths == {1}:
        return None
    if dialect.delimiter == ":" and _TIME.search("".join(lines)):
        return None
    kinds = [kind_of(field) for row in rows[1:] for field in row]
    share = sum(not kind & Kind.TEXT for kind in kinds) / len(kinds)
    needed = 0.5 if dialect.delimiter == WHITESPACE else 0.3
    return dialect if share >= needed else None
