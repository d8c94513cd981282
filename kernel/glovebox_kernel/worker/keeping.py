"""What every cell may rely on, whatever the one before did to it."""

from __future__ import annotations

import builtins
import mmap
import operator
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


# What the builtins are looked at with before they are known to be themselves.
_all, _map, _is = all, map, operator.is_


class Kept:
    """The interpreter as it was before the first cell.

    Looking at an object writes its reference count, and so copies its page in every process forked from the zygote:
    what is compared before each cell is kept to what a cell cannot do without.
    """

    def __init__(self) -> None:
        self._builtins = {name: getattr(builtins, name) for name in _NEEDED_BUILTINS}
        self._own = (tuple(self._builtins), tuple(self._builtins.values()))
        self._modules = dict(sys.modules)
        self._needed_modules = [name for name in _NEEDED_MODULES if name in sys.modules]
        self._path = list(sys.path)
        self._recursion_limit = sys.getrecursionlimit()
        self._hooks = {"breakpointhook": sys.breakpointhook, "excepthook": sys.excepthook}

    def put_back(self) -> list[str]:
        """Everything; says what a cell would not expect."""
        notices = self.put_back_builtins()
        for name, hook in self._hooks.items():
            setattr(sys, name, hook)
        if len(sys.modules) < len(self._modules) or not _all(_map(sys.modules.__contains__, self._needed_modules)):
            for name, module in self._modules.items():
                sys.modules.setdefault(name, module)
        if not _all(_map(sys.path.__contains__, self._path)):
            sys.path[:] = [*sys.path, *(entry for entry in self._path if entry not in sys.path)]
        return notices

    def put_back_builtins(self) -> list[str]:
        """What our own code cannot do without either."""
        if sys.gettrace() is not None:
            sys.settrace(None)
        if sys.getprofile() is not None:
            sys.setprofile(None)
        if sys.getrecursionlimit() < self._recursion_limit:
            sys.setrecursionlimit(self._recursion_limit)
        space = vars(builtins)
        names, values = self._own
        if _all(_map(_is, _map(space.get, names), values)):
            return []
        replaced = [name for name, value in self._builtins.items() if space.get(name) is not value]
        space.update((name, self._builtins[name]) for name in replaced)
        return [f"Python's own {', '.join(sorted(replaced)[:5])} had been replaced and was put back."]


class Reserve:
    """Memory and descriptors set aside while the cell's code runs, so that a cell that has used up the limit can still be answered."""

    _BYTES = 24 << 20
    _DESCRIPTORS = 4

    def __init__(self) -> None:
        self._held: mmap.mmap | None = None
        self._spare: list[int] = []

    def take(self) -> None:
        try:
            if not self._spare:
                self._take_descriptors()
            self._held = self._held or mmap.mmap(-1, self._BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        except (OSError, ValueError, MemoryError):
            pass  # Earlier cells hold it all; this one may be the one that lets go.

    def _take_descriptors(self) -> None:
        """Only where as many again are left: where earlier cells hold the rest, these are the cell's."""
        try:
            self._spare = [os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)]
            for _ in range(2 * self._DESCRIPTORS - 1):
                self._spare.append(os.dup(self._spare[0]))
        except OSError:
            self._close_descriptors(0)
        self._close_descriptors(self._DESCRIPTORS)

    def _close_descriptors(self, most: int) -> None:
        while len(self._spare) > most:
            try:
                os.close(self._spare.pop())
            except OSError:
                pass  # The cell has closed it.

    def put_over(self, descriptors: tuple[int, ...]) -> None:
        """Lets go of what is open there, where a descriptor to nowhere is at hand."""
        for descriptor in descriptors if self._spare else ():
            os.dup2(self._spare[0], descriptor)

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
    """A task's folder has as many links as threads, beside its own two; elsewhere than on Linux itself it may not."""
    links = os.stat("/proc/self/task").st_nlink
    if links > 2:
        return links - 2
    with open("/proc/self/stat", "rb", buffering=0) as file:
        return int(file.read(1024).rpartition(b")")[2].split()[17])
