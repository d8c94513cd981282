"""The host's connection where it is two pipes: one to read from, one to write to."""

from __future__ import annotations

import os
import select

from ..wire.channel import Channel


class _Pipes:
    """Both pipes as the one socket that a channel works with. Its descriptor is readable when either can go on."""

    def __init__(self, read_end: int, write_end: int) -> None:
        self._read_end, self._write_end = read_end, write_end
        self._wants_room = False
        self._either = select.epoll()
        self._either.register(read_end, select.EPOLLIN)
        self._either.register(write_end, 0)

    def setblocking(self, value: bool) -> None:
        for descriptor in (self._read_end, self._write_end):
            os.set_blocking(descriptor, value)

    def fileno(self) -> int:
        return self._either.fileno()

    def send(self, data: memoryview) -> int:
        return os.write(self._write_end, data)

    def recvmsg(self, most: int, _: int) -> tuple[bytes, list, int, None]:
        return os.read(self._read_end, most), [], 0, None

    def want_room(self, wanted: bool) -> None:
        if wanted != self._wants_room:
            self._wants_room = wanted
            self._either.modify(self._write_end, select.EPOLLOUT if wanted else 0)

    def close(self) -> None:
        self._either.close()
        os.close(self._read_end)
        os.close(self._write_end)


class PipeChannel(Channel):
    def __init__(self, read_end: int, write_end: int) -> None:
        self._pipes = _Pipes(read_end, write_end)
        super().__init__(self._pipes)

    def flush(self) -> None:
        super().flush()
        self._pipes.want_room(self.queued_bytes > 0)

    def receive(self) -> list:
        self.flush()
        return super().receive() if not self.closed else []
