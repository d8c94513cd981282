"""A page that supervisor and workers share, to be looked at without waking anybody.

The worker notes the cell that it has begun; the supervisor notes the cell that is to stop, for the moment in which the
worker has not begun it and a signal would find nothing to interrupt.
"""

from __future__ import annotations

import mmap
import struct

_NUMBER = struct.Struct("=Q")
_BEGUN, _TO_STOP = 0, _NUMBER.size


class Board:
    def __init__(self) -> None:
        self._page = mmap.mmap(-1, mmap.PAGESIZE)

    def clear(self) -> None:
        self._write(_BEGUN, 0)
        self._write(_TO_STOP, 0)

    def note_begun(self, cell: int) -> None:
        self._write(_BEGUN, cell)

    def has_begun(self, cell: int) -> bool:
        return self._read(_BEGUN) == cell

    def note_to_stop(self, cell: int) -> None:
        self._write(_TO_STOP, cell)

    def is_to_stop(self, cell: int) -> bool:
        return self._read(_TO_STOP) == cell

    def _write(self, place: int, cell: int) -> None:
        _NUMBER.pack_into(self._page, place, cell)

    def _read(self, place: int) -> int:
        return _NUMBER.unpack_from(self._page, place)[0]
