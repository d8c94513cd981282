"""The host's questions about variables, answered by aides so that the worker is not disturbed."""

from __future__ import annotations

import time
from typing import Any

from ..wire.channel import Channel
from .aides import Aide
from .succession import Succession
from .watch import Watch


_PATIENCE_S = 5.0
_TOO_SLOW = "a variable could not be described in time; describe it in a cell instead"


class Inquiries:
    def __init__(self, watch: Watch, host: Channel, succession: Succession) -> None:
        self._watch = watch
        self._host = host
        self._succession = succession
        self._waiting: list[int] = []
        self._asked_worker: list[int] = []
        self._worker_deadline = 0.0
        self._aides: list[Aide] = []

    def are_open(self) -> bool:
        return bool(self._aides or self._asked_worker)

    def ask(self, request: int, cell_runs: bool) -> None:
        self._waiting.append(request)
        self.go_on(cell_runs)

    def go_on(self, cell_runs: bool) -> None:
        """Asks a copy; the worker itself only when it is idle and was not copied."""
        if self._waiting and self._succession.copy_due_at is not None and not cell_runs:
            self._succession.ask_for_copy()
        if self._succession.unborn is not None:
            return
        while self._waiting:
            request = self._waiting.pop(0)
            if (copy := self._succession.current_copy()) is not None:
                aide = Aide(request, copy)
                self._aides.append(aide)
                self._watch.add(aide.channel, lambda aide=aide: self._on_aide(aide))
            elif not cell_runs:
                self._asked_worker.append(request)
                self._worker_deadline = time.monotonic() + _PATIENCE_S
                self._succession.worker.channel.send({"type": "variables"})
            else:
                self._fail(request, "a cell is running and the state before it was not copied; ask again when it has ended")

    def take_from_worker(self, header: dict[str, Any]) -> None:
        if not self._asked_worker:
            return
        request = self._asked_worker.pop(0)
        if header["variables"] is None:
            self._fail(request, _TOO_SLOW)
        else:
            value = {"variables": header["variables"], "complete": header["complete"]}
            self._host.send({"type": "reply", "request": request, "value": value})

    def worker_died(self) -> None:
        for request in self._asked_worker:
            self._fail(request, "Python ended while it described the variables; ask again")
        self._asked_worker = []

    def check_clock(self) -> None:
        for aide in [each for each in self._aides if each.is_gone()]:
            self._on_aide(aide)
        if self._asked_worker and time.monotonic() >= self._worker_deadline:
            self._worker_deadline = time.monotonic() + _PATIENCE_S
            self._succession.worker.interrupt()

    def _on_aide(self, aide: Aide) -> None:
        found = aide.listen()
        if found is not None:
            self._host.send({"type": "reply", "request": aide.request, "value": found})
        elif aide.is_gone():
            self._fail(aide.request, _TOO_SLOW)
        else:
            return
        self._watch.remove(aide.channel)
        self._aides.remove(aide)
        aide.end()

    def _fail(self, request: int, message: str) -> None:
        self._host.send({"type": "failed", "request": request, "code": "variables", "message": message})
