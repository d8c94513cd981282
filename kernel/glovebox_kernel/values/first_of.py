"""The beginning of something too long to copy."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class FirstOf:
    items: Iterable
    count: int  # of the whole
