"""Reads and writes the published formats `solveedit.plan_inspection.v1` and `solveedit.plan.v1` (protocols §1.7).

Files that the reference program made are read leniently, with a report of the rules that they break. Ours carry,
beside the published keys, the kinds of the obligations and the image and crop of each piece of evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from editplan.errors import DatasetError
from editplan.planner import inspections, plans
from editplan.planner.forbidden import forbidden_keys
from editplan.planner.instructions import MAX_WORDS, has_closing, word_count
from editplan.planner.reading import Reader
from editplan.records import Inspection, Obligation, Plan, Transition

INSPECTION_VERSION = "solveedit.plan_inspection.v1"
PLAN_VERSION = "solveedit.plan.v1"

Value = TypeVar("Value", Inspection, Plan)


@dataclass(frozen=True)
class FileRead(Generic[Value]):
    """A file's content, what was mended in reading it, and the rules that it breaks."""

    value: Value
    uid: str
    notes: tuple[str, ...]
    broken: tuple[str, ...]


def write_inspection(inspection: Inspection, uid: str) -> dict[str, Any]:
    """The published form; `uid` is the case's own id, which no model ever saw."""
    dumped = inspection.model_dump(mode="json")
    return {"schema_version": INSPECTION_VERSION, "uid": uid, **dumped}


def write_plan(plan: Plan, uid: str) -> dict[str, Any]:
    """The published form, with our keys `obligation_kinds`, and `image` and `query_id` of the evidence."""
    return {
        "schema_version": PLAN_VERSION,
        "uid": uid,
        "unresolved_variables": [each.model_dump(mode="json") for each in plan.variables],
        "evidence_ledger": [each.model_dump(mode="json") for each in plan.evidence],
        "candidate_transitions": [_transition(each) for each in plan.candidates],
        "selected_transition_id": plan.selected,
        "contrastive_challenge": plan.challenge.model_dump(mode="json"),
        "self_contract": [each.text for each in plan.obligations],
        "obligation_kinds": [each.kind for each in plan.obligations],
        "compiled_instruction": plan.instruction,
        "uncertainties": list(plan.uncertainties),
    }


def read_inspection_file(value: Any) -> FileRead[Inspection]:
    """Raises `DatasetError` for what is no object or holds a key that only an evaluator may know."""
    reader = Reader()
    content = _opened(value, INSPECTION_VERSION, reader)
    inspection = inspections.read_inspection(content, reader)
    return FileRead(inspection, _uid(content, reader), tuple(reader.notes), tuple(reader.problems))


def read_plan_file(value: Any) -> FileRead[Plan]:
    """Raises `DatasetError` for what is no object or holds a key that only an evaluator may know."""
    reader = Reader()
    content = _opened(value, PLAN_VERSION, reader)
    kinds = content.pop("obligation_kinds", None)
    plan = plans.read_plan(content, reader)
    if isinstance(kinds, list) and len(kinds) == len(plan.obligations):
        pairs = zip(plan.obligations, kinds, strict=True)
        kept = (Obligation(kind=kind, text=each.text) if kind in _KINDS else each for each, kind in pairs)
        plan = plan.model_copy(update={"obligations": tuple(kept)})
    for problem in _instruction_rules(plan.instruction):
        reader.problem(problem)
    return FileRead(plan, _uid(content, reader), tuple(reader.notes), tuple(reader.problems))


_KINDS = ("completion", "preservation")


def _instruction_rules(instruction: str) -> list[str]:
    broken = []
    if not instruction:
        broken.append("$.compiled_instruction is empty")
    if word_count(instruction) > MAX_WORDS:
        broken.append(f"$.compiled_instruction has {word_count(instruction)} words, {MAX_WORDS} are allowed")
    if instruction and not has_closing(instruction):
        broken.append("$.compiled_instruction doesn't end with the closing sentence")
    return broken


def _opened(value: Any, version: str, reader: Reader) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DatasetError(f"a {version} file holds one JSON object, this is a {type(value).__name__}")
    found = forbidden_keys(value)
    if found:
        raise DatasetError(f"{found[0]}: remove it; only an evaluator may know it")
    if value.get("schema_version") != version:
        reader.problem(f"$.schema_version is {value.get('schema_version')!r}, not {version!r}")
    return dict(value)


def _uid(content: dict[str, Any], reader: Reader) -> str:
    if not str(content.get("uid") or "").strip():
        reader.problem("$.uid is missing")
    return str(content.get("uid") or "")


def _transition(transition: Transition) -> dict[str, Any]:
    return transition.model_dump(mode="json")
