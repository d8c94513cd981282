"""What the variables of a session are, in a line each."""

import builtins
import inspect
import sys
from types import FunctionType, ModuleType
from typing import Any

from .bounded_text import clip, encodable
from .classes import class_attribute, full_class_name, library_class_names
from .safe_repr import safe_repr
from .table import Table, open_table

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

MOST_VARIABLES = 500
REPR_CHARACTERS = 120
READ_CHARACTERS = 1_000  # of what has several lines, before they are joined
NAMED_COLUMNS = 20


def describe_variables(namespace: dict[str, Any], hidden: set[str]) -> dict[str, Any]:
    """The variables in the order of their names; `cut` says that there are more than are listed."""
    shown = sorted(
        (name, value)
        for name, value in dict.copy(namespace).items()
        if type(name) is str and not name.startswith("_") and name not in hidden and not _is_module(value)
    )
    described = [_describe(name, value) for name, value in shown[:MOST_VARIABLES]]
    return {"variables": described, "cut": len(shown) > MOST_VARIABLES}


def _describe(name: str, value: Any) -> dict[str, Any]:
    described = {"name": encodable(name), "type": encodable(full_class_name(type(value)))}
    try:
        return {**described, **_describe_contents(value)}
    except KeyboardInterrupt:
        raise
    except BaseException:
        return {**described, "repr": _one_line(safe_repr(value, REPR_CHARACTERS)), "bytes": 0}


def _describe_contents(value: Any) -> dict[str, Any]:
    table = open_table(value)
    if table is not None:
        shape = [table.row_count] if table.is_one_column else [table.row_count, table.column_count]
        return {"repr": _one_line(_table_line(table)), "bytes": table.size_bytes(), "shape": shape}
    described = {"repr": _one_line(_text(value)), "bytes": _size_bytes(value)}
    if "numpy.ndarray" in library_class_names(value):
        described["shape"] = [int(length) for length in value.shape]
    return described


def _table_line(table: Table) -> str:
    names = ", ".join(safe_repr(label, REPR_CHARACTERS) for label in table.labels(NAMED_COLUMNS))
    if table.is_one_column:
        return f"[{table.row_count} rows] {names}: {table.dtypes(1)[0]}"
    return f"[{table.row_count} rows x {table.column_count} columns] {names}"


def _text(value: Any) -> str:
    if type(value) is FunctionType:
        return f"{value.__name__}{inspect.signature(value)}"
    text = safe_repr(value, REPR_CHARACTERS)
    return safe_repr(value, READ_CHARACTERS) if "\n" in text else text


def _one_line(text: str) -> str:
    return clip(encodable(" ".join(text.split())), REPR_CHARACTERS)


def _size_bytes(value: Any) -> int:
    if not {"numpy.ndarray", "pandas.ExtensionArray", "pandas.Index"}.isdisjoint(library_class_names(value)):
        return int(value.nbytes)
    # A __sizeof__ written in Python may count deeply, or be hostile.
    if type(class_attribute(type(value), "__sizeof__")) is FunctionType:
        return object.__sizeof__(value)
    return sys.getsizeof(value)


def _is_module(value: Any) -> bool:
    return issubclass(type(value), ModuleType)
