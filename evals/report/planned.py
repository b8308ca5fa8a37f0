"""A plan in a report: variables, evidence, candidates, challenge, obligations."""

from __future__ import annotations

from editplan.evals.report.markup import Html, element, joined, table
from editplan.records import Box, Plan, Transition


def evidence_boxes(plan: Plan, image: int) -> list[tuple[str, Box]]:
    """The boxes that a plan's evidence gives in one image, by claim."""
    return [
        (claim.claim_id, claim.bbox) for claim in plan.evidence if claim.bbox is not None and claim.image == image
    ]


def plan_page(plan: Plan) -> Html:
    """Variables, evidence, candidates, the challenge, obligations and what stayed uncertain."""
    variables = [[each.name, each.status, each.resolution, _listed(each.claim_ids)] for each in plan.variables]
    evidence = [[each.claim_id, each.source.value, each.claim, each.query_id or ""] for each in plan.evidence]
    candidates = [
        [each.transition_id, _validity(each, plan), _steps(each), _listed(each.supporting_claim_ids)]
        for each in plan.candidates
    ]
    obligations = [[each.kind, each.text] for each in plan.obligations]
    parts = [
        _part("Variables", ["name", "status", "answer", "claims"], variables),
        _part("Evidence", ["claim", "source", "what is seen", "crop"], evidence),
        _part("Candidates", ["transition", "validity", "change", "claims"], candidates),
        _part("Obligations", ["kind", "what must be seen"], obligations),
    ]
    if plan.challenge.question:
        parts.append(element("p", {}, f"Challenge ({plan.challenge.outcome}): {plan.challenge.question}"))
    parts += [element("p", {}, f"Uncertain: {each}") for each in plan.uncertainties]
    return joined(parts)


def _validity(candidate: Transition, plan: Plan) -> str:
    return candidate.validity.value + (", chosen" if candidate.transition_id == plan.selected else "")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names)


def _steps(candidate: Transition) -> str:
    change = "; ".join((*candidate.actions, *candidate.targets, *candidate.destination))
    return f"{change} → {'; '.join(candidate.goal_state)}" if candidate.goal_state else change


def _part(title: str, head: list[str], rows: list[list[str]]) -> Html:
    """A table under its title; nothing where it is empty."""
    if not rows:
        return Html("")
    return joined([element("h5", {}, title), table(head, rows, numbers_from=len(head))])
