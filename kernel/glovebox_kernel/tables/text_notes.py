"""What was found out about a text file, in words."""

import builtins
from collections.abc import Iterable

from .columns import ColumnPlan
from .findings import Findings
from .plan import Wanted, named
from .rows import WHITESPACE, Dialect
from .survey import Survey

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_MARK_NAMES = {"\t": "tabs", WHITESPACE: "blanks between fields"}
_MOST_WORDS = 5


def text_notes(found: Findings, wanted: Wanted) -> list[str]:
    notes = [f"read as {found.encoding.words}", *_dialect_notes(found.dialect, found.survey)]
    if found.has_stray_nuls:
        notes.append(_counted(found.seen.nuls, "NUL byte") + " left out")
    if found.has_returns_for_newlines:
        notes.append("carriage returns read as newlines")
    for count, what in (
        (found.layout.preamble, "preamble line"),
        (len(found.survey.comments), "comment line"),
        (found.survey.blank, "blank line"),
    ):
        if count:
            notes.append(_counted(count, what) + " skipped")
    if not found.layout.has_header:
        notes.append(f"no header, so the columns are named {named(found.names, 3)}")
    notes += _header_notes(found.header, found.names[1:] if found.named_first else found.names)
    notes += _ragged_notes(found)
    if wanted.as_text:
        notes.append("every field kept as the text it is, an empty one as ''")
    else:
        notes += _type_notes(found.columns, wanted)
    if not found.is_whole and wanted.rows is None:
        notes.append(f"only the first {found.survey.rows:,} rows could be looked at in time, what follows may differ")
    return notes


def _dialect_notes(dialect: Dialect, survey: Survey) -> list[str]:
    notes = [_MARK_NAMES.get(dialect.delimiter, repr(dialect.delimiter)) if survey.widest > 1 else "one column"]
    if dialect.quote is None:
        notes.append("a quote is never closed, so quotes are kept as characters")
    elif dialect.quote != '"':
        notes.append(f"fields quoted with {dialect.quote}")
    if dialect.escape:
        notes.append("quotes escaped with a backslash")
    if dialect.skip_space:
        notes.append("blanks after separators left out")
    return notes


def _header_notes(header: list[str], names: list[str]) -> list[str]:
    blank = [name for raw, name in zip(header, names) if not raw]
    renamed = [name for raw, name in zip(header, names) if raw and raw != name]
    notes = []
    if blank:
        notes.append(_counted(len(blank), "blank header") + f" named {named(blank)}")
    if renamed:
        notes.append(_counted(len(renamed), "repeated header") + f" named {named(renamed)}")
    return notes


def _ragged_notes(found: Findings) -> list[str]:
    survey, notes = found.survey, []
    if found.named_first:
        notes.append(f"the header lacks a name for the first column, which is now {named(found.names[:1])}")
    elif found.header and len(found.header) < survey.width:
        notes.append(f"the header is short, so {named(found.names[len(found.header) : survey.width])} added")
    parts = []
    if survey.short:
        parts.append(f"{survey.short:,} short, filled with missing values")
    if survey.long:
        parts.append(f"{survey.long:,} long, the rest in {named(found.names[survey.width :])}")
    if parts:
        notes.append(_counted(survey.short + survey.long, "ragged row") + f" kept ({'; '.join(parts)})")
    return notes


def _type_notes(columns: ColumnPlan, wanted: Wanted) -> list[str]:
    def among(listed: Iterable[str]) -> list[str]:
        return [name for name in listed if wanted.columns is None or name in wanted.columns]

    notes = []
    if columns.decimal == ",":
        notes.append("decimal comma")
    if columns.thousands:
        notes.append(f"{columns.thousands!r} between thousands")
    if padded := among(columns.padded):
        notes.append(f"leading zeros kept, as text, in {named(padded)}")
    if huge := among(columns.huge):
        notes.append(f"numbers too long for pandas kept exactly, as text, in {named(huge)}")
    if exact := among(columns.exact_ints):
        notes.append(f"long numbers beside gaps kept exactly, as Int64, in {named(exact)}")
    if undecided := among(columns.undecided):
        notes.append(f"text in {named(undecided)}, whose decimal marks are not those of the rest")
    if words := among(columns.missing_words):
        notes.append(f"{_words(columns.missing_words, words)} counted as missing in {named(words)}")
    if kept := among(columns.kept_words):
        notes.append(f"{_words(columns.kept_words, kept)} kept as text in {named(kept)}")
    if floats := among(columns.floats):
        notes.append(f"whole numbers with gaps are floats in {named(floats)}")
    if dates := among(columns.dates):
        notes.append(f"ISO dates left as text in {named(dates)} (pd.to_datetime reads them)")
    return notes


def _words(words: dict[str, set[str]], names: list[str]) -> str:
    return ", ".join(map(repr, sorted(set().union(*(words[name] for name in names)))[:_MOST_WORDS]))


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")
