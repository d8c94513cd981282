"""What happened to a cell, in words."""

from __future__ import annotations

import os
import signal
from typing import Any

from .cell import Cell
from ..walls import root
from ..wire.messages import MessageError

_FIELDS: dict[str, dict[str, type]] = {
    "text": {"text": str},
    "dataframe": {"repr": str, "columns": list, "head": list, "row_count": int, "meta": dict},
    "object": {"repr": str},
    "error": {"name": str, "message": str, "traceback": str},
}
_MAX_ROWS, _MAX_COLUMNS, _MAX_NOTICES, _MAX_NOTICE_LENGTH, _MAX_IMAGES = 200, 2_000, 50, 20_000, 50
_MAX_MIME_LENGTH = 200
_SHORT_LENGTH = 100_000


def check_outcome(header: dict[str, Any]) -> dict[str, Any]:
    """A worker's outcome in the shape and size that the rest relies on: a cell may have forged it."""
    result, images, notices, threads = (header.get(name) for name in ("result", "images", "notices", "threads"))
    fields = _FIELDS.get(result.get("kind")) if isinstance(result, dict) else None
    if fields is None or any(type(result.get(name)) is not kind for name, kind in fields.items()):
        raise MessageError("a worker's result is of no known kind")
    if len(result.get("head", ())) > _MAX_ROWS or len(result.get("columns", ())) > _MAX_COLUMNS:
        raise MessageError("a worker's result is too large")
    if type(images) is not list or len(images) > _MAX_IMAGES or type(notices) is not list or len(notices) > _MAX_NOTICES:
        raise MessageError("a worker's result has too many parts")
    if not all(_has(each, file=str, mime=str) for each in images):
        raise MessageError("a worker's result has images of another shape")
    if type(threads) is not int or not all(type(each) is str and len(each) <= _MAX_NOTICE_LENGTH for each in notices):
        raise MessageError("a worker's result has parts of other types")
    kept = {"kind", *fields, *(("json",) if result["kind"] == "object" else ())}
    return {
        "result": {name: value for name, value in result.items() if name in kept},
        "images": images,
        "notices": notices,
        "threads": threads,
    }


def check_display(display: dict[str, Any], payload: bytes) -> None:
    parts = display["parts"]
    if not all(_has(part, mime=str, bytes=int) and len(part["mime"]) <= _MAX_MIME_LENGTH for part in parts):
        raise MessageError("a worker's display has parts of another shape")
    if any(part["bytes"] < 0 for part in parts) or sum(part["bytes"] for part in parts) != len(payload):
        raise MessageError("a worker's display has parts of another size")


def _has(value: Any, **fields: type) -> bool:
    return type(value) is dict and all(type(value.get(name)) is kind for name, kind in fields.items())


def name_the_limit(result: dict[str, Any], cell: Cell, notices: list[str]) -> None:
    """An interrupt that the clock sent is the clock's doing, not the user's."""
    stopped = result["kind"] == "error" and result["name"] == "KeyboardInterrupt"
    if cell.reason == "timeout":
        if stopped:
            result["name"] = "TimeLimit"
            result["message"] = f"The cell reached its time limit of {_seconds(cell)} and was interrupted."
            result["traceback"] = result["traceback"].removesuffix("KeyboardInterrupt") + f"TimeLimit: {result['message']}"
        notices.append(f"The time limit of {_seconds(cell)} was reached; the cell was interrupted and the variables are as it left them.")
    elif cell.reason == "interrupt" and stopped:
        result["message"] = "The cell was interrupted."
        notices.append("Interrupted; the variables are as the cell left them.")


def died(cell: Cell, status: int, memory_bytes: int) -> dict[str, Any]:
    if cell.reason == "timeout":
        name, message = "TimeLimit", f"The cell reached its time limit of {_seconds(cell)}, did not answer the interrupt, and was ended."
    elif cell.reason == "interrupt":
        name, message = "KeyboardInterrupt", "The cell was interrupted, did not answer, and was ended."
    elif cell.reason == "memory":
        name, message = "OutOfMemory", f"The cell ran out of memory at {memory_bytes / (1 << 30):g} GiB and was ended."
    elif cell.reason == "violation":
        name, message = "WorkerDied", "The cell wrote to Glovebox's own channel and was ended."
    elif _was_killed(status):
        name, message = "WorkerDied", f"The cell's Python was killed (SIGKILL): by its own code, or out of memory at {memory_bytes / (1 << 30):g} GiB."
    else:
        name, message = "WorkerDied", f"The cell ended its Python: {_words(status)}."
    return {"kind": "error", "name": name, "message": message, "traceback": f"{name}: {message}"}


def shortened(result: dict[str, Any]) -> dict[str, Any]:
    """The result with its long texts cut: control characters take six times their size on the wire."""
    short = {name: value[:_SHORT_LENGTH] if isinstance(value, str) else value for name, value in result.items() if name != "json"}
    return {**short, "notice": f"{short.get('notice', '')} The result was too large to be told whole and is cut.".strip()}


def died_idle(status: int, kept: str) -> str:
    return f"Between two cells Python ended: {_words(status)}. {kept}"


def kept_from(stood_at: int, reached: int, last_cell: int) -> str:
    """The copy was of the state after one cell, and was brought forward by running those after it again."""
    if reached < last_cell:
        lost = f"cell {last_cell}" if last_cell == reached + 1 else f"cells {reached + 1} to {last_cell}"
        return f"Python was restored to its state after cell {reached}: what {lost} made is lost, files are kept."
    if stood_at == reached:
        return "Python was restored: the variables are as before this cell."
    again = f"cell {reached} was" if reached == stood_at + 1 else f"cells {stood_at + 1} to {reached} were"
    return f"Python was restored: the variables are as before this cell ({again} run again)."


def nothing_kept(last_cell: int) -> str:
    if last_cell == 0:
        return "Python was started anew."
    return "Python was started anew: the variables are lost, files are kept."


def returned_to(cell: int, ended_strays: bool) -> str:
    then = f"after cell {cell}" if cell > 0 else "before the first cell"
    ended = " What cells had left running was ended." if ended_strays else ""
    return f"The variables are as they were {then}. Files in {root.WORK_FOLDER} are not touched and stay as they are now.{ended}"


def cannot_mark(threads: int) -> str:
    return f"the variables cannot be marked: {_alive(threads)} alive that a copy would lack; end them, run a cell, and mark again"


def no_copy(threads: int, copy: Any) -> str:
    back = f"its state after cell {copy.after_cell}" if copy is not None else "an empty state"
    return f"No checkpoint was made: {_alive(threads)} alive that a copy would lack; after a crash Python would go back to {back}."


def _alive(threads: int) -> str:
    return "1 thread is" if threads == 1 else f"{threads} threads are"


def _seconds(cell: Cell) -> str:
    return f"{cell.timeout_ms / 1000:g} s"


def _was_killed(status: int) -> bool:
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _words(status: int) -> str:
    if not os.WIFSIGNALED(status):
        return f"it exited with status {os.WEXITSTATUS(status)}"
    number = os.WTERMSIG(status)
    known = {signal.SIGSEGV: "a segmentation fault (SIGSEGV)", signal.SIGABRT: "an abort (SIGABRT)", signal.SIGBUS: "a bus error (SIGBUS)"}
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    return known.get(number) or f"a signal ended it ({name})"
