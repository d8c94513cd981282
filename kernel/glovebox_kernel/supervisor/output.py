"""What a cell prints: passed on as it comes up to a bound, kept as head and tail, saved whole when it is long."""

from __future__ import annotations

import os

from ..walls import root

HALF_BYTES = 512 << 10
SAVED_BYTES = 32 << 20
OUTPUT_FOLDER = root.WORK_FOLDER + "/.output"


class Capture:
    def __init__(self, cell: int, stream: str) -> None:
        self._name = f"{OUTPUT_FOLDER}/cell-{cell}-{stream}.txt"
        self._head = bytearray()
        self._tail = bytearray()
        self._file = -1
        self._saved = 0
        self.total_bytes = 0

    def take(self, data: bytes) -> bytes:
        """Keeps the data and gives back the part that is still to be shown live."""
        self.total_bytes += len(data)
        room = HALF_BYTES - len(self._head)
        live = data[:room]
        self._head += live
        rest = data[len(live) :]
        if rest:
            self._tail += rest
            if self._file < 0 and len(self._tail) > HALF_BYTES:
                self._start_saving()
            elif self._file >= 0:
                self._save(rest)
            if len(self._tail) > 2 * HALF_BYTES:
                del self._tail[:-HALF_BYTES]
        return live

    def finish(self) -> tuple[str, str | None]:
        """The text, cut in the middle when it is long, and a sentence that says so."""
        cut = self.total_bytes - len(self._head) - min(len(self._tail), HALF_BYTES)
        tail = bytes(self._tail[-HALF_BYTES:])
        if cut <= 0:
            return _decode(bytes(self._head) + tail), None
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        stream = self._name.rsplit("-", 1)[1].removesuffix(".txt")
        marker = f"\n… {cut:,} bytes cut …\n"
        text = _decode(bytes(self._head)) + marker + _decode(tail)
        if self._saved == self.total_bytes:
            where = f"the full text is in {self._name}"
        elif self._saved > 0:
            where = f"its first {self._saved:,} bytes are in {self._name}"
        else:
            where = "there was no room to save the full text"
        return text, f"{stream} was {self.total_bytes:,} bytes long and is cut in the middle; {where}."

    def _start_saving(self) -> None:
        try:
            os.makedirs(OUTPUT_FOLDER, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            self._file = os.open(self._name, flags, 0o644)
        except OSError:
            return
        self._save(bytes(self._head) + bytes(self._tail))

    def _save(self, data: bytes) -> None:
        data = data[: SAVED_BYTES - self._saved]
        try:
            while data:
                written = os.write(self._file, data)
                self._saved += written
                data = data[written:]
        except OSError:
            pass  # A full folder: what is there stays there.


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")
