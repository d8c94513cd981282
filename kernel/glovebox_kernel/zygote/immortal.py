"""Objects that are never counted again.

Every use of an object writes its reference count, and the first write to a page after a fork copies the page. Since
Python 3.12 an object can be immortal: its count is neither read nor written. What the zygote has imported lives as long
as every session does, so all of it may be, and sessions share the pages that it is on.
"""

from __future__ import annotations

import ctypes
import gc
import sys


def can_be_immortal() -> bool:
    return sys.version_info >= (3, 12) and sys.maxsize > 2**32 and getattr(sys, "_is_gil_enabled", lambda: True)()


def make_all_immortal() -> None:
    """Marks every object that is alive now the way that None is marked."""
    mark = ctypes.c_uint32.from_address(id(None)).value
    count_at = ctypes.c_uint32.from_address
    # Held until the last is marked: the address of an object that has died is somebody else's.
    for generation in _all_objects():
        for each in generation:
            count_at(id(each)).value = mark


def _all_objects() -> list[list[object]]:
    """What the collector knows, and what that refers to; the walk's own lists, made later, are not among it."""
    batch = gc.get_objects()
    known: set[int] = set()
    known.add(id(known))
    generations: list[list[object]] = []
    while batch:
        fresh = [each for each in {id(each): each for each in batch}.values() if id(each) not in known]
        known.update(map(id, fresh))
        generations.append(fresh)
        batch = gc.get_referents(*fresh)
    return generations
