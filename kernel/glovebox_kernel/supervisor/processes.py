"""The processes of this session, as PID 1 sees them: what they use, and their end."""

from __future__ import annotations

import os
import signal

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_SWEEPS = 200


def others(kept: set[int]) -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) not in kept]


def children_of(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children", "rb", buffering=0) as file:
        return [int(child) for child in file.read().split()]


def end_all_but(kept: set[int]) -> None:
    """Stops first and kills then, so that a fork bomb has nobody left to fork."""
    for _ in range(_SWEEPS):
        alive = [pid for pid in others(kept) if is_alive(pid)]
        if not alive:
            return
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in alive:
                _signal(pid, number)


def reap() -> list[tuple[int, int]]:
    ended: list[tuple[int, int]] = []
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended.append((pid, status))


def memory_bytes(pids: list[int], enough: int) -> int:
    """What these processes hold; the exact, dearer ways are taken only when the quick ones are over `enough`."""
    sizes = [_sizes(pid) for pid in pids]
    shared = _shared_bytes(pids) if any(mapped > enough for mapped, _ in sizes) else 0
    quick = sum(resident for _, resident in sizes)
    return shared + (quick if quick <= enough else sum(_proportional_bytes(pid) for pid in pids))


def _sizes(pid: int) -> tuple[int, int]:
    """Mapped and resident bytes."""
    try:
        with open(f"/proc/{pid}/statm", "rb", buffering=0) as file:
            mapped, resident = file.read().split()[:2]
            return int(mapped) * _PAGE_BYTES, int(resident) * _PAGE_BYTES
    except (OSError, ValueError):
        return 0, 0


def _shared_bytes(pids: list[int]) -> int:
    """Shared memory without a file: its pages stay when the process lets go of them, and no count of its own shows them."""
    areas: dict[bytes, int] = {}
    for pid in pids:
        try:
            with open(f"/proc/{pid}/maps", "rb") as file:
                for line in file:
                    span, permissions, _, _, inode = line.split()[:5]
                    if permissions[3:4] == b"s" and line.rstrip().endswith(b"/dev/zero (deleted)"):
                        start, end = (int(part, 16) for part in span.split(b"-"))
                        areas[inode] = max(areas.get(inode, 0), end - start)
        except (OSError, ValueError):
            continue
    return sum(areas.values())


def _proportional_bytes(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            for line in file:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return _sizes(pid)[1]


def is_alive(pid: int) -> bool:
    return _name_of_living(pid) is not None


def are_only_named(pids: list[int], name: str) -> bool:
    """Whether none but processes of that name are alive among these; a cell may give its own any name."""
    return all(found in (None, name.encode()) for found in map(_name_of_living, pids))


def _name_of_living(pid: int) -> bytes | None:
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
            head, _, tail = file.read(1024).rpartition(b")")
            return None if tail.split()[0] in (b"Z", b"X") else head.partition(b"(")[2]
    except (OSError, IndexError):
        return None


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass
