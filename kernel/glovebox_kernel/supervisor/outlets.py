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
        self._fresh: list[Pipe] = []
        self._paused = False

    def prepare(self) -> None:
        """Makes the next cell's pipes while nobody waits for them."""
        if not self._fresh:
            self._fresh = [Pipe("stdout"), Pipe("stderr")]
            for pipe in self._fresh:
                self._watch.add(pipe, pipe.on_ready)

    def open(self, cell: int) -> list[Pipe]:
        self.prepare()
        pipes, self._fresh = self._fresh, []
        for pipe in pipes:
            pipe.belongs_to(cell, self._read)
        return pipes

    def attend(self, cell: Cell, paused: bool) -> None:
        """Reads the cell's pipes, unless the host is slow to take what is there already."""
        if paused == self._paused:
            return
        self._paused = paused
        for pipe in cell.pipes:
            if not pipe.open:
                continue
            if paused:
                self._watch.remove(pipe)
            elif pipe not in self._watch:
                self._watch.add(pipe, pipe.on_ready)

    def drain(self, cell: Cell) -> None:
        """Everything the worker wrote before it told its result is in the pipes by now."""
        for pipe in cell.pipes:
            for _ in range(_MAX_READS):
                if not pipe.open or not (data := pipe.read()):
                    break  # At its end too: closing it has time.
                self._take(pipe, data)

    def drop(self, cell: Cell) -> None:
        for pipe in cell.pipes:
            self._close(pipe)

    def let_go(self, cell: Cell) -> None:
        """What a cell left running may go on writing; nobody reads it any more."""
        self.attend(cell, paused=False)
        for pipe in cell.pipes:
            if pipe.open:
                pipe.on_data = self._discard
                self._stale.append(pipe)
        while len(self._stale) > _MAX_STALE:
            self._close(self._stale.pop(0))

    def _read(self, pipe: Pipe) -> None:
        data = pipe.read()
        if data is None:
            return
        if not data:
            self._close(pipe)
            return
        self._take(pipe, data)

    def _take(self, pipe: Pipe, data: bytes) -> None:
        if live := pipe.capture.take(data):
            self._pass_on(pipe.stream, pipe.cell, live)

    def _discard(self, pipe: Pipe) -> None:
        if pipe.read() == b"":
            self._stale.remove(pipe)
            self._close(pipe)

    def _close(self, pipe: Pipe) -> None:
        if pipe.open:
            self._watch.remove(pipe)
            pipe.close()
