"""How delimited text is read: whatever is found in a file is said, and nothing of it is lost."""

import unittest

from tables_folder import TablesFolder


class PlainFiles(TablesFolder):
    def test_a_plain_file_needs_no_more_than_its_name(self):
        self.put("sales.csv", "region,amount\nnorth,1.5\nsouth,2\n")
        self.assertEqual(self.call_of("sales.csv"), 'df = pd.read_csv("sales.csv")\ndf')

    def test_the_code_names_what_is_not_usual(self):
        self.put("sales.csv", "Verkäufe 2024\n\nRegion;Betrag\nKöln;1,5\nBonn;2,5\n".encode("cp1252"))
        self.assertEqual(
            self.call_of("sales.csv"),
            'df = pd.read_csv("sales.csv", encoding="cp1252", sep=";", skiprows=2, decimal=",")\ndf',
        )

    def test_a_name_with_quotes_stays_a_name(self):
        name = "it's \"x\" \\ ü.csv"
        looked = self.look(self.put(name, "a,b\n1,2\n"))
        self.assertEqual(self.frame(looked).values.tolist(), [[1, 2]])

    def test_columns_and_rows_are_picked_in_the_order_asked_for(self):
        table, _ = self.load("a,b,c\n1,2,3\n4,5,6\n7,8,9\n", columns=["c", "a"], rows=2)
        self.assertEqual(table, [["c", "a"], [3, 1], [6, 4]])

    def test_a_repeated_column_can_be_picked(self):
        table, _ = self.load("a,a,b\n1,2,3\n", columns=["a.1"])
        self.assertEqual(table, [["a.1"], [2]])

    def test_an_unknown_column_is_refused_with_those_there_are(self):
        refused = self.refusal("a,b\n1,2\n", columns=["z"])
        self.assertEqual(
            refused, {"name": "UnknownColumn", "message": "'table.csv' has no column \"z\"; its columns are \"a\", \"b\"."}
        )

    def test_an_empty_file_is_refused(self):
        for content in ("", "\n\n  \n"):
            with self.subTest(content):
                self.assertEqual(self.refusal(content)["name"], "Empty")

    def test_a_header_alone_is_a_table_without_rows(self):
        self.assertEqual(self.load("id,name\n"), ([["id", "name"]], "Read as UTF-8, ','."))


class Encodings(TablesFolder):
    def test_each_is_found_and_said(self):
        cases = [
            ("naïve café", "utf-8", "UTF-8"),
            ("naïve café", "utf-8-sig", "UTF-8 with a byte order mark"),
            ("naïve café", "utf-16", "UTF-16"),
            ("plain words only", "utf-16-le", "UTF-16-LE without a byte order mark"),
            ("naïve café à Noël", "cp1252", "cp1252"),
            ("“5 €” – that’s it", "cp1252", "cp1252"),
            ("Łódź Gdańsk Świętokrzyskie", "cp1250", "cp1250"),
            ("Plzeň České Budějovice Jiří Šťastný", "iso8859-2", "iso8859-2"),
            ("Λεωνίδας Αλέξανδρος", "iso8859-7", "iso8859-7"),
            ("Москва Санкт Петербург", "cp1251", "cp1251"),
            ("Москва Санкт Петербург", "koi8-r", "koi8-r"),
            ("İstanbul Şişli Çağrı", "cp1254", "cp1254"),
            ("東京都 ひらがな カタカナ", "cp932", "cp932"),
            ("北京上海中国人民", "gb18030", "gb18030"),
            ("서울 부산 한국", "euc_kr", "euc_kr"),
        ]
        for text, encoding, words in cases:
            with self.subTest(encoding=encoding, text=text):
                table, notice = self.load(f"id,name\n1,{text}\n2,x\n".encode(encoding))
                self.assertEqual(table, [["id", "name"], [1, text], [2, "x"]])
                self.assertEqual(notice, f"Read as {words}, ','.")

    def test_letters_that_come_late_are_seen(self):
        table, notice = self.load(b"id,name\n" + b"1,plain\n" * 200_000 + "2,café\n".encode("cp1252"))
        self.assertEqual((table[-1], notice), ([2, "café"], "Read as cp1252, ','."))

    def test_a_few_broken_bytes_do_not_make_another_encoding(self):
        table, notice = self.load("id,name\n".encode() + "1,écrémé à côté\n".encode() * 9 + b"2,caf\xe9\n")
        self.assertEqual(table[-1], [2, "caf\N{REPLACEMENT CHARACTER}"])
        self.assertEqual(notice, "Read as UTF-8, 1 invalid bytes shown as \N{REPLACEMENT CHARACTER}, ','.")

    def test_a_byte_order_mark_does_not_keep_broken_bytes_from_being_read(self):
        for content in ("id,name\n1,é\n".encode("utf-8-sig") + b"2,\xff\n", "id,name\n1,é\n2,x".encode("utf-16") + b"\xff"):
            with self.subTest(content):
                table, notice = self.load(content)
                self.assertEqual((table[1], len(table)), ([1, "é"], 3))
                self.assertIn("invalid bytes shown as \N{REPLACEMENT CHARACTER}", notice)

    def test_nul_bytes_are_left_out_and_what_follows_them_is_not(self):
        table, notice = self.load(b"a,b\n1,x\x00y\n2,z\n")
        self.assertEqual(table, [["a", "b"], [1, "xy"], [2, "z"]])
        self.assertEqual(notice, "Read as UTF-8, ',', 1 NUL byte left out.")


class Delimiters(TablesFolder):
    def test_each_is_found(self):
        for mark, words in [(",", "','"), (";", "';'"), ("\t", "tabs"), ("|", "'|'"), ("^", "'^'"), ("~", "'~'"), ("\x1f", "'\\x1f'")]:
            with self.subTest(words):
                table, notice = self.load(f"a{mark}b{mark}c\n1{mark}x y{mark}2\n3{mark}z{mark}4\n")
                self.assertEqual(table, [["a", "b", "c"], [1, "x y", 2], [3, "z", 4]])
                self.assertEqual(notice, f"Read as UTF-8, {words}.")

    def test_columns_aligned_with_blanks_are_read(self):
        table, notice = self.load("x    y\n1   2.5\n10  3.5\n")
        self.assertEqual((table, notice), ([["x", "y"], [1, 2.5], [10, 3.5]], "Read as UTF-8, blanks between fields."))

    def test_times_and_sentences_are_one_column(self):
        for content in ("when\n2020-01-01 10:00:00\n2020-01-02 11:30:00\n", "text\nhello there world\nand here too\n"):
            with self.subTest(content):
                table, _ = self.load(content)
                self.assertEqual(table[1:], [[line] for line in content.split("\n")[1:-1]])

    def test_excels_own_hint_is_taken_and_skipped(self):
        table, notice = self.load("sep=;\na;b\n1;2\n")
        self.assertEqual((table, notice), ([["a", "b"], [1, 2]], "Read as UTF-8, ';', 1 preamble line skipped."))

    def test_commas_within_semicolons_do_not_part(self):
        table, notice = self.load("name;note;x\na;one, two;1,5\nb;three, four;2,5\n")
        self.assertEqual(table, [["name", "note", "x"], ["a", "one, two", 1.5], ["b", "three, four", 2.5]])
        self.assertEqual(notice, "Read as UTF-8, ';', decimal comma.")


class Quotes(TablesFolder):
    def test_quotes_newlines_and_separators_inside_fields_stay(self):
        table, _ = self.load('a,b\r\n1,"x ""q"" y"\r\n2,"one\r\ntwo"\r\n3,"p, q"\r\n')
        self.assertEqual(table, [["a", "b"], [1, 'x "q" y'], [2, "one\r\ntwo"], [3, "p, q"]])

    def test_a_quote_in_the_middle_is_a_character(self):
        table, _ = self.load("a,b\n1,37°36'37.8\"N\n2,x\n")
        self.assertEqual(table[1], [1, "37°36'37.8\"N"])

    def test_backslashes_before_quotes_are_escapes(self):
        table, notice = self.load('a,b\n1,"say \\"hi\\" now"\n2,"x"\n')
        self.assertEqual(table[1:], [[1, 'say "hi" now'], [2, "x"]])
        self.assertEqual(notice, "Read as UTF-8, ',', quotes escaped with a backslash.")

    def test_backslashes_elsewhere_are_not(self):
        table, _ = self.load('a,b\n1,"C:\\new\\"\n2,C:\\x\n')
        self.assertEqual(table[1:], [[1, "C:\\new\\"], [2, "C:\\x"]])

    def test_single_quotes_quote_where_they_do_so_throughout(self):
        table, notice = self.load("a,b\n1,'x, y'\n2,'z'\n")
        self.assertEqual((table[1:], notice), ([[1, "x, y"], [2, "z"]], "Read as UTF-8, ',', fields quoted with '."))

    def test_blanks_before_quotes_are_left_out(self):
        table, notice = self.load('a, b\n1, "x, y"\n2, "z"\n')
        self.assertEqual(table, [["a", "b"], [1, "x, y"], [2, "z"]])
        self.assertEqual(notice, "Read as UTF-8, ',', blanks after separators left out.")

    def test_a_quote_at_the_very_end_is_kept(self):
        self.assertEqual(self.load('a,b\n1,2\n"')[0][1:], [["1", 2.0], ['"', None]])

    def test_a_quote_that_is_never_closed_swallows_nothing(self):
        table, notice = self.load('a,b\n1,"x\n2,y\n3,z\n')
        self.assertEqual(table[1:], [[1, '"x'], [2, "y"], [3, "z"]])
        self.assertEqual(notice, "Read as UTF-8, ',', a quote is never closed, so quotes are kept as characters.")


class Layouts(TablesFolder):
    def test_lines_above_the_header_are_skipped_and_counted(self):
        table, notice = self.load("Report\nmade today\n\nid,name,x\n1,a,2\n2,b,3\n")
        self.assertEqual(table, [["id", "name", "x"], [1, "a", 2], [2, "b", 3]])
        self.assertEqual(notice, "Read as UTF-8, ',', 2 preamble lines skipped.")

    def test_a_title_padded_with_separators_is_above_the_header_too(self):
        table, notice = self.load("Report,,\nid,name,x\n1,a,2\n2,b,3\n")
        self.assertEqual((table[0], notice), (["id", "name", "x"], "Read as UTF-8, ',', 1 preamble line skipped."))

    def test_comments_are_skipped_wherever_they_are(self):
        table, notice = self.load("# made by x\nid,colour\n1,#fff\n# a note\n2,#000\n")
        self.assertEqual(table, [["id", "colour"], [1, "#fff"], [2, "#000"]])
        self.assertEqual(notice, "Read as UTF-8, ',', 1 preamble line skipped, 1 comment line skipped.")

    def test_blank_lines_are_skipped_and_counted_and_rows_of_separators_kept(self):
        table, notice = self.load("id,name\n1,a\n\n,\n2,b\n\n")
        self.assertEqual(table[1:], [[1.0, "a"], [None, None], [2.0, "b"]])
        self.assertEqual(notice, "Read as UTF-8, ',', 2 blank lines skipped, whole numbers with gaps are floats in \"id\".")

    def test_ragged_rows_are_kept_whole(self):
        table, notice = self.load("id,name,x\n1,a\n2,b,3,more,still\n3,c,4\n")
        self.assertEqual(
            table,
            [
                ["id", "name", "x", "extra_1", "extra_2"],
                [1, "a", None, None, None],
                [2, "b", 3.0, "more", "still"],
                [3, "c", 4.0, None, None],
            ],
        )
        self.assertEqual(
            notice,
            "Read as UTF-8, ',', 2 ragged rows kept (1 short, filled with missing values; 1 long, the rest in "
            '"extra_1", "extra_2"), whole numbers with gaps are floats in "x".',
        )

    def test_a_long_row_far_down_is_kept_too(self):
        table, _ = self.load("id,name\n" + "1,a\n" * 20_000 + "2,b,more\n")
        self.assertEqual((len(table), table[0], table[-1]), (20_002, ["id", "name", "extra_1"], [2, "b", "more"]))

    def test_repeated_and_blank_headers_get_names_that_are_said(self):
        table, notice = self.load("a,,a\n1,2,3\n")
        self.assertEqual(table, [["a", "Unnamed: 1", "a.1"], [1, 2, 3]])
        self.assertEqual(notice, 'Read as UTF-8, \',\', 1 blank header named "Unnamed: 1", 1 repeated header named "a.1".')

    def test_row_names_as_r_writes_them_do_not_shift_the_columns(self):
        table, notice = self.load('"x","y"\n"one",2,3\n"two",4,5\n')
        self.assertEqual(table, [["row_name", "x", "y"], ["one", 2, 3], ["two", 4, 5]])
        self.assertEqual(notice, "Read as UTF-8, ',', the header lacks a name for the first column, which is now \"row_name\".")

    def test_separators_at_the_ends_of_rows_do_not_shift_the_columns(self):
        table, notice = self.load("x;y\n1;2;\n3;4;\n")
        self.assertEqual(table, [["x", "y", "extra_1"], [1, 2, None], [3, 4, None]])
        self.assertEqual(notice, "Read as UTF-8, ';', the header is short, so \"extra_1\" added.")

    def test_data_from_the_first_line_on_loses_no_row(self):
        table, notice = self.load("1,english\n2,german\n")
        self.assertEqual(table, [["column_1", "column_2"], [1, "english"], [2, "german"]])
        self.assertEqual(notice, "Read as UTF-8, ',', no header, so the columns are named \"column_1\", \"column_2\".")

    def test_years_can_be_headers(self):
        table, _ = self.load("country,2019,2020\nA,1,2\nB,3,4\n")
        self.assertEqual(table[0], ["country", "2019", "2020"])

    def test_old_macintosh_newlines_end_rows(self):
        for above in ("", "\r", "Report\r", "Report\r\r"):
            with self.subTest(above):
                self.assertEqual(self.load(f"{above}a,b\r1,2\r3,4\r")[0], [["a", "b"], [1, 2], [3, 4]])

    def test_a_carriage_return_within_a_field_stays(self):
        self.assertEqual(self.load('a,b\n1,"x\ry"\n2,z\n'), ([["a", "b"], [1, "x\ry"], [2, "z"]], "Read as UTF-8, ','."))

    def test_line_ends_of_all_kinds_in_one_file_end_rows(self):
        table, notice = self.load("id,name\r1,a\n2,b\r\n3,c\r4,d")
        self.assertEqual(table[1:], [[1, "a"], [2, "b"], [3, "c"], [4, "d"]])
        self.assertEqual(notice, "Read as UTF-8, ',', carriage returns read as newlines.")

    def test_ragged_rows_of_old_macintosh_files_are_kept(self):
        self.assertEqual(self.load("a,b\r1,2,3\r4,5\r")[0], [["a", "b", "extra_1"], [1, 2, 3.0], [4, 5, None]])


if __name__ == "__main__":
    unittest.main()
