"""A new Python process for every piece of code, bare or behind bubblewrap: no session, so nothing is kept."""

from __future__ import annotations

import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from task import check

_RUN_S = 60
_STAY = "\nimport sys\nprint(flush=True)\nsys.stdin.read()"


class ColdPeer:
    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._staying: dict[int, subprocess.Popen] = {}

    def start(self) -> int:
        return 0

    def run(self, session: int, task: dict, count: int, pause_ms: float) -> list[float]:
        times = []
        for _ in range(count):
            time.sleep(pause_ms / 1000)
            times.append(self.first(task))
        return times

    def first(self, task: dict) -> float:
        begun = time.perf_counter()
        done = subprocess.run(
            [*self._command, task["script"]], stdin=subprocess.DEVNULL, capture_output=True, timeout=_RUN_S
        )
        taken = (time.perf_counter() - begun) * 1000
        check(task, (done.stdout + done.stderr).decode())
        return taken

    def crowd(self, count: int, task: dict) -> dict:
        begun = time.perf_counter()
        # Started on the main thread: what dies with its parent dies with the thread that started it.
        processes = [self._stay(task) for _ in range(count)]
        with ThreadPoolExecutor(count) as pool:
            times = list(pool.map(lambda process: _await_answer(process, task, begun), processes))
        return {"times": times, "sessions": [process.pid for process in processes]}

    def stop(self, session: int) -> None:
        process = self._staying.pop(session, None)
        if process is not None:
            process.stdin.close()
            process.wait(_RUN_S)
            process.stdout.close()

    def processes(self) -> list[int]:
        return list(self._staying)

    def close(self) -> None:
        for session in list(self._staying):
            self.stop(session)

    def _stay(self, task: dict) -> subprocess.Popen:
        process = subprocess.Popen(
            [*self._command, task["script"] + _STAY], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._staying[process.pid] = process
        return process


def _await_answer(process: subprocess.Popen, task: dict, begun: float) -> float:
    answer = process.stdout.readline().decode()
    taken = (time.perf_counter() - begun) * 1000
    check(task, answer)
    return taken
