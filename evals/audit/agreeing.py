"""Agreement of a judge with the truth, by any grouping of atoms: kappa, false passes, false fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from editplan.evals.agreement import cohen_kappa
from editplan.evals.audit.shares import Share, clustered_share
from editplan.evals.audit.tasks import AtomTruth, AuditRow
from editplan.evals.solvescore import CREDIT
from editplan.records import Record

Group = Callable[[AuditRow, AtomTruth], str]

GROUPS: dict[str, Group] = {
    "all": lambda row, atom: "all",
    "role": lambda row, atom: atom.role,
    "property": lambda row, atom: f"{atom.role}.{atom.property}",
    "regime": lambda row, atom: row.regime or "none",
    "output": lambda row, atom: row.kind,
    "atom": lambda row, atom: claim_name(atom.id),
}
"""What verdicts are grouped by; "regime" and the like are columns of the case."""


class Agreement(Record):
    """Verdicts of one group against the truth."""

    group: str
    n: int
    """Verdicts whose truth is known."""
    abstained: int
    agreement: Share
    """Equal verdicts out of the decided ones."""
    kappa: float | None
    """Cohen's, of pass against anything else; None where one side never varies."""
    kappa_graded: float | None
    """With quadratic weights, of fail, partial, pass."""
    false_pass: Share
    """Passed although it doesn't hold, out of the decided verdicts on what doesn't hold."""
    false_fail: Share
    """Called partial or fail although it holds, out of the decided verdicts on what holds."""


def agreement_by(rows: Iterable[AuditRow], group: Group) -> tuple[Agreement, ...]:
    """One line a group, in the order of the names."""
    found: dict[str, list[tuple[AuditRow, AtomTruth]]] = {}
    for row in rows:
        if row.judged:
            for atom in row.truth:
                found.setdefault(group(row, atom), []).append((row, atom))
    return tuple(_agreement(name, found[name]) for name in sorted(found))


def claim_name(atom_id: str) -> str:
    """An atom's id without its number: `box_1` and `box_2` are one kind of claim."""
    return re.sub(r"[_\-]?\d+$", "", atom_id) or atom_id


def _agreement(name: str, pairs: list[tuple[AuditRow, AtomTruth]]) -> Agreement:
    decided = [(row, atom) for row, atom in pairs if row.verdict(atom.id) != "abstain"]
    truths = [CREDIT[atom.verdict] for _, atom in decided]
    words = [CREDIT[row.verdict(atom.id)] for row, atom in decided]
    return Agreement(
        group=name,
        n=len(pairs),
        abstained=len(pairs) - len(decided),
        agreement=clustered_share((row.unit, row.verdict(atom.id) == atom.verdict) for row, atom in decided),
        kappa=cohen_kappa([float(t == 1.0) for t in truths], [float(w == 1.0) for w in words], "none"),
        kappa_graded=cohen_kappa(truths, words),
        false_pass=clustered_share(
            (row.unit, row.verdict(atom.id) == "pass") for row, atom in decided if atom.verdict != "pass"
        ),
        false_fail=clustered_share(
            (row.unit, row.verdict(atom.id) != "pass") for row, atom in decided if atom.verdict == "pass"
        ),
    )
