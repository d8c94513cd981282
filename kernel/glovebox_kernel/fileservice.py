"""The host's requests about files, and what changed since they were last looked at."""

from __future__ import annotations

import os
from typing import Any

from . import files, root
from .channel import Channel

_CHUNK_BYTES = 256 << 10
_MAX_SHOWN = 50


class Download:
    def __init__(self, request: int, descriptor: int) -> None:
        self.request, self.descriptor = request, descriptor


class FileService:
    def __init__(self, host: Channel) -> None:
        self._host = host
        self._known = files.list_files().files
        self._uploads: dict[int, files.Upload | None] = {}
        self._downloads: list[Download] = []
        self._handlers = {
            "put": self._put,
            "put-chunk": self._put_chunk,
            "put-end": self._put_end,
            "get": self._get,
            "get-cancel": self._get_cancel,
            "list": self._list,
            "remove": self._remove,
        }

    def handle(self, name: str, message: dict[str, Any], payload: bytes) -> None:
        try:
            self._handlers[name](message, payload)
        except files.FileProblem as problem:
            if (upload := self._uploads.get(message["request"])) is not None:
                upload.finish(keep=False)
            self._uploads.pop(message["request"], None) if name == "put-end" else self._mute(message["request"])
            self._host.send({"type": "failed", "request": message["request"], "code": problem.code, "message": str(problem)})

    def changes(self) -> tuple[dict[str, Any], list[str]]:
        listing = files.list_files()
        changed = [[name, stamp.bytes] for name, stamp in listing.files.items() if self._known.get(name) != stamp]
        removed = [name for name in self._known if name not in listing.files] if listing.complete else []
        self._known = listing.files
        notices = [] if listing.complete else [f"{root.WORK_FOLDER} has more than {files.MAX_ENTRIES:,} entries; the rest is not listed or kept."]
        return {"changed": sorted(changed), "removed": removed}, notices

    def has_downloads(self, most_queued: int) -> bool:
        return bool(self._downloads) and self._host.queued_bytes < most_queued

    def continue_downloads(self, most_queued: int) -> None:
        while self.has_downloads(most_queued):
            download = self._downloads.pop(0)
            try:
                data = os.read(download.descriptor, _CHUNK_BYTES)
            except OSError as error:
                os.close(download.descriptor)
                self._host.send({"type": "failed", "request": download.request, "code": "file-kind", "message": str(error)})
                continue
            if data:
                self._host.send({"type": "chunk", "request": download.request}, data)
                self._downloads.append(download)
            else:
                os.close(download.descriptor)
                self._reply(download.request, {})

    def _reply(self, request: int, value: dict[str, Any]) -> None:
        self._host.send({"type": "reply", "request": request, "value": value})

    def _mute(self, request: int) -> None:
        """An upload that failed goes on arriving; what comes is dropped."""
        if request in self._uploads:
            self._uploads[request] = None

    def _put(self, message: dict[str, Any], _: bytes) -> None:
        self._uploads[message["request"]] = None
        self._uploads[message["request"]] = files.Upload(message["path"], message["request"])

    def _put_chunk(self, message: dict[str, Any], payload: bytes) -> None:
        if (upload := self._uploads.get(message["request"])) is not None:
            upload.write(payload)

    def _put_end(self, message: dict[str, Any], _: bytes) -> None:
        if (upload := self._uploads.pop(message["request"], None)) is None:
            return
        upload.finish(message["keep"])
        self._reply(message["request"], {})

    def _get(self, message: dict[str, Any], _: bytes) -> None:
        descriptor, status = files.open_for_reading(message["path"])
        self._downloads.append(Download(message["request"], descriptor))

    def _get_cancel(self, message: dict[str, Any], _: bytes) -> None:
        for download in [each for each in self._downloads if each.request == message["request"]]:
            self._downloads.remove(download)
            os.close(download.descriptor)
        self._reply(message["request"], {})

    def _list(self, message: dict[str, Any], _: bytes) -> None:
        listing = files.list_files()
        entries = [
            {"path": f"{root.WORK_FOLDER}/{name}", "bytes": stamp.bytes, "modified_ms": stamp.modified_ns // 1_000_000}
            for name, stamp in sorted(listing.files.items())
        ]
        self._reply(message["request"], {"files": entries, "complete": listing.complete})

    def _remove(self, message: dict[str, Any], _: bytes) -> None:
        files.remove(message["path"])
        self._reply(message["request"], {})


def shown(changed: list[list[Any]]) -> list[dict[str, Any]]:
    return [{"path": f"{root.WORK_FOLDER}/{name}", "bytes": size} for name, size in changed[:_MAX_SHOWN]]
