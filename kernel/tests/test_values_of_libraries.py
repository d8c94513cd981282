"""What `describe_value` makes of numpy, pandas, polars and pyarrow values."""

import json
import sys
import time
import unittest
from datetime import date
from decimal import Decimal
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent.parent))

from glovebox_kernel.values.jsonsafe import to_json_safe
from glovebox_kernel.values.safe_repr import safe_repr
from glovebox_kernel.values.values import describe_value


def installed(name):
    try:
        return __import__(name)
    except ImportError:
        return None


numpy, pandas, polars, pyarrow = map(installed, ("numpy", "pandas", "polars", "pyarrow"))


def json_of(value):
    converted = to_json_safe(value)
    json.dumps(converted, allow_nan=False, ensure_ascii=False).encode("utf-8")
    return converted


class Broken:
    def __repr__(self):
        raise SystemExit("go away")


@unittest.skipIf(numpy is None, "numpy is not installed")
class NumpyValues(unittest.TestCase):
    def test_every_numpy_type_has_the_form_that_is_promised(self):
        masked = numpy.ma.masked_array([1.5, 2.5], mask=[True, False])
        structured = numpy.array([(1, b"x")], dtype=[("n", "i4"), ("s", "S1")])
        cases = [
            (numpy.bool_(True), True),
            (numpy.int64(2**60), str(2**60)),
            (numpy.uint8(5), 5),
            (numpy.float32(1.5), 1.5),
            (numpy.float64("nan"), None),
            (numpy.longdouble(2), 2.0),
            (numpy.complex64(1j), "1j"),
            (numpy.str_("a"), "a"),
            (numpy.datetime64("2024-01-02"), "2024-01-02"),
            (numpy.datetime64("NaT"), None),
            (numpy.timedelta64(90, "m"), "90 minutes"),
            (numpy.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
            (numpy.array(7), 7),
            (numpy.array([1.0, numpy.nan, numpy.inf]), [1.0, None, "Infinity"]),
            (numpy.array(["2024-01-02", "NaT"], "M8[D]"), ["2024-01-02", None]),
            (numpy.array([{"a": 1}, None], dtype=object), [{"a": 1}, None]),
            (masked, [None, 2.5]),
            (numpy.ma.masked, None),
            (structured, [{"n": 1, "s": "b'x'"}]),
            (structured[0], {"n": 1, "s": "b'x'"}),
            (numpy.dtype("float64"), "float64"),
            ({numpy.int64(3): 1}, {"3": 1}),
        ]
        for value, expected in cases:
            with self.subTest(repr(value)):
                self.assertEqual(json_of(value), expected)

    def test_a_large_array_is_short_whatever_the_print_options(self):
        with numpy.printoptions(threshold=sys.maxsize):
            described = describe_value(numpy.zeros(20_000_000))
        self.assertEqual(described, {"kind": "object", "repr": repr(numpy.zeros(20_000_000))})

    def test_an_array_of_many_short_axes_is_named_instead_of_printed(self):
        self.assertEqual(safe_repr(numpy.zeros((2,) * 14)), f"<ndarray of shape {(2,) * 14}, dtype float64>")


@unittest.skipIf(pandas is None, "pandas is not installed")
class PandasValues(unittest.TestCase):
    def test_a_frame_is_described_whole(self):
        frame = pandas.DataFrame({"a": [1, 2], "b": [0.5, float("nan")]})
        self.assertEqual(
            describe_value(frame),
            {
                "kind": "dataframe",
                "repr": "   a    b\n0  1  0.5\n1  2  NaN\n\n[2 rows x 2 columns]",
                "columns": ["a", "b"],
                "head": [[1, 0.5], [2, None]],
                "row_count": 2,
                "meta": {"dtypes": {"a": "int64", "b": "float64"}, "source": "pandas"},
            },
        )

    def test_cells_of_every_kind_are_json(self):
        cells = {
            "stamp": (pandas.Timestamp("2024-01-02 03:04", tz="UTC"), "2024-01-02T03:04:00+00:00"),
            "delta": (pandas.Timedelta("1h"), "0 days 01:00:00"),
            "period": (pandas.Period("2024-01"), "2024-01"),
            "interval": (pandas.Interval(0, 1), "(0, 1]"),
            "nat": (pandas.NaT, None),
            "na": (pandas.NA, None),
            "decimal": (Decimal("1.5"), "1.5"),
            "list": ([1, float("inf")], [1, "Infinity"]),
            "array": (numpy.array([1, 2]), [1, 2]),
            "bytes": (b"x", "b'x'"),
            "surrogate": ("\ud800", "\\ud800"),
            "broken": (Broken(), "<Broken object; its __repr__ raised SystemExit: go away>"),
        }
        values = numpy.empty(len(cells), dtype=object)
        for position, (value, _) in enumerate(cells.values()):
            values[position] = value
        described = describe_value(pandas.Series(values, index=list(cells)))
        self.assertEqual(described["head"], [[expected] for _, expected in cells.values()])
        self.assertEqual(described["meta"]["index"], list(cells))
        json.dumps(described, allow_nan=False, ensure_ascii=False).encode()

    def test_columns_of_every_dtype_are_json(self):
        frame = pandas.DataFrame(
            {
                "category": pandas.Categorical(["x", None]),
                "stamp": pandas.to_datetime(["2024-01-02", None]),
                "period": pandas.PeriodIndex(["2024-01", None], freq="M"),
                "interval": pandas.arrays.IntervalArray.from_tuples([(0, 1), None]),
                "nullable": pandas.array([1, None], dtype="Int64"),
                "big": [2**60, 1],
                "sparse": pandas.arrays.SparseArray([0, 5]),
                "string": pandas.array(["s", None], dtype="string"),
            }
        )
        self.assertEqual(
            describe_value(frame)["head"],
            [
                ["x", "2024-01-02T00:00:00", "2024-01", "(0.0, 1.0]", 1, str(2**60), 0, "s"],
                [None, None, None, None, None, 1, 5, None],
            ],
        )

    def test_duplicate_names_survive(self):
        frame = pandas.DataFrame([[1, 2.5, 3, "x"]], columns=["a", "a", "a.1", "a"])
        described = describe_value(frame)
        self.assertEqual((described["columns"], described["head"]), (["a", "a", "a.1", "a"], [[1, 2.5, 3, "x"]]))
        self.assertEqual(list(described["meta"]["dtypes"]), ["a", "a.1", "a.1.1", "a.2"])

    def test_levels_of_columns_are_joined_and_levels_of_the_index_are_arrays(self):
        frame = pandas.DataFrame({"k": ["x", "x", "y"], "m": [1, 2, 1], "v": [1, 2, 3]})
        grouped = describe_value(frame.groupby(["k", "m"]).agg({"v": ["sum", "max"]}))
        self.assertEqual(grouped["columns"], ["v / sum", "v / max"])
        self.assertEqual(grouped["meta"]["index"], [["x", 1], ["x", 2], ["y", 1]])
        flat = describe_value(frame.groupby("k").agg({"v": ["sum"]}).reset_index())
        self.assertEqual((flat["columns"], flat["head"]), (["k", "v / sum"], [["x", 3], ["y", 3]]))

    def test_index_labels_are_given_unless_they_are_the_default(self):
        frame = pandas.DataFrame({"a": range(100)})
        self.assertNotIn("index", describe_value(frame)["meta"])
        self.assertEqual(describe_value(frame.tail(2))["meta"]["index"], [98, 99])
        self.assertEqual(describe_value(frame.iloc[::-1])["meta"]["index"][:2], [99, 98])

    def test_a_series_is_one_column_named_as_it_is_or_zero(self):
        self.assertEqual(
            describe_value(pandas.Series([1, 2], index=["x", "y"])),
            {
                "kind": "dataframe",
                "repr": "x    1\ny    2\nLength: 2, dtype: int64",
                "columns": ["0"],
                "head": [[1], [2]],
                "row_count": 2,
                "meta": {"dtypes": {"0": "int64"}, "index": ["x", "y"], "source": "pandas"},
            },
        )
        self.assertEqual(describe_value(pandas.Series([1], name="n"))["columns"], ["n"])

    def test_dtypes_of_a_frame_read_as_their_names(self):
        described = describe_value(pandas.DataFrame({"a": [1], "c": pandas.Categorical(["x"])}).dtypes)
        self.assertEqual(described["head"], [["int64"], ["category"]])

    def test_an_index_or_a_categorical_is_an_object_with_its_values(self):
        self.assertEqual(
            describe_value(pandas.Index([1, 2])),
            {"kind": "object", "repr": "Index([1, 2], dtype='int64')", "json": [1, 2]},
        )
        self.assertEqual(describe_value(pandas.Categorical(["x", None]))["json"], ["x", None])
        self.assertEqual(describe_value(pandas.MultiIndex.from_tuples([(1, "a")]))["json"], [[1, "a"]])

    def test_frames_inside_containers_are_columns_and_data(self):
        value = {"f": pandas.DataFrame({"a": [1, 2]}), "s": pandas.Series([3])}
        self.assertEqual(json_of(value), {"f": {"columns": ["a"], "data": [[1], [2]]}, "s": [3]})

    def test_empty_frames_are_described(self):
        self.assertEqual(describe_value(pandas.DataFrame())["head"], [])
        self.assertEqual(describe_value(pandas.DataFrame(index=range(2)))["head"], [[], []])
        self.assertEqual(describe_value(pandas.DataFrame(columns=["a"]))["columns"], ["a"])

    def test_a_wide_frame_is_cut_and_says_so(self):
        described = describe_value(pandas.DataFrame(numpy.zeros((100, 2_000))))
        self.assertEqual(described["meta"]["column_count"], 2_000)
        self.assertEqual((len(described["columns"]), len(described["head"])), (500, 10))
        self.assertEqual((len(described["meta"]["dtypes"]), len(described["head"][0])), (500, 500))

    def test_long_cells_are_cut_with_a_note(self):
        described = describe_value(pandas.DataFrame({"t": ["x" * 10_000_000] * 3, "l": [list(range(10_000))] * 3}))
        self.assertIn("characters cut", described["head"][0][0])
        self.assertEqual(described["head"][0][1][-1], "… 9,901 more")
        self.assertLess(len(json.dumps(described)), 100_000)

    def test_ten_million_rows_cost_milliseconds(self):
        frame = pandas.DataFrame({name: numpy.zeros(10_000_000) for name in "abc"})
        frame.index = frame.index + 5
        describe_value(frame)
        began = time.perf_counter()
        described = describe_value(frame)
        self.assertLess(time.perf_counter() - began, 0.05)
        self.assertEqual((described["row_count"], len(described["head"])), (10_000_000, 50))
        self.assertTrue(described["repr"].endswith("[10000000 rows x 3 columns]"))

    def test_display_options_are_neither_relied_on_nor_changed(self):
        frame = pandas.DataFrame({"a": range(1000), "t": "y" * 1000})
        expected = describe_value(frame)
        options = ("display.max_rows", "display.max_columns", "display.max_colwidth", "display.width")
        with pandas.option_context(*[part for option in options for part in (option, None)]):
            self.assertEqual(describe_value(frame), expected)
            self.assertEqual([pandas.get_option(option) for option in options], [None] * 4)
        self.assertEqual(len(expected["repr"].splitlines()), 24)

    def test_a_subclass_with_broken_methods_is_read_as_a_plain_frame(self):
        class Sick(pandas.DataFrame):
            def to_string(self, *_, **__):
                raise ValueError("sick")

            __repr__ = __len__ = __getitem__ = to_string

        plain = pandas.DataFrame({"a": [1]})
        self.assertEqual(describe_value(Sick(plain)), describe_value(plain))

    def test_a_frame_that_cannot_be_printed_still_has_its_head(self):
        with mock.patch.object(pandas.DataFrame, "to_string", lambda *_, **__: 1 / 0):
            described = describe_value(pandas.DataFrame({"a": [1]}))
        self.assertIn("<DataFrame object; its __repr__ raised ZeroDivisionError", described["repr"])
        self.assertEqual(described["head"], [[1]])

    def test_a_frame_is_an_object_once_its_library_is_unreachable(self):
        frame = pandas.DataFrame({"a": [1]})
        with mock.patch.dict(sys.modules, {"pandas": None}):
            described = describe_value(frame)
        self.assertEqual(list(described), ["kind", "repr"])
        self.assertIn("import of pandas halted", described["repr"])


@unittest.skipIf(polars is None, "polars is not installed")
class PolarsValues(unittest.TestCase):
    def test_a_frame_is_described_whole(self):
        frame = polars.DataFrame({"a": [1, None], "d": [date(2024, 1, 2), None], "l": [[1], []]})
        self.assertEqual(
            describe_value(frame),
            {
                "kind": "dataframe",
                "repr": repr(frame),
                "columns": ["a", "d", "l"],
                "head": [[1, "2024-01-02", [1]], [None, None, []]],
                "row_count": 2,
                "meta": {"dtypes": {"a": "Int64", "d": "Date", "l": "List(Int64)"}, "source": "polars"},
            },
        )

    def test_a_long_frame_prints_both_ends_and_its_true_shape(self):
        with polars.Config(tbl_rows=-1):
            described = describe_value(polars.DataFrame({"a": range(10_000)}))
        lines = described["repr"].splitlines()
        self.assertEqual((lines[0], len(lines)), ("shape: (10_000, 1)", 28))
        self.assertIn("9999", lines[-2])
        self.assertEqual((described["row_count"], len(described["head"])), (10_000, 50))

    def test_a_series_is_one_column(self):
        described = describe_value(polars.Series([float("inf"), 2.0]))
        self.assertEqual((described["columns"], described["head"]), (["0"], [["Infinity"], [2.0]]))
        self.assertEqual(describe_value(polars.Series("n", [1]))["meta"]["dtypes"], {"n": "Int64"})

    def test_a_lazy_frame_is_an_object_and_not_collected(self):
        lazy = polars.LazyFrame({"a": [1]}).map_batches(lambda frame: 1 / 0)
        self.assertEqual(describe_value(lazy), {"kind": "object", "repr": repr(lazy)})


@unittest.skipIf(pyarrow is None, "pyarrow is not installed")
class ArrowValues(unittest.TestCase):
    def test_a_table_with_duplicate_names_is_described(self):
        table = pyarrow.table([pyarrow.array([1, None]), pyarrow.array(["x", "y"])], names=["a", "a"])
        described = describe_value(table)
        self.assertTrue(described.pop("repr").endswith("[2 rows x 2 columns]"))
        self.assertEqual(
            described,
            {
                "kind": "dataframe",
                "columns": ["a", "a"],
                "head": [[1, "x"], [None, "y"]],
                "row_count": 2,
                "meta": {"dtypes": {"a": "int64", "a.1": "string"}, "source": "arrow"},
            },
        )

    def test_batches_arrays_and_chunked_arrays_are_tables(self):
        batch = pyarrow.RecordBatch.from_pydict({"a": [1, 2]})
        for value in (batch, batch.column(0), pyarrow.chunked_array([[1], [2]])):
            with self.subTest(type(value).__name__):
                described = describe_value(value)
                self.assertEqual((described["head"], described["row_count"]), ([[1], [2]], 2))
                self.assertTrue(described["repr"].endswith("[2 rows x 1 columns]"))

    def test_values_that_python_cannot_hold_become_text(self):
        far = pyarrow.array([2**62], pyarrow.timestamp("s"))
        self.assertIs(type(describe_value(far)["head"][0][0]), str)


if __name__ == "__main__":
    unittest.main()
