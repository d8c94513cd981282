"""Which encoding a file's text is in: what its first bytes say, then UTF-8, then whichever reads like words."""

import builtins
import codecs
import re
from typing import NamedTuple

from .alphabets import COMMON_LETTERS, LATIN, NEUTRAL, OTHER_SCRIPTS, Alphabets
from .bytes_seen import BytesSeen

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_MARKS = [
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]
_MOSTLY = 0.9
_LONGEST_RUN = 2
_HIGH_WORDS = re.compile(r"[^\W\d_]*[^\x00-\x7f]+(?:[^\W\d_]|[^\x00-\x7f])*")


class Encoding(NamedTuple):
    name: str
    errors: str
    words: str

    @property
    def is_wide(self) -> bool:
        return self.name.startswith(("utf-16", "utf-32"))


def find_encoding(seen: BytesSeen) -> Encoding:
    head = seen.head
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Encoding(name, "strict", "UTF-8 with a byte order mark" if name == "utf-8-sig" else name.upper())
    if (wide := _wide_without_mark(head)) is not None:
        return Encoding(wide, "strict", f"{wide.upper()} without a byte order mark")
    if seen.is_utf8:
        return Encoding("utf-8", "strict", "UTF-8")
    if seen.utf8_letters > 10 * seen.bad_bytes:
        return Encoding("utf-8", "replace", f"UTF-8, {seen.bad_bytes:,} invalid bytes shown as \N{REPLACEMENT CHARACTER}")
    name = _legacy(seen.high)
    if not _decodes(seen.high, name):
        return Encoding("latin-1", "strict", "latin-1")
    # What lies beyond the lines looked at may hold a byte that the encoding has no letter for.
    return Encoding(name, "strict" if seen.high_is_whole else "replace", name)


def _wide_without_mark(head: bytes) -> str | None:
    """Text in UTF-16 has a zero at every other byte as long as it is mostly ASCII."""
    sample = head[:4096]
    if len(sample) < 8 or b"\0" not in sample:
        return None
    pairs = len(sample) // 2
    if sample[1::2].count(0) > _MOSTLY * pairs and sample[0::2].count(0) == 0:
        return "utf-16-le"
    if sample[0::2].count(0) > _MOSTLY * pairs and sample[1::2].count(0) == 0:
        return "utf-16-be"
    return None


def _decodes(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except UnicodeDecodeError:
        return False
    return True


def _legacy(data: bytes) -> str:
    scores = [(_asian_score(data, name), name) for name in ("cp932", "euc_jp", "gb18030", "big5", "euc_kr")]
    scores += [(_latin_score(data, name, alphabets), name) for name, alphabets in LATIN]
    scores += [(_script_score(data, name, alphabets), name) for name, alphabets in OTHER_SCRIPTS]
    best = max(score for score, _ in scores)
    if best <= 0:
        return "cp1252"
    ranked = ["cp1252", *(name for _, name in scores)]
    return min((name for score, name in scores if score > best - 1e-9), key=ranked.index)


def _words(data: bytes, name: str) -> list[str] | None:
    try:
        text = data.decode(name)
    except UnicodeDecodeError:
        text = data.decode(name, "replace")
        if text.count("\N{REPLACEMENT CHARACTER}") * 50 > sum(character > "\x7f" for character in text):
            return None
    return _HIGH_WORDS.findall(text)


def _latin_score(data: bytes, name: str, alphabets: Alphabets) -> float:
    """The share of the letters beyond ASCII that one language explains, standing among others as letters do."""
    words = _words(data, name)
    if words is None:
        return 0.0
    plausible, symbols, total = [], 0.0, 0
    for word in words:
        run = 0
        for place, character in enumerate(word):
            if character <= "\x7f":
                run = 0
                continue
            total += 1
            run += 1
            if character in NEUTRAL:
                inside = 0 < place < len(word) - 1 and word[place - 1].isalpha() and word[place + 1].isalpha()
                symbols += 0.9 if not inside or character in "’·\xa0" else 0.6 if character in "–—" else 0.2
            elif len(word) == 1:
                symbols += 0.8 if character in alphabets[-1][0] else 0.0
            elif run <= _LONGEST_RUN and not (place and word[place - 1].islower() and character.isupper()):
                plausible.append(character)
    explained = max(sum(map(letters.__contains__, plausible)) * weight for letters, weight in alphabets)
    return (explained + symbols) / max(total, 1)


def _script_score(data: bytes, name: str, alphabets: Alphabets) -> float:
    """The share of words that are wholly in the script, with capitals only where words have them."""
    words = _words(data, name)
    if words is None:
        return 0.0
    letters = alphabets[0][0]
    good = total = common = 0
    for word in words:
        high = sum(character > "\x7f" for character in word)
        total += high
        inside = sum(map(letters.__contains__, word))
        if inside < 2 or any(character.isascii() and character.isalpha() for character in word):
            continue
        if not any(before.islower() and after.isupper() for before, after in zip(word, word[1:])):
            good += inside + sum(map(NEUTRAL.__contains__, word))
            common += sum(map(COMMON_LETTERS.__contains__, word))
    return (0.7 * good + 0.45 * common) / max(total, 1)


def _asian_score(data: bytes, name: str) -> float:
    """For text in two bytes a character: everything decodes, and to characters that are in daily use."""
    try:
        text = data.decode(name)
    except UnicodeDecodeError:
        return 0.0
    high = [character for character in text if character > "\x7f"]
    if len(high) < 2:
        return 0.0
    share = sum(_is_daily(character, name) for character in high) / len(high)
    kana = any("\u3041" <= character <= "\u30ff" for character in high)
    if name == "euc_kr" and share == 1 and len(high) >= 6:
        return 1.06
    # Japanese hardly goes without kana, and what is not Japanese hardly has them.
    return share * (1.05 if kana == (name in ("cp932", "euc_jp")) else 0.8)


def _is_daily(character: str, name: str) -> bool:
    if "\u3001" <= character <= "\u30ff" or "\uff01" <= character <= "\uff5e":
        return True
    if name == "euc_kr":
        return "\uac00" <= character <= "\ud7a3"
    if not "\u4e00" <= character <= "\u9fff":
        return False
    # The first level of each standard holds the characters in daily use.
    code = character.encode(name)
    lowest, highest = {"gb18030": (0xB0, 0xD7), "big5": (0xA4, 0xC6), "euc_jp": (0xB0, 0xCF), "cp932": (0x88, 0x97)}[name]
    return len(code) == 2 and lowest <= code[0] <= highest and (name != "gb18030" or code[1] >= 0xA1)
