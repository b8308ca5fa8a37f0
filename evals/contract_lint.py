"""What is probably wrong with a contract that is formally right: claims that can't fail, repeat, or give it away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations

from editplan.evals.checkers.instruments import NO_INSTRUMENTS, Instruments, leaves
from editplan.evals.checkers.model_specs import TextReads
from editplan.evals.checkers.specs import CheckSpec, TextEquals
from editplan.evals.contract_lint_checks import Level, LintFinding, places, unreachable
from editplan.evals.contracts import PROPERTIES, Atom, Contract
from editplan.evals.solvescore import weighted_atoms
from editplan.records import Record

HEAVY = 0.5
"""An atom with more of its role's weight than this carries the score alone."""
ALIKE = 0.85
"""Share of common words from which two claims are the same."""
GIVEN_AWAY = 0.8
"""Share of the final state's words that the request may hold before it gives the answer away."""

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_SMALL = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "by", "has", "in", "is", "it", "its", "of", "on", "or"}
    | {"that", "the", "there", "this", "to", "was", "with"}
)
_CRITERIA = re.compile(
    r"\b(atoms?|criteri(?:on|a)|rubric|checker|pass_criteria|must fail|solvescore)\b", re.IGNORECASE
)


class AtomWeight(Record):
    """How much an atom decides."""

    id: str
    role: str
    property: str
    weight: float
    """Share of its role; all atoms of a role together are 1."""
    checker: str
    """Kind of its check, or "model"."""


class LintReport(Record):
    """All remarks on one contract, and its weights."""

    findings: tuple[LintFinding, ...]
    weights: tuple[AtomWeight, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return all(finding.level != "error" for finding in self.findings)


def lint_contract(contract: Contract, instruments: Instruments = NO_INSTRUMENTS) -> LintReport:
    """All remarks, errors first. `instruments` are those that the run will have."""
    found = [finding for rule in _RULES for finding in rule(contract)]
    found += unreachable(contract, instruments)
    order = ("error", "warning", "note")
    return LintReport(
        findings=tuple(sorted(found, key=lambda finding: order.index(finding.level))),
        weights=_weights(contract),
    )


def _weights(contract: Contract) -> tuple[AtomWeight, ...]:
    atoms = {atom.id: atom for _, atom in contract.atoms()}
    return tuple(
        AtomWeight(
            id=each.id,
            role=each.role,
            property=each.property,
            weight=each.weight,
            checker=_kind(atoms[each.id].check),
        )
        for each in weighted_atoms(contract.as_json())
    )


def _kind(check: CheckSpec | None) -> str:
    return "model" if check is None else check.kind


def _fields(contract: Contract) -> Iterator[LintFinding]:
    """Unknown fields and properties, a draft that nobody has edited."""
    for text in contract.warnings():
        where, _, what = text.partition(": ")
        yield LintFinding(level="warning", rule="unknown", where=where, text=what)
    if contract.draft:
        text = "a model wrote this contract: edit it, then delete the field `draft`"
        yield LintFinding(level="warning", rule="draft", where="draft", text=text)


def _roles(contract: Contract) -> Iterator[LintFinding]:
    """Properties without atoms, and atoms that carry too much."""
    for role in ("required", "protected"):
        groups = [group for group in contract.criterion_groups if group.role == role]
        missing = [name for name in PROPERTIES if all(group.property != name for group in groups)]
        if missing:
            text = f"no {role} atom of {', '.join(missing)}: its diagnostic will be empty"
            yield LintFinding(level="note", rule="roles", where=role, text=text)
        own = [weight for weight in _weights(contract) if weight.role == role]
        for weight in own:
            if len(own) > 1 and weight.weight > HEAVY:
                text = f"decides {weight.weight:.0%} of the {role} side"
                yield LintFinding(level="warning", rule="weight", where=weight.id, text=text)


def _words(contract: Contract) -> Iterator[LintFinding]:
    """Atoms that say nothing, and code-less atoms that no model could fail."""
    for _, atom in contract.atoms():
        if not atom.question and not atom.pass_criteria:
            level: Level = "error" if atom.check is None else "warning"
            text = "says nothing: no question and no pass criteria"
            yield LintFinding(level=level, rule="words", where=atom.id, text=text)
        elif atom.check is None and not atom.fail_criteria:
            text = "has no fail criteria: a model decides it and doesn't know what would fail"
            yield LintFinding(level="warning", rule="words", where=atom.id, text=text)


def _duplicates(contract: Contract) -> Iterator[LintFinding]:
    """Claims with the same words, or the same check."""
    pairs = combinations(contract.atoms(), 2)
    for (first_group, first), (second_group, second) in pairs:
        same_check = first.check is not None and first.check == second.check
        alike = _likeness(first.question or first.pass_criteria, second.question or second.pass_criteria)
        if same_check:
            level: Level = "error" if first_group.role != second_group.role else "warning"
            text = f"has the same check as {first.id!r}: they pass and fail together"
            yield LintFinding(level=level, rule="duplicate", where=second.id, text=text)
        elif alike >= ALIKE and not _differ_in_place(first, second):
            text = f"makes the same claim as {first.id!r}"
            yield LintFinding(level="warning", rule="duplicate", where=second.id, text=text)


def _differ_in_place(first: Atom, second: Atom) -> bool:
    """Claims in like words about different things: their checks look at different places or numbers."""
    return first.check is not None and second.check is not None


def _likeness(first: str, second: str) -> float:
    """Jaccard index of the words; names of numbers and places count like any other."""
    one, other = set(_terms(first)), set(_terms(second))
    return len(one & other) / len(one | other) if one and other else 0.0


def _terms(text: str) -> list[str]:
    return [word for word in (found.lower() for found in _WORD.findall(text)) if word not in _SMALL]


def _leaks(contract: Contract) -> Iterator[LintFinding]:
    """A request that gives away what has to be found out in the picture."""
    request = contract.instruction
    if not request.strip():
        return
    profile = contract.reasoning_profile
    regime = str(profile.get("regime") or profile.get("dependency_regime") or "").upper()
    specified = regime in ("IS", "INSTRUCTION-SPECIFIED", "INSTRUCTION_SPECIFIED")
    level: Level = "note" if specified or not regime else "error"
    state = contract.intended_final_state or contract.manual_facts.intended_final_state
    told, wanted = set(_terms(request)), set(_terms(state))
    if wanted and len(wanted & told) / len(wanted) >= GIVEN_AWAY and not specified:
        text = "holds nearly all words of the intended final state: nothing is left to be found in the picture"
        yield LintFinding(level="warning" if regime else "note", rule="leak", where="instruction", text=text)
    for group, atom in contract.atoms():
        for text_wanted in _texts(atom) if group.role == "required" else ():
            if _says(request, text_wanted):
                text = f"the request holds the text {text_wanted!r} that this atom asks for"
                yield LintFinding(level=level, rule="leak", where=atom.id, text=text)
    if hit := _CRITERIA.search(request):
        text = f"speaks of {hit[0]!r}: the request must not know how it is judged"
        yield LintFinding(level="error", rule="leak", where="instruction", text=text)


def _texts(atom: Atom) -> tuple[str, ...]:
    parts = leaves(atom.check) if atom.check is not None else ()
    return tuple(dict.fromkeys(part.text for part in parts if isinstance(part, TextEquals | TextReads)))


def _says(request: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", request, re.IGNORECASE) is not None


_RULES: tuple[Callable[[Contract], Iterator[LintFinding]], ...] = (
    _fields,
    _roles,
    _words,
    _duplicates,
    places,
    _leaks,
)
