"""SVG text to PNG bytes, in a child process that can neither hang nor take the machine with it.

The renderer is resvg (extra `[svg]`). It reads local files through `<image href>` and aborts its process on a huge
canvas, so the text passes the gate of `editplan.svg_source` first, the canvas is ours, and limits hold the child.
"""

from __future__ import annotations

import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from importlib.util import find_spec

from editplan.errors import ConfigError, ImageError
from editplan.protocols import Images
from editplan.records import Part
from editplan.svg_source import drawing_size, parse

MAX_SIDE = 4_096
TIMEOUT_S = 20.0

_CPU_SECONDS = 15
_MEMORY_BYTES = 2 * 2**30
_SVG = "http://www.w3.org/2000/svg"
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class RenderedDrawing:
    """A drawing as pixels, on white."""

    png: bytes
    width: int
    height: int


def render_svg(text: str, *, long_side: int = 1024, timeout_s: float = TIMEOUT_S) -> RenderedDrawing:
    """The drawing on a white canvas whose longer side has `long_side` pixels.

    Raises:
        ImageError: the text is refused (DTD, script, external reference, size, nesting), or can't be rendered
            within the limits on time and memory.
        ConfigError: the renderer isn't installed, or `long_side` is out of range.
    """
    if not 1 <= long_side <= MAX_SIDE:
        raise ConfigError(f"long_side={long_side}: a rendering has 1 to {MAX_SIDE} pixels on its longer side")
    if find_spec("resvg_py") is None:
        raise ConfigError("rendering SVG needs the [svg] extra: pip install 'editplan[svg]'")
    root, reason = parse(text)
    if root is None:
        raise ImageError(f"the SVG can't be rendered: {reason}")
    width, height = _canvas(drawing_size(root), long_side)
    source = _standalone(root, width, height)
    png = _run_child(source, timeout_s)
    return RenderedDrawing(png, *_png_size(png))


def rendered_part(part: Part, images: Images, *, long_side: int = 1024) -> Part:
    """The part as a model that sees pixels gets it: an SVG drawing as its rendering, anything else as it is.

    A condition that shows a planner renderings is labelled `svg:rendered`, since the benchmark gives source only.

    Raises:
        ImageError, ConfigError: as `render_svg`.
    """
    if part.media.kind != "svg":
        return part
    text = images[part.media.sha256].png().decode("utf-8", "replace")
    media, _, _ = images.add(render_svg(text, long_side=long_side).png)
    return part.model_copy(update={"media": media})


def _canvas(size: tuple[float, float], long_side: int) -> tuple[int, int]:
    scale = long_side / max(size)
    width, height = (max(1, round(side * scale)) for side in size)
    return width, height


def _standalone(root: ET.Element, width: int, height: int) -> bytes:
    """The tree as a document of its own: namespace and viewBox present, the canvas ours."""
    if "viewBox" not in root.attrib:
        drawn = drawing_size(root)
        root.set("viewBox", f"0 0 {drawn[0]:g} {drawn[1]:g}")
    root.set("width", str(width))
    root.set("height", str(height))
    for element in root.iter():
        if not element.tag.startswith("{"):
            element.tag = f"{{{_SVG}}}{element.tag}"
    document: bytes = ET.tostring(root, encoding="utf-8")
    return document


def _run_child(source: bytes, timeout_s: float) -> bytes:
    command = [sys.executable, "-I", "-c", _CHILD, str(_CPU_SECONDS), str(_MEMORY_BYTES)]
    try:
        done = subprocess.run(command, input=source, capture_output=True, timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired as late:
        raise ImageError(f"the SVG can't be rendered in {timeout_s:g} s: simplify it") from late
    if done.returncode != 0 or not done.stdout.startswith(_PNG_SIGNATURE):
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ImageError(
            f"the SVG can't be rendered: {lines[-1] if lines else f'the renderer ended with {done.returncode}'}"
        )
    return done.stdout


_CHILD = """
import sys
try:
    import resource
except ImportError:
    resource = None
if resource is not None:
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), int(sys.argv[1])))
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]), int(sys.argv[2])))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
import resvg_py
source = sys.stdin.buffer.read().decode("utf-8")
sys.stdout.buffer.write(bytes(resvg_py.svg_to_bytes(svg_string=source, background="#ffffff")))
"""


def _png_size(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return width, height
