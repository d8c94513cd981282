"""A sentence for errors whose cause is the walls, not the code."""

from __future__ import annotations

import errno
import socket

from . import installing

_NO_ROUTE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EAFNOSUPPORT}
_NETWORK_NAMES = {"ConnectionError", "ConnectError", "ConnectTimeout", "NameResolutionError", "MaxRetryError", "URLError"}


def hint_for(error: BaseException, memory_bytes: int) -> str | None:
    chain = _chain(error)
    if any(isinstance(each, MemoryError) for each in chain):
        return f"Out of memory at {memory_bytes / (1 << 30):g} GiB, the session's limit."
    if any(_is_network(each) for each in chain):
        return "There is no network in here: put the file into the session and read it from /mnt/data."
    for each in chain:
        if isinstance(each, ModuleNotFoundError) and each.name:
            return installing.explain(each.name.partition(".")[0])
    return None


def _chain(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    pending: list[BaseException | None] = [error]
    while pending and len(found) < 20:
        each = pending.pop()
        if each is not None and not any(each is other for other in found):
            found.append(each)
            pending += [each.__cause__, each.__context__]
    return found


def _is_network(error: BaseException) -> bool:
    if isinstance(error, socket.gaierror) or type(error).__name__ in _NETWORK_NAMES:
        return True
    return isinstance(error, OSError) and type(error.errno) is int and error.errno in _NO_ROUTE
