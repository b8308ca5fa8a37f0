"""The generator's facts of a problem, which are its answer.

They are read for the oracle's specification and for the as-worded view, never for another condition.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from editplan.errors import DatasetError
from editplan.evals.plain_json import strict_json
from editplan.evals.protocols.paintbench.places import changed_places, shift_of
from editplan.evals.protocols.paintbench.problems import PaintProblem
from editplan.evals.protocols.paintbench.tiles import tiles_at

Facts = dict[str, Any]

COLOUR_NAMES = {
    "#FF0000": "red",
    "#FFA500": "orange",
    "#FFFF00": "yellow",
    "#00FF00": "green",
    "#0000FF": "blue",
    "#800080": "purple",
    "#FFC0CB": "pink",
    "#8B4513": "brown",
    "#000000": "black",
    "#808080": "gray",
    "#FFFFFF": "white",
    "#C31B37": "crimson",
    "#F47B16": "tangerine-colored",
    "#E4BA18": "gold",
    "#717A1E": "olive-colored",
    "#0FE1DF": "cyan",
    "#D9D2E9": "lavender",
    "#F20DD8": "magenta",
    "#CBAA85": "tan-colored",
    "#101211": "jet black",
    "#BBBCBA": "silver",
    "#F8F6E8": "ivory white",
}
"""The benchmark's two palettes, in its own words."""

_UPRIGHT_SHAPES = {"circle", "rectangle", "ring", "cloud"}
"""Never turned by the generator, or unchanged by a turn."""
_POINTED_AT = re.compile(r"the color of the shape at \([\d.]+%, [\d.]+%\)")
_ALIGNED = re.compile(
    r"(?P<move>Translate .+?) (?:(?:horizontally|vertically) )?so that its [^.]+ aligns [^.]+\.(?P<rest>.*)$",
    re.DOTALL,
)
_LEAST_SHIFT = 0.0005
"""Half a pixel of the benchmark's canvases; a smaller shift is the raster's."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def read_facts(problem: PaintProblem) -> Facts:
    """The facts file of a problem. Raises `DatasetError` if it is missing or no JSON object."""
    path: Path = problem.facts_path
    if not path.is_file():
        raise DatasetError(f"{path}: the generator's facts of {problem.id} are missing")
    try:
        facts = strict_json(path.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as error:
        raise DatasetError(f"{path}: no JSON: {error}") from error
    except DatasetError as error:
        raise DatasetError(f"{path}: {error}") from error
    if not isinstance(facts, dict):
        raise DatasetError(f"{path}: an object is expected, not {type(facts).__name__}")
    return facts


def follows_words(problem: PaintProblem) -> bool:
    """False where the published answer does something else than the instruction says.

    That is every rotation, and one-axis scaling of a shape that the generator may have turned: its answer
    scales the shape's own axis and not the bounding box that the words name.
    """
    if problem.task == "rotation":
        return False
    if problem.task != "scaling" or not re.search(r"\b(horizontally|vertically)\b", problem.instruction):
        return True
    return read_facts(problem).get("target_shape") in _UPRIGHT_SHAPES


def answer_in_words(problem: PaintProblem) -> str | None:
    """What the answer shows, as an explicit instruction; None where the instruction is explicit already,
    or where the facts don't give the missing value."""
    tell = _TELLERS.get(problem.task)
    if tell is None or problem.regime == "IS":
        return None
    try:
        return tell(problem, read_facts(problem))
    except (KeyError, TypeError, ValueError) as error:
        raise DatasetError(f"{problem.facts_path}: not the facts of a {problem.task} problem: {error!r}") from error


def _comparison(problem: PaintProblem, facts: Facts) -> str | None:
    places = changed_places(problem)
    if not places:
        return None
    # Another shape may lie over the removed one and part it: its largest piece is pointed at.
    place = max(places, key=lambda piece: piece.n_pixels)
    return f"Remove the {_shape(facts['color'], facts['shape'])} at {place.percent()}. Keep all other shapes."


def _counting(problem: PaintProblem, facts: Facts) -> str:
    total, kept = int(facts["n"]), int(facts["k"])
    first, last = ("left", "right") if facts["side"] in ("top", "bottom") else ("top", "bottom")
    end = last if facts["remove_end"] == "end" else first
    tallies = f"{_colour(facts['tally_color'])} shapes arranged in a line on the {facts['side']} of the image"
    return f"Of the {total} {tallies}, remove the {total - kept} nearest the {end}, so that {kept} of them remain."


def _legend(problem: PaintProblem, facts: Facts) -> str:
    clauses = [
        f"remove all {_colour(old)} shapes" if new == "X" else f"recolor all {_colour(old)} shapes to {_coded(new)}"
        for old, new in facts["mapping"].items()
    ]
    side = facts["side"]
    return f"Outside the legend at the {side} of the image, {_joined(clauses)}. Keep the legend as it is."


def _ordering(problem: PaintProblem, facts: Facts) -> str:
    sizes = [float(size) for size in facts["input_sizes"]]
    wanted = [float(size) for size in facts["sorted_sizes"]]
    come_from = [sizes.index(size) for size in wanted]
    direction = "left to right" if facts["axis"] == "horizontal" else "top to bottom"
    moves = [
        f"the {_ordinal(old)} shape moves to the {_ordinal(new)} box"
        for new, old in enumerate(come_from)
        if new != old
    ]
    if not moves:
        return "The shapes are in the right boxes already: change nothing."
    return f"Counting {direction}, {_joined(moves)}. Keep each shape in the same position inside its box."


def _pattern(problem: PaintProblem, facts: Facts) -> str | None:
    places = changed_places(problem)
    tiles = tiles_at(problem, facts, places) if len(places) == int(facts["n_removed"]) else None
    if tiles is None:
        return None
    drawn = [
        f"a {_shape(tile['color'], tile['shape'])} at {place.percent()}"
        for tile, place in zip(tiles, places, strict=True)
    ]
    size = "in the size and the orientation of its like in the pattern"
    return f"Draw {_joined(drawn)}, {'each ' if len(drawn) > 1 else ''}{size}."


def _align(problem: PaintProblem, facts: Facts) -> str | None:
    shift = shift_of(problem, facts["target_color"])
    match = _ALIGNED.match(problem.instruction)
    if shift is None or match is None:
        return None
    right, down = shift
    amounts = [
        f"{word} by {abs(share):.2%} of the image {side}"
        for share, word, side in (
            (right, "right" if right > 0 else "left", "width"),
            (down, "down" if down > 0 else "up", "height"),
        )
        if abs(share) >= _LEAST_SHIFT
    ]
    return f"{match['move']} {' and '.join(amounts)}.{match['rest']}"


def _dropper(problem: PaintProblem, facts: Facts) -> str | None:
    explicit, replaced = _POINTED_AT.subn(_coded(facts["sampled_color"]), problem.instruction)
    return explicit if replaced == 1 else None


def _scaling(problem: PaintProblem, facts: Facts) -> str | None:
    if "factor" not in facts:
        return None
    told = re.sub(
        r"so its bounding box (height|width) matches the bounding box \1 of [^,]+,",
        f"so its bounding box is {float(facts['factor']):.2%} of its current size,",
        problem.instruction,
    )
    return told if told != problem.instruction else None


_TELLERS: dict[str, Callable[[PaintProblem, Facts], str | None]] = {
    "comparison": _comparison,
    "counting": _counting,
    "legend": _legend,
    "ordering": _ordering,
    "pattern": _pattern,
    "recolor": _dropper,
    "scaling": _scaling,
    "translation": _align,
}


def _colour(code: str) -> str:
    return COLOUR_NAMES.get(code.upper(), code.upper())


def _coded(code: str) -> str:
    name = _colour(code)
    return name if name == code.upper() else f"{name} ({code.upper()})"


def _shape(colour: str, shape: str) -> str:
    return f"{_colour(colour)} {shape}"


def _ordinal(index: int) -> str:
    return _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"


def _joined(clauses: list[str]) -> str:
    return clauses[0] if len(clauses) == 1 else ", ".join(clauses[:-1]) + " and " + clauses[-1]
