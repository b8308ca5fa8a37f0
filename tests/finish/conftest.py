"""A planner's answers for a photograph: where the dot goes."""

from __future__ import annotations

from typing import Any

import pytest

_CLAIM = {
    "claim_id": "e1",
    "claim": "the place is free",
    "source": "observed_state",
    "image": 1,
    "bbox": [0.5, 0.25, 0.6, 0.35],
    "query_id": None,
    "evidence": "seen",
    "confidence": 0.9,
}
_TRANSITION = {
    "transition_id": "z1",
    "targets": ["a red dot"],
    "actions": ["add"],
    "destination": ["the free place"],
    "goal_state": ["a red dot lies there"],
    "preserve": [],
    "supporting_claim_ids": ["e1"],
    "validity": "supported",
}


@pytest.fixture
def answers() -> dict[str, Any]:
    """Inspect and Resolve, as a model writes them."""
    return {
        "inspect": {"unresolved_variables": [], "visual_queries": [], "preservation_hypotheses": []},
        "resolve": {
            "unresolved_variables": [],
            "evidence_ledger": [_CLAIM],
            "candidate_transitions": [_TRANSITION],
            "contrastive_challenge": {
                "alternative_transition_id": None,
                "question": "",
                "discriminating_claim_ids": [],
                "outcome": "not_applicable",
            },
            "selected_transition_id": "z1",
            "self_contract": ["a red dot lies in the free place", "everything else is unchanged"],
            "uncertainties": [],
            "compiled_instruction": "Put a red dot into the free place. Output only the edited image.",
        },
    }
