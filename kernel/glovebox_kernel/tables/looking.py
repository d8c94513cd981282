"""Finds out how a file is to be loaded, and writes the cell that does it. Nothing of the file is kept."""

import builtins
from typing import Any

from .binary_tables import plan_excel, plan_parquet
from .clock import Clock
from .code import cell
from .json_table import plan_json
from .magic import refuse_other_kinds
from .plan import Plan, Wanted
from .refusal import Refusal
from .source import WORK_FOLDER, Source
from .text_table import plan_text

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_MOST_NAMES = 200
_LONGEST_NAME = 200
_LONGEST_NOTICE = 3000
_LONGEST_MESSAGE = 4000


def look(
    path: str,
    df_name: str,
    columns: list[str] | None = None,
    rows: int | None = None,
    as_text: bool = False,
    seconds: float = 20,
    folder: str = WORK_FOLDER,
) -> dict[str, Any]:
    """The code that loads the file, what to say about it, and the columns; or why it is not loaded."""
    try:
        plan = _plan(path, Wanted(columns, rows, as_text), Clock(seconds), folder)
    except Refusal as refusal:
        return {"refused": {"name": refusal.name, "message": _encodable(str(refusal))[:_LONGEST_MESSAGE]}}
    notice = ", ".join(plan.notes)
    notice = _encodable(notice[:1].upper() + notice[1:])
    return {
        "code": _encodable(cell(df_name, plan.value, plan.modules)),
        "notice": (notice if len(notice) <= _LONGEST_NOTICE else notice[:_LONGEST_NOTICE] + "…") + ".",
        "columns": [_encodable(str(name))[:_LONGEST_NAME] for name in plan.names[:_MOST_NAMES]],
        "rows": plan.rows,
    }


def _plan(path: str, wanted: Wanted, clock: Clock, folder: str) -> Plan:
    with Source(path, folder) as source:
        kind = refuse_other_kinds(source)
        planner = {"excel": plan_excel, "parquet": plan_parquet, "json": plan_json, "text": plan_text}[kind]
        plan = planner(source, wanted, clock)
        ending = path.lower().rpartition(".")[2]
        if kind in ("excel", "parquet") and ending in ("csv", "tsv", "txt", "json"):
            plan.notes.insert(0, f"named .{ending}")
        if source.packing:
            plan.notes.append(f"unpacked from {source.packing}")
        return plan


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
