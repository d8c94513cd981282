"""The worker, the frozen copy that would take its place, and the copy that is on its way."""

from __future__ import annotations

import errno
import select
import time
from typing import Any, Callable

from ..wire import frames
from . import processes, verdicts
from .watch import Watch
from .workers import Worker, ask_for_copy, start_fresh

_BIRTH_S = 3.0
_TRIES, _CALM_S = 20, 0.02


class Succession:
    def __init__(self, watch: Watch, on_worker: Callable[[], None], on_settled: Callable[[], None]) -> None:
        self._watch = watch
        self._on_worker = on_worker
        self._on_settled = on_settled
        self.copy: Worker | None = None
        self.unborn: Worker | None = None
        self.last_cell = 0

    def start(self) -> None:
        self.worker = start_fresh()

    def listen(self) -> None:
        if self.worker.channel not in self._watch and not self.worker.channel.closed:
            self._watch.add(self.worker.channel, self._on_worker)

    def pause(self) -> None:
        self._watch.remove(self.worker.channel)

    def ask_for_copy(self) -> None:
        self.drop_unborn()
        try:
            self.unborn = self.insist(lambda: ask_for_copy(self.worker, self.last_cell))
        except OSError:
            return
        self._watch.add(self.unborn.channel, self._on_unborn)

    def insist(self, send: Callable[[], Any]) -> Any:
        """Sends descriptors; processes that a cell left can hold so many in flight that nobody else may."""
        for _ in range(_TRIES):
            try:
                return send()
            except OSError as error:
                if error.errno != errno.ETOOMANYREFS:
                    raise
            self.end_strays()
            time.sleep(_CALM_S)
        return send()

    def drop_unborn(self) -> None:
        if self.unborn is not None:
            self._watch.remove(self.unborn.channel)
            self.unborn.channel.close()
            self.unborn = None
            self._on_settled()

    def latest(self) -> Worker | None:
        return self.unborn or self.copy

    def current_copy(self) -> Worker | None:
        """The copy, if it is of the state after the last cell."""
        return self.copy if self.copy is not None and self.copy.after_cell == self.last_cell else None

    def lose_copy(self) -> None:
        if self.copy is not None:
            self.copy.end()
            self.copy = None

    def kill_worker(self) -> None:
        """Not before its copy is in the world: the cell that is ended is this one, not the one before."""
        self._await_unborn()
        self.worker.kill()

    def bury_worker(self) -> None:
        self._watch.remove(self.worker.channel)
        self.worker.channel.close()
        self._await_unborn()

    def _await_unborn(self) -> None:
        if self.unborn is not None and select.select([self.unborn.channel], [], [], _BIRTH_S)[0]:
            self._on_unborn()

    def restore(self) -> str:
        """Puts the copy in the dead worker's place; says what the session has now."""
        self.end_strays(also_worker=True)
        if self.copy is not None and not processes.is_alive(self.copy.pid):
            self.lose_copy()
        if self.copy is None:
            self.worker = start_fresh()
            said = verdicts.nothing_kept(self.last_cell)
        else:
            self.worker, self.copy = self.copy, None
            self.worker.wake()
            said = verdicts.kept_from(self.worker.after_cell, self.last_cell)
        self.listen()
        self.ask_for_copy()
        return said

    def strays(self) -> list[int]:
        return processes.others(self._pids())

    def end_strays(self, also_worker: bool = False) -> None:
        processes.end_all_but(self._pids() - ({self.worker.pid} if also_worker else set()))

    def _pids(self) -> set[int]:
        return {1, self.worker.pid, *(each.pid for each in (self.copy, self.unborn) if each is not None)}

    def _on_unborn(self) -> None:
        unborn = self.unborn
        try:
            greeted = any(frame.header["type"] == "hello" for frame in unborn.channel.receive())
        except frames.FrameError:
            greeted = False
        if greeted and unborn.channel.sender_pid not in (None, 1, self.worker.pid):
            unborn.is_known_as(unborn.channel.sender_pid)
            self._watch.remove(unborn.channel)
            self.lose_copy()
            self.copy, self.unborn = unborn, None
            self._on_settled()
        elif unborn.channel.closed:
            self.drop_unborn()
