"""What the supervisor waits for, and what it does when it comes."""

from __future__ import annotations

import select
from typing import Any, Callable

from ..wire.channel import Channel

_MOST_EVENTS = 64


class Watch:
    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._handlers: dict[int, Callable[[], None]] = {}
        self._crowded: dict[int, Channel] = {}

    def add(self, source: Any, handler: Callable[[], None]) -> None:
        number = _number(source)
        self._epoll.register(number, select.EPOLLIN)
        self._handlers[number] = handler

    def remove(self, source: Any) -> None:
        """To be called before the source is closed."""
        number = _number(source)
        if self._handlers.pop(number, None) is not None:
            self._crowded.pop(number, None)
            self._epoll.unregister(number)

    def __contains__(self, source: Any) -> bool:
        return _number(source) in self._handlers

    def want_room(self, channel: Channel) -> None:
        """Waits for room to write as well while something is queued."""
        if not channel.queued_bytes and not self._crowded:
            return
        number = channel.fileno()
        if number not in self._handlers or bool(channel.queued_bytes) == (number in self._crowded):
            return
        if channel.queued_bytes:
            self._crowded[number] = channel
            self._epoll.modify(number, select.EPOLLIN | select.EPOLLOUT)
        else:
            del self._crowded[number]
            self._epoll.modify(number, select.EPOLLIN)

    def serve(self, patience_s: float | None) -> None:
        for number, events in self._epoll.poll(patience_s, _MOST_EVENTS):
            if events & select.EPOLLOUT and (channel := self._crowded.get(number)) is not None:
                channel.flush()
            if events & ~select.EPOLLOUT and (handler := self._handlers.get(number)) is not None:
                handler()


def _number(source: Any) -> int:
    return source if isinstance(source, int) else source.fileno()
