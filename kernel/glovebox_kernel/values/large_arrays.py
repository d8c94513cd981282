"""The repr of a large numpy or pandas array, short whatever the cell chose as print options."""

import builtins
import sys
from math import prod
from typing import Any

from .classes import class_name, library_class_names

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

LARGE = 1000
EDGE = 3
MOST_PRINTED = 2000


def large_array_text(value: Any) -> str | None:
    """None if the value is small or no array: its own repr will do."""
    for name in library_class_names(value):
        if name == "numpy.ndarray":
            return _numpy_text(value) if value.size > LARGE else None
        if name in ("pandas.Index", "pandas.ExtensionArray"):
            return _pandas_text(value) if len(value) > LARGE else None
    return None


def _numpy_text(array: Any) -> str:
    if prod(min(length, 2 * EDGE) for length in array.shape) > MOST_PRINTED:
        return f"<{class_name(type(array))} of shape {array.shape}, dtype {array.dtype}>"
    with sys.modules["numpy"].printoptions(threshold=LARGE, edgeitems=EDGE):
        return repr(array)


def _pandas_text(array: Any) -> str:
    with sys.modules["pandas"].option_context("display.max_seq_items", LARGE // 10):
        return repr(array)
