"""Contracts out of masks: claims with their checks, and the protected groups that every case has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from editplan.evals.checkers.regions import Region, box_region, mask_region
from editplan.evals.checkers.specs import (
    AllOf,
    AnyOf,
    CanvasKept,
    CheckSpec,
    ColourAt,
    ColourEven,
    ShapeAt,
    UnchangedInside,
    UnchangedOutside,
)
from editplan.evals.contracts import Atom, CriterionGroup, Role
from editplan.evals.suites.puzzles.palette import named_values
from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Thing
from editplan.pixels.geometry import PixelBox
from editplan.pixels.masks import Mask, grown

HALO_PX = 14
"""Width of the band around the editable places that is judged apart from the rest of the ground."""

_FAMILIES = {
    "text_equals": "ocr",
    "object_count": "detection",
    "unchanged_outside": "preservation",
    "unchanged_inside": "preservation",
    "no_residue": "preservation",
    "canvas_kept": "preservation",
    "path_connects": "geometry_topology",
    "region_marked": "geometry_topology",
}


@dataclass(frozen=True)
class Claim:
    """One observable statement about the output, and how code decides it."""

    id: str
    text: str
    check: CheckSpec
    partial: str = "Only in part."

    def atom(self) -> Atom:
        """The contract's atom."""
        return Atom(
            id=self.id,
            question_en=f"Is it true of the output: {self.text[0].lower()}{self.text[1:]}?",
            pass_criteria=f"{self.text}.",
            partial_criteria=self.partial,
            fail_criteria="It does not hold.",
            checker_family=_FAMILIES.get(_leaf(self.check).kind, "segmentation"),
            check=self.check,
        )


@dataclass(frozen=True)
class Kept:
    """Things that must stay as they are, under one claim."""

    id: str
    text: str
    things: tuple[Thing, ...]
    property: str = "semantic_accuracy"
    pass_changed: float = 0.02
    fail_changed: float = 0.2


def group(role: Role, aspect: str, name: str, *claims: Claim) -> CriterionGroup:
    """A criterion group; `aspect` is "semantic", "relational" or "visual"."""
    return CriterionGroup(
        role=role,
        property=_PROPERTIES[aspect],
        criterion_group_id=name,
        atoms=tuple(claim.atom() for claim in claims),
    )


_PROPERTIES = {
    "semantic": "semantic_accuracy",
    "relational": "relational_accuracy",
    "visual": "visual_quality",
}


def protected_groups(
    scene: Scene, editable: Mask, kept: Sequence[Kept], also: Sequence[CriterionGroup] = ()
) -> tuple[CriterionGroup, ...]:
    """The protected side of a contract: bystanders, ground near and far, canvas. All regions are disjoint, so each
    claim can fail alone."""
    groups = []
    for item in kept:
        where = scene.mask(*item.things) & ~editable
        if where.any():
            check = UnchangedInside(
                region=mask_region(where), pass_changed=item.pass_changed, fail_changed=item.fail_changed
            )
            groups.append(
                CriterionGroup(
                    role="protected",
                    property=item.property,
                    criterion_group_id=f"keep_{item.id}",
                    atoms=(Claim(item.id, item.text, check).atom(),),
                )
            )
    return (*groups, *also, *_ground_groups(scene, editable))


def _ground_groups(scene: Scene, editable: Mask) -> tuple[CriterionGroup, ...]:
    things = scene.mask(*scene.things)
    near = grown(editable, HALO_PX)
    band = near & ~grown(editable, 1) & ~grown(things, 1)
    ground = [
        Claim(
            "ground_elsewhere",
            "The background away from the edit is as in the source",
            UnchangedOutside(region=mask_region(things | near)),
        )
    ]
    if band.any():
        check = UnchangedInside(region=mask_region(band))
        ground.append(Claim("ground_around", "The background right around the edit has no halo or stain", check))
    canvas = Claim(
        "canvas", "The picture has the source's size and aspect", CanvasKept(), "Another size, same aspect."
    )
    return group("protected", "visual", "ground", *ground), group("protected", "visual", "canvas", canvas)


def region(mask: Mask) -> Region:
    """A mask as a contract carries it."""
    return mask_region(mask)


def pixel_region(scene: Scene, box: PixelBox) -> Region:
    """A pixel box as a contract carries it."""
    return box_region(scene.box(box))


def either(checks: Sequence[CheckSpec]) -> CheckSpec:
    """At least one of some checks."""
    return checks[0] if len(checks) == 1 else AnyOf(checks=tuple(checks))


def every(checks: Sequence[CheckSpec]) -> CheckSpec:
    """All of some checks."""
    return checks[0] if len(checks) == 1 else AllOf(checks=tuple(checks))


def in_any_shade(name: str, check: Callable[[str], CheckSpec]) -> CheckSpec:
    """A check of a colour that any value of the name may pass."""
    return either([check(value) for value in named_values(name)])


def painted(where: Mask, name: str) -> CheckSpec:
    """A region shows a named colour."""
    place = region(where)
    return in_any_shade(name, lambda value: ColourAt(region=place, colour=value, tolerance=14.0))


def outlined(where: Mask, name: str) -> CheckSpec:
    """What was newly painted in a named colour has exactly this outline."""
    place = region(where)
    return in_any_shade(name, lambda value: ShapeAt(shape=place, colour=value))


def evenly_painted(where: Mask, name: str) -> CheckSpec:
    """A region is mostly of a named colour, without streaks or spots."""
    place = region(where)
    mostly = in_any_shade(name, lambda value: ColourAt(region=place, colour=value, tolerance=20.0, pass_share=0.8))
    return AllOf(checks=(mostly, ColourEven(region=place)))


def _leaf(check: CheckSpec) -> CheckSpec:
    """The first measurement in a combined check."""
    while isinstance(check, AnyOf | AllOf):
        check = check.checks[0]
    return check
