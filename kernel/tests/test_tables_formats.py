"""Workbooks, Parquet, JSON and packed files; and what is refused, with the reason."""

import bz2
import gzip
import io
import json
import lzma
import os
import unittest
import zipfile
from datetime import datetime
from unittest import mock

import pandas as pd

from tables_folder import HAS_PYARROW, TablesFolder

CSV = "a,b\n1,x\n2,y\n"
TABLE = [["a", "b"], [1, "x"], [2, "y"]]


def zipped(**members):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return packed.getvalue()


def workbook(sheets):
    book = io.BytesIO()
    with pd.ExcelWriter(book, engine="openpyxl") as writer:
        for name, rows in sheets.items():
            pd.DataFrame(rows).to_excel(writer, sheet_name=name, index=False, header=False)
    return book.getvalue()


class PackedFiles(TablesFolder):
    def test_each_packing_is_known_by_its_content_whatever_the_name(self):
        packed = {
            "gzip": gzip.compress(CSV.encode()),
            "bz2": bz2.compress(CSV.encode()),
            "xz": lzma.compress(CSV.encode()),
            "zip": zipped(inner__csv=CSV),
        }
        for packing, content in packed.items():
            for name in (f"table.csv.{packing[:2]}", "table.csv", {"gzip": "t.csv.gz", "xz": "t.csv.xz"}.get(packing, f"t.csv.{packing}")):
                with self.subTest(packing=packing, name=name):
                    self.assertEqual(self.load(content, name), (TABLE, f"Read as UTF-8, ',', unpacked from {packing}."))

    def test_a_file_that_is_only_named_packed_is_read(self):
        self.assertEqual(self.load(CSV, "table.csv.gz"), (TABLE, "Read as UTF-8, ','."))

    def test_the_one_table_of_an_archive_is_taken(self):
        content = zipped(README__md="words", data__csv=CSV)
        self.assertEqual(self.load(content, "data.zip"), (TABLE, "Read as UTF-8, ',', unpacked from zip."))

    def test_nul_bytes_are_left_out_of_packed_files_too(self):
        dirty = CSV.replace("y", "y\0z")
        for name, content in (("t.csv.gz", gzip.compress(dirty.encode())), ("t.zip", zipped(t__csv=dirty))):
            with self.subTest(name):
                self.assertEqual(self.load(content, name)[0][-1], [2, "yz"])

    def test_an_archive_of_several_tables_is_refused_with_the_line_that_reads_one(self):
        refused = self.refusal(zipped(a__csv=CSV, b__csv=CSV), "both.zip")
        line = f"import zipfile; df = pd.read_csv(zipfile.ZipFile(\"{self.folder}/both.zip\").open(\"a.csv\"))"
        self.assertEqual(
            refused,
            {"name": "SeveralTables", "message": f"'both.zip' holds 2 tables: ['a.csv', 'b.csv']. Load one with python_repl: {line}"},
        )

    def test_a_file_that_is_cut_off_is_refused(self):
        whole = gzip.compress(os.urandom(1000).hex().encode())
        self.assertEqual(self.refusal(whole[:500], "t.csv.gz")["name"], "Damaged")
        self.assertEqual(self.refusal(zipped(t__csv=CSV)[:-30], "t.zip")["name"], "Damaged")

    def test_a_file_that_unpacks_to_more_than_there_is_memory_is_refused(self):
        bomb = gzip.compress(b"a,b\n" + b"1,2\n" * 600_000)
        with mock.patch("glovebox_kernel.tables.memory.bytes_left", return_value=10 << 20):
            refused = self.refusal(bomb, "t.csv.gz")
        self.assertEqual(refused["name"], "TooLarge")
        self.assertIn("rows: 100000", refused["message"])


class Workbooks(TablesFolder):
    def test_the_first_sheet_is_read_with_every_cell_as_it_is_and_the_others_are_named(self):
        rows = [["id", "day", "x", "code"], ["007", datetime(2024, 1, 31), 1.5, "NA"], ["08", datetime(2024, 2, 1), 2, None]]
        table, notice = self.load(workbook({"Data": rows, "Notes": [["hello", 1]]}), "book.xlsx")
        self.assertEqual(
            table,
            [
                ["id", "day", "x", "code"],
                ["007", pd.Timestamp(2024, 1, 31), 1.5, "NA"],
                ["08", pd.Timestamp(2024, 2, 1), 2.0, None],
            ],
        )
        self.assertEqual(notice, 'Read as an Excel workbook, sheet "Data", other sheets: "Notes" (sheet_name=).')

    def test_lines_above_the_header_are_skipped(self):
        rows = [["Report", None, None], [None, None, None], ["id", "name", "x"], [1, "a", 2], [2, "b", 3]]
        table, notice = self.load(workbook({"S": rows}), "book.xlsx")
        self.assertEqual(table, [["id", "name", "x"], [1, "a", 2], [2, "b", 3]])
        self.assertEqual(notice, 'Read as an Excel workbook, sheet "S", 1 preamble line skipped.')

    def test_columns_and_rows_are_picked(self):
        rows = [["a", "b", "c"], [1, 2, 3], [4, 5, 6]]
        self.assertEqual(self.load(workbook({"S": rows}), "book.xlsx", columns=["c", "a"], rows=1)[0], [["c", "a"], [3, 1]])

    def test_a_workbook_named_csv_is_still_a_workbook(self):
        table, notice = self.load(workbook({"S": [["a", "b"], [1, "x"], [2, "y"]]}), "book.csv")
        self.assertEqual((table, notice), (TABLE, 'Named .csv, read as an Excel workbook, sheet "S".'))

    def test_a_packed_workbook_is_read(self):
        packed = gzip.compress(workbook({"S": [["a", "b"], [1, "x"], [2, "y"]]}))
        self.assertEqual(self.load(packed, "book.xlsx.gz")[0], TABLE)

    def test_a_sheet_that_unpacks_to_too_much_is_refused_before_it_is_read(self):
        with mock.patch("glovebox_kernel.tables.memory.bytes_left", return_value=1000):
            self.assertEqual(self.refusal(workbook({"S": [["a"], [1]]}), "book.xlsx")["name"], "TooLarge")

    def test_another_office_document_is_refused(self):
        document = zipped(word__document__xml="x").replace(b"word.document", b"word/document")
        self.assertEqual(self.refusal(document, "x.xlsx")["name"], "NotATable")


@unittest.skipUnless(HAS_PYARROW, "this environment has no pyarrow")
class ParquetFiles(TablesFolder):
    def parquet(self):
        content = io.BytesIO()
        pd.DataFrame({"a": [1, 2], "b": ["x", "y"], "zip": ["007", "08"]}).to_parquet(content)
        return content.getvalue()

    def test_it_is_read_with_its_own_types(self):
        table, notice = self.load(self.parquet(), "t.parquet")
        self.assertEqual((table, notice), ([["a", "b", "zip"], [1, "x", "007"], [2, "y", "08"]], "Read as Parquet."))

    def test_columns_and_rows_are_picked_and_packed_ones_read(self):
        table, _ = self.load(gzip.compress(self.parquet()), "t.parquet.gz", columns=["zip", "a"], rows=1)
        self.assertEqual(table, [["zip", "a"], ["007", 1]])

    def test_a_broken_one_is_refused(self):
        self.assertEqual(self.refusal(self.parquet()[:100], "t.parquet")["name"], "Damaged")


@unittest.skipIf(HAS_PYARROW, "this environment has pyarrow")
class ParquetWithoutPyarrow(TablesFolder):
    def test_it_is_refused_with_the_reason(self):
        self.assertEqual(self.refusal(b"PAR1" + bytes(100) + b"PAR1", "t.parquet")["name"], "NoReader")


class JsonFiles(TablesFolder):
    def test_every_shape_of_table_is_read(self):
        records = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
        shapes = {
            "records": records,
            "values by column": {"a": [1, 2], "b": ["x", "y"]},
            "rows under a row of names": [["a", "b"], [1, "x"], [2, "y"]],
            "the table is under 'data', records": {"count": 2, "data": records},
        }
        for words, data in shapes.items():
            with self.subTest(words):
                self.assertEqual(self.load(json.dumps(data), "t.json"), (TABLE, f"Read as JSON, UTF-8, {words}."))

    def test_one_record_a_line(self):
        table, notice = self.load('{"a": 1, "b": "x"}\n\n{"a": 2, "b": "y"}\n', "t.jsonl")
        self.assertEqual((table, notice), (TABLE, "Read as JSON, UTF-8, one record a line, records."))

    def test_nested_records_are_spread(self):
        table, _ = self.load('[{"id": 1, "at": {"x": 1, "y": 2}}, {"id": 2, "at": {"x": 3, "y": 4}}]', "t.json")
        self.assertEqual(table, [["id", "at.x", "at.y"], [1, 1, 2], [2, 3, 4]])

    def test_values_are_exact_and_columns_and_rows_picked(self):
        content = '[{"id": 9007199254740993, "zip": "007"}, {"id": 2, "zip": "NA"}]'
        table, _ = self.load(gzip.compress(content.encode()), "t.json.gz", columns=["zip", "id"], rows=1)
        self.assertEqual(table, [["zip", "id"], ["007", 9007199254740993]])

    def test_what_is_no_table_or_no_json_is_refused(self):
        for content, name in (("3", "NotATable"), ("[]", "NotATable"), ("{nonsense", "Damaged"), ("[" * 100_000, "TooDeep")):
            with self.subTest(content[:20]):
                self.assertEqual(self.refusal(content, "t.json")["name"], name)


class Refused(TablesFolder):
    def test_what_is_not_a_table_is_named(self):
        cases = [
            (b"%PDF-1.7\n", "a PDF document"),
            (b"\x89PNG\r\n\x1a\n", "a picture"),
            (b"SQLite format 3\0", "an SQLite database: use sqlite3"),
            (b"<!DOCTYPE html><html>Login</html>", None),
        ]
        for content, words in cases:
            with self.subTest(words):
                refused = self.refusal(content)
                self.assertEqual(refused["name"], "NotATable")
                self.assertIn(words or "a web page or XML", refused["message"])

    def test_links_pipes_folders_and_devices_are_not_opened_for_long(self):
        os.symlink("/etc/passwd", os.path.join(self.folder, "link.csv"))
        os.mkfifo(os.path.join(self.folder, "pipe.csv"))
        os.mkdir(os.path.join(self.folder, "folder.csv"))
        for name in ("link.csv", "pipe.csv", "folder.csv", "gone.csv", "/dev/zero"):
            with self.subTest(name):
                self.assertEqual(self.look(name)["refused"]["name"], "NotAFile")

    def test_a_table_larger_than_memory_is_refused_before_it_is_read(self):
        content = "name,x\n" + "some words here,1\n" * 100_000
        with mock.patch("glovebox_kernel.tables.memory.bytes_left", return_value=12 << 20):
            refused = self.refusal(content)
        self.assertEqual(refused["name"], "TooLarge")
        advice = "name the columns that you need (columns), or take the first rows (rows: 100000), or ask the file itself"
        self.assertIn(advice, refused["message"])

    def test_a_file_of_zeros_is_refused(self):
        self.assertEqual(self.refusal(bytes(2 << 20))["name"], "NotATable")
        self.assertEqual(self.refusal(b"a,b\n1,2\n" + bytes(40 << 20))["name"], "RowTooLong")

    def test_a_line_that_never_ends_is_refused(self):
        self.assertEqual(self.refusal(b"a,b\n1," + b"x" * (33 << 20))["name"], "RowTooLong")

    def test_a_row_of_a_million_separators_is_refused(self):
        self.assertEqual(self.refusal("a,b\n" + "," * 1_000_000 + "\n")["name"], "TooWide")

    def test_a_million_quotes_are_read_as_characters(self):
        looked = self.look(self.put("t.csv", "a,b\n" + '"' * 1_000_001 + "\n"))
        self.assertIn("a quote is never closed", looked["notice"])

    def test_a_hundred_thousand_columns_are_read(self):
        names = ",".join(f"c{place}" for place in range(100_000))
        looked = self.look(self.put("t.csv", f"{names}\n{names.replace('c', '')}\n"))
        self.assertEqual(looked["code"].split("\n\n")[1].count("\n"), 1)
        self.assertEqual((len(looked["columns"]), looked["rows"]), (200, 1))

    def test_a_look_that_takes_too_long_says_how_far_it_came(self):
        looked = self.look(self.put("t.csv", "a,b\n" + "1,2\n" * 50_000), seconds=0)
        self.assertIn("rows could be looked at in time, what follows may differ", looked["notice"])


if __name__ == "__main__":
    unittest.main()
