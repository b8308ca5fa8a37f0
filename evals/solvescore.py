"""SolveScore: from a contract and a judge's raw reply to one number in 0..1 (SolveEdit, appendix B.1).

`score = gate * max(0, R - lambda * D)`. Reading is as tolerant as the published scorer's: an unknown role, an
empty property or an atom without an id drops out, an unknown verdict abstains. Sums run in the order of the
contract, so figures agree with the published ones to the last digit.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from editplan.errors import DatasetError, JudgeError
from editplan.evals.contracts import CONTRACT_V3, PROPERTIES, Role
from editplan.evals.verdicts import GateStatus, Verdict
from editplan.records import Record

SOLVEEDIT_LAMBDA = 0.5
LEGACY_LAMBDA = 1.0
ELIGIBLE_COVERAGE = 0.9
"""Least share of decided weight for the leaderboard (SolveEdit B.1)."""
ROLES: tuple[Role, Role] = ("required", "protected")
DIAGNOSTICS = tuple(f"{role}.{name}" for role in ROLES for name in PROPERTIES)
"""The six published cells, `role.property`."""

CREDIT: Mapping[str, float] = {"pass": 1.0, "partial": 0.5, "fail": 0.0}
"""a_q of a decided verdict; abstain has none."""


class WeightedAtom(Record):
    """An atom of a contract with its weight inside its role."""

    id: str
    role: Role
    property: str
    """Lower-cased; empty in a legacy contract, which knows none."""
    weight: float


class JudgedAtom(Record):
    """One atom's normalised answer from a judge's reply."""

    verdict: Verdict = "abstain"
    confidence: float = 0.0
    reason: str = ""
    visual_evidence: str = ""


class CaseScore(Record):
    """The score of one output, unrounded, with all it is made of."""

    score: float
    """The base where the gate passes, else 0."""
    base: float
    required: float
    """R: weighted credit of the required atoms, 0..1."""
    damage: float
    """D: weighted damage of the protected atoms before lambda, 0..1."""
    coverage: float
    """Decided weight over all weight, both roles together."""
    diagnostics: dict[str, float | None]
    """S by `role.property` over the decided atoms, higher is better; None where none is decided."""
    weights: dict[str, float]
    verdicts: dict[str, Verdict]
    gate: GateStatus
    n_atoms: int
    n_abstained: int
    leaderboard_eligible: bool


def score_judge_reply(contract: Mapping[str, Any], reply: Mapping[str, Any]) -> CaseScore:
    """Score a judge's raw JSON reply under a contract (v3, or the legacy form with points and deductions).

    Raises `DatasetError` for a contract that is no JSON object and for a legacy weight that is no number, and
    `JudgeError` for a reply that is no JSON object; everything else odd is read as the published scorer reads it.
    """
    if not isinstance(contract, Mapping):
        raise DatasetError(f"a contract is a JSON object, not {type(contract).__name__}")
    if not isinstance(reply, Mapping):
        # An empty reply would score 0, and this one measured nothing.
        raise JudgeError(f"a judge's reply is a JSON object, not {type(reply).__name__}: read its JSON first")
    atoms = weighted_atoms(contract)
    answers = judged_atoms(reply.get("atomic_results"))
    verdicts = [answers.get(atom.id, JudgedAtom()).verdict for atom in atoms]
    gate = gate_status(reply.get("quality_gate"))
    damage_weight = SOLVEEDIT_LAMBDA if contract.get("schema_version") == CONTRACT_V3 else LEGACY_LAMBDA
    required, damage = required_and_damage(atoms, verdicts)
    base = solve_score(required, damage, damage_weight)
    covered = coverage(atoms, verdicts)
    return CaseScore(
        score=base if gate == "pass" else 0.0,
        base=base,
        required=required,
        damage=damage,
        coverage=covered,
        diagnostics=diagnostics(atoms, verdicts),
        weights={atom.id: atom.weight for atom in atoms},
        verdicts={atom.id: verdict for atom, verdict in zip(atoms, verdicts, strict=True)},
        gate=gate,
        n_atoms=len(atoms),
        n_abstained=verdicts.count("abstain"),
        leaderboard_eligible=gate == "pass" and covered >= ELIGIBLE_COVERAGE,
    )


def solve_score(required: float, damage: float, damage_weight: float = SOLVEEDIT_LAMBDA) -> float:
    """`max(0, R - lambda * D)`, at most 1: the score of an output that passes the gate."""
    return max(0.0, min(1.0, required - damage_weight * damage))


def weighted_atoms(contract: Mapping[str, Any]) -> tuple[WeightedAtom, ...]:
    """All atoms that count, in the order of the file, with w = 1/P/G/A (SolveEdit 1.4).

    P is the number of the role's properties, G that of the property's groups, A that of the group's atoms.
    """
    if contract.get("schema_version") != CONTRACT_V3:
        return tuple(_legacy_atoms(contract))
    groups = [group for raw in _objects(contract.get("criterion_groups")) if (group := _counted_group(raw))]
    per_property = Counter((role, name) for role, name, _ in groups)
    per_role = Counter(role for role, _ in per_property)
    return tuple(
        WeightedAtom(
            id=atom,
            role=role,
            property=name,
            weight=1.0 / per_role[role] / per_property[role, name] / len(atoms),
        )
        for role, name, atoms in groups
        for atom in atoms
    )


def judged_atoms(raw: object) -> dict[str, JudgedAtom]:
    """The `atomic_results` of a reply by atom id: a list (the last item of an id wins) or a dict by id."""
    if isinstance(raw, Mapping):
        pairs = [(str(key), item) for key, item in raw.items() if isinstance(item, Mapping)]
    else:
        pairs = [(str(item["id"]), item) for item in _objects(raw) if item.get("id")]
    return {key: _judged(item) for key, item in pairs}


def gate_status(raw: object) -> GateStatus:
    """The gate of a reply; anything but pass and fail, in any case and with any space, is abstain."""
    word = _word(raw.get("status")) if isinstance(raw, Mapping) else ""
    return cast(GateStatus, word) if word in ("pass", "fail") else "abstain"


def required_and_damage(atoms: Sequence[WeightedAtom], verdicts: Sequence[Verdict]) -> tuple[float, float]:
    """R and D. An abstention earns nothing and damages nothing; its weight is not redistributed."""
    budget = gained = damage = 0.0
    for atom, verdict in zip(atoms, verdicts, strict=True):
        weight = max(0.0, atom.weight)
        if atom.role == "required":
            budget += weight
            gained += CREDIT.get(verdict, 0.0) * weight
        else:
            damage += (1.0 - CREDIT.get(verdict, 1.0)) * weight
    return (gained / budget if budget else 0.0), damage


def coverage(atoms: Sequence[WeightedAtom], verdicts: Sequence[Verdict]) -> float:
    """Decided weight over all weight; 0 for a contract without weight.

    Plain running sums, as the published scorer makes them: `sum` rounds differently from Python 3.12 on, and a
    share of exactly 0.9 lies on the mark of eligibility.
    """
    budget: dict[Role, float] = {"required": 0.0, "protected": 0.0}
    decided = 0.0
    for atom, verdict in zip(atoms, verdicts, strict=True):
        weight = max(0.0, atom.weight)
        budget[atom.role] += weight
        if verdict != "abstain":
            decided += weight
    total = budget["required"] + budget["protected"]
    return decided / total if total else 0.0


def diagnostics(atoms: Sequence[WeightedAtom], verdicts: Sequence[Verdict]) -> dict[str, float | None]:
    """S of each role and property: weighted mean credit of the decided atoms (SolveEdit, diagnostics).

    The six published cells are always there; a property of the contract's own adds its cell.
    """
    credit: dict[str, float] = dict.fromkeys(DIAGNOSTICS, 0.0)
    weight: dict[str, float] = dict.fromkeys(DIAGNOSTICS, 0.0)
    for atom, verdict in zip(atoms, verdicts, strict=True):
        if not atom.property:
            continue
        cell = f"{atom.role}.{atom.property}"
        credit.setdefault(cell, 0.0)
        weight.setdefault(cell, 0.0)
        if verdict != "abstain":
            credit[cell] += CREDIT[verdict] * atom.weight
            weight[cell] += atom.weight
    return {cell: credit[cell] / weight[cell] if weight[cell] else None for cell in credit}


def _objects(raw: object) -> list[Mapping[str, Any]]:
    """The JSON objects of a list; nothing where there is no list."""
    return [item for item in raw if isinstance(item, Mapping)] if isinstance(raw, list | tuple) else []


def _word(value: object) -> str:
    """A label in any case and with any space; a false value is no label."""
    return str(value or "").strip().lower()


def _counted_group(raw: Mapping[str, Any]) -> tuple[Role, str, list[str]] | None:
    """Role, property and atom ids of a group that counts, else None."""
    role, name = _word(raw.get("role")), _word(raw.get("property"))
    atoms = [str(atom["id"]) for atom in _objects(raw.get("atoms")) if atom.get("id")]
    return (role, name, atoms) if role in ROLES and name and atoms else None


def _legacy_atoms(contract: Mapping[str, Any]) -> Iterable[WeightedAtom]:
    fields: tuple[tuple[str, Role, str], ...] = (
        ("reward_questions", "required", "points"),
        ("penalty_questions", "protected", "max_deduct"),
    )
    for field, role, key in fields:
        for at, item in enumerate(_objects(contract.get(field))):
            if item.get("id"):
                weight = _legacy_weight(item.get(key), f"$.{field}[{at}].{key}")
                yield WeightedAtom(id=str(item["id"]), role=role, property="", weight=weight)


def _legacy_weight(value: object, path: str) -> float:
    try:
        weight = float(cast(Any, value) or 0.0)
    except (TypeError, ValueError) as error:
        raise DatasetError(f"legacy contract: {path} is {value!r}, not a number") from error
    if not math.isfinite(weight):
        raise DatasetError(f"legacy contract: {path} is {value!r}, not a finite number")
    return weight


def _judged(item: Mapping[str, Any]) -> JudgedAtom:
    word = _word(item.get("verdict") or item.get("status"))
    return JudgedAtom(
        verdict=cast(Verdict, word) if word in CREDIT else "abstain",
        confidence=_clamped(item.get("confidence")),
        reason=str(item.get("reason") or "").strip(),
        visual_evidence=str(item.get("visual_evidence") or item.get("evidence") or "").strip(),
    )


def _clamped(value: object) -> float:
    """A confidence in 0..1; what is no number counts as 0."""
    try:
        number = float(cast(Any, value))
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return 0.0 if math.isnan(number) else max(0.0, min(1.0, number))
