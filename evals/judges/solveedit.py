"""SolveEdit's judging by a vision model (section 3.3, appendix B): gate and every atom in one call.

Atoms that the reply lacks are asked again once. Where a checker of the contract disagrees with the model, exactly one
reconciling call sees both findings, and its answer stands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from editplan.evals.contracts import Contract
from editplan.evals.judges.asking import Form, Heard, Hearing
from editplan.evals.judges.evidence import checked, disputed
from editplan.evals.judges.options import JudgeOptions
from editplan.evals.judges.pictures import before_and_after, fitted
from editplan.evals.judges.solveedit_form import Names, as_text, atoms_of, form_fields, inert, names_of, reply_schema
from editplan.evals.judges.solveedit_reply import JudgeReply, as_judge_reply, combined, parse_reply
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.solvescore import score_judge_reply
from editplan.evals.verdicts import AtomVerdict
from editplan.records import Part

IMAGE_MAX_SIDE_PX = 1600
"""As the published runner sends them (SolveEdit, run_eval)."""
NODE, RECONCILE = "judge", "reconcile"


async def judge(hearing: Hearing, task: JudgeTask, options: JudgeOptions) -> Verdicts:
    """The verdicts on one output under its contract."""
    contract = task.contract
    assert contract is not None, "this recipe is chosen for cases with a contract"
    parts = before_and_after(task)
    parts = await asyncio.to_thread(fitted, parts, hearing.images, IMAGE_MAX_SIDE_PX, jpeg=options.mode == "official")
    names = names_of(contract, options.mode)
    form = Form(
        prompt=f"judge_solveedit_{options.mode}",
        fields=form_fields(contract, task.goal, names, options.mode),
        parts=parts,
        temperature=0.0 if options.temperature is None else options.temperature,
        max_tokens=options.max_tokens or Form.max_tokens,
        schema=reply_schema(),
    )
    heard = [await _sample(hearing, form, names) for _ in range(options.samples or 1)]
    usable = [each.value for each in heard if each.value is not None]
    notes = tuple(each.note for each in heard if each.note)
    if not usable:
        return hearing.verdicts(heard[0].status, samples=0, notes=notes)
    said = combined(usable)
    if not said.atoms:
        return hearing.verdicts("judge_incomplete", samples=0, notes=(*notes, "no atom got a verdict"))
    if options.checkers:
        settled = await _beside_checkers(hearing, said, form, names, options)
        if isinstance(settled, Heard):
            return hearing.verdicts("judge_incomplete", samples=len(usable), notes=(*notes, settled.note))
        said = settled
    scores = tuple(_score(contract, each) for each in usable)
    return _verdicts(hearing, contract, said, scores, notes)


async def _sample(hearing: Hearing, form: Form, names: Names) -> Heard[JudgeReply]:
    """One answer, completed once where it lacks atoms."""
    heard = await hearing.ask(form, lambda text: parse_reply(text, names.shown), NODE)
    if heard.value is None:
        return heard
    missing = names.of({own for own in names.shown.values() if own not in heard.value.atoms})
    if not missing:
        return heard
    added = hearing.prompts.render("judge_missing", {"missing": "\n".join(missing)})
    wanted = Form(**{**vars(form), "after": added.text})
    more = await hearing.ask_again(wanted, lambda text: parse_reply(text, names.shown), NODE)
    if more.value is None:
        return Heard(heard.value, note=f"asked again for {len(missing)} atoms, in vain: {more.note}")
    return Heard(heard.value.with_atoms(more.value.atoms), note=f"asked again for {len(missing)} atoms")


async def _beside_checkers(
    hearing: Hearing, said: JudgeReply, form: Form, names: Names, options: JudgeOptions
) -> JudgeReply | Heard[JudgeReply]:
    """The reply with the checkers' findings beside it; a failed reconciliation comes back as it was heard."""
    task = hearing.task
    assert task.contract is not None, "this recipe is chosen for cases with a contract"
    code = await checked(task.contract, task, hearing.images, options)
    ids = disputed(said.atoms, code)
    atoms = {name: _with_finding(atom, code.get(name)) for name, atom in said.atoms.items()}
    if not ids:
        return said.model_copy(update={"atoms": atoms})
    pairs = {name: (said.atoms[name], code[name]) for name in ids}
    heard = await _reconciled(hearing, task, pairs, form.parts, names)
    if heard.value is None:
        return Heard(None, heard.status, f"checkers and model disagree on {', '.join(ids)}: {heard.note}")
    unsettled = [name for name in ids if name not in heard.value.atoms]
    if unsettled:
        return Heard(None, "judge_incomplete", f"no reconciled verdict on {', '.join(unsettled)}")
    for name in ids:
        final = heard.value.atoms[name]
        evidence = {**atoms[name].evidence, "model": said.atoms[name].verdict, "reconciled": True}
        atoms[name] = final.model_copy(update={"evidence": {**evidence, **final.evidence}})
    return said.model_copy(update={"atoms": atoms})


def _with_finding(atom: AtomVerdict, finding: AtomVerdict | None) -> AtomVerdict:
    if finding is None:
        return atom
    return atom.model_copy(update={"evidence": {**atom.evidence, "checker": finding.verdict}, "box": finding.box})


async def _reconciled(
    hearing: Hearing,
    task: JudgeTask,
    pairs: Mapping[str, tuple[AtomVerdict, AtomVerdict]],
    parts: tuple[Part, ...],
    names: Names,
) -> Heard[JudgeReply]:
    assert task.contract is not None, "this recipe is chosen for cases with a contract"
    disputes = [
        {**payload, "examiner": _finding(pairs[own][0]), "program": _finding(pairs[own][1])}
        for payload in atoms_of(task.contract, names, "strict")
        if (own := names.shown[payload["id"]]) in pairs
    ]
    form = Form(
        prompt="judge_reconcile",
        fields={"request": inert(task.goal), "disputes": as_text(disputes)},
        parts=parts,
        schema=reply_schema(gate=False),
    )
    return await hearing.ask(form, lambda text: parse_reply(text, names.shown, gate=False), RECONCILE)


def _finding(verdict: AtomVerdict) -> dict[str, str]:
    reply = verdict.as_reply()
    return {"verdict": verdict.verdict, "reason": verdict.reason, "evidence": str(reply["visual_evidence"])}


def _score(contract: Contract, reply: JudgeReply) -> float:
    return score_judge_reply(contract.as_json(), as_judge_reply(reply.gate, reply.atoms)).score


def _verdicts(
    hearing: Hearing, contract: Contract, said: JudgeReply, scores: tuple[float, ...], notes: tuple[str, ...]
) -> Verdicts:
    result = score_judge_reply(contract.as_json(), as_judge_reply(said.gate, said.atoms))
    lacking = [atom.id for _, atom in contract.atoms() if atom.id not in said.atoms]
    unsaid = [AtomVerdict(id=name, verdict="abstain", confidence=0.0, reason="not returned") for name in lacking]
    told = tuple(note for note in (*notes, said.gate.reason, said.summary) if note)
    return hearing.verdicts(
        "scored",
        score=result.score,
        required=result.required,
        damage=result.damage,
        coverage=result.coverage,
        gate=result.gate,
        diagnostics=result.diagnostics,
        atoms=(*said.atoms.values(), *unsaid),
        samples=len(scores),
        sample_scores=scores,
        not_returned=len(lacking),
        notes=told,
    )
