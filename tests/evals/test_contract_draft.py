"""Drafting a contract: a usable draft, mended replies, and who can't write one."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import PIL.Image
import pytest

from editplan.errors import ConfigError, ModelError
from editplan.evals.contract_draft import draft_contract, model_for_drafts
from editplan.evals.contract_lint import lint_contract
from editplan.evals.contracts import load_contract
from editplan.testing import ScriptedModel


def claim(role: str, question: str, **changes: Any) -> dict[str, Any]:
    fields = {
        "role": role,
        "property": "semantic_accuracy",
        "group": "one",
        "question": question,
        "pass_criteria": "It does.",
        "partial_criteria": "",
        "fail_criteria": "It doesn't.",
        "checker_family": "segmentation",
    }
    return {**fields, **changes}


def reply(*claims: dict[str, Any]) -> dict[str, Any]:
    return {
        "observations": ["a red cup stands on the table"],
        "important_entities": ["the red cup"],
        "final_state": "The cup is blue.",
        "allowed_changes": ["the cup's colour"],
        "forbidden_changes": ["the table"],
        "claims": list(claims),
    }


GOOD = (
    claim("required", "Is the cup blue?"),
    claim("protected", "Is the spoon beside the cup as it was?", group="two"),
)


def picture() -> bytes:
    buffer = io.BytesIO()
    PIL.Image.fromarray(np.full((40, 60, 3), 200, np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()


async def drafted(*answers: Any) -> tuple[Any, ScriptedModel]:
    model = ScriptedModel(list(answers))
    return await draft_contract(model, picture(), "Make the cup blue.", case_id="cup"), model


async def test_a_draft_is_a_valid_contract_marked_as_a_draft() -> None:
    (contract, notes), model = await drafted(reply(*GOOD))
    assert contract.draft is True
    assert notes == ()
    assert load_contract(contract.as_json()) == contract
    assert [(group.role, atom.question) for group, atom in contract.atoms()] == [
        ("required", "Is the cup blue?"),
        ("protected", "Is the spoon beside the cup as it was?"),
    ]
    assert any(finding.rule == "draft" for finding in lint_contract(contract).findings)
    (ask,) = model.asks
    assert "Make the cup blue." in ask.text
    assert len(ask.parts) == 1


async def test_claims_without_role_or_words_are_left_out_and_noted() -> None:
    odd = (
        claim("maybe", "Is it nice?"),
        claim("required", ""),
        claim("Protected", "Is the spoon there?", property="VQ!"),
    )
    (contract, notes), _ = await drafted(reply(*GOOD, *odd))
    assert len(list(contract.atoms())) == 3
    assert sum("left out" in note for note in notes) == 2


async def test_equal_questions_get_different_ids() -> None:
    twins = [claim("protected", "Is the spoon as it was?") for _ in range(3)]
    (contract, _), _ = await drafted(reply(GOOD[0], *twins))
    ids = [atom.id for _, atom in contract.atoms()]
    assert len(set(ids)) == len(ids) == 4


async def test_a_reply_without_protected_claims_is_asked_again_and_then_an_error() -> None:
    (contract, notes), model = await drafted(reply(GOOD[0]), reply(*GOOD))
    assert len(list(contract.atoms())) == 2
    assert "no usable protected claim" in model.asks[1].text
    assert any("asked again" in note for note in notes)
    with pytest.raises(ModelError, match="no usable contract"):
        await drafted("I would rather chat.", "Still chatting.")


def test_the_embedded_model_is_no_author() -> None:
    with pytest.raises(ConfigError, match="name a vision model"):
        model_for_drafts("embedded")
