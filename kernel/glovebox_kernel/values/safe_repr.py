"""The repr of any value: bounded, never raising, and never built in full where that can be avoided."""

import builtins
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from typing import Any

from .bounded_text import clip, encodable
from .classes import class_attribute, class_name
from .large_arrays import LARGE, large_array_text
from .table import open_table

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

REPR_LIMIT = 16 * 1024
MESSAGE_LIMIT = 300
MOST_DIGITS = 4300  # Python's own limit for writing an int
MOST_DEPTH = 100
SHORT = 100  # a text that is never cut
NOTE_ROOM = 40  # for what a cut container says of the rest


def safe_repr(value: Any, limit: int = REPR_LIMIT) -> str:
    return clip(encodable(clip(_Writer(limit - NOTE_ROOM).write(value), limit)), limit)


def failure_note(value: Any, error: BaseException) -> str:
    return f"<{class_name(type(value))} object; its __repr__ raised {describe_error(error)}>"


def describe_error(error: BaseException) -> str:
    name = class_name(type(error))
    try:
        message = clip(encodable(str.__str__(str(error))), MESSAGE_LIMIT)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return name
    return f"{name}: {message}" if message else name


class _Writer:
    """Writes piece by piece; every piece is taken off what is left of the limit."""

    def __init__(self, limit: int) -> None:
        self.left = limit
        self.open: set[int] = set()

    def write(self, value: Any) -> str:
        try:
            write = _WRITERS.get(class_attribute(type(value), "__repr__"), _Writer.write_other)
            return write(self, value)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return self.spend(failure_note(value, error))

    def spend(self, text: str) -> str:
        text = clip(text, max(self.left, MESSAGE_LIMIT))
        self.left -= len(text)
        return text

    def write_other(self, value: Any) -> str:
        table = open_table(value)
        if table is not None:
            return self.spend(table.text())
        return self.spend(str.__str__(large_array_text(value) or repr(value)))

    def write_string(self, value: Any) -> str:
        base = next(kind for kind in (str, bytes, bytearray) if issubclass(type(value), kind))
        length = base.__len__(value)
        if length <= max(self.left, SHORT):
            return self.spend(base.__repr__(value))
        half = max(self.left // 4, 20)
        head = base.__repr__(base.__getitem__(value, slice(0, half)))
        tail = base.__repr__(base.__getitem__(value, slice(length - half, length)))
        unit = "characters" if base is str else "bytes"
        return self.spend(f"{head} … {length - 2 * half:,} {unit} cut … {tail}")

    def write_integer(self, value: Any) -> str:
        digits = int.bit_length(value) * 30103 // 100000
        return self.spend(int.__repr__(value) if digits < MOST_DIGITS else f"<int of about {digits:,} digits>")

    def write_list(self, value: Any) -> str:
        return f"[{self.write_items(value, list.__iter__(value), list.__len__(value))}]"

    def write_tuple(self, value: Any) -> str:
        length = tuple.__len__(value)
        return f"({self.write_items(value, tuple.__iter__(value), length)}{',' if length == 1 else ''})"

    def write_set(self, value: Any) -> str:
        base = set if issubclass(type(value), set) else frozenset
        length = base.__len__(value)
        name = class_name(type(value))
        if length == 0:
            return self.spend(f"{name}()")
        text = f"{{{self.write_items(value, base.__iter__(value), length)}}}"
        return text if type(value) is set else f"{name}({text})"

    def write_dict(self, value: Any) -> str:
        return f"{{{self.write_items(value, dict.items(value), dict.__len__(value), self.write_pair)}}}"

    def write_pair(self, pair: Any) -> str:
        return f"{self.write(pair[0])}: {self.write(pair[1])}"

    def write_collection(self, value: Any) -> str:
        """A deque, a Counter, a view of a dict …: Python's own repr while small."""
        if len(value) <= LARGE:
            return self.spend(str.__str__(repr(value)))
        is_dict = issubclass(type(value), dict)
        text = self.write_dict(value) if is_dict else f"[{self.write_items(value, iter(value), len(value))}]"
        return f"{class_name(type(value))}({text})"

    def write_items(self, owner: Any, items: Iterable, count: int, write: Callable[[Any], str] | None = None) -> str:
        if id(owner) in self.open or len(self.open) >= MOST_DEPTH:
            return "..."
        self.open.add(id(owner))
        pieces = []
        for item in items:
            if self.left <= 0:
                break
            pieces.append((write or self.write)(item))
            self.left -= 2
        self.open.discard(id(owner))
        if len(pieces) < count:
            pieces.append(f"… {count - len(pieces):,} more")
        return ", ".join(pieces)


# Keyed by the function that would write the value, so that a subclass with a __repr__ of its own keeps it.
_WRITERS: dict[Any, Callable[[_Writer, Any], str]] = {
    int.__repr__: _Writer.write_integer,
    list.__repr__: _Writer.write_list,
    tuple.__repr__: _Writer.write_tuple,
    dict.__repr__: _Writer.write_dict,
    **{kind.__repr__: _Writer.write_string for kind in (str, bytes, bytearray)},
    **{kind.__repr__: _Writer.write_set for kind in (set, frozenset)},
    **{kind.__repr__: _Writer.write_collection for kind in (deque, Counter, OrderedDict, defaultdict)},
    **{type(view).__repr__: _Writer.write_collection for view in ({}.keys(), {}.values(), {}.items())},
}

