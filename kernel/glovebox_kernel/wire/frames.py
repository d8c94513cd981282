"""The frame: u32 header length, u32 payload length, JSON header, raw payload. Big-endian."""

from __future__ import annotations

import json
import struct
from typing import Any, Callable, Iterator, NamedTuple

LENGTHS = struct.Struct(">II")
MAX_HEADER_BYTES = 8 << 20
MAX_PAYLOAD_BYTES = 16 << 20


class Frame(NamedTuple):
    header: dict[str, Any]
    payload: bytes


class FrameError(Exception):
    """The bytes are not a frame; the stream they came from cannot go on."""


_encode_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_decode_json = json.JSONDecoder().decode


def _finite(text: str) -> float:
    """NaN and the like have no form on the wire: what holds one could not be passed on."""
    number = float(text)
    if number - number != 0:
        raise ValueError(f"{text} is out of range")
    return number


_decode_strict_json = json.JSONDecoder(parse_float=_finite, parse_constant=_finite).decode


def encode(header: dict[str, Any], payload: bytes | memoryview = b"") -> bytes:
    head = _encode_json(header).encode("utf-8", "backslashreplace")
    if len(head) > MAX_HEADER_BYTES or len(payload) > MAX_PAYLOAD_BYTES:
        raise FrameError(f"a frame of {len(head)} + {len(payload)} bytes is over the limit")
    return b"".join((LENGTHS.pack(len(head), len(payload)), head, payload))


class Decoder:
    """Takes bytes as they come and gives whole frames; strict ones hold nothing that could not be written again."""

    def __init__(self, max_header: int = MAX_HEADER_BYTES, max_payload: int = MAX_PAYLOAD_BYTES, strict: bool = False) -> None:
        self._buffer = bytearray()
        self._max_header, self._max_payload = max_header, max_payload
        self._decode = _decode_strict_json if strict else _decode_json

    def feed(self, data: bytes) -> Iterator[Frame]:
        self._buffer += data
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> Frame | None:
        buffer = self._buffer
        if len(buffer) < LENGTHS.size:
            return None
        head_bytes, payload_bytes = LENGTHS.unpack_from(buffer)
        if head_bytes > self._max_header or payload_bytes > self._max_payload:
            raise FrameError(f"a frame announces {head_bytes} + {payload_bytes} bytes, over the limit")
        start = LENGTHS.size + head_bytes
        end = start + payload_bytes
        if len(buffer) < end:
            return None
        header = parse_header(bytes(buffer[LENGTHS.size : start]), self._decode)
        frame = Frame(header, bytes(buffer[start:end]))
        del buffer[:end]
        return frame


def parse_header(raw: bytes, decode: Callable[[str], Any] = _decode_json) -> dict[str, Any]:
    try:
        header = decode(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FrameError(f"a frame's header is not JSON: {error}") from None
    if not isinstance(header, dict) or not isinstance(header.get("type"), str):
        raise FrameError("a frame's header is not an object with a type")
    return header
