"""The walls of a session in a container: those that the engine has built are checked, ours are laid inside them."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any

from . import landlock, linux, root, seccomp, walls

_READABLE = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/opt")
_SETTINGS = (
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/group",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/matplotlibrc",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/passwd",
)
_WRITABLE = (root.WORK_FOLDER, "/tmp", "/dev/shm")


@dataclass(frozen=True)
class Survey:
    """What the container's own walls are."""

    problem: str | None
    cgroup: str


def survey() -> Survey:
    status = _status()
    faults: list[str] = []
    if os.getpid() != 1:
        faults.append("the kernel is not its first process")
    if os.geteuid() == 0:
        faults.append("it runs as root")
    if any(int(status.get(name, "0"), 16) for name in ("CapBnd", "CapEff", "CapPrm", "CapAmb")):
        faults.append("it has capabilities")
    if _interfaces() - {"lo"}:
        faults.append("it has a network")
    return Survey("; ".join(faults) or None, _cgroup_version())


def close(found: Survey, shape: dict[str, Any]) -> None:
    if found.problem is not None:
        raise PermissionError(f"the container is not walled in as it must be: {found.problem}")
    os.chdir(root.WORK_FOLDER)
    linux.clear_capability_sets()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    walls.set_dumpable(False)
    walls.set_limits(walls.Limits(shape["memory_bytes"], shape["processes"], shape["work_bytes"]))
    landlock.restrict(_allowed([mount["target"] for mount in shape["mounts"]]))
    linux.install_filter(seccomp.build_filter(linux.machine()))


def _allowed(mounts: list[str]) -> dict[str, int]:
    readable = (*_READABLE, *_SETTINGS, sys.prefix, sys.base_prefix, *mounts)
    return {
        "/": landlock.LIST,
        **dict.fromkeys(readable, landlock.READ),
        **dict.fromkeys(("/proc", "/dev"), landlock.USE),
        **dict.fromkeys(_WRITABLE, landlock.WRITE),
    }


def _status() -> dict[str, str]:
    with open("/proc/self/status") as file:
        return {name: value.strip() for name, _, value in (line.partition(":") for line in file)}


def _interfaces() -> set[str]:
    with open("/proc/net/dev") as file:
        return {line.partition(":")[0].strip() for line in file if ":" in line}


def _cgroup_version() -> str:
    """The engine sets the limit; which kind it is of shows in our membership."""
    with open("/proc/self/cgroup") as file:
        memberships = [line.strip().split(":", 2) for line in file]
    if any("memory" in controllers.split(",") for _, controllers, _ in memberships):
        return "v1"
    return "v2" if memberships else "none"
