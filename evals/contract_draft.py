"""A first contract for a user's own picture, written by a vision model and marked as a draft."""

from __future__ import annotations

import re
from typing import Any

from editplan.calls.journal import Journal
from editplan.calls.layer import Calls
from editplan.calls.session import CallSession, Scope
from editplan.errors import ConfigError, ModelError
from editplan.evals.contract_lint_checks import FAMILY_KINDS
from editplan.evals.contracts import PROPERTIES, Atom, Contract, CriterionGroup, ManualFacts
from editplan.planner.ask import Unusable, ask_until_usable
from editplan.planner.deps import Deps
from editplan.planner.questions import Form, question
from editplan.planner.reading import Reader
from editplan.planner.schemas import TEXT, TEXTS, closed, listed, words
from editplan.prompts.loader import PromptLibrary
from editplan.protocols import VisionModel
from editplan.records import EditRequest, Part
from editplan.specs import parse_spec
from editplan.store import ImageStore

TASK = "contract_draft"
MOST_CLAIMS = 24
FAMILIES = ("", *FAMILY_KINDS)

_CLAIM = closed(
    role=words(("required", "protected")),
    property=words(PROPERTIES),
    group=TEXT,
    question=TEXT,
    pass_criteria=TEXT,
    partial_criteria=TEXT,
    fail_criteria=TEXT,
    checker_family=words(FAMILIES),
)
SCHEMA = closed(
    observations=TEXTS,
    important_entities=TEXTS,
    final_state=TEXT,
    allowed_changes=TEXTS,
    forbidden_changes=TEXTS,
    claims=listed(_CLAIM),
)


def model_for_drafts(spec: str) -> VisionModel:
    """The vision model that a spec names. Raises `ConfigError` for one that can't know what a picture needs."""
    from editplan.planner.models.registry import resolve

    if parse_spec(spec).provider == "embedded":
        raise ConfigError(
            "the embedded model knows drawn shapes and no photographs, and would have to invent what must stay: "
            "name a vision model, --planner provider:model"
        )
    return resolve(spec)


async def draft_contract(
    model: VisionModel, picture: bytes, goal: str, *, case_id: str, prompts: PromptLibrary | None = None
) -> tuple[Contract, tuple[str, ...]]:
    """A draft for one picture and goal, and notes on what was mended or left out; one call, and at most one re-ask.

    Raises `ImageError` for what is no picture, `Refused` where the model declines, `ModelError` where two answers
    can't be used, and whatever the call layer raises.
    """
    images = ImageStore()
    media, _, notes = images.add(picture)
    request = EditRequest(case_id=case_id, parts=(Part(media=media),), goal=goal)
    journal = Journal()
    try:
        session = CallSession(Calls(journal, images), Scope(case_id=case_id, condition=TASK))
        deps = Deps(session, planner=model, prompts=prompts or PromptLibrary())
        read = _Reading(case_id, goal)
        answer = await ask_until_usable(deps, question(deps, request, Form(TASK, TASK, SCHEMA, read)))
    finally:
        journal.close()
    if isinstance(answer, Unusable):
        raise ModelError(f"{model.id} wrote no usable contract: {answer.detail}")
    contract: Contract = answer.value
    return contract, (*notes, *answer.notes)


class _Reading:
    """Reads the model's object as a contract."""

    def __init__(self, case_id: str, goal: str) -> None:
        self._case_id = case_id
        self._goal = goal

    def __call__(self, value: dict[str, Any], reader: Reader) -> Contract | None:
        """None with a problem where there aren't claims of both roles."""
        groups: dict[tuple[str, str, str], list[Atom]] = {}
        taken: set[str] = set()
        for where, claim in reader.items(value.get("claims"), "claims", most=MOST_CLAIMS):
            role, atom = _claim(claim, where, reader, taken)
            if atom is not None:
                aspect = _one_of(reader.text(claim.get("property"), f"{where}.property"), PROPERTIES, PROPERTIES[0])
                name = _slug(reader.text(claim.get("group"), f"{where}.group")) or atom.id
                groups.setdefault((role, aspect, name), []).append(atom)
        for role in ("required", "protected"):
            if not any(key[0] == role for key in groups):
                reader.problem(f"claims: there is no usable {role} claim; a contract needs both roles")
        if reader.problems:
            return None
        state = reader.text(value.get("final_state"), "final_state")
        facts = ManualFacts(
            intended_final_state=state,
            important_entities=reader.texts(value.get("important_entities"), "important_entities"),
            allowed_changes=reader.texts(value.get("allowed_changes"), "allowed_changes"),
            forbidden_changes=reader.texts(value.get("forbidden_changes"), "forbidden_changes"),
        )
        seen = reader.texts(value.get("observations"), "observations")
        return Contract(
            case_id=self._case_id,
            instruction=self._goal,
            intended_final_state=state,
            manual_facts=facts,
            reasoning_profile={"observations": list(seen)},
            criterion_groups=tuple(
                CriterionGroup.model_validate(
                    {"role": role, "property": aspect, "criterion_group_id": name, "atoms": atoms}
                )
                for (role, aspect, name), atoms in groups.items()
            ),
            draft=True,
        )


def _claim(claim: dict[str, Any], where: str, reader: Reader, taken: set[str]) -> tuple[str, Atom | None]:
    """Role and atom of a claim; no atom, with a note, for one without a role or without words."""
    role = _one_of(reader.text(claim.get("role"), f"{where}.role"), ("required", "protected"), "")
    asked = reader.text(claim.get("question"), f"{where}.question")
    if not role or not asked:
        reader.note(f"{where}: left out, it has no {'role' if not role else 'question'}")
        return role, None
    family = _one_of(reader.text(claim.get("checker_family"), f"{where}.checker_family"), FAMILIES, "")
    atom = Atom(
        id=_fresh_id(role, asked, taken),
        question_en=asked,
        pass_criteria=reader.text(claim.get("pass_criteria"), f"{where}.pass_criteria"),
        partial_criteria=reader.text(claim.get("partial_criteria"), f"{where}.partial_criteria"),
        fail_criteria=reader.text(claim.get("fail_criteria"), f"{where}.fail_criteria"),
        checker_family=family,
    )
    return role, atom


def _fresh_id(role: str, asked: str, taken: set[str]) -> str:
    base = f"{'r' if role == 'required' else 'p'}_{_slug(asked)}"[:40].rstrip("_")
    name, number = base, 2
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    taken.add(name)
    return name


def _slug(text: str) -> str:
    return "_".join(re.findall(r"\w+", text.lower()))[:36].strip("_")


def _one_of(text: str, known: tuple[str, ...], otherwise: str) -> str:
    word = "_".join(text.strip().lower().replace("-", " ").split())
    return word if word in known else otherwise
