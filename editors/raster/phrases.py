"""What the grammar reads out of an instruction: references, places, colours, amounts, commands."""

from __future__ import annotations

from dataclasses import dataclass, field

Rgb = tuple[int, int, int]


@dataclass(frozen=True)
class Place:
    """A point: percent coordinates, or a landmark of a shape, of an outline or of the picture."""

    point: tuple[float, float] | None = None
    """Percent of width and height."""
    landmark: str = ""
    """A name of `editplan.recognition.landmarks`."""
    of: Selection | None = None
    """None with a landmark means the picture."""


@dataclass(frozen=True)
class Selection:
    """A reference to shapes or outlines by what is said of them."""

    text: str = ""
    every: bool = False
    """ "all", "every", or a plural."""
    pronoun: bool = False
    """ "it", "them": what the clause before spoke of."""
    others: bool = False
    """ "the others", "everything else": what the clause before did not speak of."""
    colour: str | None = None
    rgb: Rgb | None = None
    colours: tuple[tuple[str | None, Rgb | None], ...] = ()
    """Further colours that will also do: "red and green shapes"."""
    kind: str | None = None
    outlined: bool = False
    """An outline's region, and not a filled shape."""
    position: str | None = None
    ordinal: int | None = None
    """Counted from `position`, or in reading order; -1 is the last."""
    place: Place | None = None
    """ "at (x%, y%)" """
    places: tuple[Place, ...] = ()
    """ "the shapes at (x%, y%), (x%, y%) and (x%, y%)": one shape each."""
    near: Place | None = None
    inside: Selection | None = None
    corners: tuple[Place, Place] | None = None
    """A rectangle by two opposite corners: a region without an outline."""
    content: str = ""
    """Pixels of a region: "" (all), "pixels" (all, said so), "background", "foreground"; "picture" is all of it."""
    without: tuple[Selection, ...] = ()
    """Exceptions."""
    new: bool = False
    """Introduced by "a": something to be drawn, where the verb draws."""
    also: tuple[Selection, ...] = ()
    """Further references joined by "and"."""
    unknown: tuple[str, ...] = ()
    """Words of the reference that were not understood."""


@dataclass(frozen=True)
class Colour:
    """A colour by name, hex, or as another shape has it."""

    name: str | None = None
    rgb: Rgb | None = None
    of: Selection | None = None


@dataclass(frozen=True)
class Amount:
    """A number with its unit: "width" and "height" are percent of the picture's, "own" percent of the shape's own."""

    value: float
    unit: str
    """ "width" | "height" | "own" | "opacity" | "degrees" | "pixels" | "number" | "percent" """
    role: str = ""
    """What it measures, where the words say so: "stroke" | "radius" | "diameter" | "opacity" | "height"."""


@dataclass(frozen=True)
class Halo:
    """All pixels within a distance of a shape, without the shape."""

    distance: Amount
    around: Selection


@dataclass(frozen=True)
class Layer:
    """ "top" or "bottom": over or under what is there."""

    order: str


@dataclass(frozen=True)
class Exclusion:
    """ "except ...", "unless it is ..." beside the clause's own reference."""

    selection: Selection


@dataclass(frozen=True)
class Direction:
    vector: tuple[int, int]


@dataclass(frozen=True)
class Side:
    """ "at the top edge", "the top-left corner" of what a clause works on."""

    name: str


@dataclass(frozen=True)
class Quoted:
    text: str


@dataclass(frozen=True)
class Verb:
    operation: str
    word: str


@dataclass(frozen=True)
class Plain:
    """A word that carries structure ("to", "by", "horizontally") or that isn't known."""

    word: str


Chunk = Place | Selection | Colour | Amount | Halo | Layer | Exclusion | Direction | Side | Quoted | Verb | Plain


@dataclass
class Clause:
    """One part of an instruction with its chunks, in order."""

    text: str
    chunks: list[Chunk] = field(default_factory=list)
