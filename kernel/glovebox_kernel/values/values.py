"""The value of a cell as its result: a table if it is one, else an object."""

import builtins
from typing import Any

from .bounded_text import clip, encodable
from .json_keys import key_text
from .jsonsafe import Budget, to_json_safe
from .safe_repr import describe_error, safe_repr
from .table import Table, open_table

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

HEAD_ROWS = 50
HEAD_COLUMNS = 500
HEAD_CELLS = 5_000
HEAD_CHARACTERS = 256 * 1024
CELL_CHARACTERS = 2_000
CELL_ITEMS = 100
LABEL_SEPARATOR = " / "
DTYPE_CHARACTERS = 200
_NEVER_TABLES = frozenset((bool, int, float, complex, str, bytes, list, tuple, dict, set))


def describe_value(value: Any) -> dict[str, Any]:
    """The result of a cell whose last expression is not None. Never raises but for an interrupt."""
    if type(value) in _NEVER_TABLES:
        return _describe_object(value)
    try:
        table = open_table(value)
        if table is not None:
            return _describe_table(table, safe_repr(value))
    except KeyboardInterrupt:
        raise
    except BaseException:
        pass  # what cannot be read as a table still has a repr
    return _describe_object(value)


def _describe_object(value: Any) -> dict[str, Any]:
    described = {"kind": "object", "repr": safe_repr(value)}
    budget = Budget(whole=True)
    json = to_json_safe(value, budget)
    return described if budget.cut or budget.repr_only else {**described, "json": json}


def _describe_table(table: Table, text: str) -> dict[str, Any]:
    shown_columns = min(table.column_count, HEAD_COLUMNS)
    shown_rows = min(table.row_count, HEAD_ROWS, max(HEAD_CELLS // max(shown_columns, 1), 1))
    names = [_column_name(label) for label in table.labels(shown_columns)]
    cell_characters = min(CELL_CHARACTERS, HEAD_CHARACTERS // max(shown_columns * shown_rows, 1))
    columns = [
        [_cell(item, cell_characters) for item in _read_column(table, position, shown_rows)]
        for position in range(shown_columns)
    ]
    meta: dict[str, Any] = {"dtypes": _dtypes_by_name(names, table.dtypes(shown_columns))}
    index = table.index(shown_rows)
    if index is not None:
        meta["index"] = [_cell(label, cell_characters) for label in index]
    meta["source"] = table.source
    if shown_columns < table.column_count:
        meta["column_count"] = table.column_count
    return {
        "kind": "dataframe",
        "repr": text,
        "columns": names,
        "head": [list(row) for row in zip(*columns)] if columns else [[] for _ in range(shown_rows)],
        "row_count": table.row_count,
        "meta": meta,
    }


def _read_column(table: Table, position: int, rows: int) -> list:
    try:
        return table.column(position, rows)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return [f"<unreadable: {describe_error(error)}>"] * rows


def _cell(value: Any, characters: int) -> Any:
    return to_json_safe(value, Budget(items=CELL_ITEMS, characters=characters))


def _column_name(label: Any) -> str:
    """Levels of a MultiIndex are joined; a level left empty, as reset_index does, is left out."""
    if type(label) is tuple:
        return LABEL_SEPARATOR.join(part for part in map(key_text, label) if part)
    return key_text(label)


def _dtypes_by_name(names: list[str], dtypes: list) -> dict[str, str]:
    by_name: dict[str, str] = {}
    repeats: dict[str, int] = {}
    for name, dtype in zip(names, dtypes):
        unique = name
        while unique in by_name:
            repeats[name] = repeats.get(name, 0) + 1
            unique = f"{name}.{repeats[name]}"
        by_name[unique] = clip(encodable(str(dtype)), DTYPE_CHARACTERS)
    return by_name
