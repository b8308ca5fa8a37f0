"""Judging a whole output by code: the gate and every atom of a contract, as a judge's reply."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from editplan.evals.checkers.checker import SpecChecker
from editplan.evals.checkers.gate import Absence, gate, gate_pair
from editplan.evals.checkers.instruments import NO_INSTRUMENTS, Instruments
from editplan.evals.checkers.registration import register
from editplan.evals.contracts import Contract
from editplan.evals.verdicts import AtomVerdict, GateVerdict
from editplan.records import Record


class CheckedOutput(Record):
    """What the checkers say of one output."""

    checker: str
    """Id and version of the checker."""
    gate: GateVerdict
    atoms: tuple[AtomVerdict, ...]
    """In the order of the contract; empty where there is no image."""
    note: str = ""
    """What registration did to the output."""

    def as_reply(self) -> dict[str, Any]:
        """The judge's reply that `score_judge_reply` takes."""
        return {
            "quality_gate": self.gate.as_reply(),
            "atomic_results": [verdict.as_reply() for verdict in self.atoms],
        }


def check_output(
    contract: Contract,
    before: NDArray[np.uint8],
    after: NDArray[np.uint8] | Absence,
    instruments: Instruments = NO_INSTRUMENTS,
) -> CheckedOutput:
    """Decide the gate and all atoms of a contract on source and output (H x W x 3, uint8 sRGB).

    The atoms of an output that fails the gate are decided all the same; an absent one has none.
    """
    checker = SpecChecker(instruments)
    if isinstance(after, str):
        return CheckedOutput(checker=checker.id, gate=gate(contract, before, after), atoms=())
    pair = register(before, after)
    return CheckedOutput(
        checker=checker.id,
        gate=gate_pair(contract, pair),
        atoms=tuple(checker.check_pair(atom, pair) for _, atom in contract.atoms()),
        note=pair.note,
    )
