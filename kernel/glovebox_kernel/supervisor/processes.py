"""The processes of this session, as PID 1 sees them: what they use, and their end."""

from __future__ import annotations

import os
import signal
import time

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_SWEEPS, _PAUSE_S = 200, 0.001


def others(kept: set[int]) -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) not in kept]


def newest() -> int | None:
    """The number of the process or thread that was made last in here; the same number, and none was made since."""
    try:
        with open("/proc/loadavg", "rb", buffering=0) as file:
            return int(file.read(128).split()[4])
    except (OSError, ValueError, IndexError):
        return None


def children_of(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children", "rb", buffering=0) as file:
        return [int(child) for child in file.read().split()]


def end_all_but(kept: set[int]) -> None:
    """Stops first and kills then, so that a fork bomb has nobody left to fork."""
    for _ in range(_SWEEPS):
        alive = [pid for pid in others(kept) if is_alive(pid)]
        if not alive:
            break
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in alive:
                _signal(pid, number)
    _forget_all_but(kept)


def _forget_all_but(kept: set[int]) -> None:
    """What has ended counts as a process until it is waited for: by us, once its parent has ended too."""
    for _ in range(_SWEEPS):
        ended = [pid for pid in others(kept) if _parent_of(pid) not in kept - {1}]
        if not ended:
            return
        for pid in ended:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass  # Its parent is about to end.
        time.sleep(_PAUSE_S)


def _parent_of(pid: int) -> int | None:
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
            return int(file.read(1024).rpartition(b")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return None


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


def bytes_beyond_our_own(pids: set[int]) -> int:
    """What these processes hold together beyond the warm libraries' data, which all of them share with us.

    Pages of files are nobody's: each process maps those that it has used.
    """
    ours = _rollup("self")
    base = max(0, ours.get("Pss_Anon", 0) - ours.get("Private_Dirty", 0))
    return sum(max(0, _own_proportional_bytes(pid) - base) for pid in pids)


def _own_proportional_bytes(pid: int) -> int:
    sizes = _rollup(pid)
    if "Pss_Anon" not in sizes:
        return sizes.get("Pss", _sizes(pid)[1])  # Too much rather than too little.
    return sizes["Pss_Anon"] + sizes.get("Pss_Shmem", 0)


def _proportional_bytes(pid: int) -> int:
    return _rollup(pid).get("Pss", _sizes(pid)[1])


def _rollup(pid: int | str) -> dict[str, int]:
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            file.readline()  # The span that the sums are of.
            fields = (line.split() for line in file)
            return {name.rstrip(":"): int(kilobytes) << 10 for name, kilobytes, *_ in fields}
    except (OSError, ValueError):
        return {}


def is_alive(pid: int) -> bool:
    return _name_of_living(pid) is not None


def await_end(pid: int) -> bool:
    """Whether one that seems to have been killed is over within a moment; what it held is free then."""
    for _ in range(_SWEEPS):
        if not is_alive(pid):
            return True
        time.sleep(_PAUSE_S)
    return False


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
