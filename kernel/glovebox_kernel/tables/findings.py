"""Everything found out about a text file."""

import builtins
from dataclasses import dataclass

from .bytes_seen import BytesSeen
from .columns import ColumnPlan
from .encoding import Encoding
from .header import FIRST_NAME
from .layout import Layout
from .rows import Dialect
from .survey import Survey

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins


@dataclass(frozen=True)
class Findings:
    seen: BytesSeen
    encoding: Encoding
    dialect: Dialect
    layout: Layout
    survey: Survey
    names: list[str]
    columns: ColumnPlan

    @property
    def header(self) -> list[str]:
        return self.survey.header

    @property
    def named_first(self) -> bool:
        """Whether the first column got a name that the header does not have."""
        return self.survey.lacks_first_name and self.names[0] == FIRST_NAME

    @property
    def is_whole(self) -> bool:
        return self.survey.is_whole and self.seen.is_whole

    @property
    def has_stray_nuls(self) -> bool:
        return self.seen.nuls > 0 and not self.encoding.is_wide

    @property
    def has_returns_for_newlines(self) -> bool:
        return self.survey.returns_inside is not None and self.seen.bare_returns > self.survey.returns_inside
