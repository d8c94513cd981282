"""Which letters beyond ASCII the languages of the old encodings use."""

import builtins

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_WESTERN = {
    "French": "éèàçêôîùâûëïüœæÿ",
    "German": "äöüß",
    "Spanish": "áéíñóúü",
    "Portuguese": "áâãàçéêíóôõúü",
    "Italian": "àèéìíòóù",
    "Swedish": "åäöé",
    "Danish": "æøåé",
    "Dutch": "éëïóöüè",
    "Catalan": "àçèéíïòóúü",
}
_ICELANDIC = "áðéíóúýþæö"
_CENTRAL = {
    "Polish": "ąćęłńóśźż",
    "Czech": "áčďéěíňóřšťúůýž",
    "Slovak": "áäčďéíĺľňóôŕšťúýž",
    "Hungarian": "áéíóöőúüű",
    "Croatian": "čćđšž",
    "Romanian": "ăâîşţ",
}
_TURKISH = {"Turkish": "çğıİöşüâîû"}
_BALTIC = {"Lithuanian": "ąčęėįšųūž", "Latvian": "āčēģīķļņšūž", "Estonian": "äõöüšž"}

# Names from all over fit no single language; a mixture counts a little less than one that fits.
_MIXED_WEIGHT = 0.93
# Encodings of old Macintoshes and of DOS.
_RARE_WEIGHT = 0.88

Alphabets = list[tuple[frozenset, float]]


def _letters(languages: dict[str, str], weight: float = 1.0) -> Alphabets:
    each = [frozenset(text + text.upper()) for text in languages.values()]
    return [*((letters, weight) for letters in each), (frozenset().union(*each), weight * _MIXED_WEIGHT)]


def _range(first: int, last: int) -> Alphabets:
    return [(frozenset(map(chr, range(first, last + 1))), 1.0)]


_CYRILLIC, _GREEK = _range(0x0400, 0x045F), _range(0x0384, 0x03CE)
_HEBREW, _ARABIC, _THAI = _range(0x05D0, 0x05EA), _range(0x060C, 0x0652), _range(0x0E01, 0x0E5B)

# In order of preference: of two that explain a text equally well the first is taken.
LATIN: list[tuple[str, Alphabets]] = [
    ("cp1252", [*_letters(_WESTERN), (frozenset(_ICELANDIC + _ICELANDIC.upper()), 0.98)]),
    ("cp1250", _letters(_CENTRAL)),
    ("iso8859-2", _letters(_CENTRAL, 0.99)),
    ("cp1254", _letters(_TURKISH)),
    ("cp1257", _letters(_BALTIC)),
    ("mac_roman", _letters(_WESTERN, _RARE_WEIGHT)),
    ("cp850", _letters(_WESTERN, _RARE_WEIGHT)),
    ("cp852", _letters(_CENTRAL, _RARE_WEIGHT)),
]
OTHER_SCRIPTS: list[tuple[str, Alphabets]] = [
    ("cp1251", _CYRILLIC),
    ("koi8-r", _CYRILLIC),
    ("cp866", _CYRILLIC),
    ("iso8859-5", _CYRILLIC),
    ("iso8859-7", _GREEK),
    ("cp1253", _GREEK),
    ("cp1255", _HEBREW),
    ("cp1256", _ARABIC),
    ("cp874", _THAI),
]
COMMON_LETTERS = frozenset("оеаинтсрвлкОЕАИНТСРВЛКαοιετσνηυρΑΟΙΕΤΣΝΗΥΡיוהלארתבשמاليمنوتربدةาานรอกเงมยลวดทส")
NEUTRAL = frozenset("\xa0«»“”„‘’‚–—…•€£¥©®™§°º·±²³µ×÷½¼¾¿¡†‰′″№")
