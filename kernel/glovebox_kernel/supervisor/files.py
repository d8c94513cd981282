"""The working folder as the supervisor serves it: names are checked, links never followed, pipes never waited on."""

from __future__ import annotations

import contextlib
import os
import stat
import time
import unicodedata
from typing import Iterator, NamedTuple

from ..walls import root

MAX_ENTRIES = 20_000
MAX_DEPTH = 64
_MAX_NAME_BYTES = 1 << 20
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_DRAFT = ".glovebox-draft-"


class FileProblem(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Stamp(NamedTuple):
    bytes: int
    modified_ns: int
    inode: int
    device: int


class Listing(NamedTuple):
    files: dict[str, Stamp]
    complete: bool
    nameless: int
    entries: int


class Emptiness:
    """Whether the working folder still has nothing in it, told by the time of its last change, which no cell can set.

    Two changes within a tick of the kernel's clock have the same time, so a change must be older than that to be told
    from the next.
    """

    _TICK_NS = 100_000_000

    def __init__(self) -> None:
        self._changed_ns = self._look()
        self._is_old = time.time_ns() - self._changed_ns > self._TICK_NS
        self._was_empty = False

    def confirm(self, listing: Listing) -> None:
        """Of a listing that was begun after this was made."""
        self._was_empty = listing.complete and listing.entries == 0

    def still_holds(self) -> bool:
        return self._was_empty and self._is_old and self._look() == self._changed_ns

    @staticmethod
    def _look() -> int:
        return os.stat(root.WORK_FOLDER).st_ctime_ns


def split_name(path: str) -> list[str]:
    """The parts of a name below the working folder; anything that could lead elsewhere is refused."""
    for prefix in (root.WORK_FOLDER + "/", "/data/"):
        if path.startswith(prefix):
            path = path[len(prefix) :]
            break
    parts = path.split("/")
    if "\0" in path or any(part in ("", ".", "..") for part in parts):
        raise FileProblem("file-name", f"{path!r} is not a name below {root.WORK_FOLDER}; use one like 'folder/name.csv'")
    if len(parts) > MAX_DEPTH or any(len(os.fsencode(part)) > 255 for part in parts):
        raise FileProblem("file-name", f"{path[:80]!r}… is too long or too deep a name")
    return parts


def open_folder(parts: list[str], create: bool = False) -> int:
    folder = os.open(root.WORK_FOLDER, _OPEN_FOLDER)
    try:
        for part in parts:
            if create:
                try:
                    os.mkdir(part, 0o755, dir_fd=folder)
                except FileExistsError:
                    pass
            inner = os.open(part, _OPEN_FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        return folder
    except OSError as error:
        os.close(folder)
        raise _problem(error, "/".join(parts)) from None


def open_for_reading(path: str) -> tuple[int, int]:
    *parents, name = split_name(path)
    folder = open_folder(parents)
    try:
        descriptor = os.open(name, os.O_RDONLY | _OPEN_FILE, dir_fd=folder)
    except OSError as error:
        raise _problem(error, path) from None
    finally:
        os.close(folder)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise FileProblem("file-kind", f"{path!r} is not an ordinary file, so it is not read")
    return descriptor, status.st_size


def read_part(descriptor: int, most: int) -> bytes:
    try:
        return os.read(descriptor, most)
    except OSError as error:
        raise _problem(error, "the file") from None


def remove(path: str) -> str:
    """The name, as listings have it, of what was removed."""
    *parents, name = split_name(path)
    folder = open_folder(parents)
    try:
        _remove_tree(name, folder, MAX_DEPTH)
        return "/".join((*parents, name))
    except OSError as error:
        raise _problem(error, path) from None
    finally:
        os.close(folder)


def _remove_tree(name: str, folder: int, depth: int) -> None:
    try:
        os.unlink(name, dir_fd=folder)
    except IsADirectoryError:
        inner = os.open(name, _OPEN_FOLDER, dir_fd=folder)
        try:
            for entry in os.listdir(inner):
                if depth > 0:
                    _remove_tree(entry, inner, depth - 1)
        finally:
            os.close(inner)
        os.rmdir(name, dir_fd=folder)


class Upload:
    """A file on its way in: it takes its name only when it is whole."""

    def __init__(self, path: str, mark: int) -> None:
        *parents, self._name = split_name(path)
        self.name = "/".join((*parents, self._name))
        self._folder = open_folder(parents, create=True)
        self._draft = f"{_DRAFT}{mark}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _OPEN_FILE
        try:
            self._descriptor = os.open(self._draft, flags, 0o644, dir_fd=self._folder)
        except OSError as error:
            os.close(self._folder)
            raise _problem(error, path) from None

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError as error:
            raise _problem(error, self._name) from None

    def finish(self, keep: bool) -> Stamp | None:
        status = os.fstat(self._descriptor)
        os.close(self._descriptor)
        try:
            if not keep:
                os.unlink(self._draft, dir_fd=self._folder)
                return None
            os.rename(self._draft, self._name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
            return _stamp(status)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.unlink(self._draft, dir_fd=self._folder)
            raise _problem(error, self._name) from None
        finally:
            os.close(self._folder)


def list_files() -> Listing:
    """Ordinary files by their names below the working folder, bounded in count and depth."""
    found: dict[str, Stamp] = {}
    name_bytes = nameless = seen = 0
    for name, stamp in _walk():
        seen += 1
        name_bytes += len(name or "")
        if seen > MAX_ENTRIES or name_bytes > _MAX_NAME_BYTES:
            return Listing(found, False, nameless, seen)
        if name is None:
            nameless += 1
        elif stamp is not None:
            found[name] = stamp
    return Listing(found, True, nameless, seen)


def _walk() -> Iterator[tuple[str | None, Stamp | None]]:
    pending: list[tuple[str, ...]] = [()]
    while pending:
        parts = pending.pop()
        try:
            folder = open_folder(list(parts))
        except FileProblem:
            continue
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = "/".join((*parts, entry.name))
                    if entry.name.startswith(_DRAFT):
                        continue
                    if not _is_plain(entry.name):
                        yield None, None
                        continue
                    if entry.is_dir(follow_symlinks=False) :
                        if len(parts) < MAX_DEPTH - 1:
                            pending.append((*parts, entry.name))
                        yield name, None
                        continue
                    try:
                        status = entry.stat(follow_symlinks=False)
                    except OSError:
                        continue
                    ordinary = stat.S_ISREG(status.st_mode)
                    yield name, _stamp(status) if ordinary else None
        finally:
            os.close(folder)


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev)


def _is_plain(name: str) -> bool:
    """Names with control characters, or that are no text at all, cannot be told to anybody."""
    return not any(unicodedata.category(character) in ("Cc", "Cs") for character in name)


def _problem(error: OSError, path: str) -> FileProblem:
    if isinstance(error, FileNotFoundError):
        return FileProblem("file-missing", f"there is no file {path!r} in {root.WORK_FOLDER}; list the files to see their names")
    if error.errno in (28, 122, 27):
        return FileProblem("file-too-large", f"{path!r} does not fit: {root.WORK_FOLDER} is full; raise the session's disk limit or remove files")
    return FileProblem("file-kind", f"{path!r} cannot be used: {error.strerror}")
