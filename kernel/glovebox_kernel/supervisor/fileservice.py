"""The host's requests about files, and what changed since they were last looked at."""

from __future__ import annotations

import os
from typing import Any, Callable

from . import files
from ..walls import root

CHUNK_BYTES = 1 << 20
_MAX_SHOWN = 50
_MAX_OPEN = 64

Answer = tuple[dict[str, Any], bytes]


class FileService:
    """Files are read and written in parts, each asked for by the host: what it does not ask for is not held."""

    def __init__(self) -> None:
        self._device = os.stat(root.WORK_FOLDER).st_dev
        self._emptiness = files.Emptiness()
        self._known = self._own(files.list_files())
        self._nameless = 0
        self._uploads: dict[int, files.Upload] = {}
        self._downloads: dict[int, int] = {}
        self.handlers: dict[str, Callable[[dict[str, Any], bytes], Answer]] = {
            "put": self._put,
            "put-next": self._put_next,
            "put-end": self._put_end,
            "get": self._get,
            "get-next": self._get_next,
            "get-end": self._get_end,
            "list": self._list,
            "remove": self._remove,
        }

    def changes(self) -> tuple[dict[str, Any], list[str]]:
        if self._emptiness.still_holds():
            return {"changed": [], "removed": []}, []
        self._emptiness = files.Emptiness()
        listing = files.list_files()
        self._emptiness.confirm(listing)
        own = self._own(listing)
        changed = [[name, stamp.bytes] for name, stamp in own.items() if self._known.get(name) != stamp]
        removed = [name for name in self._known if name not in own] if listing.complete else []
        self._known = own
        notices = [] if listing.complete else [
            f"{root.WORK_FOLDER} has more than {files.MAX_ENTRIES:,} entries; the rest is neither listed nor kept."
        ]
        if listing.nameless > self._nameless:
            notices.append("Files whose names are not plain text are neither listed nor kept.")
        self._nameless = listing.nameless
        return {"changed": sorted(changed), "removed": removed}, notices

    def _own(self, listing: files.Listing) -> dict[str, files.Stamp]:
        """Files of the folder itself: what is mounted into it is the host's already."""
        return {name: stamp for name, stamp in listing.files.items() if stamp.device == self._device}

    def _put(self, message: dict[str, Any], _: bytes) -> Answer:
        self._bound_open()
        self._uploads[message["request"]] = files.Upload(message["path"], message["request"])
        return {"handle": message["request"]}, b""

    def _put_next(self, message: dict[str, Any], payload: bytes) -> Answer:
        self._upload(message["handle"]).write(payload)
        return {}, b""

    def _put_end(self, message: dict[str, Any], _: bytes) -> Answer:
        upload = self._upload(message["handle"])
        del self._uploads[message["handle"]]
        if (stamp := upload.finish(message["keep"])) is not None:
            self._known[upload.name] = stamp
        return {}, b""

    def _get(self, message: dict[str, Any], _: bytes) -> Answer:
        self._bound_open()
        descriptor, size = files.open_for_reading(message["path"])
        self._downloads[message["request"]] = descriptor
        return {"handle": message["request"], "bytes": size}, b""

    def _get_next(self, message: dict[str, Any], _: bytes) -> Answer:
        return {}, files.read_part(self._download(message["handle"]), CHUNK_BYTES)

    def _get_end(self, message: dict[str, Any], _: bytes) -> Answer:
        os.close(self._download(message["handle"]))
        del self._downloads[message["handle"]]
        return {}, b""

    def _list(self, message: dict[str, Any], _: bytes) -> Answer:
        listing = files.list_files()
        entries = [
            {"path": f"{root.WORK_FOLDER}/{name}", "bytes": stamp.bytes, "modified_ms": stamp.modified_ns // 1_000_000}
            for name, stamp in sorted(listing.files.items())
        ]
        return {"files": entries, "complete": listing.complete}, b""

    def _remove(self, message: dict[str, Any], _: bytes) -> Answer:
        name = files.remove(message["path"])
        self._known = {each: stamp for each, stamp in self._known.items() if each != name and not each.startswith(name + "/")}
        return {}, b""

    def _upload(self, handle: int) -> files.Upload:
        return _known(self._uploads, handle)

    def _download(self, handle: int) -> int:
        return _known(self._downloads, handle)

    def _bound_open(self) -> None:
        if len(self._uploads) + len(self._downloads) >= _MAX_OPEN:
            raise files.FileProblem("file-kind", f"{_MAX_OPEN} files are open already; finish with some of them first")


def _known(table: dict[int, Any], handle: int) -> Any:
    if handle not in table:
        raise files.FileProblem("file-missing", f"no file is open under the handle {handle}")
    return table[handle]


def shown(changed: list[list[Any]]) -> list[dict[str, Any]]:
    return [{"path": f"{root.WORK_FOLDER}/{name}", "bytes": size} for name, size in changed[:_MAX_SHOWN]]
