"""A contact sheet: every edit of a batch on one page, before and after, in one file without links to load."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from editplan.secrets import masked

if TYPE_CHECKING:
    from editplan.planner.batch import BatchLine

_SIDE = 240

_STYLE = (
    "body{font:14px/1.4 system-ui,sans-serif;margin:1rem;background:#fafafa;color:#222}"
    "main{display:grid;grid-template-columns:repeat(auto-fill,minmax(520px,1fr));gap:1rem}"
    "figure{margin:0;padding:.6rem;background:#fff;border:1px solid #ddd;border-radius:6px}"
    "figure>div{display:flex;gap:.5rem}img,.none{width:240px;height:240px;object-fit:contain;background:#eee}"
    ".none{display:grid;place-items:center;color:#888}.fault{border-color:#c33}small{color:#666}"
)


def contact_sheet(done: Sequence[BatchLine]) -> str:
    """The page as HTML."""
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    figures = "\n".join(_figure(line) for line in done)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{len(done)} edits</title><style>{_STYLE}</style></head>"
        f"<body><h1>{len(done)} edits</h1><main>\n{figures}\n</main></body></html>\n"
    )


def _figure(line: BatchLine) -> str:
    words = [f"<b>{line.line}. {html.escape(line.goal)}</b>", f"<small>{html.escape(line.status)}</small>"]
    words += [f"<br>{html.escape(line.instruction)}"] if line.instruction else []
    words += [f"<br><small>{html.escape(masked(note))}</small>" for note in line.notes]
    pictures = _image(Path(line.image), "before") + _image(Path(line.output) if line.output else None, "after")
    kind = ' class="fault"' if line.is_fault else ""
    return f"<figure{kind}><div>{pictures}</div><figcaption>{' '.join(words)}</figcaption></figure>"


def _image(path: Path | None, word: str) -> str:
    if path is None or not path.is_file() or path.suffix == ".svg":
        return f'<div class="none">no picture {word}</div>'
    import PIL.Image
    from PIL import ImageOps

    try:
        with PIL.Image.open(path) as picture:
            picture.draft("RGB", (_SIDE, _SIDE))
            small = ImageOps.exif_transpose(picture).convert("RGB")
            small.thumbnail((_SIDE, _SIDE))
    except (OSError, SyntaxError, ValueError, PIL.Image.DecompressionBombError):
        return f'<div class="none">no picture {word}</div>'
    buffer = io.BytesIO()
    small.save(buffer, format="JPEG", quality=85)
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    return f'<img alt="{word}" src="data:image/jpeg;base64,{data}">'
