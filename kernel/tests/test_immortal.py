import os
import subprocess
import sys
import unittest

from glovebox_kernel.zygote import immortal

_PROGRAM = """
import gc, sys
import decimal, email, json, xml.dom.minidom
from glovebox_kernel.zygote import immortal
before = sys.getrefcount(json.JSONDecoder)
gc.collect()
immortal.make_all_immortal()
assert sys.getrefcount(json.JSONDecoder) == sys.getrefcount(None), sys.getrefcount(json.JSONDecoder)
import asyncio, http.client, sqlite3, unittest.mock
for _ in range(3):
    made = [{str(i): [i, float(i), (i,)]} for i in range(100_000)]
    assert json.loads(json.dumps(made[:1000]))[999]["999"][0] == 999
    del made
    gc.collect()
assert sys.getrefcount(object()) < 5
print("sound")
"""


class Immortal(unittest.TestCase):
    @unittest.skipUnless(immortal.can_be_immortal(), "objects can be immortal since Python 3.12")
    def test_python_goes_on_soundly_with_immortal_objects(self) -> None:
        kernel = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        done = subprocess.run([sys.executable, "-c", _PROGRAM], cwd=kernel, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "sound\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()
