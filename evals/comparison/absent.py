"""What is missing in a pair of arms, bounded both ways: runs, judge failures, and undecided atoms."""

from __future__ import annotations

from collections.abc import Collection

from editplan.evals.cases import Case
from editplan.evals.comparison.arms import Measured
from editplan.evals.judging import Verdicts
from editplan.evals.measures import CaseMeasure
from editplan.evals.rows import RunRow
from editplan.evals.solvescore import weighted_atoms
from editplan.evals.stats.absence import abstention_bounds
from editplan.records import Record


class PairBounds(Record):
    """How far the mean difference a − b could lie on either side; both ends need no assumption."""

    n: int
    """Cases that lie in both arms' supported sets."""
    missing: int
    """Of them, cases with a run or a verdict missing in an arm."""
    absence: tuple[float, float]
    """Everything missing at the metric's floor in one arm and at its ceiling in the other."""
    abstained: int
    """Atoms that the judge left undecided, both arms together."""
    abstention: tuple[float, float] | None
    """As `absence`, and every undecided atom failed in one arm and passed in the other; None without atoms."""


def pair_bounds(
    measured: Measured, a: str, b: str, editor: str, among: Collection[str] | None = None
) -> PairBounds | None:
    """The bounds over the cases (of `among`, if given) that both arms support; None where there is none."""
    of_a = {one.case.case_id: one for one in measured.measures(a, editor)}
    of_b = {one.case.case_id: one for one in measured.measures(b, editor)}
    known = of_b.keys() if among is None else of_b.keys() & set(among)
    cases = [one.case for one in of_a.values() if one.case.case_id in known]
    if not cases:
        return None
    ids = [case.case_id for case in cases]
    absence = _between([_span(of_a[each]) for each in ids], [_span(of_b[each]) for each in ids])
    decided = [_decided_span(measured, of_a[each], a, editor) for each in ids]
    against = [_decided_span(measured, of_b[each], b, editor) for each in ids]
    with_atoms = any(case.contract is not None for case in cases) and measured.run.metric == "solvescore"
    keys = [key for name in (a, b) for case in cases for key in measured.run.keys_of(case, name, editor)]
    return PairBounds(
        n=len(cases),
        missing=sum(not (of_a[each].final and of_b[each].final) for each in ids),
        absence=absence,
        abstained=sum(_abstentions(measured.run.rows.get(key), measured.judge) for key in keys),
        abstention=_between(decided, against) if with_atoms else None,
    )


def _span(one: CaseMeasure) -> tuple[float, float]:
    return one.low, one.high


def _between(a: list[tuple[float, float]], b: list[tuple[float, float]]) -> tuple[float, float]:
    lowest = sum(low - high for (low, _), (_, high) in zip(a, b, strict=True)) / len(a)
    highest = sum(high - low for (_, high), (low, _) in zip(a, b, strict=True)) / len(a)
    return lowest, highest


def _decided_span(measured: Measured, one: CaseMeasure, condition: str, editor: str) -> tuple[float, float]:
    """A case's span widened by what its abstained atoms could have been; replicates are averaged."""
    keys = tuple(measured.run.keys_of(one.case, condition, editor))
    low, high = one.low, one.high
    for key in keys:
        row = measured.run.rows.get(key)
        verdicts = row.score_of(measured.judge) if row is not None else None
        if verdicts is None or verdicts.status != "scored" or verdicts.score is None:
            continue
        least, most = _atom_span(one.case, verdicts)
        low -= max(0.0, verdicts.score - least) / len(keys)
        high += max(0.0, most - verdicts.score) / len(keys)
    return low, high


def _atom_span(case: Case, verdicts: Verdicts) -> tuple[float, float]:
    assert verdicts.score is not None, "only scored verdicts have a span"
    undecided = [atom for atom in verdicts.atoms if atom.verdict == "abstain"]
    if case.contract is None or not (undecided or verdicts.gate == "abstain"):
        return verdicts.score, verdicts.score
    atoms = weighted_atoms(case.contract.as_json())
    found = {atom.id: atom.verdict for atom in verdicts.atoms}
    least, most = abstention_bounds(atoms, [found.get(atom.id, "abstain") for atom in atoms])
    if verdicts.gate == "fail":
        return 0.0, 0.0
    return (0.0, most) if verdicts.gate == "abstain" else (least, most)


def _abstentions(row: RunRow | None, judge: str) -> int:
    verdicts = row.score_of(judge) if row is not None else None
    return sum(atom.verdict == "abstain" for atom in verdicts.atoms) if verdicts is not None else 0
