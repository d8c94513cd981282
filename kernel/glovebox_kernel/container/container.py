"""The first process of a container: it serves one session on its standard input and output.

1. take the stream away from the standard descriptors, import the heavy libraries
2. wait for the `open` frame: only then are the session's limits known
3. raise what walls a process can raise by itself; the container's own stand around them
4. be the session's supervisor until the stream ends, and the container with it
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import sys
from typing import Any

from ..supervisor.supervisor import Supervisor
from ..walls import container_walls, linux, seccomp
from ..wire import frames, messages
from ..zygote import zygote
from .pipes import PipeChannel

_WARM = ["numpy", "pandas", "matplotlib.pyplot"]
_FONT_CACHE = "/opt/glovebox/cache"
_WRITABLE = "/tmp/.glovebox-warm-up"
_FIRST_OWN_DESCRIPTOR = 16


def main() -> None:
    code = 1
    try:
        _serve(*_take_stream())
        code = 0
    except BaseException as error:
        print(f"glovebox: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(code)


def _serve(read_end: int, write_end: int) -> None:
    walls_ahead = container_walls.survey()
    _warm_up()
    if (opening := _read_exactly(read_end)) is None:
        return
    host = PipeChannel(read_end, write_end)
    try:
        shape = messages.parse("open", opening.header)
        container_walls.close(walls_ahead, shape)
        supervisor = Supervisor({**shape, "mode": "container", "cgroup": walls_ahead.cgroup})
        supervisor.rehearse()
    except (OSError, KeyError, TypeError, messages.MessageError) as error:
        os.set_blocking(write_end, True)
        host.send({"type": "refused", "message": str(error)})
        return
    supervisor.serve(host)


def _take_stream() -> tuple[int, int]:
    """Whatever else in here writes to its standard output must not be taken for a frame; it goes to the log."""
    read_end, write_end = (fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, _FIRST_OWN_DESCRIPTOR) for number in (0, 1))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.close(nothing)
    # A pipe as the cells' own will be: Python notes once whether it can seek in its standard output.
    os.dup2(2, 1)
    return read_end, write_end


def _warm_up() -> None:
    """The libraries want a folder to write to; what they leave in it is not the session's."""
    for build in (seccomp.build_filter, seccomp.build_limits_filter):
        build(linux.machine())
    shutil.copytree(_FONT_CACHE, f"{_WRITABLE}/matplotlib")
    os.environ["MPLCONFIGDIR"] = f"{_WRITABLE}/matplotlib"
    os.environ["IPYTHONDIR"] = f"{_WRITABLE}/ipython"
    zygote.warm_up(_WARM, for_many=False)
    del os.environ["IPYTHONDIR"]
    os.environ["MPLCONFIGDIR"] = "/tmp/.matplotlib"
    shutil.rmtree(_WRITABLE)
    # PID 1 does not feel what it has no handler for; Python has one for SIGINT.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _read_exactly(read_end: int) -> Any:
    """The first frame and not one byte more; None when the host is gone."""
    decoder = frames.Decoder(messages.MAX_OPEN_BYTES, 0)
    missing = frames.LENGTHS.size
    head = b""
    while missing > 0:
        if not (data := os.read(read_end, missing)):
            return None
        head += data
        missing -= len(data)
        if missing == 0 and len(head) == frames.LENGTHS.size:
            missing = min(sum(frames.LENGTHS.unpack(head)), messages.MAX_OPEN_BYTES)
        for frame in decoder.feed(data):
            return frame
    return None
