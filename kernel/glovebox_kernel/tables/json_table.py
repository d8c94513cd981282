"""How a JSON file is to be read: records, columns, one record a line, or a table somewhere inside."""

import builtins
import json
from typing import Any

from .bytes_seen import see_bytes
from .clock import Clock
from .code import Expression, literal
from .encoding import find_encoding
from .memory import bytes_left, refuse_if_too_large
from .plan import Plan, Wanted, check_columns
from .refusal import Refusal
from .source import DAMAGED, Source

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_GROWTH = 8
_MOST_NESTED = 3


def plan_json(source: Source, wanted: Wanted, clock: Clock) -> Plan:
    seen = see_bytes(source, bytes_left(), clock)
    size = max(seen.count, source.size)
    advice = "Read it record by record with python_repl instead: import json; [json.loads(line)['a'] for line in open(path)]"
    refuse_if_too_large(source.path, size * _GROWTH, advice)
    if not seen.is_whole:
        raise Refusal("TooSlow", f"{source.path!r} could not be looked at in time; read it with python_repl.")
    encoding = find_encoding(seen)
    data, is_lines = _parse(source, encoding.name, encoding.errors)
    file, modules = source.for_text(encoding.name, encoding.errors)
    whole = f"[json.loads(line) for line in {file} if line.strip()]" if is_lines else f"json.load({file})"
    shape = "one record a line" if is_lines else ""
    keys, table = _find_table(data)
    whole += "".join(f"[{literal(key)}]" for key in keys)
    value, names, rows, words = _frame(source, table, whole, wanted)
    check_columns(wanted, names, source.path)
    if wanted.columns is not None:
        value += f"[{literal(wanted.columns)}]"
    if wanted.as_text:
        value += ".astype(str)"
    inside = f"the table is under {'.'.join(keys)!r}" if keys else ""
    notes = [f"read as JSON, {encoding.words}", *filter(None, (shape, inside, words))]
    return Plan(Expression(value), [*modules, "json"], names, min(rows, wanted.rows or rows), notes)


def _parse(source: Source, encoding: str, errors: str) -> tuple[Any, bool]:
    try:
        with source.open() as file:
            text = file.read().decode(encoding, errors)
    except (*DAMAGED, UnicodeDecodeError) as error:
        raise Refusal("Damaged", f"{source.path!r} cannot be read: {error}.") from None
    try:
        return json.loads(text), False
    except RecursionError:
        raise Refusal("TooDeep", f"{source.path!r} is nested too deeply to be a table.") from None
    except ValueError as error:
        first_error = error
    try:
        return [json.loads(line) for line in text.split("\n") if line.strip()], True
    except (ValueError, RecursionError):
        raise Refusal("Damaged", f"{source.path!r} is not valid JSON: {first_error}.") from None


def _find_table(data: Any) -> tuple[list[str], Any]:
    """Down to the one list of records that an object holds."""
    keys: list[str] = []
    while isinstance(data, dict) and len(keys) < _MOST_NESTED and not _is_columns(data):
        lists = [key for key, item in data.items() if _is_records(item)]
        inner = lists or [key for key, item in data.items() if isinstance(item, dict)]
        if len(inner) != 1 or (not lists and len(data) > 1):
            break
        keys.append(inner[0])
        data = data[inner[0]]
    return keys, data


def _is_records(data: Any) -> bool:
    return isinstance(data, list) and bool(data) and all(isinstance(item, dict) for item in data)


def _is_columns(data: dict) -> bool:
    """Values by column: lists of one length, or objects with the same keys."""
    items = list(data.values())
    if items and all(isinstance(item, list) and not _is_records(item) for item in items):
        return len(set(map(len, items))) == 1
    return len(items) > 1 and all(isinstance(item, dict) and item.keys() == items[0].keys() for item in items)


def _frame(source: Source, table: Any, code: str, wanted: Wanted) -> tuple[str, list[str], int, str]:
    import pandas

    cut = f"[:{wanted.rows}]" if wanted.rows is not None else ""
    if _is_records(table):
        nested = any(isinstance(item, dict) for record in table for item in record.values())
        names = list(dict.fromkeys(str(key) for record in table for key in record))
        if not nested:
            return f"pd.DataFrame({code}{cut})", names, len(table), "records"
        names = [str(name) for name in pandas.json_normalize(table[:1000]).columns]
        return f"pd.json_normalize({code}{cut})", names, len(table), "nested records, their inner names joined with '.'"
    head = f".head({wanted.rows})" if wanted.rows is not None else ""
    if isinstance(table, dict) and _is_columns(table):
        frame = pandas.DataFrame(table)
        return f"pd.DataFrame({code}){head}", [str(name) for name in frame.columns], len(frame), "values by column"
    if isinstance(table, list) and table and all(isinstance(item, list) for item in table):
        width = max(map(len, table))
        first = table[0]
        if len(table) > 1 and len(first) == width and all(isinstance(item, str) for item in first) and len(set(first)) == width:
            value = f"(lambda rows: pd.DataFrame(rows[1:], columns=rows[0]))({code}){head}"
            return value, first, len(table) - 1, "rows under a row of names"
        return f"pd.DataFrame({code}{cut})", [str(place) for place in range(width)], len(table), "rows without names"
    if isinstance(table, list) and table and not any(isinstance(item, (dict, list)) for item in table):
        return f"pd.DataFrame({{'value': {code}{cut}}})", ["value"], len(table), "a list of values"
    if isinstance(table, dict) and table:
        return f"pd.json_normalize({code})", [str(name) for name in pandas.json_normalize(table).columns], 1, "one record"
    raise Refusal("NotATable", f"{source.path!r} holds no table: its JSON is {type(table).__name__} without records.")
