"""`checkers`: a judge that is code. Gate and atoms by the contract's own checks, then SolveScore."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from editplan.errors import ConfigError, ImageError, JudgeError, StoreError
from editplan.evals.cases import Case
from editplan.evals.checkers.instruments import (
    NO_INSTRUMENTS,
    InstrumentPaths,
    Instruments,
    load_instruments,
    require_instruments,
)
from editplan.evals.contracts import Contract
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.solvescore import score_judge_reply
from editplan.evals.verdicts import AtomVerdict
from editplan.protocols import Images

VERSION = 3
"""Raised whenever a change can alter a verdict."""


class CheckersJudge:
    """Decides every atom that carries a `check`; the others abstain."""

    def __init__(self, instruments: Instruments | None = None) -> None:
        """Takes instruments that are loaded; without them what is installed and needs no path."""
        self.instruments = instruments if instruments is not None else load_instruments(InstrumentPaths())

    @property
    def id(self) -> str:
        """Name and version, and the instruments whose weights the user named."""
        return "+".join((f"checkers@{VERSION}", *self.instruments.ids))

    def check_cases(self, cases: Iterable[Case]) -> None:
        """Raises `ConfigError` before a run where no atom has a check, or an atom's instrument isn't there."""
        every = tuple(cases)
        contracts = tuple(case.contract for case in every if case.contract is not None)
        if every and not contracts:
            raise ConfigError(f"{self.id} judges by contracts, and no case has one: use another judge for this suite")
        if contracts and not any(has_checks(contract) for contract in contracts):
            raise ConfigError(
                f"{self.id}: no atom has a check: name a vision model as judge "
                '(judges = ["provider:model"]), or give the atoms checks'
            )
        require_instruments(contracts, self.instruments)

    async def judge(self, task: JudgeTask, images: Images) -> Verdicts:
        """Verdicts with numbers and boxes; a missing or unreadable output scores 0."""
        if task.contract is None:
            raise JudgeError(
                f"{self.id} judges by a contract, and this case has none; use another judge for this suite"
            )
        return await asyncio.to_thread(judge_by_contract, task.contract, task, images, self.instruments)


def has_checks(contract: Contract) -> bool:
    """Whether code can decide any atom of a contract."""
    return any(atom.check is not None for _, atom in contract.atoms())


def judge_by_contract(
    contract: Contract, task: JudgeTask, images: Images, instruments: Instruments = NO_INSTRUMENTS
) -> Verdicts:
    """What `CheckersJudge` says, computed in this thread."""
    from editplan.evals.checkers.judging import check_output

    if task.output is None:
        return Verdicts(status="missing_output", score=0.0, required=0.0, gate="fail")
    before = images[task.source[0].media.sha256].array()
    try:
        after = images[task.output.sha256].array()
    except (ImageError, StoreError) as error:
        return Verdicts(status="missing_output", score=0.0, required=0.0, gate="fail", notes=(str(error),))
    checked = check_output(contract, before, after, instruments)
    result = score_judge_reply(contract.as_json(), checked.as_reply())
    measured = has_checks(contract) and (result.coverage > 0.0 or result.gate == "fail")
    return Verdicts(
        # With no atom decided the formula gives 0, which nobody has measured; a failed gate is a verdict of its own.
        status="scored" if measured else "judge_incomplete",
        score=result.score if measured else None,
        required=result.required if measured else None,
        damage=result.damage if measured else None,
        coverage=result.coverage,
        gate=result.gate,
        diagnostics=result.diagnostics,
        atoms=checked.atoms,
        notes=tuple(note for note in (checked.note, checked.gate.reason, *_unchecked(checked.atoms)) if note),
    )


def _unchecked(atoms: tuple[AtomVerdict, ...]) -> tuple[str, ...]:
    undecided = [atom.id for atom in atoms if atom.verdict == "abstain"]
    return (f"undecided: {', '.join(undecided)}",) if undecided else ()
