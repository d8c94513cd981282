"""sys.stdout and sys.stderr of a cell: written through at once, closed to whatever an earlier cell left running."""

from __future__ import annotations

import contextvars
import functools
import io
import sys
import threading

_cell: contextvars.ContextVar[int] = contextvars.ContextVar("glovebox_cell", default=0)
_BIRTH = "_glovebox_cell"


class CellStream(io.TextIOWrapper):
    """Text for one of the standard descriptors."""

    def __init__(self, descriptor: int) -> None:
        raw = io.FileIO(descriptor, "w", closefd=False)
        super().__init__(io.BufferedWriter(raw), "utf-8", "backslashreplace", line_buffering=True)

    def isatty(self) -> bool:
        return False


class GuardedStream(CellStream):
    """The same while something of an earlier cell may still print: that is dropped.

    A task inherits the number of the cell that made it, a thread is told it when it starts; a thread that was started
    past Python's own means was alive before the cell began.
    """

    current = 0
    earlier_threads: frozenset[int] = frozenset()

    def write(self, text: str) -> int:
        origin = _origin()
        if origin == GuardedStream.current or (
            origin == 0 and threading.get_ident() not in GuardedStream.earlier_threads
        ):
            return super().write(text)
        return len(text)


def _origin() -> int:
    """The cell whose doing the running code is; 0 when nobody said."""
    return _cell.get() or getattr(threading.current_thread(), _BIRTH, 0)


def mark_threads() -> None:
    """Every thread remembers the cell that started it, or that started the thread that did."""
    start = threading.Thread.start

    @functools.wraps(start)
    def start_marked(thread: threading.Thread) -> None:
        setattr(thread, _BIRTH, _origin())
        start(thread)

    threading.Thread.start = start_marked


class Streams:
    def __init__(self) -> None:
        self._out, self._error = CellStream(1), CellStream(2)

    def begin(self, cell: int) -> None:
        GuardedStream.current = cell
        GuardedStream.earlier_threads = frozenset(sys._current_frames()) - {threading.get_ident()}
        _cell.set(cell)
        if sys.stdout is not self._out or sys.stderr is not self._error or not (_is_usable(self._out) and _is_usable(self._error)):
            self._put_back()
        # The guard costs Python code a line; tasks and threads are what it is for.
        kind = GuardedStream if GuardedStream.earlier_threads or "asyncio" in sys.modules else CellStream
        if type(self._out) is not kind or type(self._error) is not kind:
            self._out.__class__ = self._error.__class__ = kind
        for stream in (self._out, self._error):
            vars(stream).pop("write", None)  # IPython leaves the method there that it found while it listened in.
        sys.__stdout__, sys.__stderr__ = self._out, self._error

    def _put_back(self) -> None:
        # What the cell before put there goes first: with its end it may close what it was wrapped around.
        sys.stdout, sys.stderr = self._out, self._error
        if not (_is_usable(self._out) and _is_usable(self._error)):
            self._out, self._error = CellStream(1), CellStream(2)
        sys.stdout, sys.stderr = self._out, self._error

    def flush(self) -> None:
        """Ours, and whatever the cell put in their place: what it holds belongs to this cell."""
        for stream in (sys.stdout, sys.stderr, self._out, self._error):
            try:
                stream.flush()
            except KeyboardInterrupt:
                raise
            except BaseException:
                pass  # The cell closed it, or it is none; begin makes a new one.


def _is_usable(stream: CellStream) -> bool:
    try:
        return not stream.closed
    except ValueError:
        return False  # The cell took its buffer away.
