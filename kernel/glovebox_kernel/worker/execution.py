"""Runs one cell's code. Plain Python goes straight to exec; magics, `!cmd`, `?` and top-level await go through IPython."""

from __future__ import annotations

import ast
from typing import Any

from IPython.core.interactiveshell import InteractiveShell


def execute(shell: InteractiveShell, code: str, number: int) -> BaseException | None:
    """The exception that ended the cell, if one did. Its last value goes to the display hook."""
    compiled = _compile_plain(shell, code, number)
    if compiled is None:
        outcome = InteractiveShell.run_cell(shell, code, store_history=False)
        return outcome.error_before_exec or outcome.error_in_exec
    statements, value = compiled
    try:
        if statements is not None:
            exec(statements, shell.user_ns)
        if value is not None:
            shell.displayhook(eval(value, shell.user_ns))
    except BaseException as error:
        return error
    return None


def _compile_plain(shell: InteractiveShell, code: str, number: int) -> tuple[Any, Any] | None:
    """Code objects for all but the last expression, and for that; None for what IPython must see."""
    if shell.ast_transformers or any(shell.events.callbacks.values()):
        return None
    try:
        name = shell.compile.cache(code, number, raw_code=code)
        body = shell.compile.ast_parse(code, filename=name).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        statements = shell.compile(ast.Module(body, []), name, "exec") if body else None
        value = shell.compile(ast.Expression(last.value), name, "eval") if last else None
        return statements, value
    except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
        return None
