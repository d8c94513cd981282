import os
import tempfile
import unittest
from typing import Callable

from glovebox_kernel.walls import landlock, linux


def _refused(act: Callable[[], object]) -> bool:
    try:
        act()
        return False
    except PermissionError:
        return True


@unittest.skipIf(landlock.version() == 0, "this kernel has no Landlock")
class LandlockTest(unittest.TestCase):
    def outcomes(self, allowed: dict[str, int], *acts: Callable[[], object]) -> list[bool]:
        """Which of the acts a child that restricts itself is refused."""
        told, tell = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
                landlock.restrict(allowed)
                os.write(tell, bytes(_refused(act) for act in acts))
            finally:
                os._exit(0)
        os.close(tell)
        os.waitpid(pid, 0)
        with os.fdopen(told, "rb") as file:
            return [bool(each) for each in file.read()]

    def test_only_what_is_allowed_can_be_touched_and_only_as_allowed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            open_to = {name: os.path.join(folder, name) for name in ("readable", "writable", "other")}
            for path in open_to.values():
                os.mkdir(path)
                with open(os.path.join(path, "file"), "w") as file:
                    file.write("text")
            allowed = {open_to["readable"]: landlock.READ, open_to["writable"]: landlock.WRITE, "/": landlock.LIST, "/nowhere": landlock.READ}
            self.assertEqual(
                self.outcomes(
                    allowed,
                    lambda: open(open_to["readable"] + "/file").read(),
                    lambda: open(open_to["readable"] + "/file", "w"),
                    lambda: open(open_to["writable"] + "/file", "w"),
                    lambda: os.mkdir(open_to["writable"] + "/new"),
                    lambda: os.listdir(open_to["other"]),
                    lambda: open(open_to["other"] + "/file").read(),
                    lambda: os.remove(open_to["other"] + "/file"),
                ),
                [False, True, False, False, False, True, True],
            )
