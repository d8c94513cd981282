"""A value of a class that JSON does not know, one step closer to built-in types."""

from typing import Any

from . import library_types, standard_types


def simplify(value: Any, items: int) -> Any:
    """Of a container at most `items` are read. NotImplemented if there is no simpler form."""
    # Libraries first: pandas' Timestamp and NaT are datetimes to the standard library.
    plain = library_types.simplify(value, items)
    return standard_types.simplify(value, items) if plain is NotImplemented else plain
