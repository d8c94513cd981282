"""The worker: the process that runs cells. It does what its channel says, one message after another.

run        run a cell with its own standard output and error, tell the result
branch     fork a copy of this process that waits on a channel of its own
variables  describe what the cells have made
"""

from __future__ import annotations

import array
import fcntl
import gc
import os
import random
import select
import signal
import socket
import sys
from typing import Any

from . import shell
from ..forking import fork
from ..walls import linux, walls
from ..wire import frames
from ..wire.board import Board

WORKER_NAME, COPY_NAME = "python", "glovebox-copy"
EXIT_BROKEN = 71  # The worker itself could not go on; a cell's own exit is something else.
EXIT_UNHEARD = 0
_HIGHEST_OOM_SCORE = "1000"
_READ_BYTES = 1 << 18
_ANCILLARY_BYTES = socket.CMSG_SPACE(16)


class Line:
    """The worker's end of its channel: blocking, one frame at a time; descriptors come in the order of the frames."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._socket.setblocking(True)
        self._buffer = bytearray()
        self._descriptors: list[int] = []

    def receive(self) -> tuple[dict[str, Any], bytes] | None:
        needed = frames.LENGTHS.size
        while True:
            if len(self._buffer) >= frames.LENGTHS.size:
                needed = frames.LENGTHS.size + sum(frames.LENGTHS.unpack_from(self._buffer))
            if len(self._buffer) >= needed:
                break
            if not self._read():
                return None
        start = frames.LENGTHS.size + frames.LENGTHS.unpack_from(self._buffer)[0]
        header = frames.parse_header(bytes(self._buffer[frames.LENGTHS.size : start]))
        payload = bytes(self._buffer[start:needed])
        del self._buffer[:needed]
        return header, payload

    def take_descriptor(self) -> int:
        return self._descriptors.pop(0)

    def has_message(self) -> bool:
        return bool(self._buffer) or bool(select.select([self._socket], [], [], 0)[0])

    def _read(self) -> bool:
        data, ancillary, _, _ = self._socket.recvmsg(_READ_BYTES, _ANCILLARY_BYTES, socket.MSG_CMSG_CLOEXEC)
        for _, kind, content in ancillary:
            if kind == socket.SCM_RIGHTS:
                received = array.array("i")
                received.frombytes(content[: len(content) - len(content) % received.itemsize])
                self._descriptors.extend(map(_above_standard, received))
        self._buffer += data
        return bool(data)

    def send(self, header: dict[str, Any], payload: bytes = b"") -> None:
        self._socket.sendall(frames.encode(header, payload))

    def fileno(self) -> int:
        return self._socket.fileno()

    def close(self) -> None:
        self._socket.close()


def _above_standard(descriptor: int) -> int:
    """A cell that closed its standard streams left their numbers free."""
    if descriptor > 2:
        return descriptor
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(descriptor)
    return moved


def become(descriptor: int, board: Board) -> None:
    """Turns a fresh fork of the supervisor into a worker; does not return."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, lambda *_: None)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    os.closerange(3, descriptor)
    os.closerange(descriptor + 1, 65536)
    walls.set_dumpable(True)
    walls.confine_worker()
    gc.enable()
    _draw_new_randomness()
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write(_HIGHEST_OOM_SCORE)
    Worker(Line(descriptor), board).serve()


def _leave_group(child: int) -> None:
    """Both sides see to it, so that no signal to the worker's group can meet its copy on the way."""
    try:
        os.setpgid(child, child)
    except OSError:
        pass  # It has a session of its own already, or has ended.


def _draw_new_randomness() -> None:
    """Every session has its own random numbers, not the zygote's; its copies have the session's."""
    random.seed()
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed()


class Worker:
    def __init__(self, line: Line, board: Board) -> None:
        self._line = line
        self._board = board
        self._shell = shell.prepare()
        self._betweens: list[int] = []
        self._frozen = False

    def serve(self) -> None:
        while (message := self._line.receive()) is not None:
            header, payload = message
            self._reap_betweens()
            if header["type"] == "run":
                self._thaw()
                self._run(header, payload.decode("utf-8", "replace"))
            elif header["type"] == "branch":
                self._branch(self._line.take_descriptor())
            elif header["type"] == "variables":
                self._line.send({"type": "variables", **self._shell.variables()})
        os._exit(EXIT_UNHEARD)

    def _run(self, header: dict[str, Any], code: str) -> None:
        secret = header["secret"]
        for standard in (1, 2):
            descriptor = self._line.take_descriptor()
            os.dup2(descriptor, standard)
            os.close(descriptor)
        self._board.note_begun(header["cell"])

        def show(parts: list[dict], payload: bytes, of_result: bool) -> None:
            self._line.send({"type": "display", "secret": secret, "of_result": of_result, "parts": parts}, payload)

        process = os.getpid()
        number = header["cell"]
        outcome = self._shell.run(number, code, show, self._board.is_to_stop) if number else self._shell.rehearse(code)
        if os.getpid() != process:
            os._exit(0)  # A child that the cell forked and that came back out of it; the answer is its parent's.
        self._line.send({"type": "result", "secret": secret, **outcome})
        self._shell.settle()

    def _thaw(self) -> None:
        if self._frozen:
            self._frozen = False
            linux.set_process_name(WORKER_NAME)

    def _reap_betweens(self) -> None:
        try:
            self._betweens = [pid for pid in self._betweens if os.waitpid(pid, os.WNOHANG)[0] == 0]
        except ChildProcessError:
            self._betweens = []  # A cell waited for all its children, and for these.

    def _await_betweens(self) -> None:
        """One that is frozen has the time, and what has ended counts as a process until it is waited for."""
        try:
            while self._betweens:
                os.waitpid(self._betweens.pop(), 0)
        except ChildProcessError:
            pass

    def _branch(self, channel: int) -> None:
        """Forks twice: the copy is then the supervisor's child, and the cells see no child that they did not make."""
        try:
            between = fork()
        except OSError as error:
            self._line.send({"type": "unbranched", "reason": os.strerror(error.errno)})
            os.close(channel)
            return
        if between > 0:
            _leave_group(between)
            os.close(channel)
            self._betweens.append(between)
            if self._frozen:
                self._await_betweens()
            elif not self._line.has_message():
                self._shell.rehearse()
            return
        linux.set_process_name(COPY_NAME)
        os.setpgid(0, 0)
        try:
            if fork() > 0:
                os._exit(0)
        except OSError:
            os._exit(1)
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (1, 2):
            os.dup2(nothing, standard)
        os.close(nothing)
        self._betweens, self._frozen = [], True
        self._line.close()
        self._line = Line(channel)
        self._line.send({"type": "hello"})
