"""A hard cap on the memory of one session, where the machine lets us set one."""

from __future__ import annotations

import os

_NAME = "glovebox-"


class Cgroups:
    """Makes one group a session below `parent`; version is "v1", "v2" or "none"."""

    def __init__(self, version: str, parent: str) -> None:
        self.version = version
        self._parent = parent

    def create(self, pid: int) -> str | None:
        if self.version == "none":
            return None
        folder = os.path.join(self._parent, f"{_NAME}{pid}")
        os.makedirs(folder, exist_ok=True)
        try:
            _write(os.path.join(folder, "cgroup.procs"), str(pid))
        except ProcessLookupError:
            remove(folder)
            return None
        return folder

    def limit(self, folder: str, memory_bytes: int) -> None:
        limits = {"memory.limit_in_bytes": memory_bytes} if self.version == "v1" else {
            "memory.max": memory_bytes,
            "memory.swap.max": 0,
        }
        for name, value in limits.items():
            if os.path.exists(os.path.join(folder, name)):
                _write(os.path.join(folder, name), str(value))

    def sweep(self) -> None:
        """Removes groups whose sessions are gone; the kernel refuses those in use."""
        if self.version == "none":
            return
        for entry in os.listdir(self._parent):
            if entry.startswith(_NAME):
                remove(os.path.join(self._parent, entry))


def remove(folder: str) -> None:
    try:
        os.rmdir(folder)
    except OSError:
        pass


def find_cgroups(root: str = "/sys/fs/cgroup", self_file: str = "/proc/self/cgroup") -> Cgroups:
    with open(self_file) as file:
        memberships = [line.strip().split(":", 2) for line in file]
    for _, controllers, path in memberships:
        if "memory" in controllers.split(","):
            return _usable("v1", os.path.join(root, "memory", path.lstrip("/")))
    # In version 2 only a group without processes of its own may have children with limits: the top one.
    return _usable("v2", os.path.join(root, "glovebox"))


def _usable(version: str, parent: str) -> Cgroups:
    try:
        if version == "v2":
            _write(os.path.join(os.path.dirname(parent), "cgroup.subtree_control"), "+memory")
            os.makedirs(parent, exist_ok=True)
            _write(os.path.join(parent, "cgroup.subtree_control"), "+memory")
        probe = os.path.join(parent, f"{_NAME}probe-{os.getpid()}")
        os.mkdir(probe)
        has_memory = any(name.startswith("memory.") and "limit" in name or name == "memory.max" for name in os.listdir(probe))
        os.rmdir(probe)
        return Cgroups(version if has_memory else "none", parent)
    except OSError:
        return Cgroups("none", "")


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
