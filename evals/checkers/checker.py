"""The checker that decides every spec of this package, and its version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from editplan.errors import ConfigError
from editplan.evals.checkers import model_specs, specs, topology_specs
from editplan.evals.checkers.colour import check_colour_at, check_colour_even
from editplan.evals.checkers.detection import check_detected_at, check_detected_count
from editplan.evals.checkers.findings import Finding, best, unmeasured, worst
from editplan.evals.checkers.instruments import NEEDS, NO_INSTRUMENTS, Instruments, lacking
from editplan.evals.checkers.marks import check_path_connects, check_region_marked
from editplan.evals.checkers.objects import check_object_absent, check_object_at, check_object_moved
from editplan.evals.checkers.ocr import check_text_kept, check_text_reads
from editplan.evals.checkers.pair import Pair
from editplan.evals.checkers.preservation import (
    check_canvas_kept,
    check_no_residue,
    check_unchanged_inside,
    check_unchanged_outside,
)
from editplan.evals.checkers.registration import register
from editplan.evals.checkers.segmentation import check_segment_at, check_segment_kept
from editplan.evals.checkers.shapes import check_object_count, check_shape_at, check_silhouette_kept
from editplan.evals.checkers.similarity import check_similar_outside
from editplan.evals.checkers.text import check_text_equals
from editplan.evals.checkers.topology import (
    check_box_at,
    check_contained,
    check_linked,
    check_ordered,
    check_part_count,
)
from editplan.evals.contracts import Atom
from editplan.evals.verdicts import AtomVerdict

CHECKS: dict[type, Callable[[Any, Pair], Finding]] = {
    specs.ColourAt: check_colour_at,
    specs.ColourEven: check_colour_even,
    specs.SilhouetteKept: check_silhouette_kept,
    specs.ObjectAt: check_object_at,
    specs.ObjectAbsent: check_object_absent,
    specs.ObjectMoved: check_object_moved,
    specs.ObjectCount: check_object_count,
    specs.ShapeAt: check_shape_at,
    specs.UnchangedOutside: check_unchanged_outside,
    specs.UnchangedInside: check_unchanged_inside,
    specs.NoResidue: check_no_residue,
    specs.TextEquals: check_text_equals,
    specs.RegionMarked: check_region_marked,
    specs.PathConnects: check_path_connects,
    specs.CanvasKept: check_canvas_kept,
    specs.SimilarOutside: check_similar_outside,
    topology_specs.PartCount: check_part_count,
    topology_specs.BoxAt: check_box_at,
    topology_specs.Contained: check_contained,
    topology_specs.Ordered: check_ordered,
    topology_specs.Linked: check_linked,
}
"""One measurement a spec that pixels decide; `AnyOf` and `AllOf` combine them."""

BY_INSTRUMENT: dict[type, Callable[[Any, Pair, Any], Finding]] = {
    model_specs.TextReads: check_text_reads,
    model_specs.TextKept: check_text_kept,
    model_specs.DetectedCount: check_detected_count,
    model_specs.DetectedAt: check_detected_at,
    model_specs.SegmentKept: check_segment_kept,
    model_specs.SegmentAt: check_segment_at,
}
"""One measurement a spec that an instrument decides; `NEEDS` says which instrument."""

VERSION = 2
"""Raised whenever a change can alter a verdict."""


class SpecChecker:
    """Decides an atom by its `check`; what has none, or can't be measured, abstains."""

    def __init__(self, instruments: Instruments = NO_INSTRUMENTS) -> None:
        self.instruments = instruments

    @property
    def id(self) -> str:
        """Name and version, and the instruments that it works with."""
        return "+".join((f"spec-checker@{VERSION}", *self.instruments.ids))

    def check(self, atom: Atom, before: NDArray[np.uint8], after: NDArray[np.uint8]) -> AtomVerdict:
        """The verdict on one atom, from source and output (H x W x 3, uint8 sRGB, any size of the output)."""
        return self.check_pair(atom, register(before, after))

    def check_pair(self, atom: Atom, pair: Pair) -> AtomVerdict:
        """The verdict on one atom of an output that is already registered to its source."""
        if atom.check is None:
            return AtomVerdict(id=atom.id, verdict="abstain", confidence=0.0, reason="no check is assigned")
        finding = measured(atom.check, pair, self.instruments)
        return AtomVerdict(
            id=atom.id,
            verdict=finding.verdict,
            confidence=0.0 if finding.verdict == "abstain" else 1.0,
            reason=f"{finding.reason} ({pair.note})" if pair.note else finding.reason,
            evidence=finding.evidence,
            box=finding.box,
        )


def measured(spec: specs.CheckSpec, pair: Pair, instruments: Instruments = NO_INSTRUMENTS) -> Finding:
    """The finding of any spec on a pair.

    Raises `ConfigError` for a spec whose instrument isn't there: `require_instruments` tells it before a run.
    """
    if isinstance(spec, specs.AnyOf):
        return best([measured(part, pair, instruments) for part in spec.checks])
    if isinstance(spec, specs.AllOf):
        return worst([measured(part, pair, instruments) for part in spec.checks])
    kind = type(spec)
    if kind in BY_INSTRUMENT:
        if lack := lacking(spec, instruments):
            raise ConfigError(f"{spec.kind} {lack}")
        return BY_INSTRUMENT[kind](spec, pair, getattr(instruments, NEEDS[kind]))
    check = CHECKS.get(kind)
    return check(spec, pair) if check else unmeasured(f"no measurement for {kind.__name__}")
