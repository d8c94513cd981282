"""The cell that loads a table: plain Python that runs anywhere."""

import builtins
from typing import Any

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_LINE = 100


class Expression(str):
    """Code, where a plain string would be written as a literal."""


def literal(value: Any) -> str:
    if isinstance(value, Expression):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, str):
        return _text_literal(value)
    return repr(value)


def _text_literal(value: str) -> str:
    """Double quotes, as most people write them, where nothing in the text speaks against it."""
    written = repr(value)
    if written[0] == "'" and '"' not in written:
        return f'"{written[1:-1]}"'
    return written


def call(function: str, first: Any, arguments: dict[str, Any]) -> Expression:
    parts = [literal(first), *(f"{name}={literal(value)}" for name, value in arguments.items())]
    line = f"{function}({', '.join(parts)})"
    if len(line) <= _LINE:
        return Expression(line)
    return Expression(f"{function}(\n" + "".join(f"    {part},\n" for part in parts) + ")")


def cell(df_name: str, value: Expression, modules: list[str]) -> str:
    imports = [f"import {name}" for name in sorted(set(modules) - {"pandas"})]
    return "\n".join([*imports, "import pandas as pd", "", f"{df_name} = {value}", df_name])
