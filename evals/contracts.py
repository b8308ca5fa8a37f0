"""Contracts of SolveEdit, `solveedit.atomic_contract.v3`: what an output must show and what it must keep.

`load_contract` is strict and names file and JSON path of what is wrong. Scoring doesn't need it:
`editplan.evals.solvescore` reads any dict as tolerantly as the published scorer does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field, ValidationError

from editplan.errors import DatasetError
from editplan.evals.checkers.regions import Region
from editplan.evals.checkers.specs import CheckSpec
from editplan.evals.plain_json import require_usable, strict_json
from editplan.records import Record

CONTRACT_V3: Final = "solveedit.atomic_contract.v3"
PROPERTIES = ("semantic_accuracy", "relational_accuracy", "visual_quality")
"""The published properties, in the order of the tables."""

Role = Literal["required", "protected"]
_SHORT_NAMES = {"sa": PROPERTIES[0], "ra": PROPERTIES[1], "vq": PROPERTIES[2]}


def _role(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


def _property(value: object) -> object:
    """SA, RA, VQ and the long names become the published names; others are lowered and kept."""
    if not isinstance(value, str):
        return value
    name = "_".join(value.strip().lower().replace("-", " ").split())
    name = _SHORT_NAMES.get(name, name)
    return name if name in PROPERTIES else value.strip().lower()


def _atom_id(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _text_list(value: object) -> object:
    return [value] if isinstance(value, str) else [] if value is None else value


def _empty_text(value: object) -> object:
    return "" if value is None else value


Text = Annotated[str, BeforeValidator(_empty_text)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_text_list)]


class Foreign(Record):
    """A record of a published format: unknown fields are kept, and listed by `Contract.warnings`."""

    model_config = ConfigDict(extra="allow", populate_by_name=True)


class Atom(Foreign):
    """One observable claim about the output; its criteria are positive in both roles."""

    id: Annotated[str, BeforeValidator(_atom_id), Field(min_length=1, pattern=r"\S")]
    question_en: Text = ""
    question_zh: Text = ""
    pass_criteria: Text = ""
    partial_criteria: Text = ""
    fail_criteria: Text = ""
    checker_family: Text = ""
    evidence_requirements: Texts = Field(
        default=(), validation_alias=AliasChoices("evidence_requirements", "evidence_required")
    )
    check: CheckSpec | None = None
    """Ours: how code decides this atom; None leaves it to a model."""

    @property
    def question(self) -> str:
        """The claim, in English where there is English."""
        return self.question_en or self.question_zh


class CriterionGroup(Foreign):
    """Atoms of one requirement; they share one weight, so splitting it doesn't raise it."""

    role: Annotated[Role, BeforeValidator(_role)]
    property: Annotated[str, BeforeValidator(_property), Field(min_length=1)]
    atoms: Annotated[tuple[Atom, ...], Field(min_length=1)]
    criterion_group_id: Text = ""
    legacy_parent_id: Text = ""


class ManualFacts(Foreign):
    """What the author of a case wrote down; never shown to a condition."""

    intended_final_state: Text = ""
    important_entities: Texts = ()
    allowed_changes: Texts = ()
    forbidden_changes: Texts = ()


class Contract(Foreign):
    """The contract of one case: required and protected atoms in weighted groups."""

    schema_version: Literal["solveedit.atomic_contract.v3"] = CONTRACT_V3
    case_id: Text = ""
    case_family: Text = ""
    task_family: Text = ""
    instruction: Text = ""
    intended_final_state: Text = ""
    manual_facts: ManualFacts = ManualFacts()
    reasoning_profile: dict[str, Any] = Field(default_factory=dict)
    scoring_policy: Text = ""
    criterion_groups: Annotated[tuple[CriterionGroup, ...], Field(min_length=1)]
    allows_blank: bool = False
    """Ours: a blank output can be right (the only object was to go), so the gate lets it through."""
    draft: Literal[True] | None = None
    """Ours: a model wrote it and no person has edited it yet."""
    editable: Region | None = None
    """Ours: where the edit may change things; the gate compares edges outside it. None: no such place."""

    def atoms(self) -> Iterator[tuple[CriterionGroup, Atom]]:
        """All atoms with their groups, in the order of the file."""
        for group in self.criterion_groups:
            for atom in group.atoms:
                yield group, atom

    def as_json(self) -> dict[str, Any]:
        """The contract as plain JSON in the published field names; what is None is left out."""
        return self.model_dump(mode="json", exclude_none=True)

    def warnings(self) -> tuple[str, ...]:
        """What is legal but probably not meant: unknown properties and unknown fields, by JSON path."""
        found = [f"$: unknown field {name!r}" for name in self.model_extra or ()]
        for g, group in enumerate(self.criterion_groups):
            path = f"$.criterion_groups[{g}]"
            found += [f"{path}: unknown field {name!r}" for name in group.model_extra or ()]
            if group.property not in PROPERTIES:
                found.append(f"{path}.property: {group.property!r} is none of {', '.join(PROPERTIES)}")
            for a, atom in enumerate(group.atoms):
                found += [f"{path}.atoms[{a}]: unknown field {name!r}" for name in atom.model_extra or ()]
        return tuple(found)


def load_contract(source: str | Path | Mapping[str, Any], *, name: str = "contract") -> Contract:
    """Read a v3 contract from a JSON file or a mapping.

    `name` stands for the file in errors about a mapping. Raises `DatasetError` with file and JSON path for
    what is no v3 contract: broken JSON, a wrong schema version, an unknown role, an empty group, a duplicate atom
    id, a role without atoms, a malformed check.
    """
    if isinstance(source, str | Path):
        name, raw = str(source), _read_json(Path(source))
    else:
        raw = _usable(source, name)
    version = raw.get("schema_version")
    if version != CONTRACT_V3:
        raise DatasetError(f"{name}: $.schema_version is {version!r}; this reader takes {CONTRACT_V3!r}")
    try:
        contract = Contract.model_validate(raw)
    except ValidationError as error:
        raise DatasetError(f"{name}: {_first_fault(error, raw)}") from error
    _require_unique_ids(contract, name)
    for role in ("required", "protected"):
        if not any(group.role == role for group in contract.criterion_groups):
            raise DatasetError(f"{name}: $.criterion_groups has no {role} group; a contract needs both roles")
    return contract


def _read_json(path: Path) -> dict[str, Any]:
    try:
        raw = strict_json(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise DatasetError(f"{path}: can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DatasetError(f"{path}: is no UTF-8 text (byte {error.start})") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise DatasetError(f"{path}: is no JSON ({where}): {error.msg}") from error
    except DatasetError as error:
        raise DatasetError(f"{path}: {error}") from error
    if not isinstance(raw, dict):
        raise DatasetError(f"{path}: $ is a {type(raw).__name__}; a contract is a JSON object")
    return raw


def _usable(source: object, name: str) -> dict[str, Any]:
    if not isinstance(source, Mapping):
        raise DatasetError(f"{name}: is a {type(source).__name__}; a contract is a JSON object or the path of one")
    raw = dict(source)
    try:
        require_usable(raw)
    except DatasetError as error:
        raise DatasetError(f"{name}: {error}") from error
    return raw


def _require_unique_ids(contract: Contract, name: str) -> None:
    seen: dict[str, str] = {}
    for g, group in enumerate(contract.criterion_groups):
        for a, atom in enumerate(group.atoms):
            path = f"$.criterion_groups[{g}].atoms[{a}].id"
            if atom.id in seen:
                raise DatasetError(f"{name}: {path}: duplicate atom id {atom.id!r}, first at {seen[atom.id]}")
            seen[atom.id] = path


def _first_fault(error: ValidationError, raw: Mapping[str, Any]) -> str:
    """The first fault of a validation as `JSON path: what is wrong`, and how many more there are."""
    faults = error.errors(include_url=False)
    first = faults[0]
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return f"{_json_path(first['loc'], raw)}: {first['msg']}; found {_shown(first['input'])}{more}"


def _json_path(steps: tuple[int | str, ...], node: Any) -> str:
    """The JSON path of a fault; the tags that a discriminated union adds to it are no part of the file."""
    path = "$"
    for at, step in enumerate(steps):
        inside = isinstance(node, Mapping) and isinstance(step, str)
        if inside and step not in node:
            if at < len(steps) - 1 or step in (node.get("kind"), node.get("shape")):
                continue
            return f"{path}.{step}"
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
        known = inside or (isinstance(node, list | tuple) and isinstance(step, int) and step < len(node))
        node = node[step] if known else None
    return path


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
