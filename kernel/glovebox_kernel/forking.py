"""Forks of our own, which skip what libraries want done after a fork.

Libraries register hooks with os.register_at_fork: some reseed random numbers, which a frozen copy must not; all of them
write pages that would else be shared. A cell's own forks run them as always.
"""

from __future__ import annotations

import os
from typing import Any, Callable

_hooks: dict[str, list[Callable[[], Any]]] = {"before": [], "after_in_child": [], "after_in_parent": []}
_ours = False


def take_over() -> None:
    """To be called before anything that registers hooks is imported."""
    os.register_at_fork(
        before=lambda: _run(reversed(_hooks["before"])),
        after_in_child=lambda: _run(_hooks["after_in_child"]),
        after_in_parent=lambda: _run(_hooks["after_in_parent"]),
    )
    os.register_at_fork = _register


def fork() -> int:
    global _ours
    _ours = True
    try:
        return os.fork()
    finally:
        _ours = False


def _register(**hooks: Callable[[], Any]) -> None:
    for moment, hook in hooks.items():
        _hooks[moment].append(hook)


def _run(hooks: Any) -> None:
    if not _ours:
        for hook in hooks:
            hook()
