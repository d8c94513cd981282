"""How much longer a look may take."""

import builtins
from time import monotonic

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins


class Clock:
    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds

    def is_over(self) -> bool:
        return monotonic() >= self._end
