"""What a session has left to hold a table in."""

import builtins
import os
import resource

from .refusal import Refusal

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_MOST = 1 << 62


def bytes_left() -> int:
    """Below this process's limit, and below what the machine has."""
    left = _machine_bytes_left()
    soft, _ = resource.getrlimit(resource.RLIMIT_DATA)
    if soft != resource.RLIM_INFINITY:
        left = min(left, soft - _held_bytes())
    return max(left, 0)


def _held_bytes() -> int:
    return _kilobytes("/proc/self/status", b"VmData:")


def _machine_bytes_left() -> int:
    return _kilobytes("/proc/meminfo", b"MemAvailable:") or _MOST


def _kilobytes(path: str, name: bytes) -> int:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return 0
    try:
        for line in os.read(descriptor, 1 << 16).splitlines():
            if line.startswith(name):
                return int(line.split()[1]) << 10
    finally:
        os.close(descriptor)
    return 0


def readable_size(count: int) -> str:
    size = float(count)
    for unit in ("bytes", "KB", "MB", "GB", "TB"):
        if size < 1000 or unit == "TB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if size >= 10 or unit == "bytes" else f"{size:.1f} {unit}"


def refuse_if_too_large(path: str, needed: int, instead: str) -> None:
    left = bytes_left()
    if needed > left:
        raise Refusal(
            "TooLarge",
            f"{path!r} would take about {readable_size(needed)} of memory and the session has {readable_size(left)} left, "
            f"so it was not loaded. {instead}",
        )
