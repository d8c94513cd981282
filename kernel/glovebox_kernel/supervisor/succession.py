"""The worker, the frozen copy that would take its place, and the copy that is on its way."""

from __future__ import annotations

import errno
import select
import time
from typing import Any, Callable

from ..wire import frames
from ..wire.board import Board
from . import processes, verdicts
from .watch import Watch
from ..worker.worker import COPY_NAME
from .workers import Worker, ask_for_copy, rerun, start_fresh

_BIRTH_S = 3.0
_IDLE_S = 0.003
_TRIES, _CALM_S = 20, 0.02


class Rerunnable:
    """Cells since the last copy that would come to the same again: quick ones, that left nothing but variables.

    Copying the worker takes longer than running them. While one such cell follows the other at once, the copy waits, and
    after a crash they are run again on the copy that there is.
    """

    _MOST_CELLS, _MOST_MS = 32, 50.0

    def __init__(self) -> None:
        self.cells: list[tuple[int, bytes]] = []
        self._spent_ms = 0.0

    def add(self, number: int, code: bytes, took_ms: float) -> bool:
        """False when it is time for a copy."""
        self.cells.append((number, code))
        self._spent_ms += took_ms
        return len(self.cells) < self._MOST_CELLS and self._spent_ms < self._MOST_MS


class Succession:
    def __init__(self, watch: Watch, on_worker: Callable[[], None], on_settled: Callable[[], None]) -> None:
        self._watch = watch
        self._on_worker = on_worker
        self._on_settled = on_settled
        self.board = Board()
        self.copy: Worker | None = None
        self.unborn: Worker | None = None
        self.kept: list[Worker] = []  # Copies that marks stand on, once for each mark; they outlive their turn as the copy.
        self.last_cell = 0
        self.threads = 0  # Alive after the last cell, and lacking in a copy.
        self._rerunnable = Rerunnable()
        self.copy_due_at: float | None = None
        self._newest_without_strays: int | None = None

    def start(self) -> None:
        self.worker = start_fresh(self.board)

    def attend(self, paused: bool) -> None:
        if paused == (self.worker.channel in self._watch):
            self.pause() if paused else self.listen()

    def listen(self) -> None:
        if self.worker.channel not in self._watch and not self.worker.channel.closed:
            self._watch.add(self.worker.channel, self._on_worker)

    def pause(self) -> None:
        self._watch.remove(self.worker.channel)

    def after_cell(self, number: int, code: bytes, took_ms: float, leaves_only_variables: bool) -> None:
        """Has the worker copied: at once, or as soon as it has been idle for a moment."""
        self.last_cell = number
        has_base = self.latest() is not None and self.latest().after_cell + len(self._rerunnable.cells) == number - 1
        if has_base and leaves_only_variables and self._rerunnable.add(number, code, took_ms):
            self.copy_due_at = time.monotonic() + _IDLE_S
        else:
            self.ask_for_copy()

    def ask_for_copy(self) -> None:
        self.copy_due_at = None
        self._rerunnable = Rerunnable()
        self._forget_unborn()
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
            self._forget_unborn()
            self._on_settled()

    def _forget_unborn(self) -> None:
        if self.unborn is not None:
            self._watch.remove(self.unborn.channel)
            self.unborn.channel.close()
            self.unborn = None

    def latest(self) -> Worker | None:
        return self.unborn or self.copy

    def current_copy(self) -> Worker | None:
        """The copy, if it is of the state after the last cell."""
        return self.copy if self.copy is not None and self.copy.after_cell == self.last_cell else None

    def lose_copy(self) -> None:
        copy, self.copy = self.copy, None
        if copy is not None and copy not in self.kept:
            copy.end()

    def lose(self, pid: int) -> None:
        """A process of the session has ended; a cell can end any."""
        self.kept = [each for each in self.kept if each.pid != pid]
        if self.copy is not None and self.copy.pid == pid:
            self.lose_copy()

    def let_go(self, kept: Worker) -> None:
        """One mark less stands on it."""
        if kept in self.kept:
            self.kept.remove(kept)
            if kept not in self.kept and kept is not self.copy:
                kept.end()

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
            self.worker = start_fresh(self.board)
            said = verdicts.nothing_kept(self.last_cell)
        else:
            self.worker = self._thawed(self.copy)
            self.worker.wake()
            said = verdicts.kept_from(*self._run_again())
        self.threads = 0
        self.listen()
        self.ask_for_copy()
        return said

    def _thawed(self, frozen: Worker) -> Worker:
        """The copy itself; where marks stand on it, a copy of it, unless there is no room for another process."""
        if frozen in self.kept and (twin := self._twin_of(frozen)) is not None:
            return twin
        self.kept = [each for each in self.kept if each is not frozen]
        if self.copy is frozen:
            self.copy = None
        return frozen

    def _twin_of(self, frozen: Worker) -> Worker | None:
        frozen.wake()
        try:
            twin = self.insist(lambda: ask_for_copy(frozen, frozen.after_cell))
        except OSError:
            return None
        if self._greets(twin, _BIRTH_S):
            return twin
        twin.channel.close()
        return None

    def return_to(self, frozen: Worker) -> bool:
        """Puts a copy of a kept copy in the worker's place; false, and all as it was, when that has ended."""
        twin = self._twin_of(frozen)
        if twin is None and processes.await_end(frozen.pid):
            return False
        self._forget_unborn()
        self.pause()
        self.worker.end()
        if twin is not None:
            self.worker = twin
        else:
            self.end_strays(also_worker=True)  # They have taken every process that there may be.
            self.worker = self._thawed(frozen)
        if self.copy is not frozen:
            self.lose_copy()
            self.copy = frozen if frozen in self.kept else None
        frozen.after_cell = self.last_cell
        self.threads, self.copy_due_at, self._rerunnable = 0, None, Rerunnable()
        self.end_strays()
        self.listen()
        if self.copy is not frozen:
            self.ask_for_copy()
        return True

    def _run_again(self) -> tuple[int, int, int]:
        """Brings the copy forward to the last cell; the cell it stood at, how far it came, and the last."""
        stood_at = self.worker.after_cell
        cells = [each for each in self._rerunnable.cells if each[0] > stood_at]
        if not cells:
            return stood_at, stood_at, self.last_cell
        base = ask_for_copy(self.worker, stood_at)
        if not self._greets(base, _BIRTH_S) or not all(rerun(self.worker, *each) for each in cells):
            # They do not come to the same again: back to where they began.
            if base.pid > 0:
                self.worker.end()
                self.worker = base
            return stood_at, stood_at, self.last_cell
        base.end()
        self.worker.after_cell = self.last_cell
        return stood_at, self.last_cell, self.last_cell

    def strays(self) -> list[int]:
        return processes.others(self._pids())

    def has_strays(self) -> bool:
        """Whether a cell left processes: children of the worker, or orphans of such. A copy on its way has only a name."""
        newest = processes.newest()
        if newest is not None and newest == self._newest_without_strays:
            return False
        try:
            found = {*processes.children_of(1), *processes.children_of(self.worker.pid)}
        except OSError:
            found = set(self.strays())
        only_ours = processes.are_only_named(list(found - self._pids()), COPY_NAME)
        self._newest_without_strays = newest if only_ours else None
        return not only_ours

    def end_strays(self, also_worker: bool = False) -> None:
        processes.end_all_but(self._pids() - ({self.worker.pid} if also_worker else set()))

    def _pids(self) -> set[int]:
        return {1, self.worker.pid, *(each.pid for each in (self.copy, self.unborn, *self.kept) if each is not None)}

    def _greets(self, copy: Worker, patience_s: float) -> bool:
        """Whether the copy says hello in time; from then on its process is known."""
        try:
            if not select.select([copy.channel], [], [], patience_s)[0]:
                return False
            greeted = any(frame.header["type"] == "hello" for frame in copy.channel.receive())
        except frames.FrameError:
            return False
        if greeted and copy.channel.sender_pid not in (None, *self._pids()):
            copy.is_known_as(copy.channel.sender_pid)
            return True
        return False

    def _on_unborn(self) -> None:
        unborn = self.unborn
        if self._greets(unborn, 0):
            self._watch.remove(unborn.channel)
            self.lose_copy()
            self.copy, self.unborn = unborn, None
            self._on_settled()
        elif unborn.channel.closed:
            self.drop_unborn()
