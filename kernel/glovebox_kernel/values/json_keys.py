"""The name that a dict key or a column label gets in JSON."""

import builtins
from typing import Any

from .bounded_text import clip, encodable
from .safe_repr import safe_repr
from .simplify import simplify

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

LONGEST_KEY = 1000


def key_text(key: Any) -> str:
    plain = _plain(key)
    if issubclass(type(plain), str):
        text = str.__str__(plain)
        return clip(encodable(clip(text, LONGEST_KEY)), LONGEST_KEY)
    return safe_repr(plain if type(plain) in (bool, int, float) else key, LONGEST_KEY)


def _plain(key: Any) -> Any:
    if type(key) in (str, int):
        return key
    try:
        plain = simplify(key, 1)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return key
    return key if plain is NotImplemented else plain
