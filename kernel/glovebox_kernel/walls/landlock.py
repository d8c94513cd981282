"""Landlock: which files a process and all that it starts may touch, as it says of itself. It needs no privilege."""

from __future__ import annotations

import ctypes
import os
import stat
import struct

from . import linux

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_ASK_FOR_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_EVERY_FIRST = (1 << 13) - 1
_SCOPES = 0b11  # Abstract Unix sockets, and signals.
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE

LIST = _READ_DIR
READ = _EXECUTE | _READ_FILE | _READ_DIR
USE = _READ_FILE | _READ_DIR | _WRITE_FILE | _TRUNCATE
WRITE = ~0

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def version() -> int:
    """0 where the kernel, or a filter around us, does not have it."""
    return max(0, _libc.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(_ASK_FOR_VERSION)))


def restrict(allowed: dict[str, int]) -> None:
    """From now on nothing but the allowed paths, each with its rights; those that do not exist are passed over."""
    known = version()
    if known == 0:
        return
    handled = _EVERY_FIRST | (_REFER if known >= 2 else 0) | (_TRUNCATE if known >= 3 else 0)
    attributes = struct.pack("=QQQ", handled, 0, _SCOPES) if known >= 6 else struct.pack("=Q", handled)
    rules = linux.check(_libc.syscall(_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0), "landlock")
    try:
        for path, rights in allowed.items():
            _allow(rules, path, rights & handled)
        linux.check(_libc.syscall(_RESTRICT, rules, 0), "landlock")
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _OF_FILES
        rule = struct.pack("=Qi", rights, place)
        linux.check(_libc.syscall(_ADD, rules, _PATH_BENEATH, rule, 0), f"landlock {path}")
    finally:
        os.close(place)
