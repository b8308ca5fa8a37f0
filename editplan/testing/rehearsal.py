"""A whole experiment with scripted models of known rates: real graphs, journal, ledgers and statistics, no provider.

The scripted planner writes "right" or "wrong" into its instruction, the editor paints what it understood, and the
judge reads the colour. Rates are planted by the task that ends a condition's thinking; `plan:no_crops`, whose task
is that of `plan`, has the rate of `plan`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from editplan.evals.cases import Case, InvalidCase
from editplan.evals.components import Given
from editplan.evals.experiment import Experiment
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.session import Finished, SessionOptions, arun_experiment
from editplan.evals.simulation.rates import Rates
from editplan.evals.solvescore import solve_score
from editplan.images import encode_png
from editplan.planner.hints import KnowledgeHint, OracleSpec
from editplan.protocols import Images
from editplan.records import Ask, EditJob, Media
from editplan.store import ImageStore
from editplan.testing.evaluation import TinySuite
from editplan.testing.scripted import ScriptedEditor, ScriptedModel

RIGHT, WRONG = (20, 160, 60), (200, 40, 40)
DAMAGED = (20, 160, 200)

_ENDS: Mapping[str, str] = {
    "rewrite_revise": "generic_rewrite",
    "rewrite_revise_tiles": "generic_rewrite:tiles",
    "text_rewrite_revise": "text_rewrite",
    "restate": "text_thinking",
    "oracle_compile": "oracle",
    "answer": "text_thinking:raw",
    "critique": "self_reflection:1",
    "critique_from_draft": "self_reflection:1",
    "verify": "plan_verify",
    "resolve": "plan",
    "one_stage": "plan:one_stage",
}
"""The condition whose instruction a task writes; `resolve_<name>` is `plan:<name>`."""


async def rehearse_experiment(experiment: Experiment, rates: Rates, folder: Path, cases: int = 12) -> Finished:
    """Carries `experiment` out in `folder` on `cases` tiny cases, with scripted models in all places.

    Raises what `run_experiment` raises: a condition or a comparison that doesn't fit the file shows here.
    """
    given = Given(
        suite=_Told(cases),
        planner=_planner(experiment, rates),
        editors={spec: _editor(spec, rates) for spec in experiment.editors},
        judges={"scripted": _Judge(rates)},
    )
    plain = experiment.model_copy(update={"judges": ("scripted",), "planner": "scripted", "max_cases": None})
    return await arun_experiment(plain, folder, SessionOptions(given=given))


class _Told(TinySuite):
    """Tiny cases whose oracle and hint say the right thing."""

    def cases(self, images: ImageStore) -> Iterator[Case | InvalidCase]:
        """See `editplan.evals.cases.Suite`."""
        words = "Do the right thing."
        for case in super().cases(images):
            given = {"oracle": OracleSpec(final_state=words), "hint": KnowledgeHint(text=words)}
            yield case.model_copy(update=given) if isinstance(case, Case) else case


def _planner(experiment: Experiment, rates: Rates) -> ScriptedModel:
    def answer(ask: Ask) -> dict[str, Any]:
        condition = _ENDS.get(ask.task, f"plan:{ask.task.removeprefix('resolve_')}")
        right = _chance(ask.text, ask.task, experiment.seed) < rates.recovery(condition)
        return scripted_answer(f"Do the {'right' if right else 'wrong'} thing. Output only the edited image.")

    return ScriptedModel(answer)


def scripted_answer(instruction: str) -> dict[str, Any]:
    """An answer that every planning task takes, the keys of others left unread; its instruction is the given one."""
    return {
        "unresolved_variables": [],
        "visual_queries": [],
        "preservation_hypotheses": [],
        "evidence_ledger": [_CLAIM],
        "candidate_transitions": [_TRANSITION],
        "selected_transition_id": "z1",
        "contrastive_challenge": {"outcome": "not_applicable", "question": "", "discriminating_claim_ids": []},
        "self_contract": ["The square is changed.", "Everything else stays unchanged."],
        "compiled_instruction": instruction,
        "uncertainties": [],
        "instruction": instruction,
        "observations": [],
        "problems": [],
        "checks": [],
        "changes": ["the square"],
        "keep": [],
        "answer": instruction,
        "description": "A square on white.",
        "better": "A",
    }


_CLAIM = {
    "claim_id": "c1",
    "claim": "there is one square",
    "source": "observed_state",
    "bbox": [0.1, 0.2, 0.6, 0.8],
    "evidence": "it is there",
    "confidence": 1.0,
}
_TRANSITION = {
    "transition_id": "z1",
    "targets": ["the square"],
    "actions": ["change it"],
    "destination": [],
    "goal_state": ["the square is changed"],
    "preserve": ["everything else"],
    "supporting_claim_ids": ["c1"],
    "validity": "supported",
}


def _editor(spec: str, rates: Rates) -> ScriptedEditor:
    def make(job: EditJob, images: Images) -> Media:
        told = "right" if "right thing" in job.instruction else "wrong" if "wrong thing" in job.instruction else ""
        name = f"{job.instruction} {job.parts[0].media.sha256} {job.seed}"
        guessed = _chance(name, "guess") < rates.recovery("direct")
        done = (told == "right" or (not told and guessed)) and _chance(name, spec) < rates.execution(spec)
        colour = (DAMAGED if _chance(name, "damage") < rates.damages else RIGHT) if done else WRONG
        pixels = np.full((16, 24, 3), 255, np.uint8)
        pixels[4:12, 4:12] = colour
        return images.add(encode_png(PIL.Image.fromarray(pixels)))[0]

    return ScriptedEditor(make, editor_id=f"scripted-{spec}")


@dataclass(frozen=True)
class _Judge:
    """Reads the colour, and errs as it is told to."""

    rates: Rates
    id: str = "scripted"
    judges_text: bool = False

    async def judge(self, task: JudgeTask, images: Images) -> Verdicts:
        """See `editplan.evals.judging.Judge`."""
        if task.output is None:
            return Verdicts(status="missing_output", score=0.0, required=0.0)
        name = f"{task.goal} {task.output.sha256} {task.attempt}"
        if _chance(name, "fails") < self.rates.judge_fails:
            return Verdicts(status="judge_refused")
        colour = tuple(int(value) for value in images[task.output.sha256].array()[8, 8, :3])
        called = self.rates.detects if colour != WRONG else self.rates.false_alarm
        required = float(_chance(name, "word") < called)
        damage = self.rates.damage if colour == DAMAGED and required else 0.0
        score = solve_score(required, damage)
        return Verdicts(status="scored", score=score, required=required, damage=damage, coverage=1.0, gate="pass")


def _chance(*parts: object) -> float:
    """A number in 0..1 that is the same for the same parts."""
    head = hashlib.sha256("|".join(map(str, parts)).encode()).digest()[:8]
    return int.from_bytes(head, "big") / 2**64
