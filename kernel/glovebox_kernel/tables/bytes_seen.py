"""One pass over a file's bytes: how many there are, whether they are UTF-8, and a sample of those that tell more."""

import builtins
import codecs
import re
from dataclasses import dataclass, field

from .clock import Clock
from .refusal import Refusal
from .source import DAMAGED, Source

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

HEAD_BYTES = 1 << 20
_PART_BYTES = 1 << 20
_HIGH_BYTES = 1 << 16
_COUNTED_BYTES = 16 << 20
_HIGH_PIECES = re.compile(rb"[^\r\n]{0,60}[\x80-\xff][^\r\n]{0,60}")


@dataclass
class BytesSeen:
    head: bytes = b""
    count: int = 0
    is_whole: bool = False
    is_utf8: bool = True
    utf8_letters: int = 0
    bad_bytes: int = 0
    nuls: int = 0
    bare_returns: int = 0
    high: bytes = b""
    high_is_whole: bool = True
    _last: bytes = b""
    _decoder: codecs.IncrementalDecoder = field(default_factory=codecs.getincrementaldecoder("utf-8"))

    def take(self, part: bytes, last: bool) -> None:
        if len(self.head) < HEAD_BYTES:
            self.head += part[: HEAD_BYTES - len(self.head)]
        self.count += len(part)
        self.nuls += part.count(0)
        if b"\r" in part:
            self.bare_returns += part.count(b"\r") - part.count(b"\r\n")
        if part[:1] == b"\n" and self._last == b"\r":
            self.bare_returns -= 1  # Its newline came with this part.
        self._last = part[-1:] or self._last
        self._take_high(part)
        if self.is_utf8:
            try:
                self._decoder.decode(part, last)
            except UnicodeDecodeError:
                self.is_utf8 = False

    def _take_high(self, part: bytes) -> None:
        if part.isascii():
            return
        if self.count <= _COUNTED_BYTES:
            text = part.decode("utf-8", "replace")
            bad = text.count("\N{REPLACEMENT CHARACTER}")
            self.bad_bytes += bad
            self.utf8_letters += len(text) - len(text.encode("ascii", "ignore")) - bad
        for piece in _HIGH_PIECES.finditer(part):
            if len(self.high) > _HIGH_BYTES:
                self.high_is_whole = False
                return
            self.high += piece[0] + b"\n"


def see_bytes(source: Source, most: int, clock: Clock) -> BytesSeen:
    """Stops at `most` bytes, or when the time is up; what is packed is counted unpacked."""
    seen = BytesSeen()
    try:
        with source.open() as file:
            while part := file.read(_PART_BYTES):
                seen.take(part, False)
                if seen.count >= most or clock.is_over():
                    return seen
            seen.take(b"", True)
            seen.is_whole = True
    except DAMAGED as error:
        raise Refusal("Damaged", f"{source.path!r} cannot be read: {error}.") from None
    return seen
