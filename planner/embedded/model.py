"""The model: sees the pictures of an ask at its resolution, and answers JSON text."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from editplan.errors import ConfigError
from editplan.protocols import Images
from editplan.records import Ask, Reply, Usage

_CHARACTERS_PER_TOKEN = 4
_MIN_SIDE_PX = 64


class EmbeddedVisionModel:
    """A vision model without weights: classical computer vision and a solver for each kind of goal that it knows.

    It reads the goal from the rendered text, the labels and the pixels, nothing else of an ask. Every picture is seen
    with at most `max_side_px` on its longer side; that is its one declared handicap. Equal asks get equal answers.
    """

    in_process = True

    def __init__(self, *, max_side_px: int = 512) -> None:
        """Raises `ConfigError` for a side under 64 px."""
        if max_side_px < _MIN_SIDE_PX:
            raise ConfigError(f"embedded: max_side_px={max_side_px} is too small, give at least {_MIN_SIDE_PX}")
        self.max_side_px = max_side_px

    @property
    def id(self) -> str:
        """`embedded`, with the side length where it isn't the default."""
        return "embedded" if self.max_side_px == 512 else f"embedded?max_side_px={self.max_side_px}"

    def manifest(self) -> dict[str, Any]:
        """What it declares for a run's record."""
        return {"kind": "program", "max_side_px": self.max_side_px}

    async def ask(self, ask: Ask, images: Images) -> Reply:
        """One answer. Token counts are estimates, a quarter of the characters; pixels are those that it saw."""
        return await asyncio.to_thread(self._answer, ask, images)

    def _answer(self, ask: Ask, images: Images) -> Reply:
        from editplan.planner.embedded.answers import answer
        from editplan.planner.embedded.asked import cut
        from editplan.planner.embedded.view import look

        view = look(ask, images, self.max_side_px) if ask.parts else None
        text = json.dumps(cut(answer(ask, view), ask), ensure_ascii=False, indent=1)
        return Reply(text=text, model=self.id, usage=self._usage(ask, text, images))

    def _usage(self, ask: Ask, text: str, images: Images) -> Usage:
        pixels = 0
        for part in ask.parts:
            width, height = images[part.media.sha256].media.width, images[part.media.sha256].media.height
            factor = min(1.0, self.max_side_px / max(width, height))
            pixels += round(width * factor) * round(height * factor)
        return Usage(
            tokens_in=-(-(len(ask.text) + sum(len(p.label) for p in ask.parts)) // _CHARACTERS_PER_TOKEN),
            tokens_out=-(-len(text) // _CHARACTERS_PER_TOKEN),
            images_in=len(ask.parts),
            image_pixels=pixels,
        )
