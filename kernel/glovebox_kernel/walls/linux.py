"""The system calls that Python's library does not offer."""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import socket
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2

MOUNT_ATTR_RDONLY = 1
MOUNT_ATTR_NOSUID = 2
MOUNT_ATTR_NODEV = 4

PR_SET_DUMPABLE = 4
PR_SET_NAME = 15
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_SYS_MOUNT_SETATTR = 442
_SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def machine() -> str:
    return platform.machine()


def unshare(flags: int) -> None:
    check(_libc.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    encoded = (source.encode(), target.encode(), kind.encode() or None)
    check(_libc.mount(*encoded, ctypes.c_ulong(flags), data.encode() or None), f"mount {target}")


def unmount(target: str) -> None:
    check(_libc.umount2(target.encode(), MNT_DETACH), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    number = _SYS_PIVOT_ROOT[machine()]
    check(_libc.syscall(number, new.encode(), old.encode()), "pivot_root")


def restrict_mount(target: str, attributes: int) -> None:
    """Sets attributes on a mount and on all that is mounted below it."""
    request = struct.pack("QQQQ", attributes, 0, 0, 0)
    result = _libc.syscall(
        _SYS_MOUNT_SETATTR, _AT_FDCWD, target.encode(), _AT_RECURSIVE, request, ctypes.c_size_t(len(request))
    )
    check(result, f"mount_setattr {target}")


def prctl(option: int, *arguments: int) -> int:
    padded = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    return check(_libc.prctl(option, *padded), f"prctl {option}")


def set_process_name(name: str) -> None:
    check(_libc.prctl(PR_SET_NAME, name.encode()), "prctl name")


def forbid_capabilities() -> None:
    """Empties the ambient and bounding sets: no program started from here can gain any."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    with open("/proc/sys/kernel/cap_last_cap") as file:
        last = int(file.read())
    for capability in range(last + 1):
        prctl(PR_CAPBSET_DROP, capability)


def clear_capability_sets() -> None:
    version_3 = 0x20080522
    check(_libc.capset(struct.pack("=Ii", version_3, 0), bytes(24)), "capset")


def install_filter(program: bytes) -> None:
    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]

    filled = Program(len(program) // 8, program)
    check(
        _libc.prctl(PR_SET_SECCOMP, ctypes.c_ulong(2), ctypes.byref(filled), ctypes.c_ulong(0), ctypes.c_ulong(0)),
        "seccomp",
    )


def raise_loopback() -> None:
    """Brings up the loopback of this network namespace, which nothing outside shares."""
    siocsifflags, iff_up = 0x8914, 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        fcntl.ioctl(handle, siocsifflags, struct.pack("16sH14x", b"lo", iff_up))


def flush_stdio() -> None:
    """Writes out what C code holds in its stdio buffers."""
    _libc.fflush(None)
