"""An exception as a result: its name, its message, and the frames that are the cell's own doing."""

from __future__ import annotations

import os
import traceback

import IPython

from ..values.values import safe_repr

_MAX_TEXT = 16_000
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_IPYTHON = os.path.join(os.path.dirname(os.path.abspath(IPython.__file__)), "core") + os.sep
_CELL = "<cell "


def describe_error(error: BaseException) -> dict:
    return {
        "kind": "error",
        "name": _class_name(error),
        "message": _cut(_message(error)),
        "traceback": _cut(_traceback(error)),
    }


def _class_name(error: BaseException) -> str:
    name = type.__dict__["__name__"].__get__(type(error))
    return name if isinstance(name, str) else "Exception"


def _message(error: BaseException) -> str:
    try:
        return _encodable(str(error))
    except KeyboardInterrupt:
        raise
    except BaseException:
        return safe_repr(error)


def _traceback(error: BaseException) -> str:
    try:
        whole = traceback.TracebackException.from_exception(error, compact=True)
        _trim(whole, set())
        return _encodable("".join(whole.format())).rstrip("\n")
    except KeyboardInterrupt:
        raise
    except BaseException:
        return f"{_class_name(error)}: {_message(error)}"


def _trim(part: traceback.TracebackException | None, seen: set[int]) -> None:
    if part is None or id(part) in seen:
        return
    seen.add(id(part))
    first = next((index for index, frame in enumerate(part.stack) if frame.filename.startswith(_CELL)), None)
    part.stack[:] = [frame for frame in part.stack[first or 0 :] if not frame.filename.startswith((_OURS, _IPYTHON))]
    for inner in (part.__cause__, part.__context__, *(getattr(part, "exceptions", None) or ())):
        _trim(inner, seen)


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _cut(text: str) -> str:
    if len(text) <= _MAX_TEXT:
        return text
    half = _MAX_TEXT // 2
    return f"{text[:half]}\n… {len(text) - 2 * half:,} characters cut …\n{text[-half:]}"
