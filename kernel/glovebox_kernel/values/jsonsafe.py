"""Any value as JSON: bounded, never raising, and always valid.

Built-in types are read here through their own methods, so that a subclass cannot interfere;
every other type is first turned into built-in ones by `simplify`.
"""

import builtins
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from .bounded_text import clip, encodable
from .classes import class_name
from .first_of import FirstOf
from .json_keys import key_text
from .safe_repr import describe_error, safe_repr
from .simplify import simplify

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

LARGEST_EXACT_INT = 2**53
SHORT_TEXT = 100
CHARACTERS_AN_ITEM = 25
REPR_TEXT = 1000


@dataclass
class Budget:
    """What one value may still cost; afterwards `cut` and `repr_only` tell what had to be left out."""

    items: int = 10_000
    characters: int = 256 * 1024
    depth: int = 20
    whole: bool = False  # stop as soon as something must be cut: a part is of no use
    cut: bool = False
    repr_only: bool = False  # the value itself, not just a part of it, has no form in JSON

    def is_spent(self) -> bool:
        return self.items <= 0 or (self.whole and self.cut)


def to_json_safe(value: Any, budget: Budget | int | None = None) -> Any:
    """A budget that is a number allows so many items, and the text that so many usually have."""
    if type(budget) is int:
        budget = Budget(items=budget, characters=budget * CHARACTERS_AN_ITEM)
    return _Converter(budget or Budget()).convert(value)


class _Converter:
    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.open: set[int] = set()

    def convert(self, value: Any) -> Any:
        kind = type(value)
        self.budget.items -= 1
        if value is None or kind is bool:
            return value
        if kind is int:
            return self.read_integer(value)
        if kind is float:
            return self.read_float(value)
        if kind is str:
            return self.read_text(value)
        try:
            return self.nested(value)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.budget.cut = True
            return self.read_text(f"<{class_name(kind)} object that could not be read: {describe_error(error)}>")

    def nested(self, value: Any) -> Any:
        if id(value) in self.open:
            return "<cycle>"
        if len(self.open) >= self.budget.depth:
            self.budget.cut = True
            return f"<more than {self.budget.depth} levels deep>"
        self.open.add(id(value))
        try:
            return self.other(value)
        finally:
            self.open.discard(id(value))

    def other(self, value: Any) -> Any:
        kind = type(value)
        if kind in _BUILT_IN:
            return _BUILT_IN[kind](self, value)
        plain = simplify(value, max(self.budget.items, 0) + 1)
        if plain is not NotImplemented:
            read = _BUILT_IN.get(type(plain))
            return read(self, plain) if read else self.convert(plain)
        for base, read in _BUILT_IN.items():
            if issubclass(kind, base):
                return read(self, value)
        self.budget.repr_only = self.budget.repr_only or len(self.open) == 1
        return self.read_text(safe_repr(value, REPR_TEXT))

    def read_integer(self, value: int) -> int | str:
        exact = int.__int__(value)
        if -LARGEST_EXACT_INT <= exact <= LARGEST_EXACT_INT:
            return exact
        text = safe_repr(exact)
        self.budget.cut = self.budget.cut or text.startswith("<")
        return self.read_text(text)

    def read_float(self, value: float) -> Any:
        exact = float.__float__(value)
        if exact != exact:
            return None
        if exact in (float("inf"), float("-inf")):
            return "Infinity" if exact > 0 else "-Infinity"
        return exact

    def read_text(self, value: str) -> str:
        whole = str.__str__(value)
        room = max(self.budget.characters, SHORT_TEXT)
        text = encodable(clip(whole, room))
        self.budget.cut = self.budget.cut or len(whole) > room or len(text) > room
        self.budget.characters -= min(len(text), room)
        return clip(text, room)

    def read_bytes(self, value: Any) -> str:
        base = bytes if issubclass(type(value), bytes) else bytearray
        longest = max(self.budget.characters, SHORT_TEXT)
        return self.read_text(base.__repr__(base.__getitem__(value, slice(0, longest))))

    def read_first_of(self, value: FirstOf) -> list:
        return self.sequence(value.items, value.count)

    def sequence(self, items: Iterable, count: int) -> list:
        converted: list = []
        self.notice_length(count)
        for item in items:
            if self.budget.is_spent():
                break
            converted.append(self.convert(item))
        if len(converted) < count:
            self.budget.cut = True
            converted.append(f"… {count - len(converted):,} more")
        return converted

    def notice_length(self, count: int) -> None:
        self.budget.cut = self.budget.cut or count > self.budget.items

    def read_list(self, value: Any) -> list:
        return self.sequence(list.__iter__(value), list.__len__(value))

    def read_tuple(self, value: Any) -> list:
        return self.sequence(tuple.__iter__(value), tuple.__len__(value))

    def read_set(self, value: Any) -> list:
        base = set if issubclass(type(value), set) else frozenset
        count = base.__len__(value)
        items = list(islice(base.__iter__(value), max(self.budget.items, 0)))
        return self.sequence(_sorted_if_possible(items) if len(items) == count else items, count)

    def read_dict(self, value: Any) -> dict:
        converted: dict[str, Any] = {}
        count = dict.__len__(value)
        self.notice_length(count)
        items = (OrderedDict if issubclass(type(value), OrderedDict) else dict).items(value)
        for key, item in list(islice(items, max(self.budget.items, 0))):
            if self.budget.is_spent():
                break
            name = key_text(key)
            while name in converted:
                name = f"{name}.{len(converted)}"
            self.budget.characters -= len(name)
            converted[name] = self.convert(item)
        if len(converted) < count:
            self.budget.cut = True
            converted["…"] = f"{count - len(converted):,} more"
        return converted


_BUILT_IN: dict[type, Callable[[_Converter, Any], Any]] = {
    int: _Converter.read_integer,
    float: _Converter.read_float,
    str: _Converter.read_text,
    list: _Converter.read_list,
    tuple: _Converter.read_tuple,
    dict: _Converter.read_dict,
    set: _Converter.read_set,
    frozenset: _Converter.read_set,
    bytes: _Converter.read_bytes,
    bytearray: _Converter.read_bytes,
    FirstOf: _Converter.read_first_of,
}


def _sorted_if_possible(items: list) -> list:
    try:
        return sorted(items)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return items
