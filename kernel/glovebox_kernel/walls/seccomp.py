"""The system-call filter: what no cell, and nothing a cell starts, may ask of the kernel."""

from __future__ import annotations

import errno
import functools
import struct

from . import linux

_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

# Numbers on x86_64 and aarch64; None where the call does not exist.
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "userfaultfd": (323, 282),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "personality": (135, 92),
    "modify_ldt": (154, None),
    "iopl": (172, None),
    "ioperm": (173, None),
    "vhangup": (153, 58),
    "nfsservctl": (180, 42),
    "lookup_dcookie": (212, 18),
    "uselib": (134, None),
    "ustat": (136, None),
    "sysfs": (139, None),
    "_sysctl": (156, None),
    "create_module": (174, None),
    "get_kernel_syms": (177, None),
    "query_module": (178, None),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    # Counted for the whole machine or for all of a user's processes: one session could leave none to others.
    "io_setup": (206, 0),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "sync": (162, 81),
    "syncfs": (306, 267),
    # Memory that neither the data limit nor the size of a tmpfs would count.
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
}
_CLONE, _CLONE3, _SOCKET, _SOCKETPAIR = (56, 220), 435, (41, 198), (53, 199)
_IOCTL, _KILL, _SETSOCKOPT = (16, 29), (62, 129), (54, 208)
_SETRLIMIT, _PRLIMIT64 = (160, 164), (302, 261)

# Calls newer than the ones this list was written against do not exist in here.
_NEWEST_KNOWN = 456

_NAMESPACE_FLAGS = (
    linux.CLONE_NEWNS
    | linux.CLONE_NEWCGROUP
    | linux.CLONE_NEWUTS
    | linux.CLONE_NEWIPC
    | linux.CLONE_NEWUSER
    | linux.CLONE_NEWPID
    | linux.CLONE_NEWNET
)
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
_IPPROTO_UDP = 17  # No known protocol above it (SCTP, DCCP, MPTCP, L2TP) is worth the modules that it would load.
_SOCK_TYPE_MASK, _SOCK_RAW, _SOCK_PACKET = 0xF, 3, 10
_TIOCSTI, _TIOCLINUX, _TIOCSETD = 0x5412, 0x541C, 0x5423
_SOL_SOCKET, _SO_LINGER = 1, 13
_EVERY_PROCESS = 0xFFFFFFFF

_LOAD, _AND, _JUMP_EQUAL, _JUMP_GREATER, _JUMP_ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER_OFFSET, _ARCH_OFFSET = 0, 4


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _refuse(number: int = errno.EPERM) -> bytes:
    return _instruction(_RETURN, _ERRNO | number)


_PERMIT = _instruction(_RETURN, _ALLOW)


def _argument(index: int, high: bool = False) -> bytes:
    return _instruction(_LOAD, 16 + 8 * index + (4 if high else 0))


def _on(code: int, value: int, *body: bytes) -> list[bytes]:
    """Runs the body when the loaded value matches, else skips it."""
    return [_instruction(code, value, 0, len(body)), *body]


def _on_arguments(number: int, *parts: list[bytes] | bytes) -> list[bytes]:
    body: list[bytes] = []
    for part in parts:
        body.extend(part if isinstance(part, list) else [part])
    return _on(_JUMP_EQUAL, number, *body, _PERMIT)


@functools.cache
def build_filter(machine: str) -> bytes:
    architecture, column = _ARCHITECTURES[machine]
    code = [_instruction(_LOAD, _ARCH_OFFSET)]
    # Another architecture's calls (int 0x80 on x86_64) have other numbers: none is let through.
    code += [_instruction(_JUMP_EQUAL, architecture, 1, 0), _refuse()]
    code += [_instruction(_LOAD, _NUMBER_OFFSET)]
    code += _on(_JUMP_GREATER, _NEWEST_KNOWN, _refuse(errno.ENOSYS))
    code += _on(_JUMP_EQUAL, _CLONE3, _refuse(errno.ENOSYS))
    for numbers in _REFUSED.values():
        if (number := numbers[column]) is not None:
            code += _on(_JUMP_EQUAL, number, _refuse())
    code += _on_arguments(_CLONE[column], _argument(0), _on(_JUMP_ANY_BIT, _NAMESPACE_FLAGS, _refuse()))
    code += _on_arguments(
        _SOCKET[column],
        _argument(1),
        _instruction(_AND, _SOCK_TYPE_MASK),
        _on(_JUMP_EQUAL, _SOCK_RAW, _refuse()),
        _on(_JUMP_EQUAL, _SOCK_PACKET, _refuse()),
        _argument(2),
        _instruction(_JUMP_GREATER, _IPPROTO_UDP, 0, 1),
        _refuse(errno.EPROTONOSUPPORT),
        _argument(0),
        _on(_JUMP_EQUAL, _AF_UNIX, _PERMIT),
        _on(_JUMP_EQUAL, _AF_INET, _PERMIT),
        _on(_JUMP_EQUAL, _AF_INET6, _PERMIT),
        _refuse(errno.EAFNOSUPPORT),
    )
    code += _on_arguments(
        _SOCKETPAIR[column], _argument(0), _on(_JUMP_EQUAL, _AF_UNIX, _PERMIT), _refuse(errno.EAFNOSUPPORT)
    )
    code += _on_arguments(
        _IOCTL[column],
        _argument(1),
        *(_on(_JUMP_EQUAL, request, _refuse()) for request in (_TIOCSTI, _TIOCLINUX, _TIOCSETD)),
    )
    # A socket that lingers makes whoever closes it wait, and descriptors can be passed on.
    lingers = [_argument(2), *_on(_JUMP_EQUAL, _SO_LINGER, _refuse())]
    code += _on_arguments(_SETSOCKOPT[column], _argument(1), _on(_JUMP_EQUAL, _SOL_SOCKET, *lingers))
    code += _on_arguments(_KILL[column], _argument(0), _on(_JUMP_EQUAL, _EVERY_PROCESS, _refuse()))
    return b"".join([*code, _PERMIT])


@functools.cache
def build_limits_filter(machine: str) -> bytes:
    """The limits are the walls', not the cell's: laid over the other once the worker's own are set."""
    _, column = _ARCHITECTURES[machine]
    code = [_instruction(_LOAD, _NUMBER_OFFSET), *_on(_JUMP_EQUAL, _SETRLIMIT[column], _refuse())]
    code += _on_arguments(
        _PRLIMIT64[column],
        _argument(2),
        _instruction(_JUMP_EQUAL, 0, 1, 0),
        _refuse(),
        _argument(2, high=True),
        _instruction(_JUMP_EQUAL, 0, 1, 0),
        _refuse(),
    )
    return b"".join([*code, _PERMIT])
