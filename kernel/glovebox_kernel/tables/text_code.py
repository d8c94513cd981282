"""The call of pandas that reads a text file as it was found to be."""

import builtins
from typing import Any

from .code import Expression, call, literal
from .columns import ColumnPlan, missing_arguments
from .findings import Findings
from .plan import Wanted, choose
from .refusal import Refusal
from .rows import Dialect
from .source import Source

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_LONGEST_NAMES = 8000
_MOST_NAMED = 5000
_QUOTE_NONE = 3


def read_csv_call(source: Source, found: Findings, wanted: Wanted) -> tuple[Expression, list[str]]:
    """The expression, and the modules that it needs."""
    first, arguments, modules = _file(source, found)
    arguments.update(_dialect(found.dialect))
    arguments.update(_skipped(found))
    arguments.update(_names(first, arguments, found))
    if wanted.rows is not None:
        arguments["nrows"] = wanted.rows
    usecols, order = choose(wanted, found.names)
    if usecols is not None:
        arguments["usecols"] = usecols
    if wanted.as_text:
        arguments.update({"dtype": Expression("str"), "na_filter": False})
    else:
        arguments.update(_types(found.columns, found.names, wanted))
    return Expression(call("pd.read_csv", first, arguments) + order), modules


def _file(source: Source, found: Findings) -> tuple[Any, dict[str, Any], list[str]]:
    name, errors, _ = found.encoding
    if found.has_stray_nuls:
        text, modules = source.for_text(name, errors, None if found.has_returns_for_newlines else "")
        return Expression(f'io.StringIO({text}.read().replace("\\x00", ""))'), {}, [*modules, "io"]
    if found.has_returns_for_newlines:
        # pandas mistakes some lines that end with a carriage return alone.
        text, modules = source.for_text(name, errors, None)
        return text, {}, modules
    first, arguments, modules = source.for_pandas()
    if name != "utf-8":
        arguments["encoding"] = name
    if errors != "strict":
        arguments["encoding_errors"] = errors
    return first, arguments, modules


def _dialect(dialect: Dialect) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    if dialect.delimiter != ",":
        arguments["sep"] = dialect.delimiter
    if dialect.quote is None:
        arguments["quoting"] = _QUOTE_NONE
    elif dialect.quote != '"':
        arguments["quotechar"] = dialect.quote
    if dialect.escape:
        arguments["escapechar"] = dialect.escape
    if dialect.skip_space:
        arguments["skipinitialspace"] = True
    return arguments


def _skipped(found: Findings) -> dict[str, Any]:
    """Rows above the table and between; the header too where other names are given. Blank ones pandas skips itself."""
    renames = found.layout.has_header and len(found.names) > len(found.header)
    start = found.layout.start + renames if found.layout.preamble or renames or found.survey.comments else 0
    if found.survey.comments:
        return {"skiprows": [*range(start), *found.survey.comments]}
    return {"skiprows": start} if start else {}


def _names(first: Any, arguments: dict[str, Any], found: Findings) -> dict[str, Any]:
    """Nothing where the header names every column: pandas reads it itself."""
    names, is_long = found.names, len(literal(found.names)) > _LONGEST_NAMES
    if not found.layout.has_header:
        counted = Expression(f'[f"column_{{number}}" for number in range(1, {len(names) + 1})]')
        return {"names": counted if is_long else names}
    extra = names[len(found.header) :]
    if not extra:
        return {}
    if len(names) > _MOST_NAMED:
        raise Refusal("TooWide", f"{len(names):,} columns, and rows with more fields than the header: too many to name one by one.")
    if is_long:
        above = {"skiprows": found.layout.start, "nrows": 0, "index_col": False}
        header = call("pd.read_csv", first, {**arguments, **above})
        counted = f'(f"extra_{{number}}" for number in range(1, {len(extra) + 1}))'
        if found.named_first:
            return {"names": Expression(f"[{literal(names[0])}, *{header}.columns]")}
        return {"names": Expression(f"[*{header}.columns, *{counted}]")}
    return {"names": names}


def _types(columns: ColumnPlan, names: list[str], wanted: Wanted) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    if columns.decimal != ".":
        arguments["decimal"] = columns.decimal
    if columns.thousands is not None:
        arguments["thousands"] = columns.thousands
    used = set(names if wanted.columns is None else wanted.columns)
    types: dict[str, Any] = {name: Expression("str") for name in columns.text if name in used}
    types.update({name: "Int64" for name in columns.exact_ints if name in used})
    if types:
        arguments["dtype"] = Expression("str") if list(types.values()) == ["str"] * len(used) else types
    missing = missing_arguments(columns, names)
    if isinstance(missing.get("na_values"), dict):
        missing["na_values"] = {name: words for name, words in missing["na_values"].items() if name in used}
    if columns.is_fine:
        missing["float_precision"] = "round_trip"
    return {**arguments, **missing}
