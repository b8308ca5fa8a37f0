"""Reads a plan as a model wrote it, and holds it to the rules of protocols §1.7."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from editplan.planner.obligations import obligation
from editplan.planner.reading import MOST_ITEMS, Reader, into_source
from editplan.planner.variants import PlanVariant
from editplan.records import (
    Box,
    Challenge,
    Evidence,
    EvidenceSource,
    Plan,
    ResolvedVariable,
    Transition,
    Validity,
)

_BESIDE = ("schema_version", "uid")
_ALL = (
    "evidence_ledger",
    "unresolved_variables",
    "candidate_transitions",
    "contrastive_challenge",
    "selected_transition_id",
    "self_contract",
    "uncertainties",
    "compiled_instruction",
)


class _Status(StrEnum):
    RESOLVED = "resolved"
    UNCERTAIN = "uncertain"


class _Result(StrEnum):
    NOT_APPLICABLE = "not_applicable"
    SUPPORTED = "supported"
    UNCERTAIN = "uncertain"


def plan_keys(variant: PlanVariant) -> tuple[str, ...]:
    """The keys that an answer must have."""
    left_out = set() if variant.contrast else {"contrastive_challenge"}
    left_out |= set() if variant.obligations else {"self_contract"}
    return tuple(key for key in _ALL if key not in left_out)


def read_plan(value: dict[str, Any], reader: Reader, variant: PlanVariant = PlanVariant()) -> Plan:
    """The plan in `value`; what is wrong with it is gathered by `reader`."""
    reader.required(value, plan_keys(variant), "$")
    reader.surplus(value, (*_ALL, *_BESIDE), "$")
    ledger = reader.items(value.get("evidence_ledger"), "$.evidence_ledger", most=None)
    variables = reader.items(value.get("unresolved_variables"), "$.unresolved_variables")
    texts = reader.texts(value.get("self_contract"), "$.self_contract") if variant.obligations else ()
    plan = Plan(
        variables=tuple(_variable(each, reader, where) for where, each in variables),
        evidence=tuple(_evidence(each, reader, where) for where, each in ledger),
        candidates=_candidates(value, reader, variant),
        selected=reader.text(value.get("selected_transition_id"), "$.selected_transition_id"),
        challenge=_challenge(value.get("contrastive_challenge"), reader) if variant.contrast else Challenge(),
        obligations=tuple(
            each for each in map(obligation, texts) if variant.preservation or each.kind == "completion"
        ),
        instruction=reader.text(value.get("compiled_instruction"), "$.compiled_instruction"),
        uncertainties=reader.texts(value.get("uncertainties"), "$.uncertainties"),
    )
    for problem in broken_rules(plan):
        reader.problem(problem)
    return plan


def broken_rules(plan: Plan) -> tuple[str, ...]:
    """What is wrong with a plan, in words: ids twice, citations of nothing, a choice that is none or rejected."""
    problems: list[str] = []
    claims = [each.claim_id for each in plan.evidence]
    problems += [f"evidence_ledger has the claim id {name!r} twice" for name in _repeated(claims)]
    if "" in claims:
        problems.append("evidence_ledger has a claim without a claim_id")
    names = [each.transition_id for each in plan.candidates]
    problems += [f"candidate_transitions has the id {name!r} twice" for name in _repeated(names)]
    problems += _uncovered(plan, set(claims))
    known = ", ".join(names) or "none"
    if not names:
        problems.append("candidate_transitions is empty: there is nothing to select")
    elif plan.transition is None:
        problems.append(f"selected_transition_id {plan.selected!r} is no candidate; there are: {known}")
    elif plan.transition.validity is Validity.REJECTED:
        problems.append(f"selected_transition_id {plan.selected!r} is a rejected candidate")
    alternative = plan.challenge.alternative_transition_id
    if alternative is not None and alternative not in names:
        problems.append(f"contrastive_challenge names {alternative!r}, which is no candidate; there are: {known}")
    return tuple(problems)


def _uncovered(plan: Plan, claims: set[str]) -> list[str]:
    cited = [
        *((f"unresolved_variables {each.name!r}", each.claim_ids) for each in plan.variables),
        *((f"candidate {each.transition_id!r}", each.supporting_claim_ids) for each in plan.candidates),
        ("contrastive_challenge", plan.challenge.discriminating_claim_ids),
    ]
    return [
        f"{who} cites {name!r}, which is not in evidence_ledger"
        for who, names in cited
        for name in names
        if name not in claims
    ]


def _repeated(names: Iterable[str]) -> list[str]:
    seen: list[str] = list(names)
    return sorted({name for name in seen if seen.count(name) > 1})


def _variable(value: dict[str, Any], reader: Reader, where: str) -> ResolvedVariable:
    reader.required(value, ("name", "status"), where)
    reader.surplus(value, ("name", "status", "resolution", "claim_ids"), where)
    status = reader.choice(value.get("status"), _Status, f"{where}.status")
    return ResolvedVariable(
        name=reader.text(value.get("name"), f"{where}.name"),
        status="resolved" if status is _Status.RESOLVED else "uncertain",
        resolution=reader.text(value.get("resolution"), f"{where}.resolution"),
        claim_ids=reader.texts(value.get("claim_ids"), f"{where}.claim_ids"),
    )


def _evidence(value: dict[str, Any], reader: Reader, where: str) -> Evidence:
    known = ("claim_id", "claim", "source", "image", "bbox", "query_id", "evidence", "confidence")
    reader.required(value, ("claim_id", "claim", "source"), where)
    reader.surplus(value, known, where)
    image = reader.image(value.get("image"), f"{where}.image") or 1
    frame = reader.frames[image - 1]
    box: Box | None = None
    if value.get("bbox") is not None:
        box = reader.box(value["bbox"], f"{where}.bbox", image)
    return Evidence(
        claim_id=reader.text(value.get("claim_id"), f"{where}.claim_id"),
        claim=reader.text(value.get("claim"), f"{where}.claim"),
        source=reader.choice(value.get("source"), EvidenceSource, f"{where}.source"),
        image=frame.image,
        bbox=into_source(box, frame) if box else None,
        query_id=reader.text(value.get("query_id"), f"{where}.query_id") or frame.query_id,
        evidence=reader.text(value.get("evidence"), f"{where}.evidence"),
        confidence=reader.confidence(value.get("confidence"), f"{where}.confidence"),
    )


def _candidates(value: dict[str, Any], reader: Reader, variant: PlanVariant) -> tuple[Transition, ...]:
    found = reader.items(value.get("candidate_transitions"), "$.candidate_transitions", most=None)
    selected = value.get("selected_transition_id")
    most = MOST_ITEMS if variant.candidates else 1
    if len(found) > most:
        reader.note(f"$.candidate_transitions: {len(found)} entries, at most {most} count")
        first = [pair for pair in found if pair[1].get("transition_id") == selected][:1]
        others = [pair for pair in found if pair not in first][: most - len(first)]
        found = [pair for pair in found if pair in first or pair in others]
    return tuple(_transition(each, reader, where, variant) for where, each in found)


def _transition(value: dict[str, Any], reader: Reader, where: str, variant: PlanVariant) -> Transition:
    lists = ("targets", "actions", "destination", "goal_state", "preserve", "supporting_claim_ids")
    reader.required(value, ("transition_id", "validity"), where)
    reader.surplus(value, ("transition_id", "validity", *lists), where)
    texts = {name: reader.texts(value.get(name), f"{where}.{name}") for name in lists}
    return Transition(
        transition_id=reader.text(value.get("transition_id"), f"{where}.transition_id"),
        targets=texts["targets"],
        actions=texts["actions"],
        destination=texts["destination"],
        goal_state=texts["goal_state"],
        preserve=texts["preserve"] if variant.preservation else (),
        supporting_claim_ids=texts["supporting_claim_ids"],
        validity=reader.choice(value.get("validity"), Validity, f"{where}.validity"),
    )


def _challenge(value: Any, reader: Reader) -> Challenge:
    where = "$.contrastive_challenge"
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        reader.note(f"{where}: no object, taken as not applicable")
        return Challenge()
    reader.surplus(value, ("alternative_transition_id", "question", "discriminating_claim_ids", "outcome"), where)
    outcome = reader.choice(value.get("outcome"), _Result, f"{where}.outcome")
    alternative = reader.text(value.get("alternative_transition_id"), f"{where}.alternative_transition_id")
    nothing = alternative.lower() in {"", "null", "none", "n/a", "not_applicable"}
    return Challenge(
        alternative_transition_id=None if nothing else alternative,
        question=reader.text(value.get("question"), f"{where}.question"),
        discriminating_claim_ids=reader.texts(
            value.get("discriminating_claim_ids"), f"{where}.discriminating_claim_ids"
        ),
        outcome=outcome.value,
    )
