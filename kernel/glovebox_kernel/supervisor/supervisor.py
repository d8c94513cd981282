"""The supervisor: PID 1 of a session. It owns the host's connection, runs no cell, and outlives every worker.

1. behind its walls, start a worker, rehearse with it when there is time, and wait for the host's connection
2. one loop over: the host's frames, the worker's frames, the cell's pipes, the deaths of children, the clock
3. after a cell is answered, have the worker copied; when a worker dies, the copy takes its place
4. when the host is gone, end; the kernel ends everything else in here with us
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from typing import Any, Callable

from ..wire import frames, messages
from ..wire.channel import Channel
from ..worker import shell
from ..worker.worker import EXIT_BROKEN
from . import cell as cells
from . import files, fileservice, processes, verdicts
from .inquiries import Inquiries
from .marks import Marks
from .outlets import Outlets
from .succession import Succession
from .watch import Watch

_REHEARSAL, _REHEARSAL_MS = 0, 10_000
_TICK_S = 0.1
_RESTLESS_TICK_S = 0.5
_MAX_QUEUED_BYTES = 4 << 20
_LAST_WORDS = 64
_TRIES = 3
_PART_BYTES = 1 << 10  # What naming a part of a display costs at the most.

# What a cell may have made of a frame; anything else that goes wrong is our own fault.
_BAD_FRAME = (frames.FrameError, messages.MessageError, KeyError, TypeError, ValueError, RecursionError)


class Supervisor:
    def __init__(self, shape: dict[str, Any]) -> None:
        self._shape = shape
        shell.prepare().memory_bytes = shape["memory_bytes"]
        self._files = fileservice.FileService()
        self._watch = Watch()
        self._outlets = Outlets(self._watch, lambda stream, cell, data: self._host.send({"type": stream, "cell": cell}, data))
        self._succession = Succession(self._watch, self._on_worker, self._on_settled)
        self._succession.start()
        self._hear_of_deaths()
        self._cell: cells.Cell | None = None
        self._rehearsed = False
        self._pending_notices: list[str] = []
        self._broken_in_a_row = 0
        self._restless = False
        self._next_look = 0.0
        self._handlers: dict[str, Callable[[dict, bytes], None]] = {
            "run": self._run,
            "interrupt": self._interrupt,
            "variables": lambda message, _: self._inquiries.ask(message["request"], self._cell is not None),
            **{name: self._ask_for_mark(name) for name in ("mark", "return", "unmark")},
        }

    def rehearse(self) -> None:
        """A cell for nobody: after a fork the first write to each page copies it, and now there is time for that."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self._attach(Channel(ours))
            run = {"type": "run", "cell": _REHEARSAL, "timeout_ms": _REHEARSAL_MS}
            theirs.send(frames.encode(run, shell.FIRST_REHEARSAL.encode()))
            self._loop(until=lambda: self._rehearsed)
            self._watch.remove(self._host)

    def serve(self, host: Channel) -> None:
        self._attach(host)
        host.send({"type": "ready", "walls": {name: self._shape[name] for name in ("mode", "cgroup", *messages.LIMITS)}})
        self._loop(until=lambda: False)

    def _attach(self, host: Channel) -> None:
        self._host = host
        self._inquiries = Inquiries(self._watch, host, self._succession)
        self._marks = Marks(host, self._succession, self._shape["memory_bytes"], self._on_return)
        self._watch.add(host, self._on_host)

    def _hear_of_deaths(self) -> None:
        wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        self._watch.add(wake_read, lambda: self._on_deaths(wake_read))

    def _loop(self, until: Callable[[], bool]) -> None:
        while not self._host.closed and not until():
            self._attend()
            self._watch.serve(self._patience())
            self._check_clock()

    def _attend(self) -> None:
        """A host that is slow to read slows the cell down, not us."""
        slow = self._host.queued_bytes > _MAX_QUEUED_BYTES
        self._succession.attend(paused=slow)
        if self._cell is not None:
            self._outlets.attend(self._cell, paused=slow)
        self._watch.want_room(self._host)
        self._watch.want_room(self._succession.worker.channel)

    def _patience(self) -> float | None:
        if self._cell is not None or self._inquiries.are_open() or self._marks.are_open():
            return _TICK_S
        if (due := self._succession.copy_due_at) is not None:
            return max(0.0, due - time.monotonic())
        return _RESTLESS_TICK_S if self._restless else None

    # The host's messages

    def _on_host(self) -> None:
        try:
            for frame in self._host.receive():
                self._on_host_frame(frame)
        except (frames.FrameError, messages.MessageError) as error:
            print(f"glovebox: {error}", file=sys.stderr)
            self._host.closed = True

    def _on_host_frame(self, frame: frames.Frame) -> None:
        name = frame.header["type"]
        message = messages.parse(name, frame.header)
        if (handler := self._handlers.get(name)) is not None:
            handler(message, frame.payload)
        elif (answer := self._files.handlers.get(name)) is not None:
            self._serve_file(answer, message, frame.payload)
        else:
            raise messages.MessageError(f"the message {name} is not for the kernel")

    def _serve_file(self, answer: Callable, message: dict[str, Any], payload: bytes) -> None:
        request = message["request"]
        try:
            value, data = answer(message, payload)
            self._host.send({"type": "reply", "request": request, "value": value}, data)
        except (files.FileProblem, OSError) as problem:
            code = getattr(problem, "code", "file-kind")
            self._host.send({"type": "failed", "request": request, "code": code, "message": str(problem)})

    def _run(self, message: dict[str, Any], code: bytes) -> None:
        if self._cell is not None:
            raise messages.MessageError("a cell is running already")
        number = message["cell"]
        self._cell = cells.Cell(number, code, message["timeout_ms"], self._outlets.open(number))
        self._next_look = time.monotonic() + _TICK_S
        self._start_cell(self._cell)

    def _start_cell(self, cell: cells.Cell) -> None:
        header = {"type": "run", "cell": cell.number, "secret": cell.secret}
        self._succession.board.clear()
        write_ends = [pipe.write_end for pipe in cell.pipes]
        try:
            channel = self._succession.worker.channel
            self._succession.insist(lambda: channel.send(header, cell.code, descriptors=write_ends))
        except OSError:
            # It died, or what an earlier cell left keeps it from being told; restoring mends both.
            self._succession.kill_worker()
        for descriptor in write_ends:
            os.close(descriptor)

    def _ask_for_mark(self, name: str) -> Callable[[dict, bytes], None]:
        return lambda message, _: self._marks.ask(name, message, self._cell is not None)

    def _interrupt(self, message: dict[str, Any], _: bytes) -> None:
        if self._cell is not None and self._cell.number == message["cell"]:
            self._cell.stop("interrupt")
            self._succession.board.note_to_stop(self._cell.number)
            self._succession.kill_worker() if message["kill"] else self._succession.worker.interrupt()

    # The worker's messages: cells share its process, so none is believed without its secret

    def _on_worker(self) -> None:
        worker = self._succession.worker
        try:
            for frame in worker.channel.receive():
                self._on_worker_frame(frame)
        except _BAD_FRAME:
            self._on_violation()
        if worker.channel.closed and worker is self._succession.worker:
            self._succession.pause()
            self._succession.kill_worker()

    def _on_worker_frame(self, frame: frames.Frame) -> None:
        header = frame.header
        name = header["type"]
        if name == "unbranched":
            self._succession.drop_unborn()
        elif name == "variables":
            self._inquiries.take_from_worker(header)
        elif self._cell is None or header["secret"] != self._cell.secret:
            pass  # Forged, or said too late by what an earlier cell left running.
        elif name == "display":
            self._pass_on_display(header, frame.payload)
        elif name == "result":
            self._finish(self._cell, verdicts.check_outcome(header))

    def _pass_on_display(self, header: dict[str, Any], payload: bytes) -> None:
        display = {"type": "display", "cell": self._cell.number, "of_result": header["of_result"], "parts": header["parts"]}
        verdicts.check_display(messages.parse("display", display), payload)
        if self._cell.displays.allows(len(payload) + _PART_BYTES * len(display["parts"])):
            self._host.send(display, payload)

    def _on_violation(self) -> None:
        if self._cell is not None:
            self._cell.reason = "violation"
        self._succession.kill_worker()

    # The end of a cell

    def _finish(self, cell: cells.Cell, outcome: dict[str, Any]) -> None:
        self._broken_in_a_row = 0
        self._outlets.drain(cell)
        texts, notices = cell.finish_output()
        result = cells.compose(outcome["result"], texts)
        verdicts.name_the_limit(result, cell, notices)
        if outcome["threads"]:
            notices.append(verdicts.no_copy(outcome["threads"], self._succession.latest()))
        if outcome["images"]:
            result["images"] = outcome["images"]
        changes = self._answer(cell, result, [*outcome["notices"], *notices])
        if cell.number == _REHEARSAL:
            return
        self._restless = self._succession.has_strays()
        self._succession.threads = outcome["threads"]
        if outcome["threads"]:
            self._succession.last_cell = cell.number
        else:
            quiet = cell.reason is None and not (self._restless or changes["changed"] or changes["removed"])
            self._succession.after_cell(cell.number, cell.code, cell.elapsed_ms(), leaves_only_variables=quiet)
        self._inquiries.go_on(cell_runs=False)
        self._marks.go_on(cell_runs=False)

    def _on_settled(self) -> None:
        """A copy is in the world, or will not be."""
        self._marks.check_memory()
        self._inquiries.go_on(self._cell is not None)
        self._marks.go_on(self._cell is not None)

    def _on_return(self) -> bool:
        """Whether what cells had left running was ended with the worker."""
        was_restless, self._restless = self._restless, False
        self._inquiries.worker_died()
        return was_restless

    def _answer(self, cell: cells.Cell, result: dict[str, Any], notices: list[str]) -> dict[str, Any]:
        changes, more = self._files.changes()
        notices = [*self._pending_notices, *notices, *more]
        self._pending_notices = []
        if changes["changed"]:
            result["files"] = fileservice.shown(changes["changed"])
        if notices:
            result["notice"] = " ".join(notices)
        header = {"type": "result", "cell": cell.number, "result": result, "duration_ms": cell.elapsed_ms(), "changes": changes}
        try:
            self._host.send(header)
        except frames.FrameError:
            self._host.send({**header, "result": verdicts.shortened(result)})
        self._outlets.let_go(cell)
        self._outlets.prepare()
        self._cell = None
        self._rehearsed = True
        return changes

    # Deaths

    def _on_deaths(self, wake: int) -> None:
        try:
            os.read(wake, 4096)
        except BlockingIOError:
            pass
        for pid, status in processes.reap():
            if pid == self._succession.worker.pid:
                self._on_worker_death(status)
            else:
                self._succession.lose(pid)

    def _on_worker_death(self, status: int) -> None:
        heard = self._cell is not None and self._succession.board.has_begun(self._cell.number)
        self._hear_last_words()
        self._succession.bury_worker()
        self._inquiries.worker_died()
        broken = os.waitstatus_to_exitcode(status) == EXIT_BROKEN
        self._broken_in_a_row = self._broken_in_a_row + 1 if broken else 0
        if self._broken_in_a_row > 1:
            self._succession.lose_copy()
        kept = self._succession.restore()
        cell = self._cell
        if cell is None:
            self._pending_notices.append(verdicts.died_idle(status, kept))
        elif cell.reason is None and not heard and cell.tries < _TRIES:
            self._pending_notices.append(verdicts.died_idle(status, kept))
            self._outlets.drop(cell)
            cell.begin_again(self._outlets.open(cell.number))
            self._start_cell(cell)
        else:
            self._outlets.drain(cell)
            texts, notices = cell.finish_output()
            result = {**verdicts.died(cell, status, self._shape["memory_bytes"]), **texts}
            self._answer(cell, result, [kept, *notices])
            self._marks.go_on(cell_runs=False)

    def _hear_last_words(self) -> None:
        """A result that was told before the end counts."""
        try:
            for _ in range(_LAST_WORDS):
                for frame in self._succession.worker.channel.receive():
                    self._on_worker_frame(frame)
        except _BAD_FRAME:
            self._on_violation()

    # The clock

    def _check_clock(self) -> None:
        """Once a tick, however often something wakes us."""
        due = self._succession.copy_due_at
        if due is not None and self._cell is None and time.monotonic() >= due:
            self._succession.ask_for_copy()
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + _TICK_S
        self._inquiries.check_clock()
        self._marks.check_clock(self._cell is not None)
        cell, worker = self._cell, self._succession.worker
        if cell is None:
            self._check_idle()
        elif not processes.is_alive(worker.pid):
            os.kill(os.getpid(), signal.SIGCHLD)  # Its death was heard by nobody; look again.
        elif cell.is_over_grace() or (cell.should_be_heard() and not self._succession.board.has_begun(cell.number)):
            self._succession.kill_worker()
        elif cell.is_over_time():
            cell.stop("timeout")
            self._succession.board.note_to_stop(cell.number)
            worker.interrupt()
        elif cell.reason is None and self._uses_too_much():
            cell.reason = "memory"
            self._succession.kill_worker()

    def _check_idle(self) -> None:
        """What a cell left running is held to the same limit."""
        if not self._restless or self._succession.unborn is not None:
            return
        self._restless = self._succession.has_strays()
        if self._restless and self._uses_too_much():
            self._succession.end_strays()
            self._pending_notices.append("What an earlier cell had left running used too much memory and was ended.")

    def _uses_too_much(self) -> bool:
        limit = self._shape["memory_bytes"]
        return processes.memory_bytes([self._succession.worker.pid, *self._succession.strays()], limit) > limit
