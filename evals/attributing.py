"""Attribution of a run's outputs: what each of them realises, crossed with what its plan states.

Where the suite enumerates transitions, pixels decide (`editplan.evals.attribution`). Elsewhere the oracle arm gives
an estimate: O passes and the arm fails = recovery-limited, O fails = execution-limited. Nothing of this ever reaches
a condition.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from editplan.errors import EditplanError, StoreError
from editplan.evals.cases import Case
from editplan.evals.comparison.passing import pass_mark, passes
from editplan.evals.measures import measure
from editplan.evals.rows import RunRow
from editplan.evals.run import Run
from editplan.evals.store import write_durably
from editplan.records import Outcome, Record, Status
from editplan.specs import parse_spec

if TYPE_CHECKING:
    from editplan.evals.suites.puzzles.suite import PuzzleSuite

RULES = 1
"""Raised when attribution decides differently; earlier figures of a run are then made again."""
CACHE_FILE = "attribution.json"
ORACLES = ("oracle:raw", "oracle")

Realised = Literal["valid", "valid_damaged", "invalid", "none", "unsure", "no_output", "in_words", "not_run"]
Limited = Literal["passed", "recovery_limited", "execution_limited", "unknown"]


class ArmAttribution(Record):
    """One arm's outputs by what they realise; each line of counts adds up to n."""

    condition: str
    editor: str
    n: int
    realised: dict[str, int]
    by_plan: dict[str, dict[str, int]]
    """What the plan states (admissible, inadmissible, unlisted, unreadable, no_plan) → what was realised."""


class RunAttribution(Record):
    """All arms, and whether the figures are pixel truth or an estimate."""

    kind: Literal["enumerated", "estimate"]
    arms: tuple[ArmAttribution, ...]


def attribution_of(run: Run, judge: str | None = None, given_mark: float | None = None) -> RunAttribution | None:
    """The attribution of a run; None where the suite enumerates nothing and no oracle arm was run."""
    suite = _enumerating(run.suite)
    if suite is not None:
        return _enumerated(run, suite)
    oracle = next((name for name in ORACLES if name in run.experiment.conditions), None)
    return None if oracle is None else _estimated(run, oracle, judge or run.judges[0], given_mark)


def _enumerating(spec: str) -> PuzzleSuite | None:
    if parse_spec(spec).provider != "puzzles":
        return None
    from editplan.evals.suites.puzzles.suite import PuzzleSuite
    from editplan.evals.suites.registry import resolve_suite

    try:
        suite = resolve_suite(spec)
    except EditplanError:
        # A run of another version's families: its truth can't be made again.
        return None
    return suite if isinstance(suite, PuzzleSuite) else None


def _enumerated(run: Run, suite: PuzzleSuite) -> RunAttribution:
    known = _known(run)
    rows = {key: row for key, row in run.rows.items() if key.condition in run.experiment.conditions}
    wanted: dict[str, list[Outcome]] = {}
    for key, row in rows.items():
        if _lacks(known, key.case_id, row.outcome):
            wanted.setdefault(key.case_id, []).append(row.outcome)
    if wanted:
        known |= _attributed(run, suite, wanted)
        with suppress(StoreError):
            # A run that can only be read is attributed each time.
            _remember(run, known)
    return RunAttribution(kind="enumerated", arms=_arms(run, lambda row: _found_in(known, row)))


def _lacks(known: Mapping[str, str], case_id: str, outcome: Outcome) -> bool:
    pixels, plan = _names(case_id, outcome)
    return any(name is not None and name not in known for name in (pixels, plan))


def _names(case_id: str, outcome: Outcome) -> tuple[str | None, str | None]:
    """Under which names an outcome's output and plan are remembered."""
    from editplan.records import digest

    pixels = f"{case_id} {outcome.media.sha256}" if outcome.media is not None else None
    plan = f"{case_id} plan {digest(outcome.plan.instruction)[:24]}" if outcome.plan is not None else None
    return pixels, plan


def _known(run: Run) -> dict[str, str]:
    path = run.folder / CACHE_FILE
    with suppress(OSError, ValueError):
        found = json.loads(path.read_text(encoding="utf-8"))
        if found.get("rules") == RULES and found.get("suite") == run.suite:
            return dict(found["outputs"])
    return {}


def _remember(run: Run, known: Mapping[str, str]) -> None:
    content = {"rules": RULES, "suite": run.suite, "outputs": dict(sorted(known.items()))}
    write_durably(run.folder / CACHE_FILE, json.dumps(content, indent=1) + "\n")


def _attributed(run: Run, suite: PuzzleSuite, wanted: Mapping[str, Sequence[Outcome]]) -> dict[str, str]:
    """What each output realises and each plan states, on all cores (the work is in OpenCV and numpy)."""
    found: dict[str, str] = {}
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for part in pool.map(lambda item: _of_case(run.folder, suite, *item), wanted.items()):
            found |= part
    return found


def _of_case(folder: Path, suite: PuzzleSuite, case_id: str, outcomes: Sequence[Outcome]) -> dict[str, str]:
    from editplan.evals.attribution import attribute
    from editplan.evals.suites.puzzles.stated import stated_transition
    from editplan.store import ImageStore

    puzzle, images = suite.puzzle_of(case_id), ImageStore(folder / "images")
    found: dict[str, str] = {}
    for outcome in outcomes:
        pixels, plan = _names(case_id, outcome)
        if pixels is not None and outcome.media is not None and pixels not in found:
            output = images[outcome.media.sha256].array()[..., :3]
            found[pixels] = attribute(puzzle.source, output, puzzle.transitions).realised
        if plan is not None and outcome.plan is not None and plan not in found:
            found[plan] = stated_transition(outcome.plan.instruction, puzzle.transitions).standing
    return found


def _found_in(known: Mapping[str, str], row: RunRow) -> tuple[str, str]:
    pixels, plan = _names(row.key.case_id, row.outcome)
    stated = "no_plan" if plan is None else known[plan]
    if pixels is not None:
        return stated, known[pixels]
    return stated, "in_words" if row.outcome.text is not None else "no_output"


def _arms(run: Run, read: Callable[[RunRow], tuple[str, str]]) -> tuple[ArmAttribution, ...]:
    return tuple(
        _arm(condition, editor, [run.rows.get(key) for key in run.keys(condition, editor)], read)
        for condition in run.experiment.conditions
        for editor in run.experiment.editors
    )


def _arm(
    condition: str, editor: str, rows: Iterable[RunRow | None], read: Callable[[RunRow], tuple[str, str]]
) -> ArmAttribution:
    pairs = [("no_plan", "not_run") if row is None else read(row) for row in rows]
    crossed: dict[str, Counter[str]] = {}
    for stated, realised in pairs:
        crossed.setdefault(stated, Counter())[realised] += 1
    return ArmAttribution(
        condition=condition,
        editor=editor,
        n=len(pairs),
        realised=dict(sorted(Counter(realised for _, realised in pairs).items())),
        by_plan={stated: dict(sorted(counts.items())) for stated, counts in sorted(crossed.items())},
    )


def _estimated(run: Run, oracle: str, judge: str, given_mark: float | None) -> RunAttribution:
    mark = pass_mark(run.metric, given_mark)
    solvable = {
        (case.case_id, editor): _oracle_passes(run, case, oracle, editor, judge, mark)
        for case in run.cases
        for editor in run.experiment.editors
    }

    def read(row: RunRow) -> tuple[str, str]:
        passed = _passed(run, row, judge, mark)
        if passed is None:
            return "no_plan", "unknown"
        if passed:
            return "no_plan", "passed"
        able = solvable[row.key.case_id, row.key.editor]
        return "no_plan", "unknown" if able is None else "recovery_limited" if able else "execution_limited"

    return RunAttribution(kind="estimate", arms=_arms(run, read))


def _oracle_passes(run: Run, case: Case, oracle: str, editor: str, judge: str, mark: float) -> bool | None:
    """Whether the editor gets there when it is told what to do, in most replicates; None if never measured."""
    rows = [run.rows.get(key) for key in run.keys_of(case, oracle, editor)]
    found = [passed for row in rows if row is not None and (passed := _passed(run, row, judge, mark)) is not None]
    return sum(found) * 2 > len(found) if found else None


def _passed(run: Run, row: RunRow, judge: str, mark: float) -> bool | None:
    if row.outcome.status is Status.UNSUPPORTED:
        return None
    one = measure(row, judge, run.scale[0])
    return None if one is None or one.value is None else passes(one.value, mark)
