"""The rows of a text file as pandas will see them, part by part, with every line and field bounded."""

import builtins
import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from .encoding import Encoding
from .refusal import Refusal
from .source import Source

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

WHITESPACE = r"\s+"
LONGEST_ROW = 32 << 20
_READ_CHARACTERS = 1 << 20
# Handed in twice after the last line: they come back as rows of their own unless a quote was left open.
_END = "\ue000glovebox-end\ue000"
_ENDS = (_END + "\n", _END)


@dataclass(frozen=True)
class Dialect:
    delimiter: str = ","
    quote: str | None = '"'
    escape: str | None = None
    skip_space: bool = False


class Rows:
    """Rows as lists of fields; a blank line is an empty list. Knows afterwards whether a quote was left open."""

    def __init__(self, lines: Iterable[str], dialect: Dialect) -> None:
        self._lines = lines
        self._dialect = dialect
        self.is_unclosed = False

    def parts(self, most_rows: Iterable[int]) -> Iterator[list[list[str]]]:
        """As many rows at a time as asked for, while there are any."""
        before = csv.field_size_limit(LONGEST_ROW)
        try:
            reader = self._reader()
            for most in most_rows:
                part = list(islice(reader, most))
                ends = len(part) < most or (bool(part[-1]) and part[-1][-1].endswith(_END))
                if ends:
                    self._take_end(part)
                if part:
                    yield part
                if ends:
                    return
        except csv.Error as error:
            raise Refusal("RowTooLong", f"A row cannot be read: {error}.") from None
        finally:
            csv.field_size_limit(before)

    def first(self, most: int) -> list[list[str]]:
        return next(iter(self.parts([most])), [])

    def _take_end(self, part: list[list[str]]) -> None:
        while part and part[-1] == [_END]:
            part.pop()
        if part and part[-1] and part[-1][-1].endswith("".join(_ENDS)):
            part[-1][-1] = part[-1][-1].removesuffix("".join(_ENDS))
            self.is_unclosed = True

    def _reader(self) -> Iterator[list[str]]:
        lines = chain(self._lines, _ENDS)
        if self._dialect.delimiter == WHITESPACE:
            return map(str.split, lines)
        return csv.reader(lines, **_options(self._dialect))


def _options(dialect: Dialect) -> dict[str, Any]:
    quoting = {"quoting": csv.QUOTE_NONE} if dialect.quote is None else {"quotechar": dialect.quote}
    return {
        "delimiter": dialect.delimiter,
        "escapechar": dialect.escape,
        "skipinitialspace": dialect.skip_space,
        **quoting,
    }


class Lines:
    """The lines of a file, newlines left as they are; counts the characters it has read."""

    def __init__(self, source: Source, encoding: Encoding) -> None:
        self._source = source
        self._encoding = encoding
        self.characters = 0

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._parts())

    def _parts(self) -> Iterator[list[str]]:
        name, errors, _ = self._encoding
        begun, ended = "", 0
        with self._source.open() as file, io.TextIOWrapper(file, name, errors, newline="") as text:
            while part := text.read(_READ_CHARACTERS):
                if self.characters == 0:
                    part = part.removeprefix("\ufeff")
                self.characters += len(part)
                begun += part.replace("\0", "") if "\0" in part else part
                if "\n" in part or "\r" in part:
                    # The last line may go on in the next part, and a carriage return may have its newline there.
                    *lines, begun = split_lines(begun)
                    yield lines
                    ended = self.characters
                if self.characters - ended > LONGEST_ROW:
                    raise Refusal("RowTooLong", _long_line_words(self._source.path))
        yield split_lines(begun)


def _long_line_words(path: str) -> str:
    return (
        f"{path!r} has a line of more than {LONGEST_ROW >> 20} million characters, which is no row of a table. "
        "Look at its beginning with python_repl: open(path, 'rb').read(1000)"
    )


def split_lines(text: str) -> list[str]:
    """As a file with its newlines left as they are gives them."""
    return list(io.StringIO(text, newline=""))
