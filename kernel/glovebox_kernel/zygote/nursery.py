"""Forks children into walls of their own; each has a worker ready and waits for the connection that it will serve."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import struct
import sys
from dataclasses import dataclass
from typing import Any, Callable

from ..forking import fork
from ..walls import linux, root, seccomp, walls
from ..wire import messages
from ..wire.channel import Channel
from ..supervisor.supervisor import Supervisor

_PID = struct.Struct("=i")
_ALL_ACCOUNTS = 2**32 - 1


@dataclass
class Child:
    """A supervisor that waits. What it is sent on `control` is the connection of its session."""

    pid: int
    control: socket.socket
    status: int

    def await_walls(self) -> str | None:
        """None once the child stands behind its walls, else why it cannot."""
        return os.read(self.status, 4096).decode("utf-8", "replace").partition(":")[2] or None

    def take_shape(self, shape: dict[str, Any]) -> None:
        """It is in its control group now, and so will be all that it forks: it may raise its walls."""
        try:
            self.control.send(json.dumps(shape).encode())
        except OSError:
            pass  # It has died; whoever takes it from the pool finds out.

    def give(self, connection: socket.socket) -> None:
        try:
            socket.send_fds(self.control, [b"connection"], [connection.fileno()])
        finally:
            self.let_go()

    def let_go(self) -> None:
        self.control.close()
        os.close(self.status)


class Nursery:
    def __init__(self, prefixes: list[str]) -> None:
        self._prefixes = prefixes
        self._as_root = _can_unshare_as_root()
        self.mode = "root" if self._as_root else "user"
        for build in (seccomp.build_filter, seccomp.build_limits_filter):
            build(linux.machine())  # Once, for all children.

    def fork(self) -> Child:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid_read, pid_write = os.pipe()
        status_read, status_write = os.pipe()
        between = fork()
        if between == 0:
            _run_and_exit(lambda: self._enter(theirs, pid_write, status_write))
        theirs.close()
        os.close(pid_write)
        os.close(status_write)
        raw = os.read(pid_read, _PID.size)
        os.close(pid_read)
        os.waitpid(between, 0)
        if len(raw) < _PID.size:
            ours.close()
            os.close(status_read)
            raise OSError(errno.EAGAIN, "the machine has no room for another process")
        (pid,) = _PID.unpack(raw)
        return Child(pid, ours, status_read)

    def _enter(self, control: socket.socket, pid_write: int, status: int) -> None:
        failure = None
        try:
            walls.enter_namespaces(self._as_root)
        except OSError as error:
            failure = str(error)
        pid = fork()
        if pid > 0:
            os.write(pid_write, _PID.pack(pid))
            return
        _run_and_exit(lambda: self._wait_for_session(control, status, failure))

    def _wait_for_session(self, control: socket.socket, status: int, failure: str | None) -> None:
        _reset({control.fileno(), status})
        if not (asked := control.recv(messages.MAX_OPEN_BYTES * 2)):
            return
        shape = json.loads(asked)
        supervisor = None
        try:
            if failure is None:
                self._raise_walls(shape)
                supervisor = Supervisor({**shape, "mode": self.mode})
                if shape["ahead"]:
                    supervisor.rehearse()
        except (OSError, KeyError, TypeError) as error:
            failure = str(error)
        _tell(status, f"failed:{failure}" if failure else "ready:")
        try:
            _, descriptors, _, _ = socket.recv_fds(control, 64, 1)
        except ConnectionError:
            return
        if not descriptors:
            return
        control.close()
        connection = socket.socket(fileno=descriptors[0])
        if supervisor is not None:
            supervisor.serve(Channel(connection))
        else:
            Channel(connection).send({"type": "refused", "message": failure})

    def _raise_walls(self, shape: dict[str, Any]) -> None:
        root.build_root(self._prefixes, root.FolderSizes(shape["work_bytes"], shape["tmp_bytes"]))
        account = walls.session_account(self._as_root)
        for mount in shape["mounts"]:
            root.bind_host_mount(root.HostMount(mount["source"], mount["target"]))
        walls.close(self._as_root, account, walls.Limits(shape["memory_bytes"], shape["processes"], shape["work_bytes"]))


def _run_and_exit(task: Callable[[], None]) -> None:
    """Runs a task in a fresh child and never returns into the parent's code."""
    code = 1
    try:
        task()
        code = 0
    except BaseException as error:
        print(f"glovebox: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(code)


def _tell(status: int, words: str) -> None:
    try:
        os.write(status, words.encode())
    except BrokenPipeError:
        pass  # The zygote asks only the first child.
    os.close(status)


def _reset(kept: set[int]) -> None:
    """Leaves the zygote's signals and descriptors; standard error stays for our own last words."""
    signal.set_wakeup_fd(-1)
    # PID 1 does not feel what it has no handler for; Python has one for SIGINT.
    for number in (signal.SIGCHLD, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    edges = [2, *sorted(kept), 65536]
    for below, above in zip(edges, edges[1:]):
        os.closerange(below + 1, above)


def _can_unshare_as_root() -> bool:
    """Root of a user namespace has no other accounts to drop to, and goes the way of an ordinary user."""
    with open("/proc/self/uid_map") as file:
        has_all_accounts = int(file.read().split()[2]) == _ALL_ACCOUNTS
    if os.geteuid() != 0 or not has_all_accounts:
        return False
    pid = fork()
    if pid == 0:
        try:
            linux.unshare(linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWNET)
            os._exit(0)
        except OSError:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0
