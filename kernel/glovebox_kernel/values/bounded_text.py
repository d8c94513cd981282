"""Text of bounded length that UTF-8 can carry."""

import builtins

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

SHORTEST_WITH_NOTE = 80


def clip(text: str, limit: int) -> str:
    """The text in at most `limit` characters, cut in the middle with a note of how many are missing."""
    if len(text) <= limit:
        return text
    if limit < SHORTEST_WITH_NOTE:
        return text[: max(limit - 1, 0)] + "…"
    kept = limit - len(_note(len(text)))
    tail = kept // 2
    return text[: kept - tail] + _note(len(text) - kept) + text[len(text) - tail :]


def encodable(text: str) -> str:
    """The text with lone surrogates written out as `\\udc80`."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _note(missing: int) -> str:
    return f"… {missing:,} characters cut …"
