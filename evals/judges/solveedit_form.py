"""What SolveEdit's judge is shown: the case's context and its atoms, all of it or without what gives answers away."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from editplan.evals.contracts import Atom, Contract, CriterionGroup
from editplan.evals.judges.options import Mode
from editplan.evals.solvescore import weighted_atoms
from editplan.records import Record

_CRITERIA = ("pass_criteria", "partial_criteria", "fail_criteria")
_VERDICTS = ["pass", "partial", "fail", "abstain"]


class Names(Record):
    """The ids that the judge sees, in the order of the contract.

    `strict` numbers the atoms: an author's id (`req_1`, `protected-sky`) tells the role.
    """

    shown: dict[str, str]
    """Our id by the shown one."""

    def of(self, ids: Collection[str]) -> tuple[str, ...]:
        """The shown names of some atoms."""
        return tuple(shown for shown, own in self.shown.items() if own in ids)


def names_of(contract: Contract, mode: Mode) -> Names:
    """The names of all atoms."""
    ids = [atom.id for _, atom in contract.atoms()]
    if mode == "official":
        return Names(shown={each: each for each in ids})
    return Names(shown={f"a{number:02d}": each for number, each in enumerate(ids, 1)})


def context_of(contract: Contract, request: str, mode: Mode) -> dict[str, Any]:
    """The context object, without the case's id in either mode: ids often name a family or a regime."""
    facts = contract.manual_facts
    context: dict[str, Any] = {
        "important_entities": facts.important_entities,
        "allowed_changes": facts.allowed_changes,
        "forbidden_changes": facts.forbidden_changes,
    }
    if mode == "official":
        context = {
            "case_family": contract.case_family,
            "task_family": contract.task_family,
            "instruction": contract.instruction or request,
            "intended_final_state": contract.intended_final_state or facts.intended_final_state,
            **context,
            "reasoning_profile": contract.reasoning_profile,
            "scoring_policy": contract.scoring_policy,
        }
    return context


def atoms_of(contract: Contract, names: Names, mode: Mode) -> list[dict[str, Any]]:
    """The atoms with their criteria; `official` adds role, property, weight and checker family."""
    weights = {atom.id: atom.weight for atom in weighted_atoms(contract.as_json())}
    shown = {own: name for name, own in names.shown.items()}
    return [_atom(group, atom, shown[atom.id], weights.get(atom.id, 0.0), mode) for group, atom in contract.atoms()]


def _atom(group: CriterionGroup, atom: Atom, name: str, weight: float, mode: Mode) -> dict[str, Any]:
    payload: dict[str, Any] = {"id": name}
    if mode == "official":
        payload |= {"role": group.role, "dimension": group.property, "weight": round(weight, 6)}
        payload["checker_family"] = atom.checker_family
    payload["question"] = atom.question
    payload |= {field: getattr(atom, field) for field in _CRITERIA if getattr(atom, field)}
    if atom.evidence_requirements:
        payload["evidence_requirements"] = atom.evidence_requirements
    return payload


def form_fields(contract: Contract, request: str, names: Names, mode: Mode) -> Mapping[str, str]:
    """The fields of the judge's prompt."""
    return {
        "request": inert(request),
        "context": as_text(context_of(contract, request, mode)),
        "atoms": as_text(atoms_of(contract, names, mode)),
    }


def as_text(value: Any) -> str:
    """JSON as a prompt shows it."""
    return json.dumps(value, ensure_ascii=False, indent=1)


def inert(request: str) -> str:
    """The request, unable to close the block that it stands in."""
    return re.sub(r"<(?=\s*/?\s*request\b)", "‹", request.strip(), flags=re.IGNORECASE)


def reply_schema(*, gate: bool = True) -> dict[str, Any]:
    """The JSON schema of a reply, in the subset that strict structured output takes."""
    text, share = {"type": "string"}, {"type": "number"}
    atom = _object(
        {
            "id": text,
            "reason": text,
            "visual_evidence": text,
            "verdict": {"type": "string", "enum": _VERDICTS},
            "confidence": share,
        }
    )
    results = {"type": "array", "items": atom}
    if not gate:
        return _object({"atomic_results": results})
    status = {"type": "string", "enum": ["pass", "fail", "abstain"]}
    quality = _object({"reason": text, "visual_evidence": text, "status": status, "confidence": share})
    return _object(
        {"quality_gate": quality, "atomic_results": results, "failure_summary": text, "overall_reason": text}
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
