"""Which outputs of a run a person rates, under which names: shuffled, and without a word about the arms."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable

from editplan.evals.cases import Case
from editplan.evals.rating.agreeing import Key
from editplan.evals.rows import RunKey, RunRow
from editplan.evals.run import Run
from editplan.records import Media, Record, canonical_json


class Item(Record):
    """One output to be rated."""

    item: str
    """Its blinded name."""
    key: RunKey
    case: Case
    output: Media


def items_of(run: Run, seed: int = 0) -> tuple[Item, ...]:
    """Every output once, cases in a seeded order and the arms within each in an order of its own.

    Equal outputs of one case are one item: nobody is to rate the same picture twice.
    """
    cases = sorted(run.cases, key=lambda case: _hash(run, seed, case.case_id))
    found: list[Item] = []
    for case in cases:
        rows = list({row.outcome.media.sha256: row for row in _outputs(run, case) if row.outcome.media}.values())
        random.Random(_hash(run, seed, case.case_id, "arms")).shuffle(rows)
        for row in rows:
            assert row.outcome.media is not None, "only outputs are rated"
            name = _hash(run, seed, case.case_id, row.outcome.media.sha256)[:12]
            found.append(Item(item=name, key=row.key, case=case, output=row.outcome.media))
    return tuple(found)


def _outputs(run: Run, case: Case) -> Iterable[RunRow]:
    for condition in run.experiment.conditions:
        for editor in run.experiment.editors:
            for key in run.keys_of(case, condition, editor):
                row = run.rows.get(key)
                if row is not None and row.outcome.media is not None:
                    yield row


def judged_ratings(run: Run, items: Iterable[Item], judge: str, top: float) -> dict[Key, float | None]:
    """The judge's scores of the items, brought from the metric's scale to the rater's 0..`top`."""
    low, high = run.scale
    found: dict[Key, float | None] = {}
    for item in items:
        verdicts = run.rows[item.key].score_of(judge)
        score = verdicts.score if verdicts is not None else None
        found[item.item, item.key.condition] = None if score is None else (score - low) / (high - low) * top
    return found


def unblinded(ratings: dict[Key, float | None], items: Iterable[Item]) -> dict[Key, float | None]:
    """A rater's ratings under item and condition; items of another page are left out."""
    conditions = {item.item: item.key.condition for item in items}
    return {(name, conditions[name]): value for (name, _), value in ratings.items() if name in conditions}


def _hash(run: Run, seed: int, *parts: str) -> str:
    return hashlib.sha256(canonical_json([run.experiment.name, seed, *parts]).encode()).hexdigest()
