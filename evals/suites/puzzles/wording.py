"""Sentences about figures."""

from __future__ import annotations

from collections.abc import Sequence

from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Figure, Spot


def listed(figures: Sequence[Figure]) -> str:
    """The figures by name, as the beginning of a sentence about several or one."""
    names = [f"the {figure.name}" for figure in figures]
    text = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1] if names else "nothing"
    return text[:1].upper() + text[1:]


def plural(kind: str) -> str:
    """The plural of a shape's name."""
    return f"{kind}es" if kind.endswith("s") else f"{kind}s"


def with_article(word: str) -> str:
    """ "a red", "an orange"."""
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def recolour(scene: Scene, figure: Figure, colour: str) -> str:
    """Explicit instruction."""
    return f"Recolor the {figure.name} at {scene.at(figure.centre)} to {colour}."


def move(scene: Scene, figure: Figure, spot: Spot) -> str:
    """Explicit instruction."""
    return f"Move the {figure.name} at {scene.at(figure.centre)} to {scene.at(spot)}."


def copy(scene: Scene, figure: Figure, spot: Spot) -> str:
    """Explicit instruction."""
    return f"Copy the {figure.name} at {scene.at(figure.centre)} to {scene.at(spot)}."


def remove(scene: Scene, figure: Figure) -> str:
    """Explicit instruction."""
    return f"Remove the {figure.name} at {scene.at(figure.centre)}."


def write(scene: Scene, text: str, spot: Spot) -> str:
    """Explicit instruction."""
    return f'Write "{text}" at {scene.at(spot)}.'
