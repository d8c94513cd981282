"""IPython's shell, made to run a cell and hand back what it came to instead of writing it to a terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from typing import Any, Callable

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from . import hints, installing, keeping
from ..walls import linux, root
from ..wire import frames
from .displays import Displays, register_formatters
from .execution import Execution
from .pictures import Pictures, remember_saved_figures
from .streams import Streams, mark_threads
from .tracebacks import describe_error
from ..values.safe_repr import safe_repr
from ..values.values import describe_value
from ..values.variables import describe_variables

Show = Callable[[list[dict], bytes, bool], None]
NO_VALUE = {"kind": "text", "text": ""}
FIRST_REHEARSAL = "pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']}).groupby('b').a.sum()"
_MOST_NOTICES = 20
_PRELOADED = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot"}


class _CellCompiler(CachingCompiler):
    number = 0

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return f"<cell {_CellCompiler.number}>"


class _ValueHook(DisplayHook):
    """Keeps the value of a cell's last expression."""

    value: Any = None
    silenced = False

    def __call__(self, result: Any = None) -> None:
        if result is None or self.silenced:
            return
        self.value = result
        self.shell.user_ns["_"] = result


class _Publisher(DisplayPublisher):
    """Passes on what the cell displays."""

    displays: Displays | None = None

    def publish(self, data: dict, metadata: dict | None = None, **_: Any) -> None:
        if self.displays is not None:
            self.displays.publish(data)

    def clear_output(self, wait: bool = False) -> None:
        pass


class _Shell(InteractiveShell):
    displayhook_class = Type(_ValueHook)
    display_pub_class = Type(_Publisher)
    compiler_class = Type(_CellCompiler)
    # Ours is the number that cells have here; as a trait it would tell everybody of each.
    execution_count = property(lambda _: _CellCompiler.number, lambda *_: None)

    def init_virtualenv(self) -> None:
        pass

    def showtraceback(self, *_: Any, **__: Any) -> None:
        pass

    showsyntaxerror = showtraceback

    def enable_matplotlib(self, gui: Any = None) -> tuple:
        """Figures are captured whatever the backend."""
        return "agg", "agg"

    def enable_gui(self, gui: Any = None) -> None:
        pass

    def ask_exit(self) -> None:
        raise SystemExit(0)

    def system(self, command: str) -> None:
        line = self.var_expand(command, depth=1)
        if installing.is_installing(line):
            print(installing.explain_command(line))
            return
        sys.stdout.flush()
        self.user_ns["_exit_code"] = subprocess.call(line, shell=True, stdin=subprocess.DEVNULL)

    system_raw = system_piped = system


class CellShell:
    def __init__(self) -> None:
        config = Config()
        config.HistoryManager.enabled = False
        config.HistoryManager.hist_file = ":memory:"
        config.InteractiveShell.colors = "NoColor"
        config.InteractiveShell.cache_size = 0
        self._shell = _Shell.instance(config=config)
        self._execution = Execution(self._shell)
        self._streams = Streams()
        self._in_cell = False
        self._is_settled = False
        self._reserve = keeping.Reserve()
        self.memory_bytes = 0
        register_formatters(self._shell.display_formatter)
        for magic in ("pip", "conda", "mamba", "uv"):
            self._shell.register_magic_function(_explain_installing, "line", magic)
        for name, module in _PRELOADED.items():
            if module in sys.modules:
                self._shell.user_ns[name] = sys.modules[module]
        self._shell.user_ns.pop("open", None)  # IPython's own, which guards descriptors that are a cell's to use.
        warnings.filterwarnings("ignore", message="To exit: use")
        self._shell.builtin_trap.activate()
        keeping.forbid_asking()
        mark_threads()
        self._kept = keeping.Kept()
        self._hidden = set(self._shell.user_ns)

    def run(self, cell: int, code: str, show: Show, is_to_stop: Callable[[int], bool] = lambda _: False) -> dict[str, Any]:
        pictures = Pictures(cell)
        displays = Displays(self._shell.display_formatter, pictures, show)
        hook, publisher = self._shell.displayhook, self._shell.display_pub
        notices = self._begin(cell)
        _draw_on_show(pictures)
        publisher.displays = displays
        hook.value, hook.silenced = None, code.rstrip().endswith(";")
        try:
            self._in_cell = True
            if is_to_stop(cell):
                raise KeyboardInterrupt
            self._reserve.take()
            error = self._execution.run(code, cell)
            notices += self._kept.put_back_builtins()
            self._reserve.give()
            pictures.capture_open_figures()
            described = self._describe(error, hook.value, displays, pictures)
        except BaseException as late:  # An interrupt, or a value whose own methods fail while it is described.
            error, described = late, describe_error(late)
        finally:
            self._in_cell = False
            self._reserve.give()
            self._kept.put_back_builtins()
            hook.value = publisher.displays = None
        if error is not None and (hint := hints.hint_for(error, self.memory_bytes)):
            notices.append(hint)
        notices += [*pictures.notices, *displays.notices]
        self._streams.flush()
        linux.flush_stdio()
        return {
            "result": described,
            "images": pictures.saved,
            "notices": notices[:_MOST_NOTICES],
            "threads": keeping.threads_that_die_in_a_copy(),
        }

    def settle(self) -> None:
        """What the next cell relies on is seen to now, while nobody waits for it."""
        try:
            self._reset_signals()
            self._kept.put_back()
            self._reserve.take()
            self._reserve.put_over((1, 2))  # What it printed has been told: its pipes may go.
            self._is_settled = True
        except BaseException:
            pass  # The cell broke what this is done with; the next one begins without it, and meets it itself.

    def rehearse(self, code: str = "0") -> dict[str, Any]:
        """After a fork the first write to each page copies it: what cells write is written now, while nobody waits."""
        space = self._shell.user_ns
        if not self._execution.is_plain():
            return {}
        last_value = space.get("_", NO_VALUE)
        outcome = self.run(0, code, lambda *_: None)
        frames.encode({"type": "result", **outcome})
        if last_value is NO_VALUE:
            space.pop("_", None)
        else:
            space["_"] = last_value
        self.settle()
        return outcome

    def variables(self) -> dict[str, Any]:
        """None for the variables when describing them was interrupted."""
        signal.signal(signal.SIGINT, self._interrupt)
        try:
            self._in_cell = True
            described = describe_variables(self._shell.user_ns, self._hidden)
        except KeyboardInterrupt:
            return {"variables": None, "complete": False}
        finally:
            self._in_cell = False
        return {"variables": described["variables"], "complete": not described["cut"]}

    def _begin(self, cell: int) -> list[str]:
        notices = []
        if not self._is_settled or len(sys._current_frames()) > 1:
            self._reset_signals()
            notices += self._kept.put_back()
        self._is_settled = False
        self._streams.begin(cell)
        try:
            os.getcwd()
        except OSError:
            os.chdir(root.WORK_FOLDER)
            notices.append(f"The current folder was gone; it is {root.WORK_FOLDER} again.")
        _CellCompiler.number = cell
        return notices

    def _reset_signals(self) -> None:
        signal.signal(signal.SIGINT, self._interrupt)
        for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            signal.setitimer(timer, 0)
        os.umask(0o022)

    def _interrupt(self, *_: Any) -> None:
        if self._in_cell:
            raise KeyboardInterrupt

    def _describe(self, error: BaseException | None, value: Any, displays: Displays, pictures: Pictures) -> dict[str, Any]:
        if isinstance(error, SystemExit):
            return describe_error(error) | {
                "message": f"exit was called with {safe_repr(error.code)}; the session goes on and keeps its variables."
            }
        if error is not None:
            return describe_error(error)
        if value is None:
            return dict(NO_VALUE)
        described = describe_value(value)
        if described["kind"] != "dataframe":
            displays.publish_result(value)
        return described


def _explain_installing(line: str) -> None:
    print(installing.explain(line.replace("install", "", 1)))


def _draw_on_show(pictures: Pictures) -> None:
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.show = lambda *_, **__: pictures.capture_open_figures()


_prepared: CellShell | None = None


def prepare() -> CellShell:
    """The shell, made once before the fork and inherited by every worker."""
    global _prepared
    if _prepared is None:
        _prepared = CellShell()
        remember_saved_figures()
    return _prepared
