"""The one table of messages between host and kernel; whatever does not fit it is refused."""

from __future__ import annotations

from typing import Any

MAX_OPEN_BYTES = 64 << 10
_SMALLEST_MEMORY = 64 << 20


class MessageError(Exception):
    pass


class Field:
    def __init__(self, kind: type, *, least: int | None = None, each: type | None = None) -> None:
        self.kind, self.least, self.each = kind, least, each

    def problem(self, value: Any) -> str | None:
        if type(value) is not self.kind:
            return f"is not of type {self.kind.__name__}"
        if self.least is not None and value < self.least:
            return f"is below {self.least}"
        if self.each is not None and not all(type(item) is self.each for item in value):
            return f"has an item that is not of type {self.each.__name__}"
        return None


_TEXT, _COUNT, _FLAG = Field(str), Field(int, least=0), Field(bool)
_REQUEST = {"request": _COUNT}
LIMITS = {
    "memory_bytes": Field(int, least=_SMALLEST_MEMORY),
    "work_bytes": Field(int, least=1 << 20),
    "tmp_bytes": Field(int, least=1 << 20),
    "processes": Field(int, least=1),
}

TABLE: dict[str, dict[str, Field]] = {
    # Host to zygote.
    "settings": {
        "folder": _TEXT,
        "cache": _TEXT,
        "pool": _COUNT,
        "cgroups": _FLAG,
        "warm": Field(list, each=str),
        "prefixes": Field(list, each=str),
        **LIMITS,
    },
    # Host to kernel.
    "open": {**LIMITS, "mounts": Field(list, each=dict)},
    "run": {"cell": _COUNT, "timeout_ms": Field(int, least=1)},
    "interrupt": {"cell": _COUNT, "kill": _FLAG},
    "put": {**_REQUEST, "path": _TEXT},
    "put-next": {**_REQUEST, "handle": _COUNT},
    "put-end": {**_REQUEST, "handle": _COUNT, "keep": _FLAG},
    "get": {**_REQUEST, "path": _TEXT},
    "get-next": {**_REQUEST, "handle": _COUNT},
    "get-end": {**_REQUEST, "handle": _COUNT},
    "list": _REQUEST,
    "remove": {**_REQUEST, "path": _TEXT},
    "variables": _REQUEST,
    "mark": {**_REQUEST, "mark": _COUNT},
    "return": {**_REQUEST, "mark": _COUNT},
    "unmark": {**_REQUEST, "mark": _COUNT},
    # Kernel to host.
    "ready": {"walls": Field(dict)},
    "refused": {"message": _TEXT},
    "stdout": {"cell": _COUNT},
    "stderr": {"cell": _COUNT},
    "display": {"cell": _COUNT, "of_result": _FLAG, "parts": Field(list, each=dict)},
    "result": {"cell": _COUNT, "result": Field(dict), "duration_ms": Field(float, least=0), "changes": Field(dict)},
    "reply": {**_REQUEST, "value": Field(dict)},
    "failed": {**_REQUEST, "code": _TEXT, "message": _TEXT},
}


def parse(name: str, header: dict[str, Any]) -> dict[str, Any]:
    """The message's own fields, checked; others are ignored."""
    if header.get("type", name) != name:
        raise MessageError(f"expected a message {name}, got {header['type']}")
    fields = TABLE.get(name)
    if fields is None:
        raise MessageError(f"there is no message {name}")
    parsed: dict[str, Any] = {}
    for field, shape in fields.items():
        if field not in header:
            raise MessageError(f"the message {name} lacks {field}")
        if (problem := shape.problem(header[field])) is not None:
            raise MessageError(f"{field} of the message {name} {problem}")
        parsed[field] = header[field]
    return parsed
