"""The JSON schemas that are sent to vision models.

Legal in the strict modes of all providers: every field required, nothing beside them, no tuples, defaults, `oneOf`
or references. The order is the order of thinking: what was seen, what is chosen, the obligations, the instruction.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from editplan.planner.variants import VARIANTS, PlanVariant
from editplan.records import EvidenceSource, Validity, VariableSource, digest

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}


def words(values: Iterable[str]) -> Schema:
    """One of some strings."""
    return {"type": "string", "enum": list(values)}


def listed(items: Schema) -> Schema:
    """A list of such values."""
    return {"type": "array", "items": items}


def maybe(schema: Schema) -> Schema:
    """Such a value, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def closed(**fields: Schema) -> Schema:
    """An object with exactly these fields, in this order."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


BOX = listed(NUMBER)
TEXTS = listed(TEXT)


def inspection_schema(*, preservation: bool = True) -> Schema:
    """What Inspect answers; without preservation hypotheses in the ablation."""
    sources = [each.value for each in VariableSource if preservation or each is not VariableSource.PRESERVATION]
    variable = closed(name=TEXT, question=TEXT, required_source=words(sources), why_unresolved=TEXT)
    query = closed(query_id=TEXT, variable=TEXT, image=WHOLE, bbox=BOX, query=TEXT)
    fields = {"unresolved_variables": listed(variable), "visual_queries": listed(query)}
    return closed(**fields, **({"preservation_hypotheses": TEXTS} if preservation else {}))


def plan_schema(variant: PlanVariant = PlanVariant()) -> Schema:
    """What Resolve answers, without the fields that an ablation leaves out."""
    sources = [
        each.value for each in EvidenceSource if variant.preservation or each is not EvidenceSource.PRESERVATION
    ]
    fields: dict[str, Schema] = {
        "evidence_ledger": listed(
            closed(
                claim_id=TEXT,
                claim=TEXT,
                source=words(sources),
                image=WHOLE,
                bbox=maybe(BOX),
                query_id=maybe(TEXT),
                evidence=TEXT,
                confidence=maybe(NUMBER),
            )
        ),
        "unresolved_variables": listed(
            closed(name=TEXT, status=words(("resolved", "uncertain")), resolution=TEXT, claim_ids=TEXTS)
        ),
        "candidate_transitions": listed(_transition(variant)),
    }
    if variant.contrast:
        fields["contrastive_challenge"] = closed(
            alternative_transition_id=maybe(TEXT),
            question=TEXT,
            discriminating_claim_ids=TEXTS,
            outcome=words(("supported", "uncertain", "not_applicable")),
        )
    fields["selected_transition_id"] = TEXT
    if variant.obligations:
        fields["self_contract"] = TEXTS
    return closed(**fields, uncertainties=TEXTS, compiled_instruction=TEXT)


def _transition(variant: PlanVariant) -> Schema:
    kept = {"preserve": TEXTS} if variant.preservation else {}
    return closed(
        transition_id=TEXT,
        targets=TEXTS,
        actions=TEXTS,
        destination=TEXTS,
        goal_state=TEXTS,
        **kept,
        supporting_claim_ids=TEXTS,
        validity=words(each.value for each in Validity),
    )


INSTRUCTION = closed(instruction=TEXT)
ANSWER = closed(observations=TEXTS, answer=TEXT)
DESCRIPTION = closed(observations=TEXTS, description=TEXT)
GROUNDING = closed(observations=TEXTS, changes=TEXTS, keep=TEXTS)
CRITIQUE = closed(observations=TEXTS, problems=TEXTS, instruction=TEXT)
VERIFICATION = closed(
    observations=TEXTS,
    checks=listed(closed(number=WHOLE, verdict=words(("met", "not_met", "not_visible")), seen=TEXT)),
    instruction=TEXT,
)
CHOICE = closed(observations=TEXTS, better=words(("A", "B", "neither")))


def schema_hashes() -> dict[str, str]:
    """Task → SHA-256 of the schema sent with it; what a model sees is prompt text too."""
    schemas = {
        "inspect": inspection_schema(),
        "inspect_no_preservation": inspection_schema(preservation=False),
        "answer": ANSWER,
        "describe": DESCRIPTION,
        "oracle_ground": GROUNDING,
        "critique": CRITIQUE,
        "verify": VERIFICATION,
        "choose": CHOICE,
        "instruction": INSTRUCTION,
        **{variant.task: plan_schema(variant) for variant in VARIANTS.values()},
    }
    return {task: digest(schema) for task, schema in sorted(schemas.items())}
