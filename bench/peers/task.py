"""What a peer is asked to do, and whether its answer is the right one."""

from __future__ import annotations


def check(task: dict, answer: str) -> None:
    if task["expect"] not in answer or len(answer) < task.get("leastCharacters", 0):
        raise ValueError(f"a wrong answer of {len(answer)} characters: {answer[-300:]!r}")
