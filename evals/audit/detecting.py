"""Detection of planted damage: curves against size, misses, false alarms, and the smallest damage that is seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from editplan.evals.audit.noops import NOOPS
from editplan.evals.audit.shares import Share, clustered_share
from editplan.evals.audit.tasks import AuditRow
from editplan.records import Record

SEEN_SHARE = 0.8
RESAMPLES = 400
GLOBAL = ("tint", "shift")
"""Damage to the whole picture: its sizes are in units of their own."""


class CurvePoint(Record):
    """Detection at one size."""

    size: float
    seen: Share


class SmallestSeen(Record):
    """The smallest size from which on at least 80% is seen; None: not at any size that was tried."""

    size: float | None
    lo: float | None
    """95% percentiles over resampled pictures; None beyond the largest size that was tried."""
    hi: float | None


class Curve(Record):
    """Detection of one kind of damage against its size."""

    kind: str
    points: tuple[CurvePoint, ...]
    all: Share
    smallest: SmallestSeen


class Detection(Record):
    """What a judge sees of planted damage, and what it sees where there is none."""

    miss: Share
    """Damage that was not noticed, out of all outputs with damage that were judged."""
    curves: tuple[Curve, ...]
    patches: Curve
    """All kinds of patches together."""
    false_alarms: Share
    """No-ops of which a protected atom was called damaged."""
    by_noop: dict[str, Share]


def detection(rows: Iterable[AuditRow]) -> Detection:
    """Measured on the outputs that were judged; an abstention sees nothing and alarms nobody."""
    judged = [row for row in rows if row.judged]
    damaged = [row for row in judged if row.damaged]
    quiet = [row for row in judged if row.part == "pictures" and row.kind in NOOPS]
    kinds = list(dict.fromkeys(row.kind for row in damaged if row.part == "pictures"))
    patches = [row for row in damaged if row.part == "pictures" and row.kind not in GLOBAL]
    return Detection(
        miss=clustered_share((row.unit, not noticed(row)) for row in damaged),
        curves=tuple(_curve(kind, [row for row in damaged if row.kind == kind]) for kind in kinds),
        patches=_curve("any patch", patches),
        false_alarms=clustered_share((row.unit, row.alarms) for row in quiet),
        by_noop={
            kind: clustered_share((row.unit, row.alarms) for row in quiet if row.kind == kind)
            for kind in dict.fromkeys(row.kind for row in quiet)
        },
    )


def noticed(row: AuditRow) -> bool:
    """Whether damage was seen: where it is, or for the whole picture anywhere."""
    return row.seen or (row.kind in GLOBAL and row.alarms)


def smallest_seen(shares: Sequence[tuple[float, float, int]], wanted: float = SEEN_SHARE) -> float | None:
    """The smallest size whose monotone fit reaches `wanted`, from (size, share seen, n) in order of size.

    The fit pools neighbours that violate the order (Ayer et al. 1955): a large damage is not harder to see.
    """
    blocks: list[tuple[list[float], float, int]] = []
    for size, share, n in shares:
        if n == 0:
            continue
        blocks.append(([size], share, n))
        while len(blocks) > 1 and blocks[-2][1] > blocks[-1][1]:
            (sizes, one, m), (more, other, k) = blocks[-2:]
            blocks[-2:] = [([*sizes, *more], (one * m + other * k) / (m + k), m + k)]
    return next((sizes[0] for sizes, share, _ in blocks if share >= wanted - 1e-9), None)


def _curve(kind: str, rows: list[AuditRow]) -> Curve:
    sizes = sorted({row.size for row in rows if row.size is not None})
    points = tuple(
        CurvePoint(size=size, seen=clustered_share((row.unit, noticed(row)) for row in rows if row.size == size))
        for size in sizes
    )
    return Curve(
        kind=kind,
        points=points,
        all=clustered_share((row.unit, noticed(row)) for row in rows),
        smallest=_smallest_with_interval(rows, sizes),
    )


def _smallest_with_interval(rows: list[AuditRow], sizes: list[float]) -> SmallestSeen:
    """The estimate, and percentiles of it over pictures drawn with replacement."""
    units: dict[str, dict[float, list[int]]] = {}
    for row in rows:
        if row.size is not None:
            counts = units.setdefault(row.unit, {}).setdefault(row.size, [0, 0])
            counts[0] += noticed(row)
            counts[1] += 1
    tables = [units[name] for name in sorted(units)]
    estimate = smallest_seen(_shares(tables, sizes))
    if len(tables) < 2:
        return SmallestSeen(size=estimate, lo=None, hi=None)
    rng = Random(0)
    beyond = float("inf")
    drawn = (smallest_seen(_shares(rng.choices(tables, k=len(tables)), sizes)) for _ in range(RESAMPLES))
    draws = sorted(beyond if size is None else size for size in drawn)
    low, high = (draws[round(share * (RESAMPLES - 1))] for share in (0.025, 0.975))
    return SmallestSeen(size=estimate, lo=None if low == beyond else low, hi=None if high == beyond else high)


def _shares(tables: Sequence[dict[float, list[int]]], sizes: list[float]) -> list[tuple[float, float, int]]:
    """(size, share seen, n) over the (seen, n) of some pictures."""
    found = []
    for size in sizes:
        pairs = [table[size] for table in tables if size in table]
        seen, n = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
        found.append((size, seen / n if n else 0.0, n))
    return found
