"""Values of the standard library in terms of built-in ones."""

import builtins
from array import array
from collections import deque
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from itertools import islice
from pathlib import PurePath
from typing import Any
from uuid import UUID

from .classes import class_attribute
from .first_of import FirstOf

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins


def simplify(value: Any, items: int) -> Any:
    kind = type(value)
    for base, simpler in _SIMPLER.items():
        if issubclass(kind, base):
            return simpler(value, items)
    if issubclass(kind, tuple) and type(class_attribute(kind, "_fields")) is tuple:
        return dict(zip(class_attribute(kind, "_fields"), tuple.__iter__(value)))
    if type(class_attribute(kind, "__dataclass_fields__")) is dict:
        return _dataclass(value)
    return NotImplemented


def _dataclass(value: Any) -> dict:
    fields = class_attribute(type(value), "__dataclass_fields__")
    return {name: getattr(value, name, None) for name, field in fields.items() if field._field_type.name == "_FIELD"}


def _written_by(write: Callable[[Any], str]) -> Callable[[Any, int], str]:
    return lambda value, items: write(value)


def _first_items(value: Any, items: int) -> FirstOf:
    return FirstOf(list(islice(value, items)), len(value))


_SIMPLER: dict[type, Callable[[Any, int], Any]] = {
    Enum: lambda value, items: object.__getattribute__(value, "_value_"),
    datetime: _written_by(datetime.isoformat),
    date: _written_by(date.isoformat),
    time: _written_by(time.isoformat),
    timedelta: _written_by(timedelta.__str__),
    Decimal: _written_by(Decimal.__str__),
    Fraction: _written_by(Fraction.__str__),
    UUID: _written_by(UUID.__str__),
    PurePath: _written_by(PurePath.__str__),
    complex: _written_by(complex.__repr__),
    range: lambda value, items: FirstOf(value[:items], len(value)),
    deque: _first_items,
    array: lambda value, items: FirstOf(value[:items].tolist(), len(value)),
    **{type(view): _first_items for view in ({}.keys(), {}.values(), {}.items())},
}
