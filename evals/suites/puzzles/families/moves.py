"""Moving figures into frames: what move, empty slot and sort have in common."""

from __future__ import annotations

from collections.abc import Sequence

from editplan.evals.checkers.regions import Region
from editplan.evals.checkers.specs import CheckSpec, NoResidue, ObjectAbsent, ObjectAt, ObjectMoved, UnchangedInside
from editplan.evals.contracts import CriterionGroup
from editplan.evals.suites.puzzles import wording
from editplan.evals.suites.puzzles.atoms import Claim, either, group, pixel_region, region
from editplan.evals.suites.puzzles.puzzle import Footprint
from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Figure, Frame, Spot

Step = tuple[Figure, Spot]


def moved(source: Scene, name: str, admissible: bool, *steps: Step) -> Footprint:
    """The transition that moves some figures."""
    return Footprint(
        name,
        admissible,
        " ".join(wording.move(source, figure, spot) for figure, spot in steps),
        source,
        source.swapped(*((figure, figure.moved(spot)) for figure, spot in steps)),
    )


def copied(source: Scene, name: str, figure: Figure, spot: Spot) -> Footprint:
    """The wrong transition that leaves the original where it was."""
    return Footprint(name, False, wording.copy(source, figure, spot), source, source.plus(figure.moved(spot)))


def landing(source: Scene, figure: Figure, frame: Frame, *, wholly: bool) -> Region:
    """Where the figure's centre may be for the figure to be in the frame, wholly or for the most part."""
    x1, y1, x2, y2 = frame.inner
    slack = figure.side // 2 if wholly else figure.side // 4
    across, down = max((x2 - x1) // 2 - slack, 7), max((y2 - y1) // 2 - slack, 7)
    x, y = frame.centre
    return pixel_region(source, (x - across, y - down, x + across + 1, y + down + 1))


def required_move(source: Scene, figure: Figure, frames: Sequence[Frame]) -> tuple[CriterionGroup, ...]:
    """The figure must stand in one of the frames and nowhere else."""
    place = region(figure.mask(source.size))
    arrives: list[CheckSpec] = [
        ObjectAt(source=place, destination=landing(source, figure, frame, wholly=False)) for frame in frames
    ]
    wholly: list[CheckSpec] = [
        ObjectMoved(source=place, destination=landing(source, figure, frame, wholly=True)) for frame in frames
    ]
    return (
        group(
            "required",
            "semantic",
            "transfer",
            Claim("arrived", f"The {figure.name} is in the box it belongs in", either(arrives), "It is damaged."),
            Claim("left", f"The {figure.name} no longer stands at its old place", ObjectAbsent(source=place)),
        ),
        group(
            "required",
            "relational",
            "fit",
            Claim(
                "inside", "It stands wholly inside the box's outline, as one piece", either(wholly), "A copy does."
            ),
        ),
        group(
            "required",
            "visual",
            "old_place",
            Claim("no_residue", "Its old place is clean background", NoResidue(region=place), "A faint trace."),
        ),
    )


def one_stays_empty(source: Scene, frames: Sequence[Frame]) -> tuple[CriterionGroup, ...]:
    """Where several frames would do, all but one stay empty."""
    if len(frames) == 1:
        return ()
    checks = [UnchangedInside(region=pixel_region(source, frame.inner)) for frame in frames]
    claim = Claim("other_box_empty", "The box that isn't needed stays empty", either(checks))
    return (group("protected", "relational", "keep_other_box", claim),)
