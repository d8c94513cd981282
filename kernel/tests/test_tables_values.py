"""What the values of text files become: numbers stay what they are, and nothing is missing that is there."""

import unittest

from tables_folder import PANDAS_2, TablesFolder


class Numbers(TablesFolder):
    def test_leading_zeros_stay_wherever_the_first_is(self):
        table, notice = self.load("zip,n\n" + "12345,1\n" * 30_000 + "08123,2\n")
        self.assertEqual((table[1], table[-1]), (["12345", 1], ["08123", 2]))
        self.assertEqual(notice, "Read as UTF-8, ',', leading zeros kept, as text, in \"zip\".")

    def test_a_leading_zero_among_decimals_is_no_code(self):
        self.assertEqual(self.load("a,b\n09.5,1\n10.25,2\n")[0][1:], [[9.5, 1], [10.25, 2]])
        self.assertEqual(self.load("a;b\n09,5;1\n10,25;2\n")[0][1:], [[9.5, 1], [10.25, 2]])

    def test_decimals_that_all_have_a_leading_zero_stay(self):
        self.assertEqual(self.load("day,n\n04.03,1\n05.03,2\n")[0][1:], [["04.03", 1], ["05.03", 2]])

    def test_zero_itself_is_a_number(self):
        self.assertEqual(self.load("a,b\n0,0.5\n-0,-0.5\n")[0][1:], [[0, 0.5], [0, -0.5]])

    def test_long_ids_are_exact(self):
        table, notice = self.load("id,n\n9007199254740993,1\n9007199254740995,2\n")
        self.assertEqual((table[1:], notice), ([[9007199254740993, 1], [9007199254740995, 2]], "Read as UTF-8, ','."))

    def test_long_ids_beside_gaps_are_exact(self):
        table, notice = self.load("id,n\n9007199254740993,1\n,2\n")
        exact = 9007199254740993 if PANDAS_2 else "9007199254740993"
        words = "long numbers beside gaps kept exactly, as Int64" if PANDAS_2 else "numbers too long for pandas kept exactly, as text"
        kept = f'{words}, in "id"'
        self.assertEqual((table[1:], notice), ([[exact, 1], [None, 2]], f"Read as UTF-8, ',', {kept}."))

    def test_ids_beyond_64_bits_are_exact(self):
        table, _ = self.load("id,n\n123456789012345678901234567890,1\n7,2\n")
        self.assertEqual(table[1:], [["123456789012345678901234567890", 1], ["7", 2]])

    def test_floats_of_many_digits_are_what_python_reads(self):
        texts = ["123456789.123456789", "0.30000000000000004", "1.7976931348623157e308", "5e-324", "6.02214076e23"]
        table, _ = self.load("x,n\n" + "".join(f"{text},1\n" for text in texts))
        self.assertEqual([row[0] for row in table[1:]], list(map(float, texts)))

    def test_whole_numbers_with_gaps_are_floats_and_that_is_said(self):
        table, notice = self.load('a,b\n1,""\n2,3\n')
        self.assertEqual(table[1:], [[1, None], [2, 3.0]])
        self.assertEqual(notice, "Read as UTF-8, ',', whole numbers with gaps are floats in \"b\".")

    def test_decimal_commas_and_points_between_thousands(self):
        table, notice = self.load("d;x;y\n01.02.2024;1.234,50;0,5\n02.02.2024;12.345.678,00;1,25\n")
        self.assertEqual(table[1:], [["01.02.2024", 1234.5, 0.5], ["02.02.2024", 12345678.0, 1.25]])
        self.assertEqual(notice, "Read as UTF-8, ';', decimal comma, '.' between thousands.")

    def test_commas_between_thousands(self):
        table, notice = self.load('x,y,list\n"1,234",1.5,"1,2"\n"12,345,678",2.5,"1,2,3"\n')
        self.assertEqual(table[1:], [[1234, 1.5, "1,2"], [12345678, 2.5, "1,2,3"]])
        self.assertEqual(notice, "Read as UTF-8, ',', ',' between thousands.")

    def test_a_column_with_the_other_decimal_mark_stays_text(self):
        table, notice = self.load("x;y;z\n1,5;2,5;1.5\n2,5;3,5;2.25\n")
        self.assertEqual(table[1:], [[1.5, 2.5, "1.5"], [2.5, 3.5, "2.25"]])
        self.assertIn('text in "z", whose decimal marks are not those of the rest', notice)

    def test_numbers_beside_words_are_all_text_in_a_long_file(self):
        table, _ = self.load("a,b\n" + "1,2\n" * 120_000 + "x,2\n" + "1,2\n" * 120_000)
        self.assertEqual({type(row[0]) for row in table[1:]}, {str})

    def test_product_codes_and_times_stay_text(self):
        table, _ = self.load("code,time,money,share\nA-01,09:30,$5,10%\nB-02,10:00,$6,20%\n")
        self.assertEqual(table[1:], [["A-01", "09:30", "$5", "10%"], ["B-02", "10:00", "$6", "20%"]])


class MissingValues(TablesFolder):
    def test_words_for_missing_values_count_among_numbers_only(self):
        table, notice = self.load("country,x\nNA,1\nDE,NA\nNone,3\n")
        self.assertEqual(table[1:], [["NA", 1.0], ["DE", None], ["None", 3.0]])
        self.assertEqual(
            notice,
            "Read as UTF-8, ',', 'NA' counted as missing in \"x\", 'NA', 'None' kept as text in \"country\", "
            'whole numbers with gaps are floats in "x".',
        )

    def test_a_dash_among_numbers_is_missing_and_among_words_is_not(self):
        table, _ = self.load("x,y\n1,-\n-,b\n3,c\n")
        self.assertEqual(table[1:], [[1.0, "-"], [None, "b"], [3.0, "c"]])

    def test_an_empty_field_is_missing_quoted_or_not(self):
        self.assertEqual(self.load('a,b\nx,""\n,y\n')[0][1:], [["x", None], [None, "y"]])

    def test_in_a_single_column_an_empty_pair_of_quotes_is_a_row_and_a_blank_line_is_none(self):
        table, notice = self.load('x\n1\n""\n\n3\n')
        self.assertEqual(table[1:], [[1.0], [None], [3.0]])
        self.assertEqual(notice, "Read as UTF-8, one column, 1 blank line skipped, whole numbers with gaps are floats in \"x\".")

    def test_truth_values_are_truth_values(self):
        self.assertEqual(self.load("a,b\nTRUE,1\nFALSE,2\n")[0][1:], [[True, 1], [False, 2]])

    def test_iso_dates_stay_text_and_the_notice_says_how_to_read_them(self):
        table, notice = self.load("day,x\n2024-01-31,1\n2024-02-01,2\n")
        self.assertEqual(table[1:], [["2024-01-31", 1], ["2024-02-01", 2]])
        self.assertEqual(notice, "Read as UTF-8, ',', ISO dates left as text in \"day\" (pd.to_datetime reads them).")


class AsText(TablesFolder):
    def test_every_field_is_exactly_what_the_file_says(self):
        content = 'a,b,c\n1,"",007\n 2 ,3.10,NA\ntrue,"x\r\ny",1e5\n'
        table, notice = self.load(content, as_text=True)
        self.assertEqual(table, [["a", "b", "c"], ["1", "", "007"], [" 2 ", "3.10", "NA"], ["true", "x\r\ny", "1e5"]])
        self.assertEqual(notice, "Read as UTF-8, ',', every field kept as the text it is, an empty one as ''.")


if __name__ == "__main__":
    unittest.main()
