"""The published forms, `solveedit.plan_inspection.v1` and `solveedit.plan.v1`, as plain values (SolveEdit-Plan)."""

from __future__ import annotations

from typing import Any

from editplan.records import Evidence, Inspection, Plan, Transition


def inspection_values(inspection: Inspection) -> dict[str, Any]:
    """An inspection under its published names."""
    return {
        "unresolved_variables": [
            {
                "name": variable.name,
                "question": variable.question,
                "required_source": variable.required_source.value,
                "why_unresolved": variable.why_unresolved,
            }
            for variable in inspection.unresolved_variables
        ],
        "visual_queries": [
            {
                "query_id": query.query_id,
                "variable": query.variable,
                "image": query.image,
                "bbox": list(query.bbox),
                "query": query.query,
            }
            for query in inspection.visual_queries
        ],
        "preservation_hypotheses": list(inspection.preservation_hypotheses),
    }


def plan_values(plan: Plan) -> dict[str, Any]:
    """A plan under its published names."""
    challenge = plan.challenge
    return {
        "evidence_ledger": [_evidence(item) for item in plan.evidence],
        "unresolved_variables": [
            {
                "name": variable.name,
                "status": variable.status,
                "resolution": variable.resolution,
                "claim_ids": list(variable.claim_ids),
            }
            for variable in plan.variables
        ],
        "candidate_transitions": [_transition(item) for item in plan.candidates],
        "contrastive_challenge": {
            "alternative_transition_id": challenge.alternative_transition_id,
            "question": challenge.question,
            "discriminating_claim_ids": list(challenge.discriminating_claim_ids),
            "outcome": challenge.outcome,
        },
        "selected_transition_id": plan.selected,
        "self_contract": [obligation.text for obligation in plan.obligations],
        "uncertainties": list(plan.uncertainties),
        "compiled_instruction": plan.instruction,
    }


def _evidence(item: Evidence) -> dict[str, Any]:
    return {
        "claim_id": item.claim_id,
        "claim": item.claim,
        "source": item.source.value,
        "image": item.image,
        "bbox": None if item.bbox is None else list(item.bbox),
        "query_id": item.query_id,
        "evidence": item.evidence,
        "confidence": item.confidence,
    }


def _transition(item: Transition) -> dict[str, Any]:
    return {
        "transition_id": item.transition_id,
        "targets": list(item.targets),
        "actions": list(item.actions),
        "destination": list(item.destination),
        "goal_state": list(item.goal_state),
        "preserve": list(item.preserve),
        "supporting_claim_ids": list(item.supporting_claim_ids),
        "validity": item.validity.value,
    }
