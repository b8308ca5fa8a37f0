"""What a planner looks at: pictures as they are, drawings (SVG) as renderings."""

from __future__ import annotations

import asyncio

from editplan.errors import ImageError, ModelError
from editplan.protocols import Images
from editplan.records import EditRequest

RENDERED_NOTE = "svg:rendered: the planner saw a rendering of the drawing, the editor gets its source"


def has_drawing(request: EditRequest) -> bool:
    """Whether some image of the request is SVG source."""
    return any(part.media.kind == "svg" for part in request.parts)


async def seen(request: EditRequest, images: Images) -> EditRequest:
    """The request as a planner sees it: each drawing replaced by its rendering.

    Raises `ModelError` for a drawing that can't be rendered, and `ConfigError` where the renderer isn't installed.
    """
    if not has_drawing(request):
        return request
    from editplan.svg_render import rendered_part

    try:
        parts = [await asyncio.to_thread(rendered_part, part, images) for part in request.parts]
    except ImageError as error:
        raise ModelError(f"the planner can't look at the drawing: {error}") from error
    return request.model_copy(update={"parts": tuple(parts)})
