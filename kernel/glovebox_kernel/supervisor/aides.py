"""Aides: short-lived copies that look at the session's variables, so that a slow or hostile repr disturbs nobody."""

from __future__ import annotations

import time
from typing import Any

from ..wire import frames
from .workers import Worker, ask_for_copy

_PATIENCE_S = 5.0


class Aide:
    def __init__(self, request: int, frozen: Worker) -> None:
        self.request = request
        self._worker = ask_for_copy(frozen, frozen.after_cell)
        self._worker.channel.send({"type": "variables"})
        self._deadline = time.monotonic() + _PATIENCE_S
        self.channel = self._worker.channel

    def listen(self) -> dict[str, Any] | None:
        """What it found, once it has told."""
        try:
            for frame in self.channel.receive():
                if frame.header["type"] == "variables" and frame.header["variables"] is not None:
                    return {name: frame.header[name] for name in ("variables", "complete")}
        except (frames.FrameError, KeyError):
            self.channel.closed = True
        return None

    def is_gone(self) -> bool:
        return self.channel.closed or time.monotonic() >= self._deadline

    def end(self) -> None:
        self._worker.pid = self.channel.sender_pid or -1
        self._worker.end()
