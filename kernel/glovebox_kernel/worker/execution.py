"""Runs one cell's code. Plain Python goes straight to exec; magics, `!cmd`, `?` and top-level await go through IPython."""

from __future__ import annotations

import ast
from typing import Any

from IPython.core.interactiveshell import InteractiveShell


_LONGEST_LINE = 200


class Execution:
    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._own_callbacks = self._count_callbacks()

    def run(self, code: str, number: int) -> BaseException | None:
        """The exception that ended the cell, if one did. Its last value goes to the display hook."""
        compiled = self._compile_plain(code, number)
        if compiled is None:
            outcome = InteractiveShell.run_cell(self._shell, code, store_history=False)
            return outcome.error_before_exec or outcome.error_in_exec
        statements, value = compiled
        space = self._shell.user_ns
        space.pop("__warningregistry__", None)
        try:
            if statements is not None:
                exec(statements, space)
            if value is not None:
                self._shell.displayhook(eval(value, space))
        except BaseException as error:
            return error
        return None

    def is_plain(self) -> bool:
        """Whether cells have added nothing to IPython that wants to see every cell."""
        return not self._shell.ast_transformers and self._count_callbacks() == self._own_callbacks

    def _compile_plain(self, code: str, number: int) -> tuple[Any, Any] | None:
        """Code objects for all but the last expression, and for that; None for what IPython must see."""
        if not self.is_plain():
            return None
        compiler = self._shell.compile
        name = compiler.cache(code, number, raw_code=code)
        if (value := self._compile_expression(code, name)) is not None:
            return None, value
        try:
            body = compiler.ast_parse(code, filename=name).body
            last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
            statements = compiler(ast.Module(body, []), name, "exec") if body else None
            value = compiler(ast.Expression(last.value), name, "eval") if last else None
            return statements, value
        except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
            return None

    def _compile_expression(self, code: str, name: str) -> Any:
        """The short way for what cells often are; None when it is not a line with one expression.

        A backslash could be one of those that Python warns of, and it would do so once more on the long way.
        """
        if "\n" in code or "\\" in code or len(code) > _LONGEST_LINE:
            return None
        try:
            return compile(code, name, "eval", self._shell.compile.flags, True)
        except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
            return None

    def _count_callbacks(self) -> int:
        return sum(map(len, self._shell.events.callbacks.values()))
