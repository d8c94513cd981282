"""A cell while it runs: its deadline, its two pipes, and how it is brought to an end."""

from __future__ import annotations

import os
import time
from typing import Any, Callable

from .output import Capture

_READ_BYTES = 1 << 16
GRACE_S = 2.0
_MAX_DISPLAYS = 200
_MAX_DISPLAY_BYTES = 16 << 20
_START_S = 10.0


class Pipe:
    """One of a cell's output streams; only this cell writes into it. It is made before there is a cell to have it."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.read_end, self.write_end = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self.read_end, False)
        self.open = True
        self.on_data: Callable[[Pipe], object] = Pipe.read

    def belongs_to(self, cell: int, on_data: Callable[[Pipe], object]) -> None:
        self.cell = cell
        self.capture = Capture(cell, self.stream)
        self.on_data = on_data

    def on_ready(self) -> None:
        self.on_data(self)

    def fileno(self) -> int:
        return self.read_end

    def read(self) -> bytes | None:
        """What has come, None when there is nothing now, nothing at the end."""
        try:
            return os.read(self.read_end, _READ_BYTES)
        except BlockingIOError:
            return None

    def close(self) -> None:
        if self.open:
            self.open = False
            os.close(self.read_end)


class Allowance:
    """How much of something a cell may still have."""

    def __init__(self, count: int, size: int) -> None:
        self._count, self._size = count, size
        self.exceeded = False

    def allows(self, size: int) -> bool:
        self._count -= 1
        self._size -= size
        self.exceeded = self.exceeded or self._count < 0 or self._size < 0
        return not self.exceeded


class Cell:
    def __init__(self, number: int, code: bytes, timeout_ms: int, pipes: list[Pipe]) -> None:
        self.number = number
        self.code = code
        self.timeout_ms = timeout_ms
        self.secret = os.urandom(16).hex()
        self.pipes = pipes
        self.started_at = time.monotonic()
        self.tries = 1
        self._hear_by = self.started_at + _START_S
        self.reason: str | None = None
        self.displays = Allowance(_MAX_DISPLAYS, _MAX_DISPLAY_BYTES)
        self._deadline = self.started_at + timeout_ms / 1000
        self._kill_at: float | None = None

    def begin_again(self, pipes: list[Pipe]) -> None:
        """The worker that was to run it never heard of it."""
        self.tries += 1
        self._hear_by = time.monotonic() + _START_S
        self.secret = os.urandom(16).hex()
        self.pipes = pipes

    def elapsed_ms(self) -> float:
        return round((time.monotonic() - self.started_at) * 1000, 3)

    def stop(self, reason: str) -> None:
        """From now on the grace runs: the cell ends by itself, or is ended."""
        if self._kill_at is None:
            self.reason = reason
            self._kill_at = time.monotonic() + GRACE_S

    def is_over_time(self) -> bool:
        return self._kill_at is None and time.monotonic() >= self._deadline

    def is_over_grace(self) -> bool:
        return self._kill_at is not None and time.monotonic() >= self._kill_at

    def should_be_heard(self) -> bool:
        return time.monotonic() >= self._hear_by

    def finish_output(self) -> tuple[dict[str, str], list[str]]:
        texts: dict[str, str] = {}
        notices: list[str] = []
        for pipe in self.pipes:
            text, notice = pipe.capture.finish()
            if text:
                texts[pipe.stream] = text
            if notice:
                notices.append(notice)
        if self.displays.exceeded:
            notices.append(f"Displays beyond {_MAX_DISPLAYS} or {_MAX_DISPLAY_BYTES >> 20} MiB a cell were left out.")
        return texts, notices


def compose(worker_result: dict[str, Any], texts: dict[str, str]) -> dict[str, Any]:
    """Joins what the cell came to with what it printed."""
    if worker_result["kind"] != "text":
        return {**worker_result, **texts}
    result = {"kind": "text", "text": texts.get("stdout") or "Code executed. No return value."}
    return {**result, **({"stderr": texts["stderr"]} if "stderr" in texts else {})}
