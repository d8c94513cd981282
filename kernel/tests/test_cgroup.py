import os
import tempfile
import unittest
from unittest import mock

from glovebox_kernel.walls import cgroup


class StandIn:
    """A folder that behaves like a control-group file system: new groups come with their files."""

    def __init__(self, files: list[str]) -> None:
        self.root = tempfile.mkdtemp()
        self._files = files
        self._mkdir, self._makedirs, self._rmdir = os.mkdir, os.makedirs, os.rmdir

    def mkdir(self, path: str, *_: object) -> None:
        self._mkdir(path)
        for name in self._files:
            open(os.path.join(path, name), "w").close()

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        if not os.path.exists(path):
            self._makedirs(os.path.dirname(path), exist_ok=True)
            self.mkdir(path)

    def rmdir(self, path: str) -> None:
        for name in os.listdir(path):
            os.unlink(os.path.join(path, name))
        self._rmdir(path)

    def membership(self, text: str) -> str:
        path = os.path.join(self.root, "self")
        with open(path, "w") as file:
            file.write(text)
        return path

    def patched(self) -> mock._patch:
        return mock.patch.multiple(cgroup.os, mkdir=self.mkdir, makedirs=self.makedirs, rmdir=self.rmdir)


def read(*parts: str) -> str:
    with open(os.path.join(*parts)) as file:
        return file.read()


class Cgroups(unittest.TestCase):
    def test_version_1_limits_below_the_own_group(self) -> None:
        stand_in = StandIn(["memory.limit_in_bytes", "cgroup.procs"])
        os.makedirs(os.path.join(stand_in.root, "memory", "own"))
        with stand_in.patched():
            groups = cgroup.find_cgroups(stand_in.root, stand_in.membership("4:memory:/own\n0::/\n"))
            folder = groups.create(123)
            groups.limit(folder, 5_000)
        self.assertEqual(groups.version, "v1")
        self.assertEqual(folder, os.path.join(stand_in.root, "memory", "own", "glovebox-123"))
        self.assertEqual((read(folder, "memory.limit_in_bytes"), read(folder, "cgroup.procs")), ("5000", "123"))

    def test_version_2_limits_below_a_group_of_ours_and_forbids_swap(self) -> None:
        stand_in = StandIn(["memory.max", "memory.swap.max", "cgroup.procs", "cgroup.subtree_control"])
        with stand_in.patched():
            groups = cgroup.find_cgroups(stand_in.root, stand_in.membership("0::/user.slice\n"))
            folder = groups.create(123)
            groups.limit(folder, 5_000)
            self.assertEqual(groups.version, "v2")
            self.assertEqual(read(stand_in.root, "cgroup.subtree_control"), "+memory")
            self.assertEqual((read(folder, "memory.max"), read(folder, "memory.swap.max")), ("5000", "0"))
            groups.sweep()
        self.assertFalse(os.path.exists(folder))

    def test_none_where_nothing_can_be_written(self) -> None:
        stand_in = StandIn([])
        with mock.patch.object(cgroup.os, "mkdir", side_effect=PermissionError):
            groups = cgroup.find_cgroups(stand_in.root, stand_in.membership("4:memory:/\n"))
        self.assertEqual(groups.version, "none")
        self.assertIsNone(groups.create(123))

    def test_none_where_the_memory_controller_is_absent(self) -> None:
        stand_in = StandIn(["cgroup.procs", "cgroup.subtree_control"])
        with stand_in.patched():
            groups = cgroup.find_cgroups(stand_in.root, stand_in.membership("0::/\n"))
        self.assertEqual(groups.version, "none")


if __name__ == "__main__":
    unittest.main()
