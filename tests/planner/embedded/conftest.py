"""Small flat scenes, and the plan that the embedded model makes of them through the real prompts and parsers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from editplan.planner.agent import EditAgent
from editplan.planner.embedded.model import EmbeddedVisionModel
from editplan.planner.embedded.view import Seen, View
from editplan.records import Plan

Rgb = tuple[int, int, int]
RED, GREEN, BLUE, YELLOW = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)
BLACK, WHITE, GRAY, BROWN = (0, 0, 0), (255, 255, 255), (128, 128, 128), (139, 69, 19)


@dataclass
class Sheet:
    """A flat picture to draw on; hard edges, coordinates in pixels."""

    width: int = 640
    height: int = 640
    ground: Rgb = WHITE
    picture: NDArray[np.uint8] = field(init=False)

    def __post_init__(self) -> None:
        self.picture = np.full((self.height, self.width, 3), self.ground, dtype=np.uint8)

    def disc(self, x: int, y: int, radius: int, rgb: Rgb) -> Sheet:
        cv2.circle(self.picture, (x, y), radius, rgb, -1, cv2.LINE_8)
        return self

    def box(self, x: int, y: int, width: int, height: int, rgb: Rgb) -> Sheet:
        self.picture[y : y + height, x : x + width] = rgb
        return self

    def frame(self, x: int, y: int, width: int, height: int, rgb: Rgb = BLACK, stroke: int = 4) -> Sheet:
        cv2.rectangle(self.picture, (x, y), (x + width - 1, y + height - 1), rgb, stroke, cv2.LINE_8)
        return self

    def triangle(self, x: int, y: int, side: int, rgb: Rgb) -> Sheet:
        corners = np.array([[x, y - side // 2], [x + side // 2, y + side // 2], [x - side // 2, y + side // 2]])
        cv2.fillPoly(self.picture, [corners.astype(np.int32)], rgb, cv2.LINE_8)
        return self

    def arrow(self, x: int, y: int, length: int, rgb: Rgb = BLACK) -> Sheet:
        """A horizontal arrow from (x, y) to the right."""
        neck = x + length - 14
        outline = [
            [x, y - 3],
            [neck, y - 3],
            [neck, y - 10],
            [x + length, y],
            [neck, y + 10],
            [neck, y + 3],
            [x, y + 3],
        ]
        cv2.fillPoly(self.picture, [np.array(outline, dtype=np.int32)], rgb, cv2.LINE_8)
        return self

    def text(self, words: str, x: int, y: int, rgb: Rgb = BLACK) -> Sheet:
        cv2.putText(self.picture, words, (x, y), cv2.FONT_HERSHEY_DUPLEX, 1.2, rgb, 2, cv2.LINE_8)
        return self

    def view(self) -> View:
        """The picture as the model sees it without loss."""
        return View((Seen(1, "Image 1", self.picture, (self.width, self.height), None),))


PlanOf = Callable[[NDArray[np.uint8], str], Awaitable[Plan]]


@pytest.fixture
def sheet() -> type[Sheet]:
    return Sheet


@pytest.fixture
def plan_of() -> PlanOf:
    """Inspect, crop and Resolve as `plan` does them."""

    async def make(picture: NDArray[np.uint8], goal: str) -> Plan:
        agent = EditAgent(planner=EmbeddedVisionModel(), editor=None)
        planned = await agent.aplan(picture, goal=goal)
        plan = planned.outcome.plan
        assert plan is not None, planned.outcome.notes
        return plan

    return make
