"""Values of numpy, pandas, polars and pyarrow in terms of built-in ones."""

import builtins
from collections.abc import Callable
from typing import Any

from .classes import library_class_names
from .first_of import FirstOf
from .table import Table, open_table

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

MOST_COLUMNS = 500


def simplify(value: Any, items: int) -> Any:
    for name in library_class_names(value):
        if name in _SIMPLER:
            return _SIMPLER[name](value, items)
    table = open_table(value)
    return NotImplemented if table is None else _table(table, items)


def _nothing(value: Any, items: int) -> None:
    return None


def _text(value: Any, items: int) -> str:
    return str.__str__(str(value))


def _datetime(value: Any, items: int) -> str | None:
    text = str(value)
    return None if text == "NaT" else text


def _array(value: Any, items: int) -> Any:
    if value.ndim == 0:
        return value[()]
    plain = value.size <= items and value.dtype.kind in "biufcSU"
    return FirstOf(value.tolist() if plain else list(value[:items]), len(value))


def _void(value: Any, items: int) -> Any:
    names = value.dtype.names
    return bytes(value) if names is None else {name: value[name] for name in names}


def _values(value: Any, items: int) -> FirstOf:
    return FirstOf(list(value[:items]), len(value))


def _table(table: Table, items: int) -> Any:
    if table.is_one_column:
        return FirstOf(table.column(0, items), table.row_count)
    labels = table.labels(MOST_COLUMNS)
    rows = items // max(len(labels), 1) + 1
    columns = [table.column(position, rows) for position in range(len(labels))]
    return {"columns": FirstOf(labels, table.column_count), "data": FirstOf(zip(*columns), table.row_count)}


_SIMPLER: dict[str, Callable[[Any, int], Any]] = {
    "numpy.bool": lambda value, items: bool(value),
    "numpy.bool_": lambda value, items: bool(value),
    "numpy.datetime64": _datetime,
    "numpy.timedelta64": _datetime,
    "numpy.integer": lambda value, items: int(value),
    "numpy.floating": lambda value, items: float(value),
    "numpy.complexfloating": lambda value, items: complex(value),
    "numpy.void": _void,
    "numpy.MaskedConstant": _nothing,
    "numpy.ndarray": _array,
    "numpy.dtype": _text,
    "pandas.NaTType": _nothing,
    "pandas.NAType": _nothing,
    "pandas.Timestamp": lambda value, items: value.isoformat(),
    "pandas.Timedelta": _text,
    "pandas.Period": _text,
    "pandas.Interval": _text,
    "pandas.ExtensionDtype": _text,
    "pandas.Index": _values,
    "pandas.ExtensionArray": _values,
    "polars.DataType": _text,
    "polars.DataTypeClass": _text,
    "pyarrow.Scalar": lambda value, items: value.as_py(),
    "pyarrow.DataType": _text,
}
