"""Frames over a non-blocking socket: what is sent waits in a queue, what is received comes whole."""

from __future__ import annotations

import array
import os
import socket
import struct
from collections import deque
from typing import Any

from . import frames

_READ_BYTES = 1 << 18
# What a cell can make the supervisor hold, and the host parse in one go.
_WORKER_HEADER_BYTES = 4 << 20
_WORKER_PAYLOAD_BYTES = 8 << 20
_CREDENTIALS = struct.Struct("=iii")
_ANCILLARY_BYTES = socket.CMSG_SPACE(_CREDENTIALS.size)


class Channel:
    def __init__(self, sock: socket.socket, knows_senders: bool = False) -> None:
        sock.setblocking(False)
        self.socket = sock
        # Set by the kernel, not by the sender. With `only_from`, what other processes write is dropped.
        self.sender_pid: int | None = None
        self.only_from: int | None = None
        if knows_senders:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._decoder = frames.Decoder(_WORKER_HEADER_BYTES, _WORKER_PAYLOAD_BYTES, strict=True) if knows_senders else frames.Decoder()
        self._queue: deque[memoryview] = deque()
        self.queued_bytes = 0
        self.closed = False

    def fileno(self) -> int:
        return self.socket.fileno()

    def send(self, header: dict[str, Any], payload: bytes = b"", descriptors: list[int] | None = None) -> None:
        data = memoryview(frames.encode(header, payload))
        if descriptors:
            # Descriptors ride on the first bytes, and only an idle receiver is sent any: the buffer has room.
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
            data = data[self.socket.sendmsg([data], rights) :]
            if not data:
                return
        self._queue.append(data)
        self.queued_bytes += len(data)
        self.flush()

    def flush(self) -> None:
        while self._queue:
            head = self._queue[0]
            try:
                sent = self.socket.send(head)
            except BlockingIOError:
                return
            except OSError:
                self.closed = True
                self._queue.clear()
                self.queued_bytes = 0
                return
            self.queued_bytes -= sent
            if sent == len(head):
                self._queue.popleft()
            else:
                self._queue[0] = head[sent:]

    def receive(self) -> list[frames.Frame]:
        """The frames that have come; `closed` is set when no more can."""
        try:
            data, ancillary, _, _ = self.socket.recvmsg(_READ_BYTES, _ANCILLARY_BYTES)
        except BlockingIOError:
            return []
        except OSError:
            data, ancillary = b"", []
        if not data:
            self.closed = True
            return []
        sender = None
        for _, kind, content in ancillary:
            if kind == socket.SCM_CREDENTIALS:
                sender = _CREDENTIALS.unpack(content[: _CREDENTIALS.size])[0]
            elif kind == socket.SCM_RIGHTS:
                _close_all(content)
        if self.only_from is not None and sender != self.only_from:
            return []
        self.sender_pid = sender
        return list(self._decoder.feed(data))

    def close(self) -> None:
        self.closed = True
        self.socket.close()


def _close_all(content: bytes) -> None:
    """Nobody sends us descriptors but to fill our table."""
    received = array.array("i")
    received.frombytes(content[: len(content) - len(content) % received.itemsize])
    for descriptor in received:
        os.close(descriptor)
