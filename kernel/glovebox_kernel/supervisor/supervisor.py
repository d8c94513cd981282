"""The supervisor: PID 1 of a session. It owns the host's connection, runs no cell, and outlives every worker.

1. behind its walls, start a worker and wait for the host's connection
2. one loop over: the host's frames, the worker's frames, the cell's pipes, the deaths of children, the clock
3. after a cell is answered, have the worker copied; when a worker dies, the copy takes its place
4. when the host is gone, end; the kernel ends everything else in here with us
"""

from __future__ import annotations

import os
import select
import selectors
import signal
import sys
from typing import Any, Callable

from . import cell as cells
from . import files, fileservice, processes, verdicts, workers
from ..wire import frames, messages
from ..worker import shell
from ..wire.channel import Channel
from .aides import Aide

_TICK_S = 0.1
_RESTLESS_TICK_S = 0.5
_MAX_QUEUED_BYTES = 4 << 20
_MAX_STALE_PIPES = 16
_BIRTH_S = 3.0
_LAST_WORDS = 64
_TRIES = 3
_PART_BYTES = 1 << 10  # What naming a part costs at the most.


class Supervisor:
    def __init__(self, shape: dict[str, Any]) -> None:
        self._shape = shape
        self._selector = selectors.DefaultSelector()
        self._watched: dict[int, Any] = {}
        self._cell: cells.Cell | None = None
        self._stale: list[cells.Pipe] = []
        self._copy: workers.Worker | None = None
        self._unborn: workers.Worker | None = None
        self._asked: list[int] = []
        self._asked_worker: list[int] = []
        self._aides: list[Aide] = []
        self._restless = False
        self._broken_in_a_row = 0
        self._last_cell = 0
        self._last_secret: str | None = None
        self._pending_notices: list[str] = []
        shell.prepare().memory_bytes = shape["memory_bytes"]
        self._worker = workers.start_fresh()
        self._handlers: dict[str, Callable[[dict, bytes], None]] = {
            "run": self._run,
            "interrupt": self._interrupt,
            "variables": self._variables,
        }

    def serve(self, host: Channel) -> None:
        self._host = host
        self._files = fileservice.FileService()
        wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        self._watch(wake_read, lambda: self._on_deaths(wake_read))
        self._watch(self._host, self._on_host)
        self._watch(self._worker.channel, self._on_worker)
        self._host.send({"type": "ready", "walls": self._describe_walls()})
        while not self._host.closed:
            self._adjust_interest()
            for key, events in self._selector.select(self._patience()):
                if events & selectors.EVENT_WRITE:
                    key.fileobj.flush()
                if events & selectors.EVENT_READ and key.fd in self._watched:
                    key.data()
            self._check_clock()

    def _describe_walls(self) -> dict[str, Any]:
        return {name: self._shape[name] for name in ("mode", "cgroup", *messages.LIMITS)}

    # What is watched

    def _watch(self, source: Any, handler: Callable[[], None]) -> None:
        number = source if isinstance(source, int) else source.fileno()
        self._watched[number] = source
        self._selector.register(source, selectors.EVENT_READ, handler)

    def _unwatch(self, source: Any) -> None:
        if self._watched.pop(source.fileno(), None) is not None:
            self._selector.unregister(source)

    def _adjust_interest(self) -> None:
        """Waits for room to write where something is queued; stops reading a cell whose reader is slow."""
        for channel in (self._host, self._worker.channel):
            if channel.fileno() in self._watched:
                key = self._selector.get_key(channel)
                events = selectors.EVENT_READ | (selectors.EVENT_WRITE if channel.queued_bytes else 0)
                if events != key.events:
                    self._selector.modify(channel, events, key.data)
        slow = self._host.queued_bytes > _MAX_QUEUED_BYTES
        channel = self._worker.channel
        if slow:
            self._unwatch(channel)
        elif channel.fileno() not in self._watched and not channel.closed:
            self._watch(channel, self._on_worker)
        for pipe in self._cell.pipes if self._cell else []:
            if slow and pipe.open:
                self._unwatch(pipe)
            elif pipe.open and pipe.fileno() not in self._watched:
                self._watch(pipe, lambda pipe=pipe: self._on_output(pipe))

    def _patience(self) -> float | None:
        if self._cell or self._aides:
            return _TICK_S
        return _RESTLESS_TICK_S if self._restless else None

    # The host's messages

    def _on_host(self) -> None:
        try:
            for frame in self._host.receive():
                self._on_host_frame(frame)
        except (frames.FrameError, messages.MessageError, KeyError) as error:
            print(f"glovebox: {error}", file=sys.stderr)
            self._host.closed = True

    def _on_host_frame(self, frame: frames.Frame) -> None:
        name = frame.header["type"]
        message = messages.parse(name, frame.header)
        if (handler := self._handlers.get(name)) is not None:
            handler(message, frame.payload)
        else:
            self._serve_file(self._files.handlers[name], message, frame.payload)

    def _serve_file(self, handler: Callable, message: dict[str, Any], payload: bytes) -> None:
        request = message["request"]
        try:
            value, data = handler(message, payload)
            self._host.send({"type": "reply", "request": request, "value": value}, data)
        except (files.FileProblem, OSError) as problem:
            code = getattr(problem, "code", "file-kind")
            self._host.send({"type": "failed", "request": request, "code": code, "message": str(problem)})

    def _run(self, message: dict[str, Any], payload: bytes) -> None:
        if self._cell is not None:
            raise messages.MessageError("a cell is running already")
        self._cell = cells.Cell(message["cell"], payload, message["timeout_ms"])
        self._start_cell()

    def _start_cell(self) -> None:
        cell = self._cell
        header = {"type": "run", "cell": cell.number, "secret": cell.secret}
        write_ends = [pipe.write_end for pipe in cell.pipes]
        try:
            self._worker.channel.send(header, cell.code, descriptors=write_ends)
        except OSError:
            self._worker.kill()  # It died, or a cell's leftovers keep it from being told; restoring mends both.
        for descriptor in write_ends:
            os.close(descriptor)

    def _interrupt(self, message: dict[str, Any], _: bytes) -> None:
        if self._cell is None or self._cell.number != message["cell"]:
            return
        self._cell.stop("interrupt")
        self._worker.kill() if message["kill"] else self._worker.interrupt()

    def _variables(self, message: dict[str, Any], _: bytes) -> None:
        self._asked.append(message["request"])
        self._serve_asked()

    def _serve_asked(self) -> None:
        """Asked of a copy; of the worker itself only when it is idle and cannot be copied."""
        if self._unborn is not None:
            return
        while self._asked:
            request = self._asked.pop(0)
            if self._copy is not None and self._copy.after_cell == self._last_cell:
                aide = Aide(request, self._copy)
                self._aides.append(aide)
                self._watch(aide.channel, lambda aide=aide: self._on_aide(aide))
            elif self._cell is None:
                self._asked_worker.append(request)
                self._worker.channel.send({"type": "variables"})
            else:
                self._fail(request, "a cell is running and the state before it was not copied; ask again when it has ended")

    def _on_aide(self, aide: Aide) -> None:
        found = aide.listen()
        if found is not None:
            self._host.send({"type": "reply", "request": aide.request, "value": found})
        elif aide.is_gone():
            self._fail(aide.request, "a variable could not be described in time; describe it in a cell instead")
        else:
            return
        self._unwatch(aide.channel)
        self._aides.remove(aide)
        aide.end()

    def _fail(self, request: int, message: str) -> None:
        self._host.send({"type": "failed", "request": request, "code": "variables", "message": message})

    # The worker's messages: cells share its process, so none is believed without its secret

    def _on_worker(self) -> None:
        worker = self._worker
        try:
            for frame in worker.channel.receive():
                self._on_worker_frame(frame)
        except (frames.FrameError, messages.MessageError, KeyError, TypeError):
            self._on_violation()
        if worker.channel.closed and worker is self._worker:
            self._unwatch(worker.channel)
            worker.kill()

    def _on_worker_frame(self, frame: frames.Frame) -> None:
        header = frame.header
        name = header["type"]
        if name == "unbranched":
            self._drop_unborn()
        elif name == "variables":
            self._answer_variables(header)
        elif header["secret"] == self._last_secret:
            pass  # Said too late, by what the cell before left running.
        elif self._cell is None or header["secret"] != self._cell.secret:
            self._on_violation()
        elif name == "started":
            self._cell.heard = True
        elif name == "display":
            self._pass_on_display(header, frame.payload)
        elif name == "result":
            self._broken_in_a_row = 0
            self._finish(verdicts.check_outcome(header))
        else:
            self._on_violation()

    def _pass_on_display(self, header: dict[str, Any], payload: bytes) -> None:
        display = {"type": "display", "cell": self._cell.number, "of_result": header["of_result"], "parts": header["parts"]}
        messages.parse("display", display)
        if self._cell.displays.allows(len(payload) + _PART_BYTES * len(display["parts"])):
            self._host.send(display, payload)

    def _on_violation(self) -> None:
        if self._cell is not None:
            self._cell.reason = "violation"
        self._worker.kill()

    def _answer_variables(self, header: dict[str, Any]) -> None:
        if self._asked_worker:
            value = {"variables": header["variables"], "complete": header["complete"]}
            self._host.send({"type": "reply", "request": self._asked_worker.pop(0), "value": value})

    # The cell's output

    def _on_output(self, pipe: cells.Pipe) -> None:
        data = pipe.read()
        if data is None:
            if not pipe.open:
                self._watched.pop(pipe.fileno(), None)
                self._forget_closed(pipe)
            return
        if (live := pipe.capture.take(data)) and self._cell is not None:
            self._host.send({"type": pipe.stream, "cell": self._cell.number}, live)

    def _forget_closed(self, pipe: cells.Pipe) -> None:
        try:
            self._selector.unregister(pipe)
        except (KeyError, ValueError):
            pass

    def _drain(self, cell: cells.Cell) -> None:
        """Everything the worker wrote before it told its result is in the pipes by now."""
        for pipe in cell.pipes:
            self._unwatch(pipe) if pipe.open else None
            for _ in range(64):
                data = pipe.read() if pipe.open else None
                if data is None:
                    break
                if live := pipe.capture.take(data):
                    self._host.send({"type": pipe.stream, "cell": cell.number}, live)

    def _let_go(self, cell: cells.Cell) -> None:
        """What a cell left running may go on writing; nobody reads it any more."""
        for pipe in cell.pipes:
            if pipe.open:
                self._stale.append(pipe)
                self._watch(pipe, lambda pipe=pipe: self._discard(pipe))
        for pipe in self._stale[:-_MAX_STALE_PIPES]:
            self._discard(pipe, close=True)

    def _discard(self, pipe: cells.Pipe, close: bool = False) -> None:
        number = pipe.fileno()
        pipe.close() if close else pipe.read()
        if not pipe.open:
            self._watched.pop(number, None)
            self._forget_closed(pipe)
            self._stale.remove(pipe)

    # The end of a cell

    def _finish(self, outcome: dict[str, Any]) -> None:
        cell = self._cell
        self._drain(cell)
        texts, notices = cell.finish_output()
        result = cells.compose(outcome["result"], texts)
        verdicts.name_the_limit(result, cell, notices)
        notices = [*self._pending_notices, *outcome["notices"], *notices]
        self._pending_notices = []
        if outcome["threads"]:
            notices.append(verdicts.no_copy(outcome["threads"], self._unborn or self._copy))
        if outcome["images"]:
            result["images"] = outcome["images"]
        self._answer(cell, result, notices)
        self._last_cell = cell.number
        self._restless = bool(self._strays())
        if not outcome["threads"]:
            self._ask_for_copy()

    def _answer(self, cell: cells.Cell, result: dict[str, Any], notices: list[str]) -> None:
        changes, more = self._files.changes()
        notices += more
        if changes["changed"]:
            result["files"] = fileservice.shown(changes["changed"])
        if notices:
            result["notice"] = " ".join(notices)
        header = {"type": "result", "cell": cell.number, "result": result, "duration_ms": cell.elapsed_ms(), "changes": changes}
        self._host.send(header)
        self._let_go(cell)
        self._cell, self._last_secret = None, cell.secret
        self._serve_asked()

    # Copies and deaths

    def _ask_for_copy(self) -> None:
        self._drop_unborn()
        try:
            self._unborn = workers.ask_for_copy(self._worker, self._last_cell)
        except OSError:
            return
        self._watch(self._unborn.channel, self._on_unborn)

    def _on_unborn(self) -> None:
        unborn = self._unborn
        try:
            greeted = any(frame.header["type"] == "hello" for frame in unborn.channel.receive())
        except frames.FrameError:
            greeted = False
        if greeted and unborn.channel.sender_pid not in (None, self._worker.pid):
            unborn.is_known_as(unborn.channel.sender_pid)
            self._unwatch(unborn.channel)
            if self._copy is not None:
                self._copy.end()
            self._copy, self._unborn = unborn, None
            self._serve_asked()
        elif unborn.channel.closed:
            self._drop_unborn()

    def _await_unborn(self) -> None:
        """The worker may have died while its copy was still on its way into the world."""
        if self._unborn is not None and select.select([self._unborn.channel], [], [], _BIRTH_S)[0]:
            self._on_unborn()

    def _drop_unborn(self) -> None:
        if self._unborn is not None:
            self._unwatch(self._unborn.channel)
            self._unborn.channel.close()
            self._unborn = None
            self._serve_asked()

    def _on_deaths(self, wake: int) -> None:
        try:
            os.read(wake, 4096)
        except BlockingIOError:
            pass
        for pid, status in processes.reap():
            if pid == self._worker.pid:
                self._on_worker_death(status)
            elif self._copy is not None and pid == self._copy.pid:
                self._copy.channel.close()
                self._copy = None

    def _on_worker_death(self, status: int) -> None:
        cell = self._cell
        self._hear_last_words()
        if cell is not None and self._cell is None:
            cell = None  # Its result had come before its end.
        self._unwatch(self._worker.channel)
        self._worker.channel.close()
        broken = os.waitstatus_to_exitcode(status) == workers.worker.EXIT_BROKEN
        self._broken_in_a_row = self._broken_in_a_row + 1 if broken else 0
        self._await_unborn()
        if self._broken_in_a_row > 1 and self._copy is not None:
            self._copy.end()
            self._copy = None
        kept = self._restore()
        if cell is None:
            self._pending_notices.append(verdicts.died_idle(status, kept))
            return
        if cell.reason is None and not cell.heard and cell.tries < _TRIES:
            for pipe in cell.pipes:
                self._unwatch(pipe)
            cell.begin_again()
            self._start_cell()
            return
        self._drain(cell)
        texts, notices = cell.finish_output()
        result = {**verdicts.died(cell, status, self._shape["memory_bytes"]), **texts}
        self._pending_notices, notices = [], [*self._pending_notices, kept, *notices]
        self._answer(cell, result, notices)

    def _hear_last_words(self) -> None:
        channel = self._worker.channel
        try:
            for _ in range(_LAST_WORDS):
                for frame in channel.receive():
                    self._on_worker_frame(frame)
        except (frames.FrameError, messages.MessageError, KeyError, TypeError):
            self._on_violation()

    def _restore(self) -> str:
        """Puts the copy in the dead worker's place; says what the session has now."""
        for request in self._asked_worker:
            self._fail(request, "Python ended while it described the variables; ask again")
        self._asked_worker = []
        workers.end_all_but([self._copy])
        if self._copy is not None and not processes.is_alive(self._copy.pid):
            self._copy.channel.close()
            self._copy = None
        if self._copy is None:
            self._worker = workers.start_fresh()
            said = verdicts.nothing_kept(self._last_cell)
        else:
            self._worker, self._copy = self._copy, None
            self._worker.wake()
            said = verdicts.kept_from(self._worker.after_cell, self._last_cell)
        self._watch(self._worker.channel, self._on_worker)
        self._ask_for_copy()
        return said

    # The clock

    def _check_clock(self) -> None:
        for aide in [each for each in self._aides if each.is_gone()]:
            self._on_aide(aide)
        cell = self._cell
        if cell is None:
            self._check_idle()
            return
        if not processes.is_alive(self._worker.pid):
            os.kill(os.getpid(), signal.SIGCHLD)  # Its death was heard by nobody; look again.
        if cell.is_unheard():
            self._worker.kill()
        elif cell.is_over_grace():
            self._worker.kill()
        elif cell.is_over_time():
            cell.stop("timeout")
            self._worker.interrupt()
        elif cell.reason is None and self._uses_too_much():
            cell.reason = "memory"
            self._worker.kill()

    def _check_idle(self) -> None:
        """What a cell left running is held to the same limit."""
        if not self._restless or self._unborn is not None:
            return
        self._restless = bool(self._strays())
        if self._restless and self._uses_too_much():
            workers.end_all_but([self._worker, self._copy])
            self._pending_notices.append("What an earlier cell had left running used too much memory and was ended.")

    def _strays(self) -> list[int]:
        return processes.others({1, *(each.pid for each in (self._worker, self._copy) if each is not None)})

    def _uses_too_much(self) -> bool:
        limit = self._shape["memory_bytes"]
        kept = {1, *(each.pid for each in (self._copy, self._unborn) if each is not None)}
        return processes.memory_bytes(processes.others(kept), limit) > limit
