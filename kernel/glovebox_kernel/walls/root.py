"""The private root: the Python environment and the system's libraries, read-only, and nothing else of the host."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from . import linux

WORK_FOLDER = "/mnt/data"
OLD_ROOT = "/.host"

_SYSTEM_FOLDERS = ("/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/share")
_MERGED_FOLDERS = ("/bin", "/lib", "/lib32", "/lib64")
_SYSTEM_SETTINGS = ("/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache", "/etc/matplotlibrc", "/etc/mime.types")
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_TELLING_PROC_FILES = ("kcore", "keys", "key-users", "timer_list", "sched_debug", "kallsyms", "config.gz", "cmdline")
_SHARED_MEMORY_BYTES = 64 << 20
_MAX_FILES = 100_000


@dataclass(frozen=True)
class HostMount:
    source: str
    target: str


@dataclass(frozen=True)
class FolderSizes:
    work_bytes: int
    tmp_bytes: int


def build_root(prefixes: list[str], sizes: FolderSizes) -> None:
    """Pivots into a new root; the host's stays at OLD_ROOT until close_root."""
    linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("tmpfs", "/tmp", "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "mode=755,size=1m,nr_inodes=4096")
    os.mkdir("/tmp" + OLD_ROOT, 0o700)
    linux.pivot_root("/tmp", "/tmp" + OLD_ROOT)
    os.chdir("/")
    # Before the binds, so that an environment that lives below /tmp is mounted into it and not hidden by it.
    _mount_tmpfs("/tmp", sizes.tmp_bytes)
    _mount_tmpfs(WORK_FOLDER, sizes.work_bytes)
    _bind_system(prefixes)
    _make_devices()
    _mount_proc()
    os.symlink(WORK_FOLDER, "/data")


def bind_host_mount(mount: HostMount) -> None:
    _bind(OLD_ROOT + mount.source, mount.target)


def close_root(account: str) -> None:
    """Lets go of the host's root and makes the new one read-only."""
    os.makedirs("/etc", exist_ok=True)
    for name, text in {
        "passwd": account,
        "group": "glovebox:x:" + account.split(":")[3] + ":\n",
        "hosts": "127.0.0.1 localhost\n::1 localhost\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }.items():
        with open("/etc/" + name, "w") as file:
            file.write(text)
    linux.unmount(OLD_ROOT)
    os.rmdir(OLD_ROOT)
    flags = linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV
    linux.mount("none", "/", "", flags)


def _bind_system(prefixes: list[str]) -> None:
    bound: list[str] = []
    for folder in (*_SYSTEM_FOLDERS, *prefixes):
        if os.path.isdir(OLD_ROOT + folder) and not _is_below(folder, bound):
            _bind(OLD_ROOT + folder, folder)
            bound.append(folder)
    for folder in _MERGED_FOLDERS:
        source = OLD_ROOT + folder
        if os.path.islink(source):
            os.symlink(os.readlink(source), folder)
        elif os.path.isdir(source):
            _bind(source, folder)
    for path in _SYSTEM_SETTINGS:
        if os.path.exists(OLD_ROOT + path):
            _bind(OLD_ROOT + path, path)


def _is_below(folder: str, bound: list[str]) -> bool:
    return any(folder == outer or folder.startswith(outer + "/") for outer in bound)


def _bind(source: str, target: str) -> None:
    if stat.S_ISDIR(os.stat(source).st_mode):
        os.makedirs(target, exist_ok=True)
    else:
        _touch(target)
    linux.mount(source, target, "", linux.MS_BIND | linux.MS_REC)
    linux.restrict_mount(
        target, linux.MOUNT_ATTR_RDONLY | linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NODEV
    )


def _touch(path: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))


def _make_devices() -> None:
    for name in _DEVICES:
        _touch("/dev/" + name)
        linux.mount(f"{OLD_ROOT}/dev/{name}", f"/dev/{name}", "", linux.MS_BIND)
    os.makedirs("/dev/pts")
    linux.mount(
        "devpts", "/dev/pts", "devpts", linux.MS_NOSUID | linux.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620"
    )
    os.symlink("pts/ptmx", "/dev/ptmx")
    os.symlink("/proc/self/fd", "/dev/fd")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", "/dev/" + name)
    _mount_tmpfs("/dev/shm", _SHARED_MEMORY_BYTES)


def _mount_proc() -> None:
    os.makedirs("/proc")
    linux.mount("proc", "/proc", "proc", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
    for name in _TELLING_PROC_FILES:
        if os.path.exists("/proc/" + name):
            linux.mount("/dev/null", "/proc/" + name, "", linux.MS_BIND)
    if os.geteuid() == 0:
        linux.mount("/proc/sys", "/proc/sys", "", linux.MS_BIND)
        linux.mount("none", "/proc/sys", "", linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY)


def _mount_tmpfs(target: str, size: int) -> None:
    os.makedirs(target, exist_ok=True)
    linux.mount(
        "tmpfs",
        target,
        "tmpfs",
        linux.MS_NOSUID | linux.MS_NODEV,
        f"mode=1777,size={size},nr_inodes={_MAX_FILES}",
    )
