"""Checkers beside a vision model: which atoms code decides too, and where the two disagree."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from editplan.evals.contracts import Contract
from editplan.evals.judges.options import JudgeOptions
from editplan.evals.judging import JudgeTask
from editplan.evals.verdicts import AtomVerdict
from editplan.protocols import Images

if TYPE_CHECKING:
    from editplan.evals.checkers.instruments import Instruments


def checkers_for(contract: Contract) -> frozenset[str]:
    """The ids of the atoms that have a check: assigned in the contract, so before any output exists."""
    return frozenset(atom.id for _, atom in contract.atoms() if atom.check is not None)


@cache
def load(options: JudgeOptions) -> Instruments:
    """The checkers' instruments by a judge's settings, loaded once. Raises `ConfigError` for missing weights."""
    from editplan.evals.checkers.instruments import InstrumentPaths, load_instruments

    return load_instruments(
        InstrumentPaths(**{name: getattr(options, name) for name in InstrumentPaths.model_fields})
    )


async def checked(
    contract: Contract, task: JudgeTask, images: Images, options: JudgeOptions
) -> dict[str, AtomVerdict]:
    """What the checkers say of their atoms; an abstention says nothing and is left out."""
    assigned = checkers_for(contract)
    if not assigned or task.output is None:
        return {}
    verdicts = await asyncio.to_thread(_check, contract, task, images, load(options))
    return {each.id: each for each in verdicts if each.id in assigned and each.verdict != "abstain"}


def disputed(model: Mapping[str, AtomVerdict], code: Mapping[str, AtomVerdict]) -> tuple[str, ...]:
    """The atoms on which both have a word and the words differ."""
    return tuple(name for name, verdict in code.items() if name in model and model[name].verdict != verdict.verdict)


def _check(contract: Contract, task: JudgeTask, images: Images, instruments: Instruments) -> Iterable[AtomVerdict]:
    from editplan.evals.checkers.judging import check_output

    assert task.output is not None, "a task without an output is never checked"
    before = images[task.source[0].media.sha256].array()
    return check_output(contract, before, images[task.output.sha256].array(), instruments).atoms
