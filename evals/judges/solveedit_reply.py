"""Reading SolveEdit judge replies strictly, and making one word of several samples."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, cast

from editplan.evals.protocols.replies import json_objects
from editplan.evals.solvescore import judged_atoms
from editplan.evals.verdicts import AtomVerdict, GateStatus, GateVerdict, Verdict
from editplan.planner.reading import clean
from editplan.records import Record

_ORDER: tuple[Verdict, ...] = ("fail", "partial", "pass")
_WORDS = frozenset({*_ORDER, "abstain"})
_GATES = frozenset({"pass", "fail", "abstain"})


class JudgeReply(Record):
    """One usable reply: the gate, and the atoms that got a verdict out of the four."""

    gate: GateVerdict
    atoms: dict[str, AtomVerdict]
    """By our ids."""
    summary: str = ""

    def with_atoms(self, more: Mapping[str, AtomVerdict]) -> JudgeReply:
        """The reply completed by a second answer about the atoms that it lacked."""
        return self.model_copy(update={"atoms": {**more, **self.atoms}})


def parse_reply(text: str, names: Mapping[str, str], *, gate: bool = True) -> JudgeReply | str:
    """The reply in a text, or in words what is wrong with it, to be quoted in a re-ask.

    It holds exactly one JSON object with the keys asked for; fences and prose around it are allowed, a broken object
    is not mended. `names` gives our id for each id that the judge saw. An atom with another verdict than the four
    counts as not answered; further ids are ignored.
    """
    key = "quality_gate" if gate else "atomic_results"
    found = [value for value in json_objects(text) if "atomic_results" in value or key in value]
    if not found:
        return f"no JSON object with the keys {'quality_gate and ' if gate else ''}atomic_results{_why(text)}"
    if len({json.dumps(value, sort_keys=True) for value in found}) > 1:
        return f"{len(found)} different JSON objects with verdicts were found; give one"
    reply = found[0]
    results = reply.get("atomic_results")
    if not isinstance(results, list | dict):
        return f'"atomic_results" must be a list of objects, not {_shown(results)}'
    read = _gate(reply.get("quality_gate")) if gate else GateVerdict(status="abstain")
    if isinstance(read, str):
        return read
    summary = "; ".join(clean(str(reply[name])) for name in ("failure_summary", "overall_reason") if reply.get(name))
    return JudgeReply(gate=read, atoms=_atoms(results, names), summary=summary)


def combined(replies: Sequence[JudgeReply]) -> JudgeReply:
    """One reply of several: for each atom the majority's verdict, else the median of the decided ones.

    Of an even number the lower middle one counts. An atom abstains where more than half of the samples that answered
    it abstain.
    """
    if len(replies) == 1:
        return replies[0]
    names = dict.fromkeys(name for reply in replies for name in reply.atoms)
    gates = [reply.gate for reply in replies]
    status = _majority([gate.status for gate in gates], ("fail", "abstain", "pass"))
    return JudgeReply(
        gate=next(gate for gate in gates if gate.status == status),
        atoms={name: _voted([reply.atoms[name] for reply in replies if name in reply.atoms]) for name in names},
        summary=replies[0].summary,
    )


def as_judge_reply(gate: GateVerdict, atoms: Mapping[str, AtomVerdict]) -> dict[str, Any]:
    """In the published form, for `score_judge_reply`."""
    return {"quality_gate": gate.as_reply(), "atomic_results": [atom.as_reply() for atom in atoms.values()]}


def _voted(verdicts: Sequence[AtomVerdict]) -> AtomVerdict:
    votes = Counter(each.verdict for each in verdicts)
    if votes["abstain"] * 2 > len(verdicts) or votes["abstain"] == len(verdicts):
        word: Verdict = "abstain"
    else:
        decided = sorted(_ORDER.index(each.verdict) for each in verdicts if each.verdict != "abstain")
        word = _ORDER[decided[(len(decided) - 1) // 2]]
    voter = next(each for each in verdicts if each.verdict == word)
    told = ", ".join(f"{name} {count}" for name, count in sorted(votes.items()))
    return voter.model_copy(
        update={
            "confidence": float(median(each.confidence for each in verdicts)),
            "evidence": {**voter.evidence, "votes": told},
        }
    )


def _majority(words: Sequence[GateStatus], order: Sequence[GateStatus]) -> GateStatus:
    """The word of more than half, else the middle one in `order` from the worst."""
    ranked = sorted(words, key=order.index)
    return ranked[(len(ranked) - 1) // 2]


def _gate(raw: object) -> GateVerdict | str:
    word = str(raw.get("status", "")).strip().lower() if isinstance(raw, Mapping) else ""
    if not isinstance(raw, Mapping) or word not in _GATES:
        return f'"quality_gate" must be an object with a "status" of pass, fail or abstain, not {_shown(raw)}'
    return GateVerdict(status=cast(GateStatus, word), reason=clean(str(raw.get("reason") or "")))


def _atoms(results: list[Any] | dict[str, Any], names: Mapping[str, str]) -> dict[str, AtomVerdict]:
    said = {str(key): item for key, item in results.items()} if isinstance(results, dict) else {}
    if isinstance(results, list):
        said = {str(item["id"]): item for item in results if isinstance(item, Mapping) and item.get("id")}
    read = judged_atoms(results)
    return {
        names[name]: AtomVerdict(
            id=names[name],
            verdict=read[name].verdict,
            confidence=read[name].confidence,
            reason=clean(read[name].reason),
            evidence={"seen": clean(read[name].visual_evidence)} if read[name].visual_evidence else {},
        )
        for name, item in said.items()
        if name in names and name in read and _word(item) in _WORDS
    }


def _word(item: Any) -> str:
    return str(item.get("verdict") or item.get("status") or "").strip().lower() if isinstance(item, Mapping) else ""


def _why(text: str) -> str:
    """What the JSON reader says of a text that begins like an object."""
    start = text.find("{")
    if start < 0:
        return " was found"
    try:
        json.loads(text[start:])
    except (ValueError, RecursionError) as error:
        return f" can be read: {error}"
    return " was found"


def _shown(value: object) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 120 else f"{text[:117]}..."
