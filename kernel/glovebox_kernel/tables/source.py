"""A file that may hold a table: opened without following links or waiting, and unpacked where it is packed."""

import builtins
import bz2
import errno
import gzip
import lzma
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from .code import Expression, call, literal
from .refusal import Refusal

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

WORK_FOLDER = "/mnt/data"
DAMAGED = (EOFError, OSError, lzma.LZMAError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)
_MAGIC_BYTES = 512
_PACKERS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz"}
_OPENERS = {"gzip": gzip.open, "bz2": bz2.open, "xz": lzma.open}
_MODULES = {"gzip": "gzip", "bz2": "bz2", "xz": "lzma"}
_ENDINGS = {"gzip": ".gz", "bz2": ".bz2", "xz": ".xz", "zip": ".zip"}
_TABLE_ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".psv", ".dat", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".xlsx", ".xlsm", ".xls")
_MOST_MEMBERS = 20


class Source:
    """One file; `member` is the one of a zip archive that is meant."""

    def __init__(self, path: str, folder: str = WORK_FOLDER) -> None:
        self.path = path
        self._folder = folder
        self._descriptor = _open_plain(path, folder)
        self.size = os.fstat(self._descriptor).st_size
        self.packing: str | None = None
        self.member: str | None = None
        self._is_alone = True
        try:
            self._find_packing()
        except DAMAGED as error:
            self.close()
            raise Refusal("Damaged", f"{path!r} is packed, and cannot be unpacked: {error}.") from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def name(self) -> str:
        """What the table itself is called, without the packing."""
        if self.member is not None:
            return self.member
        ending = _ENDINGS.get(self.packing or "", "")
        return self.path[: -len(ending)] if ending and self.path.lower().endswith(ending) else self.path

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The table's bytes from the beginning; what is packed comes unpacked."""
        with self.open_packed() as plain:
            if self.packing is None:
                yield plain
            elif self.packing == "zip":
                with zipfile.ZipFile(plain) as archive, archive.open(self.member or "") as file:
                    yield file  # type: ignore[misc]
            else:
                with _OPENERS[self.packing](plain) as file:
                    yield file  # type: ignore[misc]

    def magic(self) -> bytes:
        with self.open() as file:
            return file.read(_MAGIC_BYTES)

    def shown_path(self) -> str:
        """As short as it still works from where the cells stand."""
        try:
            here = os.getcwd()
        except OSError:
            here = ""
        return self.path if here == self._folder else f"{self._folder}/{self.path}"

    def for_pandas(self) -> tuple[Any, dict[str, Any], list[str]]:
        """What the code gives to read_csv: the path or an open member, further arguments, modules to import."""
        path = self.shown_path()
        if self.packing is None:
            inferred = path.lower().endswith((*_ENDINGS.values(), ".zst", ".tar"))
            return path, {"compression": None} if inferred else {}, []
        if self.packing == "zip" and not self._is_alone:
            return self._member_expression(), {}, ["zipfile"]
        inferred = path.lower().endswith(_ENDINGS[self.packing])
        return path, {} if inferred else {"compression": self.packing}, []

    def for_text(self, encoding: str, errors: str, newline: str | None = "") -> tuple[Expression, list[str]]:
        """Code for an open text file, with its newlines as they are or, for None, made alike."""
        options = {"encoding": encoding, **({} if errors == "strict" else {"errors": errors})}
        if newline is not None:
            options["newline"] = newline
        if self.packing is None:
            return call("open", self.shown_path(), options), []
        if self.packing == "zip":
            return call("io.TextIOWrapper", self._member_expression(), options), ["io", "zipfile"]
        module = _MODULES[self.packing]
        return call(f"{module}.open", self.shown_path(), {"mode": "rt", **options}), [module]

    def for_bytes(self) -> tuple[Any, list[str]]:
        """What the code gives to a reader of binary files."""
        if self.packing is None:
            return self.shown_path(), []
        if self.packing == "zip":
            return Expression(f"io.BytesIO({self._member_expression()}.read())"), ["io", "zipfile"]
        module = _MODULES[self.packing]
        return Expression(f"io.BytesIO({module}.open({literal(self.shown_path())}).read())"), ["io", module]

    def _member_expression(self) -> Expression:
        return Expression(f"zipfile.ZipFile({literal(self.shown_path())}).open({literal(self.member)})")

    def open_packed(self) -> BinaryIO:
        copy = os.open(f"/proc/self/fd/{self._descriptor}", os.O_RDONLY | os.O_CLOEXEC)
        return os.fdopen(copy, "rb")

    def _find_packing(self) -> None:
        with self.open_packed() as file:
            start = file.read(8)
            if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
                self._enter_archive(zipfile.ZipFile(file))
                return
        self.packing = next((name for magic, name in _PACKERS.items() if start.startswith(magic)), None)

    def _enter_archive(self, archive: zipfile.ZipFile) -> None:
        names = [info.filename for info in archive.infolist() if not info.is_dir()]
        if any(name in ("xl/workbook.xml", "xl/workbook.bin", "mimetype", "word/document.xml", "ppt/presentation.xml") for name in names):
            return  # An office document is a zip archive of its own kind.
        plain = [name for name in names if not name.startswith("__MACOSX/") and not os.path.basename(name).startswith(".")]
        tables = [name for name in plain if name.lower().endswith(_TABLE_ENDINGS)] if len(plain) > 1 else plain
        if len(tables) != 1:
            raise Refusal("SeveralTables" if tables else "NoTable", _archive_words(self.path, self.shown_path(), plain, tables))
        if archive.getinfo(tables[0]).flag_bits & 1:
            raise Refusal("Encrypted", f"{self.path!r} is protected with a password; unpack it first.")
        self.packing, self.member, self._is_alone = "zip", tables[0], len(names) == 1


def _archive_words(path: str, shown: str, names: list[str], tables: list[str]) -> str:
    if not tables:
        return f"{path!r} is an archive without a table: it holds {len(names)} files {names[:_MOST_MEMBERS]!r}."
    line = f"import zipfile; df = pd.read_csv(zipfile.ZipFile({literal(shown)}).open({literal(tables[0])}))"
    return f"{path!r} holds {len(tables)} tables: {tables[:_MOST_MEMBERS]!r}. Load one with python_repl: {line}"


def _open_plain(path: str, folder: str) -> int:
    whole = os.path.join(folder, path)
    try:
        descriptor = os.open(whole, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Refusal("NotAFile", f"{path!r} is a link; links are not followed. Name the file itself.") from None
        raise Refusal("NotAFile", f"{path!r} cannot be opened: {error.strerror}.") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Refusal("NotAFile", f"{path!r} is a folder, a pipe or a device, not an ordinary file.")
    return descriptor
