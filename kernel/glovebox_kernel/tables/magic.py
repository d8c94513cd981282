"""What kind of table a file holds, by its content first and its name second."""

import builtins

from .refusal import Refusal
from .source import DAMAGED, Source

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_OTHERS = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"SQLite format 3\0": "an SQLite database: use sqlite3",
    b"7z\xbc\xaf'\x1c": "a 7z archive: unpack it first",
    b"Rar!": "a RAR archive: unpack it first",
    b"(\xb5/\xfd": "packed with zstd: unpack it first",
    b"ARROW1": "an Arrow file: use pyarrow.feather",
    b"\x7fELF": "a program",
    b"{\\rtf": "a document",
    b"\x89HDF": "an HDF5 file: use h5py or pd.read_hdf",
    b"\x80\x04\x95": "a pickle, which is not loaded because it can run anything",
}
_TAR_MARK = slice(257, 262)
_JSON_ENDINGS = (".json", ".jsonl", ".ndjson", ".geojson")


def refuse_other_kinds(source: Source) -> str:
    """text, json, excel or parquet."""
    try:
        start = source.magic()
    except DAMAGED as error:
        raise Refusal("Damaged", f"{source.path!r} cannot be unpacked: {error}.") from None
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return "excel"
    other = next((words for magic, words in _OTHERS.items() if start.startswith(magic)), None)
    if other is None and start[_TAR_MARK] == b"ustar":
        other = "a tar archive: unpack it first"
    if other is not None:
        raise Refusal("NotATable", f"{source.path!r} is not a table but {other}.")
    if source.name.lower().endswith(_JSON_ENDINGS):
        return "json"
    return "text"


