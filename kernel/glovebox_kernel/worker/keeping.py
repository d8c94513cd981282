"""What every cell may rely on, whatever the one before did to it."""

from __future__ import annotations

import builtins
import contextlib
import mmap
import os
import sys
import threading

# Arrow's pools start anew in a forked child; others that keep native threads do not.
_FORK_SAFE_POOLS = {"pyarrow"}
_FORK_UNSAFE_POOLS = {"polars", "duckdb", "torch", "tensorflow", "jax"}


_NEEDED_BUILTINS = (
    "__build_class__ __import__ bool bytes callable compile delattr dict dir eval exec float format frozenset getattr globals "
    "hasattr hash id input int isinstance issubclass iter len list locals map max min next object open print property range "
    "repr reversed round set setattr slice sorted str sum super tuple type vars zip BaseException Exception KeyboardInterrupt"
).split()
_NEEDED_MODULES = ("sys", "builtins", "os", "io", "threading", "IPython", "numpy", "pandas", "matplotlib.pyplot")


class Kept:
    """The interpreter as it was before the first cell.

    Looking at an object writes its reference count, and so copies its page in every process forked from the zygote:
    what is compared before each cell is kept to what a cell cannot do without.
    """

    def __init__(self) -> None:
        self._builtins = {name: getattr(builtins, name) for name in _NEEDED_BUILTINS}
        self._modules = dict(sys.modules)
        self._needed_modules = [name for name in _NEEDED_MODULES if name in sys.modules]
        self._path = list(sys.path)
        self._recursion_limit = sys.getrecursionlimit()
        self._hooks = {"breakpointhook": sys.breakpointhook, "excepthook": sys.excepthook}

    def put_back(self) -> list[str]:
        sys.settrace(None)
        sys.setprofile(None)
        if sys.getrecursionlimit() < self._recursion_limit:
            sys.setrecursionlimit(self._recursion_limit)
        for name, hook in self._hooks.items():
            setattr(sys, name, hook)
        notices = []
        space = vars(builtins)
        replaced = [name for name, value in self._builtins.items() if space.get(name) is not value]
        if replaced:
            space.update((name, self._builtins[name]) for name in replaced)
            notices.append(f"Python's own {', '.join(sorted(replaced)[:5])} had been replaced and was put back.")
        if len(sys.modules) < len(self._modules) or any(name not in sys.modules for name in self._needed_modules):
            for name, module in self._modules.items():
                sys.modules.setdefault(name, module)
        if any(entry not in sys.path for entry in self._path):
            sys.path[:] = [*sys.path, *(entry for entry in self._path if entry not in sys.path)]
        return notices


class Reserve:
    """Memory and descriptors set aside while the cell's code runs, so that a cell that has used up the limit can still be answered."""

    _BYTES = 24 << 20
    _DESCRIPTORS = 4

    def __init__(self) -> None:
        self._held: mmap.mmap | None = None
        self._spare: list[int] = []

    def take(self) -> None:
        try:
            self._take_descriptors()
            self._held = self._held or mmap.mmap(-1, self._BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        except (OSError, ValueError, MemoryError):
            pass  # Earlier cells hold it all; this one may be the one that lets go.

    def _take_descriptors(self) -> None:
        """Only where as many again are left: where earlier cells hold the rest, these are the cell's."""
        try:
            self._spare = [os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)]
            for _ in range(2 * self._DESCRIPTORS - 1):
                self._spare.append(os.dup(self._spare[0]))
        except OSError:
            self._close_descriptors(0)
        self._close_descriptors(self._DESCRIPTORS)

    def _close_descriptors(self, most: int) -> None:
        while len(self._spare) > most:
            with contextlib.suppress(OSError):
                os.close(self._spare.pop())

    def give(self) -> None:
        self._close_descriptors(0)
        if self._held is not None:
            self._held.close()
            self._held = None


def forbid_asking() -> None:
    """Nobody sits at a keyboard in here: what would ask ends at once and says so."""

    def input(prompt: object = "", /) -> str:
        raise EOFError("input() has nobody to ask in here; put the value into the code instead")

    def no_debugger(*_: object, **__: object) -> None:
        raise RuntimeError("breakpoint() has no terminal to debug from in here; print what you want to see instead")

    builtins.input = input
    sys.breakpointhook = no_debugger


def threads_that_die_in_a_copy() -> int:
    """How many threads are alive that a forked copy of this process would lack and miss."""
    python_threads = threading.active_count() - 1
    native_threads = _count_threads() - 1 - python_threads
    pools = {name for name in _FORK_UNSAFE_POOLS if name in sys.modules}
    if native_threads > 0 and (pools or not any(name in sys.modules for name in _FORK_SAFE_POOLS)):
        return python_threads + native_threads
    return python_threads


def _count_threads() -> int:
    with open("/proc/self/stat", "rb", buffering=0) as file:
        return int(file.read(1024).rpartition(b")")[2].split()[17])
