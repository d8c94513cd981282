"""What the supervisor waits for, and what it does when it comes."""

from __future__ import annotations

import selectors
from typing import Any, Callable

from ..wire.channel import Channel


class Watch:
    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._sources: set[int] = set()

    def add(self, source: Any, handler: Callable[[], None]) -> None:
        self._sources.add(_number(source))
        self._selector.register(source, selectors.EVENT_READ, handler)

    def remove(self, source: Any) -> None:
        """To be called before the source is closed."""
        if _number(source) in self._sources:
            self._sources.remove(_number(source))
            self._selector.unregister(source)

    def __contains__(self, source: Any) -> bool:
        return _number(source) in self._sources

    def want_room(self, channel: Channel) -> None:
        """Waits for room to write as well while something is queued."""
        if channel in self:
            key = self._selector.get_key(channel)
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if channel.queued_bytes else 0)
            if events != key.events:
                self._selector.modify(channel, events, key.data)

    def serve(self, patience_s: float | None) -> None:
        for key, events in self._selector.select(patience_s):
            if events & selectors.EVENT_WRITE:
                key.fileobj.flush()
            if events & selectors.EVENT_READ and key.fd in self._sources:
                key.data()


def _number(source: Any) -> int:
    return source if isinstance(source, int) else source.fileno()
