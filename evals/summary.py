"""`summary.json`: every figure of a run, from its records alone, so a resumed run gives what a whole one gives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

from editplan.evals.accounts import calls_of, matched, mean_vector
from editplan.evals.attributing import attribution_of
from editplan.evals.cases import Case
from editplan.evals.experiment import Comparison
from editplan.evals.judging import Verdicts
from editplan.evals.measures import CaseMeasure, case_measures, part_of, score_of
from editplan.evals.official.registry import official_figures, published_tables
from editplan.evals.providers import read_limits, read_returned, read_unpriced
from editplan.evals.rows import RunRow
from editplan.evals.run import Run
from editplan.evals.settings import differing_settings
from editplan.evals.stats.multiplicity import holm
from editplan.evals.stats.paired import paired_difference
from editplan.evals.stats.samples import Resampling, Sample
from editplan.evals.store import read_billed
from editplan.records import Status
from editplan.specs import parse_spec

NOT_RUN = "not_run"

_ORDERED = ("IS", "SD", "RD", "easy", "medium", "hard")


def summarise(run: Run) -> dict[str, Any]:
    """The summary of a run, finished or not. The tables reconcile: an arm's statuses sum to its n.

    With several judges the main tables are the first one's; `judges` holds the same for the others.
    """
    first, *others = run.judges
    official = official_figures(run, first)
    return {
        "name": run.experiment.name,
        "suite": run.suite,
        "metric": run.metric,
        "n_cases": len(run.cases),
        "invalid_cases": [{"case_id": case.case_id, "error": case.error} for case in run.invalid],
        "replicates": run.experiment.replicates,
        "seed": run.experiment.seed,
        "planner": run.experiment.planner,
        "judge": first,
        "same_family_judges": [judge for judge in run.judges if same_family(run.experiment.planner, judge)],
        "complete": _complete(run),
        "conditions": _arms(run, first),
        "comparisons": _comparisons(run, first),
        "attribution": _attribution(run, first),
        "settings": [each.words for each in differing_settings(run)],
        "official": official,
        "published": published_tables(run, official),
        "judges": {
            judge: {"conditions": _arms(run, judge), "comparisons": _comparisons(run, judge)} for judge in others
        },
        "returned_models": read_returned(run.folder),
        "unpriced_models": list(read_unpriced(run.folder)),
        "billed": read_billed(run.folder),
        "limits": read_limits(run.folder),
    }


def _attribution(run: Run, judge: str) -> dict[str, Any] | None:
    """What the outputs realise; None where the suite enumerates nothing and no oracle arm tells."""
    found = attribution_of(run, judge)
    return found.model_dump(mode="json") if found is not None else None


def same_family(planner: str, judge: str) -> bool:
    """Whether planner and judge are models of one family: such a judge may favour its own kind's plans."""
    a, b = _family(planner), _family(judge)
    return a is not None and a == b


def _family(spec: str) -> str | None:
    """The maker's name as far as a spec tells it; None for a program."""
    parsed = parse_spec(spec)
    if not parsed.model or parsed.provider == "embedded":
        return None
    if parsed.provider in {"openai", "google"}:
        return parsed.provider
    return re.split(r"[/:\-_.\d]", parsed.model.lower(), maxsplit=1)[0]


def figures_of(summary: dict[str, Any]) -> dict[str, Any]:
    """The summary without what depends on the clock and on how often the run was interrupted.

    Equal for a resumed and an uninterrupted run: requests that an interruption cut off went out twice.
    """

    def kept(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: kept(each) for key, each in value.items() if key not in _OF_THE_SESSION}
        return [kept(each) for each in value] if isinstance(value, list) else value

    return {key: kept(value) for key, value in summary.items() if key not in _OF_THE_SESSION}


_OF_THE_SESSION = frozenset({"billed", "limits", "returned_models", "seconds", "wire_attempts"})


def _complete(run: Run) -> bool:
    rows = [run.rows.get(key) for condition, editor in _every_arm(run) for key in run.keys(condition, editor)]
    return all(row is not None and not row.outcome.status.is_fault for row in rows)


def _every_arm(run: Run) -> Iterable[tuple[str, str]]:
    return ((condition, editor) for condition in run.experiment.conditions for editor in run.experiment.editors)


def _arms(run: Run, judge: str) -> dict[str, dict[str, Any]]:
    return {
        condition: {editor: _arm(run, condition, editor, judge) for editor in run.experiment.editors}
        for condition in run.experiment.conditions
    }


def _arm(run: Run, condition: str, editor: str, judge: str) -> dict[str, Any]:
    rows = [run.rows.get(key) for key in run.keys(condition, editor)]
    made = [row for row in rows if row is not None]
    measures = case_measures(run, condition, editor, judge)
    damage = part_of(rows, judge, lambda verdicts: verdicts.damage)
    return {
        "n": len(rows),
        "statuses": statuses(rows),
        "score": score_json(run, measures),
        "required": _required(rows, judge),
        "damage": damage["mean"],
        "diagnostics": {cell: part["mean"] for cell, part in _cells(made, judge).items()},
        "judged": {
            "statuses": dict(sorted(Counter(_judged(row, judge) for row in made).items())),
            "damage": damage,
            "diagnostics": _cells(rows, judge),
            **_abstained(made, judge),
        },
        "by_regime": _by(run, measures, lambda case: case.regime or ""),
        "by_group": {
            column: _by(run, measures, _column(column))
            for column in sorted({column for case in run.cases for column in groups_of(case)})
        },
        "calls": calls_of(made),
        "vector": mean_vector(made),
        "drafts": _drafts(run, condition, editor, judge),
    }


def statuses(rows: Iterable[RunRow | None]) -> dict[str, int]:
    """Counts by status, in the order of the closed list; `not_run` last. They sum to the number of rows."""
    counted = Counter(NOT_RUN if row is None else row.outcome.status.value for row in rows)
    return {name: counted[name] for name in (*(status.value for status in Status), NOT_RUN) if counted[name]}


def groups_of(case: Case) -> dict[str, str]:
    """The columns that tables group a case by; its own, its domain and its difficulty."""
    named = {"domain": case.domain, "difficulty": case.difficulty, **case.groups}
    return {column: value for column, value in named.items() if value}


def score_json(run: Run, measures: Iterable[CaseMeasure]) -> dict[str, Any]:
    """A score as the summary prints it."""
    return score_of(measures, run.scale, run.experiment.seed).model_dump(mode="json")


def _column(name: str) -> Callable[[Case], str]:
    return lambda case: groups_of(case).get(name, "")


def _by(run: Run, measures: Sequence[CaseMeasure], label: Callable[[Case], str]) -> dict[str, Any]:
    groups: dict[str, list[CaseMeasure]] = {}
    for one in measures:
        if name := label(one.case):
            groups.setdefault(name, []).append(one)
    return {name: score_json(run, groups[name]) for name in sorted(groups, key=_place_of)}


def _place_of(group: str) -> tuple[int, str]:
    """Regimes and difficulties in their own order, everything else by name."""
    return (_ORDERED.index(group) if group in _ORDERED else len(_ORDERED), group)


def _required(rows: Iterable[RunRow | None], judge: str) -> float | None:
    """R over all outcomes, of a missing output what the judge gives for none; None for a metric without R."""
    supported = [row for row in rows if row is not None and row.outcome.status is not Status.UNSUPPORTED]
    found = [row.score_of(judge) for row in supported]
    values = [verdicts.required for verdicts in found if verdicts is not None and verdicts.required is not None]
    return sum(values) / len(values) if values else None


def _judged(row: RunRow, judge: str) -> str:
    verdicts = row.score_of(judge)
    return verdicts.status if verdicts is not None else "not_judged"


def _cells(rows: Sequence[RunRow | None], judge: str) -> dict[str, dict[str, Any]]:
    scored = [row.score_of(judge) for row in rows if row is not None]
    names = dict.fromkeys(name for verdicts in scored if verdicts is not None for name in verdicts.diagnostics)

    def cell(name: str) -> Callable[[Verdicts], float | None]:
        return lambda verdicts: verdicts.diagnostics.get(name)

    return {name: part_of(rows, judge, cell(name)) for name in names}


def _abstained(rows: Sequence[RunRow], judge: str) -> dict[str, Any]:
    """The share of atoms that the judge left undecided, how the gate fell, and how far its samples lie apart."""
    scored = [verdicts for row in rows if (verdicts := row.score_of(judge)) and verdicts.status == "scored"]
    atoms = [atom.verdict for verdicts in scored for atom in verdicts.atoms]
    gates = Counter(verdicts.gate for verdicts in scored if verdicts.gate)
    spreads = [verdicts.spread for verdicts in scored if verdicts.spread is not None]
    return {
        "abstained": atoms.count("abstain") / len(atoms) if atoms else None,
        "not_returned": sum(verdicts.not_returned for verdicts in scored),
        "spread": sum(spreads) / len(spreads) if spreads else None,
        "gate": dict(sorted(gates.items())),
    }


def _drafts(run: Run, condition: str, editor: str, judge: str) -> list[dict[str, Any]]:
    """Scores of the drafts that an arm keeps, each with the gain of the final output over it."""
    rows = [run.rows.get(key) for key in run.keys(condition, editor)]
    count = max((len(row.outcome.drafts) for row in rows if row is not None), default=0)
    found = []
    for draft in range(1, count + 1):
        before = case_measures(run, condition, editor, judge, draft=draft)
        after = case_measures(run, condition, editor, judge)
        score = score_json(run, before)
        found.append({"draft": draft, "score": score, "gain": _difference(run, after, before)})
    return found


def _comparisons(run: Run, judge: str) -> list[dict[str, Any]]:
    """Declared comparisons first, then all other pairs as exploratory ones, each per editor."""
    declared = run.experiment.comparisons
    known = {frozenset((each.a, each.b)) for each in declared}
    baseline_first = combinations(run.experiment.conditions, 2)
    others = [Comparison(a=b, b=a) for a, b in baseline_first if frozenset((a, b)) not in known]
    found = [
        _comparison(run, each, editor, judge, is_declared=each in declared)
        for each in (*declared, *others)
        for editor in run.experiment.editors
    ]
    primary = [row for row in found if row["primary"] and row["p"] is not None]
    for row, corrected in zip(primary, holm([row["p"] for row in primary]), strict=True):
        row["p_holm"] = corrected
    return found


def _comparison(run: Run, pair: Comparison, editor: str, judge: str, *, is_declared: bool) -> dict[str, Any]:
    a_rows, b_rows = ([run.rows.get(key) for key in run.keys(name, editor)] for name in (pair.a, pair.b))
    both = [(a, b) for a, b in zip(a_rows, b_rows, strict=True) if a is not None and b is not None]
    match = matched(both)
    a_measures, b_measures = (case_measures(run, name, editor, judge) for name in (pair.a, pair.b))
    return {
        "a": pair.a,
        "b": pair.b,
        "editor": editor,
        "primary": pair.primary,
        "exploratory": not is_declared,
        "matched": match.model_dump(mode="json"),
        "is_matched": match.fully,
        "vectors": {"a": mean_vector(a for a, _ in both), "b": mean_vector(b for _, b in both)},
        **_difference(run, a_measures, b_measures),
        "p_holm": None,
    }


def _difference(run: Run, a: Sequence[CaseMeasure], b: Sequence[CaseMeasure]) -> dict[str, Any]:
    """a − b over the cases that both arms have a measurement of."""
    of_b = {one.case.case_id: one.paired for one in b}
    pairs = [
        (one.paired, other, one.case.unit)
        for one in a
        if one.paired is not None and (other := of_b.get(one.case.case_id)) is not None
    ]
    if not pairs:
        return {"delta": None, "ci": None, "p": None, "wins": 0, "ties": 0, "losses": 0, "n": 0}
    values_a, values_b, units = zip(*pairs, strict=True)
    first, second = (Sample.of(values, units, run.scale) for values in (values_a, values_b))
    found = paired_difference(first, second, Resampling(seed=run.experiment.seed))
    return {**found.model_dump(mode="json", exclude={"ci", "n_units"}), "ci": [found.ci.lo, found.ci.hi]}
