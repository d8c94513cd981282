"""How a workbook or a Parquet file is to be read."""

import builtins
import io
import zipfile
from typing import Any

from .clock import Clock
from .code import Expression, call, literal
from .header import name_columns
from .instead import instead_of_loading
from .layout import find_layout
from .memory import bytes_left, refuse_if_too_large
from .plan import Plan, Wanted, check_columns, choose, named
from .refusal import Refusal
from .source import DAMAGED, Source

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_SAMPLE_ROWS = 60
_WORKBOOK_GROWTH = 6
_TEXT_VALUE = 70


def plan_excel(source: Source, wanted: Wanted, clock: Clock) -> Plan:
    import pandas

    first, modules = source.for_bytes()
    arguments: dict[str, Any] = {}
    with _content(source, wanted) as content:
        _refuse_large_workbook(source, content)
        try:
            book = pandas.ExcelFile(content)
            sheets = [str(name) for name in book.sheet_names]
            sheet, sample = _first_with_rows(book, sheets)
        except Refusal:
            raise
        except Exception as error:
            raise Refusal("Damaged", f"{source.path!r} cannot be read as a workbook: {error}.") from None
        layout = find_layout(sample)
        if sheet != sheets[0]:
            arguments["sheet_name"] = sheet
        if layout.start:
            arguments["skiprows"] = layout.start
        if not layout.has_header:
            arguments.update({"header": None, "names": name_columns([], layout.width, False)})
        try:
            names = [str(name) for name in book.parse(**{"sheet_name": sheet, **arguments, "nrows": 0}).columns]
        except Exception as error:
            raise Refusal("Damaged", f"{source.path!r} cannot be read: {error}.") from None
    exact: dict[str, Any] = {"dtype": Expression("object"), "keep_default_na": False, "na_values": [""]}
    check_columns(wanted, names, source.path)
    usecols, order = choose(wanted, names)
    if usecols is not None:
        arguments["usecols"] = usecols
    if wanted.rows is not None:
        arguments["nrows"] = wanted.rows
    if wanted.as_text:
        exact = {"dtype": Expression("str"), "na_filter": False}
    value = call("pd.read_excel", first, {**arguments, **exact}) + order + ("" if wanted.as_text else ".infer_objects()")
    notes = [f"read as an Excel workbook, sheet {named([sheet])}"]
    if len(sheets) > 1:
        notes.append(f"other sheets: {named([name for name in sheets if name != sheet], 10)} (sheet_name=)")
    if layout.preamble:
        notes.append(f"{layout.preamble} preamble line{'' if layout.preamble == 1 else 's'} skipped")
    if not layout.has_header:
        notes.append(f"no header, so the columns are named {named(names, 3)}")
    return Plan(Expression(value), modules, names, None, notes)


def plan_parquet(source: Source, wanted: Wanted, clock: Clock) -> Plan:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise Refusal(
            "NoReader", f"{source.path!r} is a Parquet file and this environment has no pyarrow to read it; convert it to CSV first."
        ) from None
    try:
        with _content(source, wanted) as content, parquet.ParquetFile(content) as file:
            names = [str(name) for name in file.schema_arrow.names]
            rows = file.metadata.num_rows
            needed = sum(_column_bytes(field.type, rows) for field in file.schema_arrow if _is_wanted(field.name, wanted))
            stored = sum(file.metadata.row_group(place).total_byte_size for place in range(file.metadata.num_row_groups))
    except Refusal:
        raise
    except Exception as error:
        raise Refusal("Damaged", f"{source.path!r} cannot be read as Parquet: {error}.") from None
    check_columns(wanted, names, source.path)
    share = len(wanted.columns or names) / max(len(names), 1)
    refuse_if_too_large(source.path, max(needed, int(stored * share)) * 3 // 2, instead_of_loading(source, wanted, None))
    first, modules = source.for_bytes()
    value = call("pd.read_parquet", first, {"columns": wanted.columns} if wanted.columns is not None else {})
    if wanted.rows is not None:
        value = Expression(f"{value}.head({literal(wanted.rows)})")
    if wanted.as_text:
        value = Expression(f"{value}.astype(str)")
    return Plan(value, modules, names, min(rows, wanted.rows or rows), ["read as Parquet"])


def _is_wanted(name: str, wanted: Wanted) -> bool:
    return wanted.columns is None or name in wanted.columns


def _column_bytes(kind: Any, rows: int) -> int:
    try:
        return rows * max(kind.bit_width // 8, 1)
    except ValueError:
        return rows * _TEXT_VALUE  # Text and lists have no fixed width.


def _content(source: Source, wanted: Wanted) -> Any:
    """The bytes to look at; what is packed is unpacked into memory, within what there is of it."""
    if source.packing is None:
        return source.open_packed()
    most = bytes_left() // 3
    try:
        with source.open() as file:
            content = file.read(most)
    except DAMAGED as error:
        raise Refusal("Damaged", f"{source.path!r} cannot be unpacked: {error}.") from None
    if len(content) == most:
        refuse_if_too_large(source.path, 4 * most, instead_of_loading(source, wanted, None))
    return io.BytesIO(content)


def _refuse_large_workbook(source: Source, content: Any) -> None:
    if not zipfile.is_zipfile(content):
        content.seek(0)
        return
    try:
        infos = zipfile.ZipFile(content).infolist()
    except DAMAGED as error:
        raise Refusal("Damaged", f"{source.path!r} cannot be unpacked: {error}.") from None
    names = {info.filename for info in infos}
    if "xl/workbook.xml" not in names and "xl/workbook.bin" not in names:
        raise Refusal("NotATable", f"{source.path!r} is an archive or a document of another kind, not a workbook that can be read here.")
    sheets = [info.file_size for info in infos if info.filename.startswith("xl/worksheets/")]
    shared = sum(info.file_size for info in infos if info.filename == "xl/sharedStrings.xml")
    largest = (max(sheets, default=0) + shared) * _WORKBOOK_GROWTH
    advice = "Save the sheet as CSV and load that, or read fewer rows with openpyxl: load_workbook(path, read_only=True)."
    refuse_if_too_large(source.path, largest, advice)
    content.seek(0)


def _first_with_rows(book: Any, sheets: list[str]) -> tuple[str, list[list[str]]]:
    for sheet in sheets:
        sample = book.parse(sheet, header=None, nrows=_SAMPLE_ROWS, dtype=object, keep_default_na=False, na_values=[""])
        if len(sample):
            rows = sample.where(sample.notna(), "").astype(str).values.tolist()
            return sheet, [row if any(row) else [] for row in rows]
    raise Refusal("Empty", "The workbook has no sheet with rows in it.")

