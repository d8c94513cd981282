"""How a delimited text file is to be read.

1. see the bytes: size, encoding
2. find the dialect and the layout in the first of them
3. survey every row
4. tell pandas what was found, and the reader too
"""

import builtins

from .bytes_seen import BytesSeen, see_bytes
from .clock import Clock
from .columns import plan_columns
from .dialect import find_dialect, hinted_delimiter
from .encoding import Encoding, find_encoding
from .findings import Findings
from .header import name_columns
from .instead import instead_of_loading
from .layout import Layout, find_layout
from .memory import bytes_left, refuse_if_too_large
from .plan import Plan, Wanted, check_columns
from .refusal import Refusal
from .rows import Dialect, Lines, Rows, split_lines
from .source import Source
from .survey import Survey, survey_rows
from .text_code import read_csv_call
from .text_notes import text_notes
from .values_seen import ColumnSeen, Kind

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_SAMPLE_CHARACTERS = 1 << 18
_SAMPLE_ROWS = 5000
_TEXT_OBJECT = 57
_NUMBER = 16  # A number, and its place in the parts that are put together.
_BESIDES = 16 << 20


def plan_text(source: Source, wanted: Wanted, clock: Clock) -> Plan:
    seen = see_bytes(source, _most_bytes(source, wanted), clock)
    if seen.count == 0:
        raise Refusal("Empty", f"{source.path!r} is empty: it has no header and no rows.")
    encoding = find_encoding(seen)
    sample = _sample(seen, encoding)
    if not sample:
        raise Refusal("NotATable", f"{source.path!r} begins with nothing but NUL bytes; it is no text.")
    if sample.lstrip("\ufeff \t\r\n")[:100].lower().startswith(("<!doctype", "<html", "<?xml")):
        raise Refusal("NotATable", f"{source.path!r} holds a web page or XML, not a table. Look at it with python_repl.")
    dialect = find_dialect(sample, source.name.lower().endswith((".tsv", ".tab")))
    _refuse_early(source, wanted, seen, sample, dialect)
    counts_returns = seen.bare_returns > 0 and not encoding.is_wide
    survey, encoding, dialect, layout = _survey(source, encoding, sample, dialect, wanted, counts_returns, clock)
    if layout.width == 0:
        raise Refusal("Empty", f"{source.path!r} has nothing but blank lines.")
    names = name_columns(survey.header, survey.widest, layout.has_header, survey.lacks_first_name)
    check_columns(wanted, names, source.path)
    used = [name for name in names if wanted.columns is None or name in wanted.columns]
    rows = min(survey.rows, wanted.rows) if wanted.rows is not None else survey.rows
    needed = _frame_bytes(survey.columns, names, set(used), survey.rows, rows)
    if not survey.is_whole and wanted.rows is None:
        needed = needed * max(seen.count, source.size) // max(survey.characters, 1)
    if seen.nuls:
        needed += 2 * seen.count
    refuse_if_too_large(source.path, needed, instead_of_loading(source, wanted, dialect.delimiter))
    columns = plan_columns(names, survey.columns, _has_exact_gaps(), survey.characters)
    found = Findings(seen, encoding, dialect, layout, survey, names, columns)
    value, modules = read_csv_call(source, found, wanted)
    known = found.is_whole or (wanted.rows is not None and rows == wanted.rows)
    return Plan(value, modules, names, rows if known else None, text_notes(found, wanted))


def _most_bytes(source: Source, wanted: Wanted) -> int:
    """What is packed may unpack to anything: not more of it is looked at than could be loaded."""
    most = bytes_left() * 4 if source.packing else 1 << 62
    return most if wanted.rows is None else min(most, (4 << 20) + wanted.rows * 4096)


def _sample(seen: BytesSeen, encoding: Encoding) -> str:
    text = seen.head.decode(encoding.name, "replace" if encoding.errors == "replace" else "ignore").replace("\0", "")
    text = text.removeprefix("\ufeff")
    if len(text) <= _SAMPLE_CHARACTERS and seen.count <= len(seen.head):
        return text
    whole, text = text, text[:_SAMPLE_CHARACTERS]
    end = max(text.rfind("\n"), text.rfind("\r"))
    if end < 0:
        end = max(whole.find("\n"), whole.find("\r"))
    return whole[: end + 1] if end > 0 else whole


def _refuse_early(source: Source, wanted: Wanted, seen: BytesSeen, sample: str, dialect: Dialect) -> None:
    """A file whose first rows show that the whole of it cannot fit is not looked at any further."""
    if wanted.rows is not None or wanted.columns is not None:
        return
    size = source.size if source.packing is None else seen.count
    if size < 8 * len(sample):
        return
    rows = Rows(split_lines(sample), dialect).first(len(sample))
    layout = find_layout(rows)
    survey = Survey(layout.width, layout.width)
    survey.take(rows[layout.start + layout.has_header :], 0)
    needed = _frame_bytes(survey.columns, None, None, survey.rows, survey.rows) - _BESIDES
    whole = int(needed * (size / max(len(sample), 1)))
    refuse_if_too_large(source.path, whole * 9 // 10, instead_of_loading(source, wanted, dialect.delimiter))


def _survey(
    source: Source, encoding: Encoding, sample: str, dialect: Dialect, wanted: Wanted, counts_returns: bool, clock: Clock
) -> tuple[Survey, Encoding, Dialect, Layout]:
    """A quote that is never closed makes one field of all that follows; then quotes are nothing but characters."""
    while True:
        first_rows = Rows(split_lines(sample), dialect).first(_SAMPLE_ROWS)
        hint = hinted_delimiter(split_lines(sample[:100])[0])
        if hint:
            first_rows[0] = []
        layout = find_layout(first_rows)
        if hint:
            layout = layout._replace(preamble=layout.preamble + 1)
        lines = Lines(source, encoding)
        try:
            survey = survey_rows(lines, Rows(lines, dialect), layout, wanted.rows, counts_returns, clock)
        except Refusal as refusal:
            if dialect.quote is None or refusal.name != "RowTooLong":
                raise
            survey = None
        except UnicodeDecodeError:
            words = f"{encoding.words}, invalid bytes shown as \N{REPLACEMENT CHARACTER}"
            encoding = Encoding(encoding.name, "replace", words)
            continue
        if survey is not None and not (survey.is_unclosed and dialect.quote is not None):
            return survey, encoding, dialect, layout
        dialect = Dialect(dialect.delimiter, None, None, dialect.skip_space)


def _frame_bytes(columns: list[ColumnSeen], names: list[str] | None, used: set | None, seen: int, rows: int) -> int:
    total = _BESIDES
    for place, column in enumerate(columns):
        if names is not None and used is not None and names[place] not in used:
            continue
        if column.kinds & (Kind.TEXT | Kind.DATE | Kind.PADDED | Kind.HUGE):
            variety = column.variety if column.kinds & Kind.TEXT else 1.0
            total += int(rows * (16 + variety * (_TEXT_OBJECT + column.characters / max(seen, 1))))
        else:
            total += rows * _NUMBER
    return total


def _has_exact_gaps() -> bool:
    import pandas

    return int(pandas.__version__.partition(".")[0]) >= 2
