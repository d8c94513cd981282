"""Workers and their frozen copies: a copy is a worker that has not been given anything to do yet."""

from __future__ import annotations

import os
import signal
import socket

from . import processes
from ..worker import worker
from ..wire.channel import Channel


class Worker:
    """A process that runs cells, behind a channel that no other process of the session holds."""

    def __init__(self, pid: int, channel: Channel, after_cell: int) -> None:
        self.pid = pid
        self.channel = channel
        self.after_cell = after_cell

    def interrupt(self) -> None:
        self._signal(-self.pid, signal.SIGINT)

    def kill(self) -> None:
        self._signal(-self.pid, signal.SIGKILL)
        self._signal(self.pid, signal.SIGKILL)

    def _signal(self, target: int, number: int) -> None:
        try:
            os.kill(target, number)
        except (ProcessLookupError, PermissionError):
            pass

    def end(self) -> None:
        self.kill()
        self.channel.close()


def start_fresh() -> Worker:
    """A worker with nothing in it but the warm libraries."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        try:
            worker.become(theirs.detach())
        finally:
            os._exit(worker.EXIT_BROKEN)
    theirs.close()
    return Worker(pid, Channel(ours), 0)


def ask_for_copy(source: Worker, after_cell: int) -> Worker:
    """The copy's process is known once it has said hello on its own channel."""
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    copy = Worker(-1, Channel(ours), after_cell)
    try:
        source.channel.send({"type": "branch"}, descriptors=[theirs.fileno()])
    finally:
        theirs.close()
    return copy


def end_all_but(kept: list[Worker | None]) -> None:
    processes.end_all_but({1, *(each.pid for each in kept if each is not None)})
