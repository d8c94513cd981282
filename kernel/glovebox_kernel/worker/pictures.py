"""Pictures of a cell: figures and image reprs become files in the working folder, and figures are closed."""

from __future__ import annotations

import base64
import functools
import os
import sys
from typing import Any

from ..walls import root

_DPI = 144
_MAX_SIDE = 16_384
_MAX_PIXELS = 24_000_000
_MAX_PICTURES = 20
_SAVED_AS = "_glovebox_saved_as"
_ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/svg+xml": "svg", "image/gif": "gif", "image/webp": "webp"}


class Pictures:
    def __init__(self, cell: int) -> None:
        self._cell = cell
        self.saved: list[dict[str, str]] = []
        self.notices: list[str] = []

    def keep(self, mime: str, data: Any) -> bool:
        """Saves an image of a MIME bundle; false when it is none."""
        ending = _ENDINGS.get(mime)
        if ending is None:
            return False
        if isinstance(data, str):
            raw = data.encode() if mime == "image/svg+xml" else base64.b64decode(data)
        else:
            raw = bytes(data)
        if (path := self._next_path(ending)) is not None:
            with open(path, "wb") as file:
                file.write(raw)
            self.saved.append({"file": path, "mime": mime})
        return True

    def capture_open_figures(self) -> None:
        helpers = sys.modules.get("matplotlib._pylab_helpers")
        if helpers is None:
            return
        for manager in list(helpers.Gcf.get_all_fig_managers()):
            try:
                self.capture(manager.canvas.figure)
            finally:
                helpers.Gcf.destroy(manager.num)

    def capture(self, figure: Any) -> None:
        if (own := _saved_by_cell(figure)) is not None and len(self.saved) < _MAX_PICTURES:
            self.saved.append({"file": own, "mime": "image/png"})
            return
        if (path := self._next_path("png")) is None:
            return
        width, height = figure.get_size_inches()
        dpi = min(_DPI, _MAX_SIDE / max(width, height), (_MAX_PIXELS / (width * height)) ** 0.5)
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        canvas = figure.canvas
        try:
            FigureCanvasAgg(figure).print_figure(path, format="png", dpi=dpi, bbox_inches=_tight(width, height))
            self.saved.append({"file": path, "mime": "image/png"})
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.notices.append(f"A figure could not be drawn: {type(error).__name__}: {error}.")
        finally:
            figure.set_canvas(canvas)
        if dpi < _DPI:
            self.notices.append(f"A figure of {width:g} × {height:g} inches was drawn at {dpi:.0f} dots an inch to bound its size.")

    def _next_path(self, ending: str) -> str | None:
        if len(self.saved) >= _MAX_PICTURES:
            notice = f"Only the first {_MAX_PICTURES} pictures of the cell were kept."
            if notice not in self.notices:
                self.notices.append(notice)
            return None
        return f"{root.WORK_FOLDER}/figure-{self._cell}-{len(self.saved) + 1}.{ending}"


def remember_saved_figures() -> None:
    """A figure that a cell itself saves as a PNG in the working folder is shown from there and not saved twice."""
    figures = sys.modules.get("matplotlib.figure")
    if figures is None:
        return
    save = figures.Figure.savefig

    @functools.wraps(save)
    def savefig(figure: Any, fname: Any, *args: Any, **kwargs: Any) -> None:
        save(figure, fname, *args, **kwargs)
        figure.__dict__[_SAVED_AS] = os.path.realpath(fname) if isinstance(fname, (str, os.PathLike)) else None
        figure.stale = False  # Whatever changes it from now on says so.

    figures.Figure.savefig = savefig


def _saved_by_cell(figure: Any) -> str | None:
    path = figure.__dict__.get(_SAVED_AS)
    is_picture = isinstance(path, str) and path.startswith(f"{root.WORK_FOLDER}/") and path.lower().endswith(".png")
    return path if is_picture and not figure.stale and os.path.isfile(path) else None


def _tight(width: float, height: float) -> str | None:
    """Trimming draws the figure twice; a huge one is drawn once."""
    return "tight" if width * height < 1000 else None
