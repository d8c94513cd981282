"""What kind of value each column of a text file holds. Every value is looked at; most by one search over many at once."""

import builtins
import re

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

EXACT_IN_FLOAT = 2**53
LARGEST_INT = 2**63 - 1
EXACT_DIGITS = 15

PANDAS_MISSING_WORDS = frozenset(
    "#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null".split("|")
)
MISSING_WORDS = PANDAS_MISSING_WORDS | {"-", "--", "..", "?", "na", "Na"}


class Kind:
    """Bits of a plain number: an enum of flags takes longer than the values themselves."""

    EMPTY = 1 << 0
    WORD = 1 << 1
    BOOL = 1 << 2
    WHOLE = 1 << 3
    LONG = 1 << 4  # a whole number beyond 2**53
    HUGE = 1 << 5  # a whole number beyond 64 bits
    REAL = 1 << 6
    FINE = 1 << 7  # a number with more digits than a quick parser gets right
    PADDED = 1 << 8  # digits after a leading zero
    COMMA = 1 << 9  # 1,5
    COMMA_GROUP = 1 << 10  # 1,234
    COMMA_GROUPS = 1 << 11  # 1,234,567 or 1,234.5
    POINT_GROUP = 1 << 12  # 1.234
    POINT_GROUPS = 1 << 13  # 1.234.567 or 1.234,5
    DATE = 1 << 14
    TEXT = 1 << 15
    PADDED_REAL = 1 << 16  # 09.5
    PADDED_COMMA = 1 << 17  # 09,5


NUMBERS = Kind.WHOLE | Kind.LONG | Kind.REAL | Kind.FINE | Kind.POINT_GROUP
COMMAS = Kind.COMMA | Kind.COMMA_GROUP | Kind.COMMA_GROUPS | Kind.POINT_GROUPS

_SETTLED = Kind.TEXT | Kind.PADDED | Kind.HUGE  # Whatever else the column holds, it is text.
_MOST_KNOWN = 10_000

_PLAIN = r"(?:-?(?:0|[1-9]\d{0,14}|(?:0|[1-9]\d{0,8})\.(?:\d{1,2}|\d{4,6})))?"
_DATE = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?"
_NOT_PLAIN = re.compile(rf"^(?!{_PLAIN}$).*$", re.MULTILINE)
_NOT_DATE = re.compile(rf"^(?!(?:{_DATE})?$).*$", re.MULTILINE)
_A_PLAIN_WHOLE = re.compile(r"^-?(?:0|[1-9]\d{0,14})$", re.MULTILINE)
_A_PLAIN_REAL = re.compile(r"^-?(?:0|[1-9]\d{0,8})\.(?:\d{1,2}|\d{4,6})$", re.MULTILINE)
_A_NUMBER = re.compile(r"^[-+]?\d[\d.,]*$", re.MULTILINE)
_A_BOOL = re.compile(r"^(?:true|false|True|False|TRUE|FALSE)$", re.MULTILINE)
_WHOLE = re.compile(r"[-+]?\d+")
_REAL = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_SPECIAL = re.compile(r"[-+]?(?:inf|infinity)", re.IGNORECASE)
_PADDED = re.compile(r"[-+]?0\d+")
_PADDED_REAL = re.compile(r"[-+]?0\d+\.\d*")
_PADDED_COMMA = re.compile(r"[-+]?0\d+,\d*")
_COMMA = re.compile(r"[-+]?(?:\d+,\d*|,\d+)")
_COMMA_GROUP = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")
_COMMA_GROUPS = re.compile(r"[-+]?[1-9]\d{0,2}(?:(?:,\d{3}){2,}|(?:,\d{3})+\.\d*)")
_POINT_GROUP = re.compile(r"[-+]?[1-9]\d{0,2}\.\d{3}")
_POINT_GROUPS = re.compile(r"[-+]?[1-9]\d{0,2}(?:(?:\.\d{3}){2,}|(?:\.\d{3})+,\d*)")
_WHOLE_DATE = re.compile(_DATE)
_BOOLS = frozenset(("True", "TRUE", "true", "False", "FALSE", "false"))
_LONGEST_NUMBER = 400


def kind_of(value: str) -> int:
    """The kind of one value; pandas too takes numbers with blanks around them."""
    if value == "":
        return Kind.EMPTY
    if value in MISSING_WORDS:
        return Kind.WORD
    if value in _BOOLS:
        return Kind.BOOL
    text = value.strip(" \t")
    if not text or len(text) > _LONGEST_NUMBER or not text.isascii():
        return Kind.TEXT
    if _PADDED.fullmatch(text):
        return Kind.PADDED
    if _WHOLE.fullmatch(text):
        return _whole(text)
    for pattern, kind in (
        (_PADDED_REAL, Kind.PADDED_REAL),
        (_PADDED_COMMA, Kind.PADDED_COMMA),
        (_POINT_GROUP, Kind.POINT_GROUP),
        (_COMMA_GROUP, Kind.COMMA_GROUP),
        (_COMMA_GROUPS, Kind.COMMA_GROUPS),
        (_POINT_GROUPS, Kind.POINT_GROUPS),
        (_COMMA, Kind.COMMA),
        (_WHOLE_DATE, Kind.DATE),
        (_SPECIAL, Kind.REAL),
    ):
        if pattern.fullmatch(text):
            return kind
    if _REAL.fullmatch(text):
        digits = sum(map(str.isdigit, text))
        return Kind.FINE if digits > EXACT_DIGITS or "e" in text.lower() else Kind.REAL
    return Kind.TEXT


def _whole(text: str) -> int:
    digits = text.lstrip("+-")
    if len(digits) > 19:
        return Kind.HUGE
    size = int(digits)
    return Kind.WHOLE if size <= EXACT_IN_FLOAT else Kind.LONG if size <= LARGEST_INT else Kind.HUGE


class ColumnSeen:
    """The kinds of one column's values, gathered part by part."""

    __slots__ = ("seen", "words", "characters", "has_numbers", "variety", "_known")

    def __init__(self) -> None:
        self.seen = 0
        self.words: set[str] = set()
        self.characters = 0
        self.has_numbers = False
        self.variety = 0.0
        self._known: set[str] = set()

    @property
    def kinds(self) -> int:
        """Among other decimals one with a leading zero is a number; where all have one, they are codes or dates."""
        kinds = self.seen & ~(Kind.PADDED_REAL | Kind.PADDED_COMMA)
        if self.seen & Kind.PADDED_REAL:
            kinds |= Kind.REAL if kinds & (Kind.REAL | Kind.FINE) else Kind.PADDED
        if self.seen & Kind.PADDED_COMMA:
            kinds |= Kind.COMMA if kinds & Kind.COMMA else Kind.PADDED
        return kinds

    def take(self, values: tuple[str, ...]) -> None:
        self.characters += sum(map(len, values))
        distinct = set(values)
        if "" in distinct:
            self.seen |= Kind.EMPTY
        fresh = distinct - self._known
        if not fresh:
            return
        if len(self._known) < _MOST_KNOWN:
            self._known |= fresh
        joined = "\n".join(fresh)
        if not self.seen & _SETTLED:
            self._take_fresh(fresh, joined)
        if self.seen & _SETTLED:
            self._take_text(fresh, joined)
        if self.seen & Kind.TEXT:
            self.variety = max(self.variety, len(distinct) / len(values))

    def _take_fresh(self, fresh: set[str], joined: str) -> None:
        if joined.count("\n") + 1 != len(fresh):
            self.seen |= Kind.TEXT  # A value has a newline in it.
            return
        if not self.seen & Kind.REAL and _A_PLAIN_REAL.search(joined):
            self.seen |= Kind.REAL
        if not self.seen & Kind.WHOLE and _A_PLAIN_WHOLE.search(joined):
            self.seen |= Kind.WHOLE
        for match in (_NOT_DATE if self.seen & Kind.DATE else _NOT_PLAIN).finditer(joined):
            kind = kind_of(match[0])
            self.seen |= kind
            if kind == Kind.WORD:
                self.words.add(match[0])
            elif kind & _SETTLED:
                return

    def _take_text(self, fresh: set[str], joined: str) -> None:
        """In a column of text, only whether parts of it could be taken for something else."""
        self.words |= MISSING_WORDS & fresh
        if not self.has_numbers and (_A_NUMBER.search(joined) or _A_BOOL.search(joined)):
            self.has_numbers = True
