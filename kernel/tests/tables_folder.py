"""A folder of files to look at, and the frames that the code for them makes."""

import contextlib
import os
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import pandas as pd

sys.path.insert(0, str(Path(__file__).parent.parent))

from glovebox_kernel.tables import look


class TablesFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.maxDiff = None

    def put(self, name, content):
        data = content.encode("utf-8") if isinstance(content, str) else content
        Path(self.folder, name).write_bytes(data)
        return name

    def look(self, name, **wanted):
        return look(name, "df", folder=self.folder, **wanted)

    def frame(self, looked):
        self.assertNotIn("refused", looked)
        space = {}
        with _chdir(self.folder), warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ResourceWarning)
            exec(looked["code"], space)
        frame = space["df"]
        if looked["rows"] is not None:
            self.assertEqual(len(frame), looked["rows"])
        return frame

    def load(self, content, name="table.csv", **wanted):
        """The columns and values, missing ones as None, and the notice."""
        looked = self.look(self.put(name, content), **wanted)
        frame = self.frame(looked)
        rows = frame.astype(object).where(frame.notna(), None).values.tolist()
        return [list(map(str, frame.columns)), *rows], looked["notice"]

    def call_of(self, name, **wanted):
        """The one line that loads the file, as someone in its folder would write it."""
        with _chdir(self.folder):
            looked = self.look(name, **wanted)
        return looked["code"].split("\n\n", 1)[1]

    def refusal(self, content, name="table.csv", **wanted):
        return self.look(self.put(name, content), **wanted)["refused"]


@contextlib.contextmanager
def _chdir(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


HAS_PYARROW = True
try:
    import pyarrow  # noqa: F401
except ImportError:
    HAS_PYARROW = False

PANDAS_2 = int(pd.__version__.partition(".")[0]) >= 2
