"""What `describe_variables` says of a session's variables."""

import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from glovebox_kernel.values.variables import describe_variables

try:
    import pandas
except ImportError:
    pandas = None
try:
    import polars
except ImportError:
    polars = None


def described(**namespace):
    return describe_variables(namespace, set())["variables"]


class Broken:
    def __repr__(self):
        raise ValueError("no repr today")

    def __sizeof__(self):
        raise ValueError("no size either")

    @property
    def __class__(self):
        raise ValueError("nor a class")


class DescribedVariables(unittest.TestCase):
    def test_plain_values_are_listed_by_name_with_type_repr_and_size(self):
        self.assertEqual(
            describe_variables({"b": 5, "a": "x"}, set()),
            {
                "variables": [
                    {"name": "a", "type": "str", "repr": "'x'", "bytes": sys.getsizeof("x")},
                    {"name": "b", "type": "int", "repr": "5", "bytes": sys.getsizeof(5)},
                ],
                "cut": False,
            },
        )

    def test_modules_private_names_hidden_names_and_keys_that_are_no_names_are_left_out(self):
        namespace = {"math": math, "_x": 1, "In": [], 5: 6, "kept": 1}
        names = [variable["name"] for variable in describe_variables(namespace, {"In"})["variables"]]
        self.assertEqual(names, ["kept"])

    def test_functions_show_their_signature_and_classes_their_name(self):
        def area(width, height=3):
            return width * height

        function, kind = described(area=area, kind=Broken)
        self.assertEqual((function["type"], function["repr"]), ("function", "area(width, height=3)"))
        self.assertEqual((kind["type"], kind["repr"]), ("type", repr(Broken)))

    def test_a_function_whose_default_cannot_be_shown_is_still_listed(self):
        self.assertIn("function", described(f=lambda x=Broken(): x)[0]["repr"])

    def test_a_broken_object_is_described_and_not_called_for_its_size(self):
        (variable,) = described(broken=Broken())
        self.assertEqual(
            variable,
            {
                "name": "broken",
                "type": f"{__name__.partition('.')[0]}.Broken" if __name__ != "__main__" else "Broken",
                "repr": "<Broken object; its __repr__ raised ValueError: no repr today>",
                "bytes": object.__sizeof__(Broken()),
            },
        )

    def test_an_interrupt_passes_through(self):
        class Interrupting:
            def __repr__(self):
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            described(x=Interrupting())

    def test_a_repr_is_one_line_of_at_most_120_characters(self):
        class Tall:
            def __repr__(self):
                return "line\n" * 1000

        for variable in described(tall=Tall(), long=list(range(10_000)), text="x" * 10_000_000, deep=[[["y" * 500]]]):
            self.assertLessEqual(len(variable["repr"]), 120)
            self.assertNotIn("\n", variable["repr"])

    def test_no_more_than_500_are_listed_and_the_cut_is_said(self):
        answer = describe_variables({f"v{number:04}": number for number in range(501)}, set())
        self.assertEqual((len(answer["variables"]), answer["cut"]), (500, True))

    def test_names_with_lone_surrogates_can_be_encoded(self):
        self.assertEqual(described(**{"a\ud800": 1})[0]["name"], "a\\ud800")


@unittest.skipIf(pandas is None, "pandas is not installed")
class DescribedTables(unittest.TestCase):
    def test_a_frame_shows_its_shape_its_columns_and_its_shallow_size(self):
        frame = pandas.DataFrame({"a": [1, 2, 3], "b": [0.5, 1.5, 2.5]})
        self.assertEqual(
            described(frame=frame),
            [
                {
                    "name": "frame",
                    "type": "pandas.DataFrame",
                    "repr": "[3 rows x 2 columns] 'a', 'b'",
                    "bytes": int(frame.memory_usage(deep=False).sum()),
                    "shape": [3, 2],
                }
            ],
        )

    def test_a_series_an_array_and_an_index_have_their_shapes_and_sizes(self):
        array = pandas.Series([1, 2, 3]).to_numpy().reshape(3, 1)
        a, i, s = described(a=array, i=pandas.Index([1, 2]), s=pandas.Series([1, 2, 3], name="n"))
        self.assertEqual((a["type"], a["shape"], a["bytes"]), ("numpy.ndarray", [3, 1], array.nbytes))
        self.assertEqual((i["type"], i["bytes"]), ("pandas.Index", 16))
        self.assertEqual((s["repr"], s["shape"]), ("[3 rows] 'n': int64", [3]))

    def test_a_frame_of_many_columns_is_weighed_by_its_first(self):
        (variable,) = described(wide=pandas.DataFrame([[0] * 5_000] * 10))
        self.assertAlmostEqual(variable["bytes"], 5_000 * 10 * 8, delta=1_000)

    @unittest.skipIf(polars is None, "polars is not installed")
    def test_a_polars_frame_is_told_from_a_pandas_frame(self):
        (variable,) = described(p=polars.DataFrame({"a": [1]}))
        self.assertEqual((variable["type"], variable["shape"]), ("polars.DataFrame", [1, 1]))


if __name__ == "__main__":
    unittest.main()
