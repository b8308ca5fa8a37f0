"""A small drawn scene with known masks and colours, and the distortions that mustn't matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from editplan.evals.checkers.checker import measured
from editplan.evals.checkers.findings import Finding
from editplan.evals.checkers.regions import BoxRegion, MaskRegion, box_region, mask_region
from editplan.evals.checkers.registration import register
from editplan.evals.checkers.specs import CheckSpec
from editplan.pixels.masks import disc, polygon

Picture = NDArray[np.uint8]
Rgb = tuple[int, int, int]

WIDTH, HEIGHT = 240, 180


@dataclass(frozen=True)
class Thing:
    """A filled shape of one colour."""

    kind: str
    x: float
    y: float
    radius: float
    colour: Rgb

    def mask(self) -> NDArray[np.bool_]:
        if self.kind == "disc":
            return disc((WIDTH, HEIGHT), (self.x, self.y), self.radius)
        r, x, y = self.radius, self.x, self.y
        corners = [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]
        return polygon((WIDTH, HEIGHT), corners if self.kind == "square" else [(x, y - r), *corners[2:]])

    @property
    def region(self) -> MaskRegion:
        return mask_region(self.mask())

    @property
    def hex(self) -> str:
        return "#{:02x}{:02x}{:02x}".format(*self.colour)

    def at(self, x: float, y: float) -> Thing:
        return replace(self, x=x, y=y)

    def painted(self, colour: Rgb) -> Thing:
        return replace(self, colour=colour)


@dataclass(frozen=True)
class Scene:
    """A red disc, a blue square and a green triangle on plain paper."""

    disc: Thing = Thing("disc", 50, 50, 18, (200, 40, 40))
    square: Thing = Thing("square", 170, 55, 16, (40, 70, 200))
    triangle: Thing = Thing("triangle", 60, 130, 18, (40, 150, 70))
    extra: tuple[Thing, ...] = ()
    hidden: tuple[str, ...] = ()
    paper: Rgb = (236, 232, 224)
    noise: float = 0.0

    def draw(self) -> Picture:
        image = np.empty((HEIGHT, WIDTH, 3), dtype=np.float64)
        image[:] = self.paper
        things = [getattr(self, name) for name in ("disc", "square", "triangle") if name not in self.hidden]
        for thing in (*things, *self.extra):
            image[thing.mask()] = thing.colour
        if self.noise:
            image += np.random.default_rng(0).normal(0, self.noise, image.shape)
        return np.clip(np.rint(image), 0, 255).astype(np.uint8)

    def but(self, **changes: object) -> Scene:
        return replace(self, **changes)  # type: ignore[arg-type]

    def having(self, *things: Thing) -> Scene:
        return replace(self, extra=(*self.extra, *things))

    def without(self, *names: str) -> Scene:
        return replace(self, hidden=names)

    def box(self, left: float, top: float, right: float, bottom: float) -> BoxRegion:
        """The region of a box in pixels."""
        return box_region((left / WIDTH, top / HEIGHT, right / WIDTH, bottom / HEIGHT))

    @property
    def everywhere(self) -> BoxRegion:
        return box_region((0.0, 0.0, 1.0, 1.0))


def jpeg(image: Picture) -> Picture:
    import cv2

    _, data = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 85])
    return np.ascontiguousarray(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)[..., ::-1])


def doubled(image: Picture) -> Picture:
    import cv2

    return np.asarray(cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def shifted(image: Picture) -> Picture:
    return np.roll(jpeg(image), (2, 3), (0, 1))


@pytest.fixture
def scene() -> Scene:
    return Scene()


@pytest.fixture(params=["exact", "noisy", "jpeg", "doubled", "shifted"])
def rendered(request: pytest.FixtureRequest) -> Callable[[Scene], Picture]:
    """A scene as an editor might return it: exact, with noise, compressed, at another size, a little moved."""
    treat = {"jpeg": jpeg, "doubled": doubled, "shifted": shifted}.get(request.param, lambda image: image)
    noise = 4.0 if request.param == "noisy" else 0.0
    return lambda scene: treat(scene.but(noise=noise).draw())


@pytest.fixture
def finding(scene: Scene) -> Callable[[CheckSpec, Picture], Finding]:
    """What a spec measures on the scene and an output of it."""
    return lambda spec, after: measured(spec, register(scene.draw(), after))
