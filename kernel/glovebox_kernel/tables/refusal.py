"""Why a file is not read, in words for whoever asked for it."""

import builtins

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins


class Refusal(Exception):
    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
