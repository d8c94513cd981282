"""ipykernel through jupyter_client, as it comes: default kernel, default transport, no configuration.

The client is jupyter_client's blocking one. A cell is run in two ways: `run` reads the channels by hand, which is
quicker than any call that the library has for it; `run_interactive` is execute_interactive, the library's own way to
run a cell and get its output. wait_for_ready would wait 0.2 s for silence at the start and is not counted.
A cell is over when both its reply and the kernel's "idle" have come: before that output may be missing.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import zmq
from jupyter_client import BlockingKernelClient, KernelManager
from task import check

_START_S = 60
_CELL_S = 60


class Kernel:
    def __init__(self) -> None:
        self.manager = KernelManager()
        self.manager.start_kernel()
        self.client: BlockingKernelClient = self.manager.client()
        self.client.start_channels(stdin=False, hb=False)
        self._poller = zmq.Poller()
        for channel in (self.client.shell_channel, self.client.iopub_channel):
            self._poller.register(channel.socket, zmq.POLLIN)
        self.await_ready()

    def await_ready(self) -> None:
        """Ready means that both channels have carried something; iopub loses what comes before it is connected."""
        deadline = time.monotonic() + _START_S
        while time.monotonic() < deadline:
            asked = self.client.kernel_info()
            reply = self._next(self.client.shell_channel, deadline)
            while reply["parent_header"].get("msg_id") != asked:
                reply = self._next(self.client.shell_channel, deadline)
            try:
                self.client.iopub_channel.get_msg(timeout=0.02)
                return
            except queue.Empty:
                continue
        raise TimeoutError("the kernel did not become ready")

    def run(self, code: str) -> str:
        asked = self.client.execute(code, allow_stdin=False)
        deadline = time.monotonic() + _CELL_S
        parts: list[str] = []
        replied = idle = False
        while not (replied and idle):
            ready = dict(self._poller.poll(max(0, deadline - time.monotonic()) * 1000))
            if not ready:
                raise TimeoutError("the cell did not end")
            if self.client.iopub_channel.socket in ready:
                message = self.client.iopub_channel.get_msg(timeout=0)
                if message["parent_header"].get("msg_id") == asked:
                    idle = idle or message["content"].get("execution_state") == "idle"
                    parts.append(_text(message["content"]))
            if self.client.shell_channel.socket in ready:
                message = self.client.shell_channel.get_msg(timeout=0)
                replied = replied or message["parent_header"].get("msg_id") == asked
        return "".join(parts)

    def run_interactive(self, code: str) -> str:
        parts: list[str] = []
        self.client.execute_interactive(
            code, allow_stdin=False, timeout=_CELL_S, output_hook=lambda message: parts.append(_text(message["content"]))
        )
        return "".join(parts)

    def restart(self) -> None:
        self.manager.restart_kernel(now=True)
        self.await_ready()

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    @property
    def pid(self) -> int:
        return self.manager.provisioner.pid

    @staticmethod
    def _next(channel: object, deadline: float) -> dict:
        return channel.get_msg(timeout=max(0, deadline - time.monotonic()))


def _text(content: dict) -> str:
    return content.get("text") or content.get("data", {}).get("text/plain", "") or content.get("evalue", "")


class IpykernelPeer:
    def __init__(self, _: list[str]) -> None:
        self._kernels: dict[int, Kernel] = {}
        self._next = 1

    def start(self) -> int:
        return self._keep(Kernel())

    def run(self, session: int, task: dict, count: int, pause_ms: float) -> list[float]:
        return self._time(self._kernels[session].run, task, count, pause_ms)

    def run_interactive(self, session: int, task: dict, count: int, pause_ms: float) -> list[float]:
        return self._time(self._kernels[session].run_interactive, task, count, pause_ms)

    @staticmethod
    def _time(run: Callable[[str], str], task: dict, count: int, pause_ms: float) -> list[float]:
        times = []
        for _ in range(count):
            time.sleep(pause_ms / 1000)
            begun = time.perf_counter()
            answer = run(task["cell"])
            times.append((time.perf_counter() - begun) * 1000)
            check(task, answer)
        return times

    def die(self, session: int, task: dict) -> float:
        kernel = self._kernels[session]
        begun = time.perf_counter()
        kernel.restart()
        answer = kernel.run(task["cell"])
        taken = (time.perf_counter() - begun) * 1000
        check(task, answer)
        return taken

    def stop(self, session: int) -> None:
        self._kernels.pop(session).close()

    def first(self, task: dict) -> float:
        taken, kernel = _first_answer(task, time.perf_counter())
        kernel.close()
        return taken

    def crowd(self, count: int, task: dict) -> dict:
        begun = time.perf_counter()
        with ThreadPoolExecutor(count) as pool:
            answered = list(pool.map(lambda _: _first_answer(task, begun), range(count)))
        return {"times": [taken for taken, _ in answered], "sessions": [self._keep(kernel) for _, kernel in answered]}

    def processes(self) -> list[int]:
        return [kernel.pid for kernel in self._kernels.values()]

    def close(self) -> None:
        for session in list(self._kernels):
            self.stop(session)

    def _keep(self, kernel: Kernel) -> int:
        session, self._next = self._next, self._next + 1
        self._kernels[session] = kernel
        return session


def _first_answer(task: dict, begun: float) -> tuple[float, Kernel]:
    kernel = Kernel()
    answer = kernel.run(task["cell"])
    taken = (time.perf_counter() - begun) * 1000
    check(task, answer)
    return taken, kernel
