"""Rich representations: MIME bundles go to the host beside the result, pictures in them become files."""

from __future__ import annotations

import json
import sys
from typing import Any, Callable

from ..values.jsonsafe import Budget, to_json_safe
from .pictures import Pictures

_MAX_PART_BYTES = 4 << 20
_MAX_BUNDLE_BYTES = 6 << 20
_MAX_JSON_ITEMS = 200_000
_PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset)


class Displays:
    def __init__(self, formatter: Any, pictures: Pictures, show: Callable[[list[dict], bytes, bool], None]) -> None:
        self._formatter = formatter
        self._pictures = pictures
        self._show = show
        self.notices: list[str] = []

    def publish(self, data: dict[str, Any]) -> None:
        """What display() was given: its plain text joins the printed text, where people and models read it."""
        if "text/plain" in data and not self._keep_pictures(data):
            print(data["text/plain"])
        self._send(data, of_result=False)

    def publish_result(self, value: Any) -> None:
        if type(value) in _PLAIN:
            return
        if type(value).__name__ == "Figure" and type(value).__module__ == "matplotlib.figure":
            if not self._pictures.saved:
                self._pictures.capture(value)
            return
        try:
            data, _ = self._formatter.format(value)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.notices.append(f"The value's rich form could not be made: {type(error).__name__}.")
            return
        self._keep_pictures(data)
        self._send(data, of_result=True)

    def _keep_pictures(self, data: dict[str, Any]) -> bool:
        return any([self._pictures.keep(mime, content) for mime, content in data.items()])

    def _send(self, data: dict[str, Any], of_result: bool) -> None:
        parts: list[dict] = []
        payload = bytearray()
        for mime, content in data.items():
            if mime.startswith("image/") or (mime == "text/plain" and of_result):
                continue
            raw = _to_bytes(content)
            if raw is None or len(payload) + len(raw) > _MAX_BUNDLE_BYTES:
                self.notices.append(f"A display of type {mime} was left out: it is larger than {_MAX_PART_BYTES >> 20} MiB.")
                continue
            parts.append({"mime": mime, "bytes": len(raw)})
            payload += raw
        if not parts or not any(part["mime"] != "text/plain" for part in parts):
            return
        self._show(parts, bytes(payload), of_result)


def _to_bytes(content: Any) -> bytes | None:
    """None for what is too large: a part of a chart is no chart."""
    if isinstance(content, str):
        content = content.encode("utf-8", "backslashreplace")
    elif not isinstance(content, bytes):
        budget = Budget(items=_MAX_JSON_ITEMS, characters=_MAX_PART_BYTES, whole=True)
        content = json.dumps(to_json_safe(content, budget), ensure_ascii=False, allow_nan=False).encode()
        if budget.cut:
            return None
    return content if len(content) <= _MAX_PART_BYTES else None


def register_formatters(formatter: Any) -> None:
    """Forms that libraries offer only to notebooks they know."""
    bundles = formatter.mimebundle_formatter
    for version in ("v4", "v5", "v6"):
        bundles.for_type_by_name(f"altair.vegalite.{version}.api", "TopLevelMixin", _altair_bundle)
    bundles.for_type_by_name("plotly.basedatatypes", "BaseFigure", _plotly_bundle)
    formatter.formatters["image/png"].for_type_by_name("matplotlib.figure", "Figure", _figure_png)


def _altair_bundle(chart: Any, **_: Any) -> dict[str, Any]:
    major = sys.modules["altair"].SCHEMA_VERSION.lstrip("v").partition(".")[0]
    return {f"application/vnd.vegalite.v{major}+json": chart.to_dict()}


def _plotly_bundle(figure: Any, **_: Any) -> dict[str, Any]:
    return {"application/vnd.plotly.v1+json": json.loads(figure.to_json())}


def _figure_png(figure: Any) -> bytes:
    import io

    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas, buffer = figure.canvas, io.BytesIO()
    FigureCanvasAgg(figure).print_figure(buffer, format="png", dpi=144, bbox_inches="tight")
    figure.set_canvas(canvas)
    sys.modules["matplotlib.pyplot"].close(figure)
    return buffer.getvalue()
