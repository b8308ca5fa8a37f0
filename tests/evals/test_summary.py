"""Tables that reconcile to N, and three kinds of absence kept apart."""

import csv
import io
import json
from pathlib import Path

import pytest

from editplan.evals.cases import Case
from editplan.evals.experiment import Experiment, parse_experiment
from editplan.evals.judging import Verdicts
from editplan.evals.rows import RunKey
from editplan.evals.run import Run, load_run
from editplan.evals.sheet import summary_csv
from editplan.evals.summary import same_family, summarise
from editplan.evals.verdicts import AtomVerdict
from editplan.records import CallKind, CallRecord, Ledger, Outcome, Status, Usage
from editplan.testing.evaluation import TinySuite
from editplan.testing.runs import Made, write_run

COUNT = 10
SEED = 3


def experiment(**changes: object) -> Experiment:
    names = {"conditions": ["direct", "generic_rewrite", "plan"], "editors": ["e"], "judges": ["j"], "seed": SEED}
    primary = {"a": "plan", "b": "generic_rewrite", "primary": True}
    return parse_experiment({"name": "x", "suite": "tiny", "comparisons": [primary], **names, **changes})


def ledger(agent: int, *, reasks: int = 0, attempts: int = 1) -> Ledger:
    def call(node: str, kind: CallKind, *, reask: bool = False) -> CallRecord:
        usage = Usage(tokens_in=100, tokens_out=10, images_in=1, image_pixels=384, cost_usd=0.01)
        name = f"{node}{reask}"
        return CallRecord(
            key=name, node=node, kind=kind, ordinal=0, reask=reask, answered=True, wire_attempts=attempts, usage=usage
        )

    calls = [call(f"agent{at}", CallKind.AGENT) for at in range(agent)]
    calls += [call(f"agent{at}", CallKind.AGENT, reask=True) for at in range(reasks)]
    return Ledger(calls=(*calls, call("edit", CallKind.GENERATION)))


def scored(score: float) -> Verdicts:
    atoms = (AtomVerdict(id="r1", verdict="pass"), AtomVerdict(id="p1", verdict="abstain"))
    cells = {"required.semantic_accuracy": score, "protected.visual_quality": None}
    parts = {"required": score, "damage": 0.1, "coverage": 1.0, "gate": "pass", "diagnostics": cells, "atoms": atoms}
    return Verdicts.model_validate({"status": "scored", "score": score, **parts})


MISSING = Verdicts(status="missing_output", score=0.0, required=0.0)


def number(case: Case) -> int:
    return int(case.case_id[-3:])


def plain(case: Case, key: RunKey) -> Made:
    """Everything went well: `plan` scores 1, `generic_rewrite` 0.5 to 0.95, `direct` 0.25."""
    score = {"direct": 0.25, "generic_rewrite": 0.5 + 0.05 * number(case), "plan": 1.0}[key.condition]
    calls = ledger(0 if key.condition == "direct" else 2)
    outcome = Outcome(status=Status.OK, media=case.request.parts[0].media, instruction="one two three", calls=calls)
    return outcome, scored(score)


def ended(status: Status) -> Outcome:
    return Outcome(status=status, calls=ledger(2))


def troubled(case: Case, key: RunKey) -> Made:
    """The plan arm with each kind of absence once."""
    if key.condition != "plan":
        return plain(case, key)
    special: dict[int, Made] = {
        0: (ended(Status.REFUSED_INPUT), MISSING),
        1: (ended(Status.UNSUPPORTED), None),
        2: (ended(Status.OK), Verdicts(status="judge_refused")),
        3: None,
        4: (ended(Status.PROVIDER_ERROR), MISSING),
        5: (ended(Status.CANCELLED), None),
    }
    return special[number(case)] if number(case) in special else plain(case, key)


async def run_of(folder: Path, made: object = plain, suite: TinySuite | None = None, **changes: object) -> Run:
    return await write_run(folder, experiment(**changes), suite or TinySuite(COUNT), made)  # type: ignore[arg-type]


async def test_the_schema_is_that_of_the_design(tmp_path: Path) -> None:
    summary = summarise(await run_of(tmp_path))
    assert {"name", "suite", "metric", "n_cases", "conditions", "comparisons", "official"} <= set(summary)
    arm = summary["conditions"]["plan"]["e"]
    named = {"n", "statuses", "score", "required", "damage", "diagnostics", "by_regime", "by_group", "calls"}
    assert named <= set(arm)
    assert set(arm["score"]) == {"mean", "ci", "n", "bounds", "complete"}
    kinds = {"agent", "generation", "judge", "answered", "wire_attempts"}
    assert set(arm["calls"]) == kinds | {"tokens_in", "tokens_out", "image_pixels", "cost_usd", "seconds"}
    comparison = summary["comparisons"][0]
    wanted = {"a", "b", "editor", "primary", "matched", "delta", "ci", "p", "wins", "ties", "losses", "n"}
    assert wanted <= set(comparison)
    assert {"agent", "generations", "total"} <= set(comparison["matched"])
    json.dumps(summary, allow_nan=False)


async def test_a_whole_run_is_complete_with_its_means_and_intervals(tmp_path: Path) -> None:
    summary = summarise(await run_of(tmp_path))
    score = summary["conditions"]["generic_rewrite"]["e"]["score"]
    assert score["mean"] == pytest.approx(0.5 + 0.05 * 4.5)
    assert score["ci"][0] < score["mean"] < score["ci"][1]
    assert score["bounds"] == pytest.approx([score["mean"], score["mean"]])
    assert (score["n"], score["complete"], summary["complete"]) == (COUNT, True, True)
    arm = summary["conditions"]["plan"]["e"]
    assert arm["damage"] == pytest.approx(0.1)
    assert arm["diagnostics"] == {"required.semantic_accuracy": 1.0, "protected.visual_quality": None}
    assert arm["judged"]["abstained"] == 0.5
    assert {name: part["n"] for name, part in arm["by_regime"].items()} == {"IS": 4, "RD": 3, "SD": 3}
    assert {name: part["n"] for name, part in arm["by_group"]["family"].items()} == {"even": 5, "odd": 5}
    calls = arm["calls"]
    assert (calls["agent"], calls["generation"], calls["answered"], calls["tokens_in"]) == (20, 10, 30, 3000)
    assert calls["cost_usd"] == pytest.approx(0.3)


async def test_three_kinds_of_absence_are_kept_apart(tmp_path: Path) -> None:
    summary = summarise(await run_of(tmp_path, troubled))
    arm = summary["conditions"]["plan"]["e"]
    named = {"ok": 5, "refused_input": 1, "provider_error": 1, "unsupported": 1, "cancelled": 1, "not_run": 1}
    assert arm["statuses"] == named
    assert sum(arm["statuses"].values()) == arm["n"] == COUNT
    score = arm["score"]
    # Supported: 9. Measured: 4 at 1.0, the refusal at 0, the provider's error at 0. Open: judge, not run, cancelled.
    assert score["n"] == 6
    assert score["mean"] == pytest.approx(4 / 6)
    assert score["bounds"] == pytest.approx([4 / 9, 8 / 9])
    assert not score["complete"]
    assert not summary["complete"]
    assert arm["required"] == pytest.approx(4 / 6)
    damage = arm["judged"]["damage"]
    assert (damage["mean"], damage["n"]) == (pytest.approx(0.1), 4)
    assert damage["bounds"] == pytest.approx([0.4 / 9, 5.4 / 9])
    assert arm["judged"]["statuses"]["judge_refused"] == 1


async def test_paired_differences_use_the_cases_measured_in_both_arms(tmp_path: Path) -> None:
    summary = summarise(await run_of(tmp_path, troubled))
    primary = summary["comparisons"][0]
    pairs = {0: 0.0 - 0.5, **{at: 1.0 - (0.5 + 0.05 * at) for at in range(6, 10)}}
    assert (primary["a"], primary["b"], primary["n"]) == ("plan", "generic_rewrite", 5)
    assert primary["delta"] == pytest.approx(sum(pairs.values()) / 5)
    assert (primary["wins"], primary["ties"], primary["losses"]) == (4, 0, 1)


async def test_declared_comparisons_come_first_and_the_others_are_exploratory(tmp_path: Path) -> None:
    found = summarise(await run_of(tmp_path))["comparisons"]
    assert [(row["a"], row["b"], row["primary"], row["exploratory"]) for row in found] == [
        ("plan", "generic_rewrite", True, False),
        ("generic_rewrite", "direct", False, True),
        ("plan", "direct", False, True),
    ]
    assert found[0]["p_holm"] == found[0]["p"]
    assert found[1]["p_holm"] is None
    assert found[0]["p"] < 0.1


async def test_matched_needs_equal_answered_calls_in_every_run(tmp_path: Path) -> None:
    def reasked(case: Case, key: RunKey) -> Made:
        outcome, verdicts = plain(case, key) or (ended(Status.OK), None)
        if (key.case_id, key.condition) == ("tiny-004", "plan"):
            outcome = outcome.model_copy(update={"calls": ledger(2, reasks=1)})
        if (key.case_id, key.condition) == ("tiny-005", "plan"):
            outcome = outcome.model_copy(update={"calls": ledger(2, attempts=3)})
        return outcome, verdicts

    whole = summarise(await run_of(tmp_path / "whole"))["comparisons"]
    assert whole[0]["is_matched"]
    assert not whole[1]["is_matched"]
    assert whole[1]["matched"]["n_differing"] == COUNT
    assert whole[0]["vectors"]["a"]["instruction_words"] == 3
    found = summarise(await run_of(tmp_path / "reasked", reasked))["comparisons"][0]
    assert not found["is_matched"]
    assert found["matched"]["differing"] == ["tiny-004"]
    assert (found["matched"]["agent"], found["matched"]["generations"]) == (False, True)


async def test_replicates_are_averaged_within_the_case(tmp_path: Path) -> None:
    def noisy(case: Case, key: RunKey) -> Made:
        outcome, _ = plain(case, key) or (ended(Status.OK), None)
        return outcome, scored(float(key.replicate))

    summary = summarise(await run_of(tmp_path, noisy, replicates=2))
    arm = summary["conditions"]["plan"]["e"]
    assert (arm["n"], arm["score"]["n"], arm["score"]["mean"]) == (2 * COUNT, COUNT, 0.5)


async def test_several_judges_are_reported_each(tmp_path: Path) -> None:
    summary = summarise(await run_of(tmp_path, judges=["first", "second"]))
    assert summary["judge"] == "first"
    assert summary["judges"]["second"]["conditions"] == summary["conditions"]


async def test_invalid_items_are_listed_and_not_counted(tmp_path: Path) -> None:
    summary = summarise(await run_of(tmp_path, suite=TinySuite(4, invalid=2)))
    assert summary["n_cases"] == 4
    assert summary["invalid_cases"][0] == {"case_id": "broken-0", "error": "its image is missing"}


async def test_a_summary_depends_on_the_records_alone(tmp_path: Path) -> None:
    run = await run_of(tmp_path, troubled)
    assert summarise(run) == summarise(load_run(tmp_path))


async def test_the_published_rule_leaves_judge_failures_out_and_ours_gives_bounds(tmp_path: Path) -> None:
    official = summarise(await run_of(tmp_path, troubled))["official"]["plan"]["e"]
    assert (official["n"], official["missing_outputs"], official["judge_failures"]) == (6, 2, 3)
    assert official["solvescore"] == pytest.approx(4 / 6)
    assert official["strict"]["solvescore"] is None
    assert official["strict"]["bounds"] == pytest.approx([4 / 9, 7 / 9])


async def test_the_sheet_has_a_row_for_every_run(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(summary_csv(await run_of(tmp_path, troubled)))))
    assert len(rows) == 3 * COUNT
    states = [row["status"] for row in rows if row["condition"] == "plan"]
    assert states.count("not_run") == 1
    assert {row["j:score"] for row in rows if row["condition"] == "direct"} == {"0.25"}
    assert rows[0]["family"] == "even"


@pytest.mark.parametrize(
    ("planner", "judge", "same"),
    [
        ("openai:gpt-5.6", "openai:gpt-5.6-mini?temperature=0", True),
        ("google:gemini-3-pro", "openai:gpt-5.6", False),
        ("compatible:qwen3-vl@http://localhost:8000/v1", "ollama:qwen2.5vl:7b", True),
        ("embedded", "checkers", False),
    ],
)
def test_a_judge_of_the_planners_family_is_named(planner: str, judge: str, same: bool) -> None:
    assert same_family(planner, judge) is same


async def test_an_arm_that_the_editor_supports_nowhere_is_listed_without_a_score(tmp_path: Path) -> None:
    def unsupported(case: Case, key: RunKey) -> Made:
        return (ended(Status.UNSUPPORTED), None) if key.condition == "plan" else plain(case, key)

    arm = summarise(await run_of(tmp_path, unsupported))["conditions"]["plan"]["e"]
    assert arm["statuses"] == {"unsupported": COUNT}
    assert arm["score"] == {"mean": None, "ci": None, "n": 0, "bounds": None, "complete": True}
