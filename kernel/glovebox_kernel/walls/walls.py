"""The walls of `local`: namespaces, a private root, no privileges, a filter, limits. Raised in this order.

1. enter_namespaces   in the process whose child will be PID 1
2. build_root         in PID 1, while the host's files can still be reached
3. close              host's root gone, account dropped, limits set, filter on: nothing can be undone after it
"""

from __future__ import annotations

import os
import resource
import socket
from dataclasses import dataclass

from . import linux, root, seccomp

_NAMESPACES = linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWNET | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS
_INSIDE_ID = 1000
_FIRST_SESSION_ID = 700_000_000
_SUPERVISOR_DESCRIPTORS, _WORKER_DESCRIPTORS = 4096, 512
_SPARE_PROCESSES = 8 + 8  # The supervisor, its copies of the worker and forks on their way; and the marks.


@dataclass(frozen=True)
class Limits:
    memory_bytes: int
    processes: int
    file_bytes: int


def enter_namespaces(as_root: bool) -> None:
    # The maps are written with the ids from before: inside a new user namespace they read as nobody's.
    uid, gid = os.getuid(), os.getgid()
    linux.unshare(_NAMESPACES | (0 if as_root else linux.CLONE_NEWUSER))
    if not as_root:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{_INSIDE_ID} {uid} 1")
        _write("/proc/self/gid_map", f"{_INSIDE_ID} {gid} 1")
    try:
        linux.unshare(linux.CLONE_NEWCGROUP)
    except OSError:
        pass  # Kernels without cgroups have none to hide.


def session_account(as_root: bool) -> int:
    """An account no other live session has: derived from the process id that the host knows it by."""
    if not as_root:
        return _INSIDE_ID
    return _FIRST_SESSION_ID + int(os.readlink(root.OLD_ROOT + "/proc/self"))


def close(as_root: bool, account: int, limits: Limits) -> None:
    socket.sethostname("glovebox")
    linux.raise_loopback()
    root.close_root(f"glovebox:x:{account}:{account}:Glovebox:{root.WORK_FOLDER}:/bin/sh\n")
    os.chdir(root.WORK_FOLDER)
    linux.forbid_capabilities()
    if as_root:
        os.setgroups([])
        os.setresgid(account, account, account)
        os.setresuid(account, account, account)
    linux.clear_capability_sets()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    set_dumpable(False)
    set_limits(limits)
    linux.install_filter(seccomp.build_filter(linux.machine()))


def confine_worker() -> None:
    """Fewer descriptors than the supervisor has, so that a cell cannot use up what may be in flight; and no limit moves again."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (_WORKER_DESCRIPTORS, _WORKER_DESCRIPTORS))
    linux.install_filter(seccomp.build_limits_filter(linux.machine()))


def set_dumpable(value: bool) -> None:
    linux.prctl(linux.PR_SET_DUMPABLE, int(value))


def set_limits(limits: Limits) -> None:
    for limit, value in (
        (resource.RLIMIT_DATA, _data_bytes() + limits.memory_bytes),
        (resource.RLIMIT_NPROC, limits.processes + _SPARE_PROCESSES),
        (resource.RLIMIT_NOFILE, _SUPERVISOR_DESCRIPTORS),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_CORE, 1),  # At 0 a machine's crash collector would still be started.
        (resource.RLIMIT_MEMLOCK, 64 << 10),
        (resource.RLIMIT_STACK, 8 << 20),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_RTPRIO, 0),
        (resource.RLIMIT_SIGPENDING, 256),
    ):
        hard = resource.getrlimit(limit)[1]
        bounded = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (bounded, bounded))


def _data_bytes() -> int:
    """What the warm libraries hold already, which the session does not pay for."""
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 0


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
