"""Names of a value's classes, read without running any code of theirs and without importing a library."""

import builtins
from collections.abc import Iterator
from typing import Any

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

LONGEST_NAME = 200

# Descriptors of `type` itself: a metaclass cannot override them.
_name_of = type.__dict__["__name__"].__get__
_module_of = type.__dict__["__module__"].__get__
_bases_of = type.__dict__["__mro__"].__get__


def class_name(kind: type) -> str:
    return _name_of(kind)[:LONGEST_NAME]


def full_class_name(kind: type) -> str:
    """`pandas.DataFrame`: the library and the class; plain `Thing` for builtins and for classes of a cell."""
    library = _library(kind)
    name = class_name(kind)
    return name if library in ("builtins", "__main__", "") else f"{library[:LONGEST_NAME]}.{name}"


def library_class_names(value: Any) -> Iterator[str]:
    """`numpy.float64`, `numpy.floating`, …: the classes of the value and their bases, nearest first."""
    for kind in _bases_of(type(value)):
        yield f"{_library(kind)}.{_name_of(kind)}"


def class_attribute(kind: type, name: str) -> Any:
    """An attribute found in the class or its bases, without the metaclass having a say."""
    for base in _bases_of(kind):
        attributes = type.__dict__["__dict__"].__get__(base)
        if name in attributes:
            return attributes[name]
    return None


def _library(kind: type) -> str:
    try:
        module = _module_of(kind)
    except AttributeError:
        return ""
    return str.partition(module, ".")[0] if issubclass(type(module), str) else ""
