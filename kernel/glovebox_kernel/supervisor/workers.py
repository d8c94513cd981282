"""Workers and their frozen copies: a copy is a worker that has not been given anything to do yet."""

from __future__ import annotations

import os
import select
import signal
import socket
import time

from ..forking import fork
from ..worker import worker
from ..wire import frames
from ..wire.board import Board
from ..wire.channel import Channel

_RERUN_S = 2.0


class Worker:
    """A process that runs cells, behind a channel that no other process of the session holds."""

    def __init__(self, channel: Channel, after_cell: int) -> None:
        self.pid = -1
        self.channel = channel
        self.after_cell = after_cell

    def is_known_as(self, pid: int) -> None:
        """From now on only this process is believed on the channel, not what it forks."""
        self.pid = self.channel.only_from = pid

    def wake(self) -> None:
        """A cell may have stopped the copy that now takes over."""
        self._signal(self.pid, signal.SIGCONT)

    def interrupt(self) -> None:
        self._signal(-self.pid, signal.SIGINT)

    def kill(self) -> None:
        """Itself alone: its copy may still be in its group, and restoring ends whatever it leaves behind."""
        self._signal(self.pid, signal.SIGKILL)

    def _signal(self, target: int, number: int) -> None:
        if self.pid <= 1:
            return  # It has not said hello yet.
        try:
            os.kill(target, number)
        except (ProcessLookupError, PermissionError):
            pass

    def end(self) -> None:
        self.kill()
        self.channel.close()


def start_fresh(board: Board) -> Worker:
    """A worker with nothing in it but the warm libraries."""
    ours, theirs = socket.socketpair()
    pid = fork()
    if pid == 0:
        try:
            worker.become(theirs.detach(), board)
        finally:
            os._exit(worker.EXIT_BROKEN)
    theirs.close()
    fresh = Worker(Channel(ours, knows_senders=True), 0)
    fresh.is_known_as(pid)
    return fresh


def ask_for_copy(source: Worker, after_cell: int) -> Worker:
    """The copy's process is known once it has said hello on its own channel."""
    ours, theirs = socket.socketpair()
    copy = Worker(Channel(ours, knows_senders=True), after_cell)
    try:
        source.channel.send({"type": "branch"}, descriptors=[theirs.fileno()])
    finally:
        theirs.close()
    return copy



def rerun(again: Worker, number: int, code: bytes) -> bool:
    """Runs a cell that has been answered before, for its variables alone; false when it does not end as it did."""
    secret = os.urandom(16).hex()
    nowhere = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    try:
        again.channel.send({"type": "run", "cell": number, "secret": secret}, code, descriptors=[nowhere, nowhere])
        deadline = time.monotonic() + _RERUN_S
        while (left := deadline - time.monotonic()) > 0 and select.select([again.channel], [], [], left)[0]:
            for frame in again.channel.receive():
                if frame.header["type"] == "result" and frame.header.get("secret") == secret:
                    return True
            if again.channel.closed:
                return False
    except (OSError, frames.FrameError):
        pass
    finally:
        os.close(nowhere)
    again.kill()
    return False
