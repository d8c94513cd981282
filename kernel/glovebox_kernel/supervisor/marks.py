"""Marks: states of the variables that the session can return to.

A mark keeps the frozen copy that there is anyway, and shares with the worker every page that neither has written since.

What never changes is F, all that the frozen copies hold, and a worker adds at the most the limit to it. Marks are given
up until F is within the limit: worker and copies then stay within twice the limit, as they do without marks.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Any, Callable, NamedTuple

from ..wire.channel import Channel
from . import processes, verdicts
from .succession import Succession
from .workers import Worker

_MOST = 8
_MOST_REMEMBERED = 256
_PATIENCE_S = 10.0
_MEMORY_SHARE = 7 / 8
_NO_COPY = "the variables cannot be marked: no copy of Python could be made; end what cells have left running, and mark again"


class Mark(NamedTuple):
    number: int
    cell: int
    frozen: Worker


class Marks:
    def __init__(self, host: Channel, succession: Succession, memory_bytes: int, on_return: Callable[[], bool]) -> None:
        self._host = host
        self._succession = succession
        self._most_bytes = int(memory_bytes * _MEMORY_SHARE)
        self._on_return = on_return
        self._marks: list[Mark] = []
        self._gone: dict[int, str] = {}
        self._waiting: deque[dict[str, Any]] = deque()
        self._copy_by: float | None = None
        self._has_asked = False
        self._kept_bytes = 0  # At the most; counting them all takes longer the more there are.
        self._serve = {"mark": self._make, "return": self._return, "unmark": self._unmark}

    def are_open(self) -> bool:
        return self._copy_by is not None

    def ask(self, name: str, message: dict[str, Any], cell_runs: bool) -> None:
        self._waiting.append({**message, "type": name})
        self.go_on(cell_runs)

    def go_on(self, cell_runs: bool) -> None:
        """In the order asked for, and between cells."""
        if cell_runs:
            self._stop_waiting()
        while self._waiting and not cell_runs:
            asked = self._waiting[0]
            if not self._serve[asked["type"]](asked):
                return
            self._waiting.popleft()
            self._stop_waiting()

    def _stop_waiting(self) -> None:
        self._copy_by, self._has_asked = None, False

    def check_clock(self, cell_runs: bool) -> None:
        if self._copy_by is not None and time.monotonic() >= self._copy_by:
            self._has_asked = True
            self._succession.drop_unborn()
            self.go_on(cell_runs)

    def check_memory(self) -> None:
        """To be called when a copy has been made: nothing else adds to what the frozen ones hold."""
        if not self._marks:
            self._kept_bytes = 0
            return
        if self._kept_bytes + self._count_bytes([]) <= self._most_bytes:
            return
        self._prune()
        while (self._marks and self._marks[0].frozen is not self._succession.copy) and self._count_all() > self._most_bytes:
            frozen = self._marks[0].frozen
            self._drop(self._marks[0], "it was given up because the session needs its memory")
            if frozen not in self._succession.kept:
                processes.await_end(frozen.pid)

    def _count_all(self) -> int:
        self._kept_bytes = self._count_bytes(self._succession.kept)
        return self._kept_bytes

    def _count_bytes(self, kept: list[Worker]) -> int:
        """With worker, copy and what cells left running: a page counts in parts for all that have it."""
        holders = (self._succession.worker, self._succession.copy, *kept)
        pids = {each.pid for each in holders if each is not None}
        return processes.bytes_beyond_our_own(pids.union(self._succession.strays()))

    # Requests; false when one must wait

    def _make(self, asked: dict[str, Any]) -> bool:
        copy = self._succession.current_copy()
        if copy is not None and not processes.is_alive(copy.pid):
            self._succession.lose_copy()
            copy = None
        if copy is None:
            return self._await_copy(asked)
        self._prune()
        if len(self._marks) >= _MOST:
            self._drop(self._marks[0], f"a session keeps {_MOST} marks, and it was the oldest of more")
        self._succession.kept.append(copy)
        self._marks.append(Mark(asked["mark"], self._succession.last_cell, copy))
        self._host.send({"type": "reply", "request": asked["request"], "value": {"cell": self._succession.last_cell}})
        self._kept_bytes += self._count_bytes([])
        return True

    def _await_copy(self, asked: dict[str, Any]) -> bool:
        if self._succession.threads:
            return self._fail(asked, "variables", verdicts.cannot_mark(self._succession.threads))
        if self._succession.unborn is None and not self._has_asked:
            self._has_asked = True
            self._succession.ask_for_copy()
        if self._succession.unborn is None:
            return self._fail(asked, "variables", _NO_COPY)
        self._copy_by = self._copy_by or time.monotonic() + _PATIENCE_S
        return False

    def _return(self, asked: dict[str, Any]) -> bool:
        self._prune()
        mark = next((each for each in self._marks if each.number == asked["mark"]), None)
        if mark is not None and not self._succession.return_to(mark.frozen):
            self._prune()
            mark = None
        if mark is None:
            why = self._gone.get(asked["mark"], "the sandbox has been started anew since, or it was never made")
            return self._fail(asked, "usage", f"there is no mark {asked['mark']} to return to: {why}")
        for later in self._marks[self._marks.index(mark) + 1 :]:
            self._drop(later, f"the session has returned to mark {mark.number}, which is before it")
        notice = verdicts.returned_to(mark.cell, ended_strays=self._on_return())
        self._host.send({"type": "reply", "request": asked["request"], "value": {"notice": notice}})
        return True

    def _unmark(self, asked: dict[str, Any]) -> bool:
        for mark in self._marks:
            if mark.number == asked["mark"]:
                self._drop(mark, "it was forgotten on request")
                break
        self._host.send({"type": "reply", "request": asked["request"], "value": {}})
        return True

    def _fail(self, asked: dict[str, Any], code: str, message: str) -> bool:
        self._host.send({"type": "failed", "request": asked["request"], "code": code, "message": message})
        return True

    def _prune(self) -> None:
        """A cell can end any process of the session, and the last resort after a crash is to use a mark up."""
        for mark in list(self._marks):
            if mark.frozen in self._succession.kept and processes.is_alive(mark.frozen.pid):
                continue
            self._drop(mark, "its process has ended, by a cell's doing or for lack of room")

    def _drop(self, mark: Mark, why: str) -> None:
        self._marks.remove(mark)
        self._succession.let_go(mark.frozen)
        self._gone[mark.number] = why
        while len(self._gone) > _MOST_REMEMBERED:
            del self._gone[next(iter(self._gone))]
