"""What the model answers to each kind of ask; the keys that are asked for decide, as they do for any model."""

from __future__ import annotations

from typing import Any

from editplan.planner.embedded.asked import asked_keys, wants_one_candidate, wants_preservation
from editplan.planner.embedded.comparing import better_result, compare_result
from editplan.planner.embedded.describing import describe_view
from editplan.planner.embedded.published import inspection_values, plan_values
from editplan.planner.embedded.question import read_block, read_goal
from editplan.planner.embedded.restating import as_instruction
from editplan.planner.embedded.solvers.registry import inspect_goal, resolve_goal
from editplan.planner.embedded.view import View
from editplan.planner.embedded.wording import CLOSING, compose, sentence
from editplan.records import Ask, Plan

NO_SOLVER_HERE = "this program has no way to answer that"


def answer(ask: Ask, view: View | None) -> dict[str, Any]:
    """The answer as a JSON-able object; a key that is not known gets an honest "not known"."""
    goal, keys = read_goal(ask), set(asked_keys(ask))
    if view is None:
        return _blind(ask, goal)
    if "compiled_instruction" in keys:
        return plan_values(_adapted(resolve_goal(goal, view), goal, ask))
    if "visual_queries" in keys:
        return inspection_values(inspect_goal(goal, view))
    if "better" in keys:
        observations, choice = better_result(view)
        return {"observations": observations, "better": choice}
    if keys & {"problems", "checks"}:
        return _critique(ask, goal, view)
    if "changes" in keys:
        return _grounding(ask, view)
    if "answer" in keys:
        return _answer_in_words(goal, view)
    if "description" in keys:
        facts = describe_view(view)
        return {"observations": facts, "description": " ".join(facts)}
    return {"instruction": _instruction(ask, goal, view), **_unknown(keys - {"instruction"})}


def _blind(ask: Ask, goal: str) -> dict[str, Any]:
    """Without a picture only the words can be put in order."""
    text = as_instruction(read_block(ask.text, "draft") or goal)
    return {"instruction": text, **_unknown(set(asked_keys(ask)) - {"instruction"})}


def _unknown(keys: set[str]) -> dict[str, Any]:
    return dict.fromkeys(sorted(keys), NO_SOLVER_HERE)


def _instruction(ask: Ask, goal: str, view: View) -> str:
    """A free instruction: from a given answer or specification where there is one, else from one look."""
    given = read_block(ask.text, "answer") or read_block(ask.text, "specification")
    return as_instruction(given) if given else resolve_goal(goal, view).instruction


def _adapted(plan: Plan, goal: str, ask: Ask) -> Plan:
    """The plan as far as the ask wants it: an ablation may ask for one candidate, or not for what stays."""
    if wants_one_candidate(ask):
        candidates = tuple(z for z in plan.candidates if z.transition_id == plan.selected)
        plan = plan.model_copy(update={"candidates": candidates})
    if not wants_preservation(ask):
        bare = plan.instruction.removesuffix(CLOSING).strip()
        steps = tuple(part for part in bare.split(". ") if not part.startswith("Keep "))
        plan = plan.model_copy(
            update={
                "instruction": compose(tuple(sentence(step) for step in steps) or (sentence(goal),), ""),
                "obligations": tuple(o for o in plan.obligations if o.kind == "completion"),
            }
        )
    return plan


def _critique(ask: Ask, goal: str, view: View) -> dict[str, Any]:
    """What the result shows against the source, and the instruction of this program's own look at the source."""
    observations, problems = compare_result(view)
    plan = resolve_goal(goal, view)
    last = read_block(ask.text, "instruction") or plan.instruction
    statements = [line for line in (read_block(ask.text, "obligations") or "").splitlines() if line.strip()]
    checks = [
        {"number": number, "verdict": "not_visible", "seen": "not told apart by this program"}
        for number in range(1, len(statements) + 1)
    ]
    return {
        "observations": observations,
        "problems": problems,
        "checks": checks,
        "instruction": plan.instruction if plan.certain else last,
    }


def _grounding(ask: Ask, view: View) -> dict[str, Any]:
    specification = read_block(ask.text, "specification") or ""
    return {
        "observations": describe_view(view),
        "changes": [sentence(specification)] if specification else [],
        "keep": ["everything that the specification does not name"],
    }


def _answer_in_words(goal: str, view: View) -> dict[str, Any]:
    plan = resolve_goal(goal, view)
    facts = [item.claim for item in plan.evidence]
    if not plan.certain:
        return {"observations": facts, "answer": f"The images do not settle this: {'; '.join(plan.uncertainties)}."}
    chosen = plan.transition
    states = chosen.goal_state if chosen is not None else ()
    steps = plan.instruction.removesuffix(CLOSING).strip()
    return {"observations": facts, "answer": " ".join((steps, *(sentence(f"then {state}") for state in states)))}
