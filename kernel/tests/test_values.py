"""What `describe_value`, `to_json_safe` and `safe_repr` make of built-in, standard and hostile values."""

import builtins
import json
import sys
import time
import unittest
from array import array
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock
from uuid import UUID

sys.path.insert(0, str(Path(__file__).parent.parent))

from glovebox_kernel.values.jsonsafe import Budget, to_json_safe
from glovebox_kernel.values.safe_repr import safe_repr
from glovebox_kernel.values.values import describe_value


def json_of(value):
    converted = to_json_safe(value)
    json.dumps(converted, allow_nan=False, ensure_ascii=False).encode("utf-8")
    return converted


class Color(Enum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


@dataclass
class Point:
    x: int
    y: Any = field(default=0, repr=False)


Pair = namedtuple("Pair", "left right")


class StandardValuesAsJson(unittest.TestCase):
    def test_every_standard_type_has_the_form_that_is_promised(self):
        surrogate = "a\ud800"
        cases = [
            (None, None),
            (True, True),
            (float("nan"), None),
            (float("inf"), "Infinity"),
            (-float("inf"), "-Infinity"),
            (2**53, 2**53),
            (2**53 + 1, "9007199254740993"),
            (-(2**70), str(-(2**70))),
            (Decimal("1.10"), "1.10"),
            (Decimal("NaN"), "NaN"),
            (Fraction(1, 3), "1/3"),
            (1 + 2j, "(1+2j)"),
            (datetime(2024, 1, 2, tzinfo=timezone.utc), "2024-01-02T00:00:00+00:00"),
            (date(2024, 1, 2), "2024-01-02"),
            (datetime(2024, 1, 2, 3, 4).time(), "03:04:00"),
            (timedelta(days=1, hours=2), "1 day, 2:00:00"),
            (b"\x00a", "b'\\x00a'"),
            (bytearray(b"a"), "bytearray(b'a')"),
            ({3, 1, 2}, [1, 2, 3]),
            (frozenset("b"), ["b"]),
            ((1, (2,)), [1, [2]]),
            (range(3), [0, 1, 2]),
            (deque([1, 2]), [1, 2]),
            (array("d", [1.5]), [1.5]),
            ({"a": 1}.keys(), ["a"]),
            ({"a": 1}.items(), [["a", 1]]),
            (Counter("aab"), {"a": 2, "b": 1}),
            (defaultdict(list, {"a": [1]}), {"a": [1]}),
            (Color.RED, "red"),
            (Level.HIGH, 3),
            (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
            (Path("/tmp/x"), "/tmp/x"),
            (Pair(1, [2]), {"left": 1, "right": [2]}),
            (Point(1, Pair(2, 3)), {"x": 1, "y": {"left": 2, "right": 3}}),
            (surrogate, "a\\ud800"),
            ("\x00\x1b[0m\r", "\x00\x1b[0m\r"),
        ]
        for value, expected in cases:
            with self.subTest(repr(value)):
                self.assertEqual(json_of(value), expected)

    def test_dict_keys_become_text_and_none_is_lost_when_two_read_alike(self):
        value = {1: "a", "1": "b", None: 0, (1, "x"): 2, 2.5: 3, float("nan"): 4, date(2024, 1, 2): 5, "\udc80": 6}
        self.assertEqual(
            json_of(value),
            {"1": "a", "1.1": "b", "None": 0, "(1, 'x')": 2, "2.5": 3, "nan": 4, "2024-01-02": 5, "\\udc80": 6},
        )

    def test_an_ordered_dict_keeps_the_order_it_was_moved_to(self):
        value = OrderedDict(a=1, b=2)
        value.move_to_end("a")
        self.assertEqual(list(json_of(value)), ["b", "a"])

    def test_a_set_that_cannot_be_sorted_is_still_a_list(self):
        self.assertCountEqual(json_of({1, "a", None}), [1, "a", None])

    def test_cycles_are_marked(self):
        loop: list = [1]
        loop.append({"again": loop})
        point = Point(1)
        point.y = point
        self.assertEqual(json_of(loop), [1, {"again": "<cycle>"}])
        self.assertEqual(json_of(point), {"x": 1, "y": "<cycle>"})

    def test_a_dict_that_is_reached_through_its_own_keys_ends(self):
        @dataclass(eq=False)
        class Key:
            home: dict

        home: dict = {}
        for _ in range(5):
            home[Key(home)] = home
        self.assertEqual(len(json_of(home)), 5)

    def test_deep_nesting_is_cut_and_said(self):
        value: list = []
        for _ in range(10_000):
            value = [value]
        budget = Budget()
        self.assertIn("more than 20 levels deep", json.dumps(to_json_safe(value, budget)))
        self.assertTrue(budget.cut)

    def test_long_containers_and_texts_are_cut_and_say_how_much_is_missing(self):
        budget = Budget(items=3, characters=100)
        self.assertEqual(to_json_safe(list(range(1000)), budget), [0, 1, "… 998 more"])
        self.assertTrue(budget.cut)
        self.assertEqual(to_json_safe({"a": 1, "b": 2, "c": 3}, Budget(items=2)), {"a": 1, "…": "2 more"})
        text = to_json_safe("x" * 1000, Budget(characters=100))
        self.assertRegex(text, r"^x{36,}… 9\d\d characters cut …x{36,}$")

    def test_a_number_serves_as_a_budget(self):
        self.assertEqual(to_json_safe([1, 2, 3], 3), [1, 2, "… 1 more"])

    def test_generators_are_not_consumed(self):
        numbers = (number for number in range(3))
        self.assertIn("<generator object", json_of([numbers])[0])
        self.assertEqual(list(numbers), [0, 1, 2])


class HostileMeta(type):
    def __getattribute__(cls, name):
        raise ValueError(f"class attribute {name}")

    __name__ = property(lambda cls: 5)


class Hostile(metaclass=HostileMeta):
    def _refuse(self, *_):
        raise SystemExit("go away")

    __repr__ = __str__ = __iter__ = __len__ = __eq__ = __getattr__ = __getattribute__ = __bool__ = _refuse
    __hash__ = object.__hash__
    __class__ = property(_refuse)


def hostile_subclass(base):
    def refuse(self, *_, **__):
        raise RuntimeError("overridden")

    names = "iter len getitem eq str int float index bool getattribute".split()
    methods = dict.fromkeys(["items", "keys", *(f"__{name}__" for name in names)], refuse)
    return type(f"Hostile{base.__name__}", (base,), {**methods, "__hash__": base.__hash__})


class HostileValues(unittest.TestCase):
    def test_an_object_that_refuses_everything_is_described(self):
        self.assertEqual(
            describe_value(Hostile()),
            {"kind": "object", "repr": "<Hostile object; its __repr__ raised SystemExit: go away>"},
        )

    def test_it_is_also_described_inside_containers_and_as_a_key(self):
        note = "<Hostile object; its __repr__ raised SystemExit: go away>"
        self.assertEqual(
            describe_value({"a": [Hostile()], Hostile(): 1}),
            {"kind": "object", "repr": f"{{'a': [{note}], {note}: 1}}", "json": {"a": [note], note: 1}},
        )

    def test_subclasses_of_builtins_are_read_through_their_base(self):
        cases = [(int, 5, 5), (float, 1.5, 1.5), (str, "x", "x"), (list, [1], [1]), (tuple, (1,), [1])]
        cases += [(dict, {"a": 1}, {"a": 1}), (set, {1}, [1]), (frozenset, {1}, [1]), (bytes, b"x", "b'x'")]
        for base, content, expected in cases:
            with self.subTest(base.__name__):
                self.assertEqual(json_of(hostile_subclass(base)(content)), expected)
                self.assertIn("1" if base not in (str, bytes, int) else "", safe_repr(hostile_subclass(base)(content)))

    def test_a_repr_that_returns_no_string_is_explained(self):
        class Wrong:
            def __repr__(self):
                return 5

        self.assertEqual(
            safe_repr(Wrong()), "<Wrong object; its __repr__ raised TypeError: __repr__ returned non-string (type int)>"
        )

    def test_a_repr_that_returns_a_hostile_string_is_taken_as_plain_text(self):
        class Sly:
            def __repr__(self):
                return hostile_subclass(str)("sly")

        self.assertEqual((safe_repr(Sly()), type(safe_repr(Sly()))), ("sly", str))

    def test_an_exception_that_cannot_be_shown_is_named(self):
        class Mute(Exception):
            def __str__(self):
                raise self

        class Silent:
            def __repr__(self):
                raise Mute

        self.assertEqual(safe_repr(Silent()), "<Silent object; its __repr__ raised Mute>")

    def test_an_interrupt_passes_through_from_anywhere(self):
        class Interrupting:
            def __repr__(self):
                raise KeyboardInterrupt

        for value in (Interrupting(), [Interrupting()], {Interrupting(): 1}, {"a": (Interrupting(),)}):
            with self.subTest(type(value).__name__), self.assertRaises(KeyboardInterrupt):
                describe_value(value)

    def test_a_list_that_grows_while_it_is_shown_ends(self):
        class Growing(list):
            pass

        numbers = Growing()

        class Adding:
            def __repr__(self):
                numbers.append(Adding())
                return ""

        numbers.append(Adding())
        self.assertLess(len(safe_repr(numbers)), 20_000)

    def test_patched_builtins_and_modules_do_no_harm(self):
        expected = describe_value({"a": [1, 2.5, {3}]})

        def refuse(*_, **__):
            raise RuntimeError("patched")

        own_builtins, own_modules = vars(builtins).copy(), sys.modules.copy()
        names = ("repr", "isinstance", "issubclass", "len", "sorted", "str", "list", "dict", "type", "min", "max")
        try:
            vars(builtins).update(dict.fromkeys(names, refuse))
            sys.modules.clear()
            answer = describe_value({"a": [1, 2.5, {3}]})
        finally:
            sys.modules.update(own_modules)
            vars(builtins).update(own_builtins)
        self.assertEqual(answer, expected)


class Reprs(unittest.TestCase):
    def test_small_values_have_exactly_pythons_repr(self):
        loop: list = [1]
        loop.append(loop)
        cyclic: dict = {}
        cyclic["self"] = cyclic
        values = [
            *(5, -1.5, True, None, "it's", 'both\'"', b"x", bytearray(b"y"), 3j, ..., int, len),
            *([], [1, [2]], (), (1,), (1, 2), set(), {1}, frozenset(), frozenset({1}), {}, {"a": {1: [2]}}),
            *(loop, cyclic, deque([1], 3), Counter("aab"), OrderedDict(a=1), defaultdict(int, a=1), {1: 2}.keys()),
            *(Point(1), Pair(1, 2), Color.RED, Path("x"), range(9)),
            *(type("Tags", (set,), {})({1}), type("Names", (list,), {})([1])),
        ]
        for value in values:
            with self.subTest(repr(value)):
                self.assertEqual(safe_repr(value), repr(value))

    def test_huge_values_are_shown_quickly_and_say_what_is_missing(self):
        huge = [
            ("x" * 200_000_000, "characters cut"),
            (b"x" * 200_000_000, "bytes cut"),
            (list(range(3_000_000)), "more]"),
            (dict.fromkeys(range(1_000_000)), "more}"),
            (set(range(1_000_000)), "more}"),
            (deque(range(1_000_000)), "more])"),
            (Counter(range(1_000_000)), "more})"),
            ([["y" * 50_000_000] * 3], "characters cut"),
            (1 << 40_000_000, "<int of about 12,041,200 digits>"),
        ]
        for value, note in huge:
            with self.subTest(type(value).__name__):
                began = time.perf_counter()
                described = describe_value(value)
                self.assertLess(time.perf_counter() - began, 0.5)
                self.assertEqual(list(described), ["kind", "repr"])
                self.assertIn(note, described["repr"])
                self.assertLessEqual(len(described["repr"]), 16 * 1024)

    def test_many_texts_that_exceed_the_limit_together_are_counted_right(self):
        text = safe_repr(["x" * 90] * 1000, limit=500)
        self.assertRegex(text, r"^\[('x{90}', )+… 99\d more\]$")

    def test_a_long_repr_is_cut_in_the_middle(self):
        class Long:
            def __repr__(self):
                return "a" * 50_000 + "z" * 50_000

        text = safe_repr(Long(), limit=1000)
        self.assertLessEqual(len(text), 1000)
        self.assertRegex(text, r"^a+… 99,\d{3} characters cut …z+$")

    def test_a_repr_with_lone_surrogates_can_be_encoded(self):
        class Odd:
            def __repr__(self):
                return "\ud800" * 20_000

        self.assertLessEqual(len(safe_repr(Odd()).encode()), 17_000)

    def test_a_plain_value_takes_microseconds(self):
        began = time.perf_counter()
        for _ in range(1000):
            describe_value(5)
        self.assertLess(time.perf_counter() - began, 0.1)


if __name__ == "__main__":
    unittest.main()
