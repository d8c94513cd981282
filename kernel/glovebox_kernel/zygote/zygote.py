"""The zygote: imports the heavy libraries once, then forks a walled-in child for every connection.

1. warm up, freeze the garbage collector, listen
2. keep a few children forked ahead behind the usual walls, rehearsed, and one more that waits for any shape
3. a connection opens with one frame; a waiting child gets the connection and becomes the session's supervisor
4. standard input is the lifeline: when the host is gone, so are we
"""

from __future__ import annotations

import gc
import json
import os
import selectors
import shutil
import signal
import socket
import sys
import time
from dataclasses import dataclass

from . import immortal, nursery
from ..walls import cgroup, linux
from ..wire import frames, messages
from ..worker import shell

_REFILL_DELAY_S = 0.05
_OPEN_FRAME_TIMEOUT_S = 10
_FAREWELL_S = 0.8
_HAND_OVER_TRIES = 5
_RETRY_S = 1.0
_FOR_CELLS = "glovebox_kernel.tables"  # Inside the walls our own files cannot be read any more.


@dataclass
class Opening:
    """A connection whose first frame has not fully come."""

    connection: socket.socket
    decoder: frames.Decoder
    deadline: float


class Zygote:
    def __init__(self, settings: dict) -> None:
        self._selector = selectors.DefaultSelector()
        self._openings: dict[int, Opening] = {}
        self._cgroups = cgroup.find_cgroups() if settings["cgroups"] else cgroup.Cgroups("none", "")
        self._cgroups.sweep()
        self._groups: dict[int, str] = {}
        self._children: set[int] = set()
        self._nursery = nursery.Nursery(settings["prefixes"])
        self._usual = {**{name: settings[name] for name in messages.LIMITS}, "mounts": []}
        self._pool: list[nursery.Child] = []
        self._pool_size: int = settings["pool"]
        self._spare: nursery.Child | None = None
        self._refill_at = 0.0
        self._folder: str = settings["folder"]
        self._listener = _listen(os.path.join(self._folder, "socket"))

    def run(self) -> None:
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        self._selector.register(0, selectors.EVENT_READ, self._lifeline)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        self._selector.register(wake_read, selectors.EVENT_READ, lambda: self._reap(wake_read))
        first = self._new_child(self._usual, ahead=True)
        self._announce(first.await_walls())
        self._pool.append(first)
        while True:
            for key, _ in self._selector.select(self._patience()):
                key.data()
            self._expire_openings()
            self._refill()

    def _announce(self, failure: str | None) -> None:
        line = {
            "failure": failure,
            "mode": self._nursery.mode,
            "cgroup": self._cgroups.version,
            "python": sys.version.split()[0],
        }
        os.write(1, json.dumps(line).encode() + b"\n")
        if failure is not None:
            sys.exit(3)

    def _patience(self) -> float | None:
        waits = [opening.deadline for opening in self._openings.values()]
        if len(self._pool) < self._pool_size or (self._spare is None and self._pool_size > 0):
            waits.append(self._refill_at)
        return max(0.0, min(waits) - time.monotonic()) if waits else None

    def _new_child(self, shape: dict, ahead: bool) -> nursery.Child:
        child, self._spare = self._spare or self._fork_child(), None
        if (group := self._groups.get(child.pid)) is not None:
            self._cgroups.limit(group, _hard_cap(shape))
        child.take_shape({**shape, "cgroup": self._cgroups.version, "ahead": ahead})
        return child

    def _fork_child(self) -> nursery.Child:
        """In its control group, without a shape: joining a group takes longer than everything else."""
        child = self._nursery.fork()
        self._children.add(child.pid)
        if (group := self._cgroups.create(child.pid)) is not None:
            self._groups[child.pid] = group
        return child

    def _refill(self) -> None:
        if time.monotonic() < self._refill_at:
            return
        try:
            if len(self._pool) < self._pool_size:
                self._pool.append(self._new_child(self._usual, ahead=True))
            elif self._spare is None and self._pool_size > 0:
                self._spare = self._fork_child()
        except OSError:
            self._refill_at = time.monotonic() + _RETRY_S  # The machine is full; later.

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        connection.setblocking(False)
        opening = Opening(connection, frames.Decoder(), time.monotonic() + _OPEN_FRAME_TIMEOUT_S)
        self._openings[connection.fileno()] = opening
        self._selector.register(connection, selectors.EVENT_READ, lambda: self._read_opening(opening))
        self._read_opening(opening)

    def _read_opening(self, opening: Opening) -> None:
        # One byte more than the frame would belong to the supervisor: read exactly the frame.
        try:
            head = opening.connection.recv(frames.LENGTHS.size, socket.MSG_PEEK)
            if len(head) < frames.LENGTHS.size:
                if not head:
                    self._forget(opening).close()
                return
            length = frames.LENGTHS.size + sum(frames.LENGTHS.unpack(head))
            data = opening.connection.recv(length, socket.MSG_PEEK)
            if len(data) < length and length <= messages.MAX_OPEN_BYTES:
                return
            (frame,) = opening.decoder.feed(opening.connection.recv(length))
            options = messages.parse("open", frame.header)
        except BlockingIOError:
            return
        except (OSError, ValueError, frames.FrameError, messages.MessageError) as error:
            self._refuse(self._forget(opening), str(error))
            return
        self._hand_over(self._forget(opening), options)

    def _forget(self, opening: Opening) -> socket.socket:
        self._selector.unregister(opening.connection)
        del self._openings[opening.connection.fileno()]
        return opening.connection

    def _expire_openings(self) -> None:
        now = time.monotonic()
        for opening in [each for each in self._openings.values() if each.deadline <= now]:
            self._forget(opening).close()

    def _hand_over(self, connection: socket.socket, shape: dict) -> None:
        """The usual shape is served from the pool; for another, a child is forked."""
        for _ in range(_HAND_OVER_TRIES):
            try:
                child = self._pool.pop(0) if self._pool and shape == self._usual else self._new_child(shape, ahead=False)
            except OSError as error:
                self._refuse(connection, str(error))
                return
            try:
                child.give(connection)
                break
            except OSError:
                continue  # It died while it waited; take the next.
        connection.close()
        self._refill_at = time.monotonic() + _REFILL_DELAY_S

    def _refuse(self, connection: socket.socket, message: str) -> None:
        connection.setblocking(True)
        try:
            connection.sendall(frames.encode({"type": "refused", "message": message}))
        except OSError:
            pass
        connection.close()

    def _reap(self, wake: int) -> None:
        os.read(wake, 4096)
        self._reap_children()

    def _reap_children(self) -> None:
        while True:
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if self._spare is not None and self._spare.pid == pid:
                self._spare.let_go()
                self._spare = None
            for child in [each for each in self._pool if each.pid == pid]:
                child.let_go()
                self._pool.remove(child)
            self._children.discard(pid)
            if (group := self._groups.pop(pid, None)) is not None:
                cgroup.remove(group)

    def _lifeline(self) -> None:
        if os.read(0, 4096):
            return
        # A supervisor that hears the host's end goes by itself; one that a cell has made deaf does not.
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)
        self._await_children(time.monotonic() + _FAREWELL_S)
        shutil.rmtree(self._folder, ignore_errors=True)
        os._exit(0)

    def _await_children(self, deadline: float) -> None:
        while self._children and time.monotonic() < deadline:
            time.sleep(0.01)
            self._reap_children()


def _hard_cap(limits: dict) -> int:
    """Room for the worker, for a frozen copy that shares nothing with it any more, and for full folders."""
    return 2 * limits["memory_bytes"] + limits["work_bytes"] + limits["tmp_bytes"] + (192 << 20)


def _listen(path: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    os.chmod(path, 0o600)
    listener.listen(512)
    listener.setblocking(False)
    return listener


def warm_up(modules: list[str], for_many: bool) -> None:
    for name in (*modules, _FOR_CELLS):
        try:
            __import__(name)
        except Exception as error:  # A broken library must not keep the others from working.
            print(f"glovebox: {name} cannot be imported: {error}", file=sys.stderr)
    shell.prepare()
    gc.collect()
    if for_many and immortal.can_be_immortal():
        immortal.make_all_immortal()
    gc.freeze()


def _first_line() -> bytes:
    """The settings come on standard input: a command line could be read inside the walls."""
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(0, 1) or b"\n"
    return line


def main() -> None:
    settings = messages.parse("settings", json.loads(_first_line()))
    # Where the libraries look on this side of the walls; on the other there is /tmp.
    os.environ["IPYTHONDIR"] = os.path.join(settings["folder"], "ipython")
    os.environ["MPLCONFIGDIR"] = settings["cache"]
    warm_up(settings["warm"], for_many=settings["pool"] > 0)
    del os.environ["IPYTHONDIR"]
    os.environ["MPLCONFIGDIR"] = "/tmp/.matplotlib"
    Zygote(settings).run()
