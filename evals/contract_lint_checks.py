"""Remarks on the checks of a contract: places that overlap or exclude each other, checks that can't decide."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Literal

from editplan.evals.checkers.glyphs import readable
from editplan.evals.checkers.instruments import Instruments, lacking, leaves
from editplan.evals.checkers.regions import Region, region_mask
from editplan.evals.checkers.specs import (
    NoResidue,
    ObjectAbsent,
    ObjectMoved,
    TextEquals,
    UnchangedInside,
    UnchangedOutside,
)
from editplan.evals.contracts import Atom, Contract
from editplan.pixels.masks import Mask
from editplan.records import Record

Level = Literal["error", "warning", "note"]

RASTER_PX = 256
"""Regions are compared on a raster of this side."""

FAMILY_KINDS: dict[str, frozenset[str]] = {
    "ocr": frozenset({"text_equals", "text_reads", "text_kept"}),
    "detection": frozenset({"object_count", "part_count", "detected_count", "detected_at"}),
    "segmentation": frozenset(
        {"colour_at", "colour_even", "silhouette_kept", "object_at", "object_absent", "object_moved", "shape_at"}
        | {"segment_kept", "segment_at"}
    ),
    "geometry_topology": frozenset(
        {"region_marked", "path_connects", "part_count", "box_at", "contained", "ordered", "linked", "shape_at"}
    ),
    "preservation": frozenset(
        {"unchanged_inside", "unchanged_outside", "no_residue", "canvas_kept", "similar_outside", "text_kept"}
    ),
}
"""Checker families and the checks that belong to each."""
MODEL_FAMILIES = frozenset({"", "vlm", "vlm_contract_audit", "vlm contract audit"})
"""Families that name no code."""


class LintFinding(Record):
    """One remark on a contract."""

    level: Level
    rule: str
    where: str
    """An atom's id, or the field."""
    text: str


def places(contract: Contract) -> Iterator[LintFinding]:
    """Protected atoms that can't fail alone, and those that every right answer breaks."""
    atoms = list(contract.atoms())
    guarded = [
        (atom, area) for group, atom in atoms if group.role == "protected" and (area := _guarded(atom)) is not None
    ]
    for (first, one), (second, other) in combinations(guarded, 2):
        for inner, outer, small, large in ((first, second, one, other), (second, first, other, one)):
            if small.any() and not (small & ~large).any() and large.sum() != small.sum():
                text = f"lies wholly inside what {outer.id!r} protects: it can't fail alone"
                yield LintFinding(level="warning", rule="alone", where=inner.id, text=text)
    for group, atom in atoms:
        for place in _must_change(atom) if group.role == "required" else ():
            changed = _raster(place)
            for keeper, area in guarded:
                shared = float((changed & area).sum() / max(changed.sum(), 1))
                if shared > 0.5:
                    text = f"protects the very place that {atom.id!r} requires to change: no output passes both"
                    yield LintFinding(level="error", rule="conflict", where=keeper.id, text=text)


def _guarded(atom: Atom) -> Mask | None:
    """What an atom's check keeps from changing."""
    if isinstance(atom.check, UnchangedInside):
        return _raster(atom.check.region)
    if isinstance(atom.check, UnchangedOutside):
        return ~_raster(atom.check.region)
    return None


def _must_change(atom: Atom) -> tuple[Region, ...]:
    """Places that certainly change where the atom holds."""
    if isinstance(atom.check, ObjectMoved | ObjectAbsent):
        return (atom.check.source,)
    return (atom.check.region,) if isinstance(atom.check, NoResidue) else ()


def _raster(region: Region) -> Mask:
    return region_mask(region, RASTER_PX, RASTER_PX)


def unreachable(contract: Contract, instruments: Instruments) -> Iterator[LintFinding]:
    """Checks that can't decide anything, and families that promise code where there is none."""
    for _, atom in contract.atoms():
        family = atom.checker_family.strip().lower()
        if atom.check is None:
            if family not in MODEL_FAMILIES:
                known = "" if family in FAMILY_KINDS else f" (no such family; known: {', '.join(FAMILY_KINDS)})"
                text = f"names the family {family!r} but has no check{known}: only a model will decide it"
                yield LintFinding(level="warning", rule="checker", where=atom.id, text=text)
            continue
        parts = list(leaves(atom.check))
        if family in FAMILY_KINDS and all(part.kind not in FAMILY_KINDS[family] for part in parts):
            text = f"belongs to {family!r}, but its check is {parts[0].kind}"
            yield LintFinding(level="warning", rule="checker", where=atom.id, text=text)
        for part in parts:
            if why := lacking(part, instruments):
                yield LintFinding(level="error", rule="checker", where=atom.id, text=f"{part.kind} {why}")
            elif isinstance(part, TextEquals) and not readable(part.text):
                text = (
                    f"text_equals can't read {part.text!r} (0-9 and A-Z only) and will always abstain: use text_reads"
                )
                yield LintFinding(level="error", rule="checker", where=atom.id, text=text)
