"""The pipes that cells print into: the running cell's are passed on, those of earlier cells run dry."""

from __future__ import annotations

from typing import Callable

from .cell import Cell, Pipe
from .watch import Watch

_MAX_STALE = 16
_MAX_READS = 64

Pass = Callable[[str, int, bytes], None]


class Outlets:
    def __init__(self, watch: Watch, pass_on: Pass) -> None:
        self._watch = watch
        self._pass_on = pass_on
        self._stale: list[Pipe] = []

    def attend(self, cell: Cell, paused: bool) -> None:
        """Reads the cell's pipes, unless the host is slow to take what is there already."""
        for pipe in cell.pipes:
            if not pipe.open:
                continue
            if paused:
                self._watch.remove(pipe)
            elif pipe not in self._watch:
                self._watch.add(pipe, lambda pipe=pipe: self._read(cell, pipe))

    def drain(self, cell: Cell) -> None:
        """Everything the worker wrote before it told its result is in the pipes by now."""
        for pipe in cell.pipes:
            for _ in range(_MAX_READS):
                if not pipe.open or not self._read(cell, pipe):
                    break

    def drop(self, cell: Cell) -> None:
        for pipe in cell.pipes:
            self._close(pipe)

    def let_go(self, cell: Cell) -> None:
        """What a cell left running may go on writing; nobody reads it any more."""
        for pipe in cell.pipes:
            if pipe.open:
                self._watch.remove(pipe)
                self._watch.add(pipe, lambda pipe=pipe: self._discard(pipe))
                self._stale.append(pipe)
        while len(self._stale) > _MAX_STALE:
            self._close(self._stale.pop(0))

    def _read(self, cell: Cell, pipe: Pipe) -> bool:
        data = pipe.read()
        if data is None:
            return False
        if not data:
            self._close(pipe)
            return False
        if live := pipe.capture.take(data):
            self._pass_on(pipe.stream, cell.number, live)
        return True

    def _discard(self, pipe: Pipe) -> None:
        if pipe.read() == b"":
            self._stale.remove(pipe)
            self._close(pipe)

    def _close(self, pipe: Pipe) -> None:
        if pipe.open:
            self._watch.remove(pipe)
            pipe.close()
