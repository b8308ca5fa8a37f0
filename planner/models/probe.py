"""Finds out what a vision model can do, by asking: does it see, take a JSON schema, and how does it write boxes?"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from editplan.boxes import BoxConvention, box_words, to_unit
from editplan.calls.journal import Journal
from editplan.calls.layer import CallPolicy, Calls
from editplan.calls.session import CallSession, Scope
from editplan.errors import CallFailure, Rejected
from editplan.planner.models.base import boxes_of
from editplan.planner.models.registry import resolve
from editplan.planner.parsing import parse_reply
from editplan.planner.schemas import NUMBER, TEXT, closed, listed
from editplan.prompts.loader import PromptLibrary
from editplan.protocols import VisionModel, close
from editplan.records import Ask, Box, Media, Part, Record, Reply
from editplan.specs import ModelSpec, parse_spec
from editplan.store import ImageStore

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE = (640, 480)
COLOURS = {"red": (255, 0, 0), "blue": (0, 0, 255), "green": (0, 128, 0)}
SHAPES = ("circle", "square", "triangle")
_GOOD_OVERLAP = 0.6
_ALIKE = 0.02
"""Conventions that fit about equally: then the model family's own is kept."""
_SCHEMA = closed(objects=listed(closed(colour=TEXT, shape=TEXT, bbox={"type": "array", "items": NUMBER})))


class Thing(Record):
    """One object of the picture, or one that a model reports."""

    colour: str
    shape: str
    box: Box


class Tried(Record):
    """One box convention: how well the model's boxes fit when they are asked for and read in it."""

    convention: BoxConvention
    overlap: float
    """Mean intersection over union, 0..1."""
    failure: str = ""


class Probed(Record):
    """What was found, and the spec to use."""

    spec: str
    sees: bool
    """Whether it named each object's colour and shape."""
    json_schema: bool
    temperature: bool
    boxes: BoxConvention | None
    """The convention that fits best; None where none fits well."""
    tried: tuple[Tried, ...]
    calls: int
    notes: tuple[str, ...] = ()


async def probe(text: str, *, seed: int = 0) -> Probed:
    """Draws a picture, asks about it in each convention, and compares. About five calls.

    Raises `ConfigError` where the spec, its key or its server is wrong, and the `CallFailure` of a model that answers
    nothing at all.
    """
    spec = parse_spec(text)
    things = _things(random.Random(seed))
    images = ImageStore()
    media = images.add_picture(drawn(things))
    journal = Journal()
    try:
        prober = _Prober(Calls(journal, images, CallPolicy()), media, things)
        return await prober.run(spec)
    finally:
        journal.close()


class _Prober:
    def __init__(self, calls: Calls, media: Media, things: Sequence[Thing]) -> None:
        self._calls, self._media, self._things = calls, media, things
        self._session = CallSession(calls, Scope(case_id="probe", condition="probe"))
        self._notes: list[str] = []
        self._count = 0

    async def run(self, spec: ModelSpec) -> Probed:
        spec, schema, temperature = await self._settings(spec)
        tried, sees = [], False
        for convention in self._conventions(spec):
            one, seen = await self._in(spec, convention)
            tried.append(one)
            sees = sees or seen
        most = max(one.overlap for one in tried)
        best = next(one for one in tried if one.overlap >= most - _ALIKE)
        fits = best.overlap >= _GOOD_OVERLAP
        chosen = _with(spec, bbox=best.convention.value) if fits and _takes(spec, "bbox") else spec
        return Probed(
            spec=str(chosen),
            sees=sees,
            json_schema=schema,
            temperature=temperature,
            boxes=best.convention if fits else None,
            tried=tuple(tried),
            calls=len(self._session.ledger.calls),
            notes=tuple(self._notes),
        )

    async def _settings(self, spec: ModelSpec) -> tuple[ModelSpec, bool, bool]:
        """The spec without what the server refuses: first the schema, then the temperature."""
        schema = temperature = True
        for _ in range(3):
            try:
                await self._ask(spec, boxes_of(resolve(spec)))
            except Rejected as error:
                refused = str(error).lower()
                if temperature and "temperature" in refused and _takes(spec, "temperature"):
                    spec, temperature = _with(spec, temperature="off"), False
                elif schema and _takes(spec, "json_schema"):
                    spec, schema = _with(spec, json_schema="off"), False
                else:
                    raise
                self._notes.append(str(error))
            else:
                break
        return spec, schema, temperature

    def _conventions(self, spec: ModelSpec) -> tuple[BoxConvention, ...]:
        """The model's own convention first: of equals it wins."""
        own = boxes_of(resolve(spec))
        others = tuple(each for each in BoxConvention if each is not own)
        return (own, *others) if _takes(spec, "bbox") else (own,)

    async def _in(self, spec: ModelSpec, convention: BoxConvention) -> tuple[Tried, bool]:
        asked = _with(spec, bbox=convention.value) if _takes(spec, "bbox") else spec
        try:
            reply, size = await self._ask(asked, convention)
        except CallFailure as failure:
            return Tried(convention=convention, overlap=0.0, failure=str(failure)), False
        found = reported(reply.text, convention, size)
        overlap = sum(_overlap(each, found) for each in self._things) / len(self._things)
        named = {(each.colour, each.shape) for each in found}
        return Tried(convention=convention, overlap=overlap), named >= {(x.colour, x.shape) for x in self._things}

    async def _ask(self, spec: ModelSpec, convention: BoxConvention) -> tuple[Reply, tuple[int, int]]:
        model: VisionModel = resolve(spec)
        rendered = PromptLibrary().render("probe", {"boxes": box_words(convention)})
        ask = Ask(
            task="probe",
            prompt_id=rendered.prompt_id,
            text=rendered.text,
            parts=(Part(media=self._media, label="Image 1"),),
            json_schema=_SCHEMA,
            temperature=0.0,
            max_tokens=2000,
        )
        sent_size = getattr(model, "sent_size", lambda media: (media.width, media.height))
        self._count += 1
        try:
            return await self._session.ask(model, ask, node=f"probe-{self._count}"), sent_size(self._media)
        finally:
            await close(model)


def reported(text: str, convention: BoxConvention, size: tuple[int, int]) -> tuple[Thing, ...]:
    """The objects of a reply that can be read; boxes that fit no convention are left out."""
    found = []
    for each in _objects(text):
        box = to_unit(each.get("bbox") or (), convention, size)
        if box is not None:
            colour, shape = str(each.get("colour", "")).lower(), str(each.get("shape", "")).lower()
            found.append(Thing(colour=colour, shape=shape, box=box))
    return tuple(found)


def _objects(text: str) -> list[dict[str, Any]]:
    parsed = parse_reply(text, ("objects",)).value
    objects = (parsed or {}).get("objects")
    return [each for each in objects if isinstance(each, dict)] if isinstance(objects, list) else []


def _overlap(thing: Thing, found: Sequence[Thing]) -> float:
    """The best intersection over union among the boxes reported with this colour."""
    return max((_iou(thing.box, each.box) for each in found if each.colour == thing.colour), default=0.0)


def _iou(a: Box, b: Box) -> float:
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def _things(draw: random.Random) -> tuple[Thing, ...]:
    """Three objects in three columns; asymmetric, so that no convention is mistaken for another."""
    shapes = draw.sample(SHAPES, 3)
    things = []
    for column, (colour, shape) in enumerate(zip(COLOURS, shapes, strict=True)):
        side = draw.randrange(90, 150)
        left = column * SIZE[0] // 3 + draw.randrange(10, SIZE[0] // 3 - side - 10)
        top = draw.randrange(20, SIZE[1] - side - 20)
        box = (left / SIZE[0], top / SIZE[1], (left + side) / SIZE[0], (top + side) / SIZE[1])
        things.append(Thing(colour=colour, shape=shape, box=box))
    return tuple(things)


def drawn(things: Sequence[Thing]) -> Image:
    """The picture of these objects."""
    import PIL.Image
    from PIL import ImageDraw

    picture = PIL.Image.new("RGB", SIZE, (255, 255, 255))
    pen = ImageDraw.Draw(picture)
    for thing in things:
        x1, y1, x2, y2 = (round(edge * side) for edge, side in zip(thing.box, (*SIZE, *SIZE), strict=True))
        corners = (x1, y1, x2 - 1, y2 - 1)
        if thing.shape == "circle":
            pen.ellipse(corners, fill=COLOURS[thing.colour])
        elif thing.shape == "square":
            pen.rectangle(corners, fill=COLOURS[thing.colour])
        else:
            pen.polygon([(x1, y2 - 1), ((x1 + x2) // 2, y1), (x2 - 1, y2 - 1)], fill=COLOURS[thing.colour])
    return picture


def _takes(spec: ModelSpec, option: str) -> bool:
    return spec.provider != "embedded" and option in {"bbox", "json_schema", "temperature"}


def _with(spec: ModelSpec, **options: str) -> ModelSpec:
    return spec.model_copy(update={"options": tuple(sorted({**dict(spec.options), **options}.items()))})
