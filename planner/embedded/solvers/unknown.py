"""The honest answer to a goal that no solver knows or that the picture does not settle."""

from __future__ import annotations

from editplan.planner.embedded.language import keep_sentence
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.solvers.base import open_variable
from editplan.planner.embedded.view import View
from editplan.planner.embedded.wording import sentence, shortened
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

NO_SOLVER = "no solver of this program knows this kind of goal"


def inspect_unknown(goal: str) -> Inspection:
    """Says that the goal is open as a whole."""
    variable = open_variable(
        "intended change", "What exactly has to change for this goal?", VariableSource.STATE, NO_SOLVER
    )
    return Inspection(unresolved_variables=(variable,), preservation_hypotheses=("all that the goal does not name",))


def uncertain_plan(goal: str, view: View, reason: str) -> Plan:
    """The goal itself as instruction, marked uncertain, with the reason."""
    book = Notebook(view)
    scene = view.scene
    seen = (
        f"{len(scene.shapes)} shapes and {len(scene.outlines)} outlines are visible"
        if scene.flat
        else "the picture is no flat drawing"
    )
    claim = book.claim(seen, EvidenceSource.OBSERVED_STATE, confidence=0.6)
    book.variable("intended change", "not determined", (), "uncertain")
    step = shortened(sentence(goal))
    cut = () if step == sentence(goal) else ("the goal is too long for one instruction: its end was cut off",)
    decision = Decision(
        chosen=Transition(
            transition_id="z1",
            targets=("what the goal names",),
            actions=(sentence(goal) or "none",),
            goal_state=(f"as the goal says: {sentence(goal)}",),
            preserve=("everything that the goal does not name stays unchanged",),
            supporting_claim_ids=(claim,),
            validity=Validity.PLAUSIBLE,
        ),
        steps=(step,),
        keep=keep_sentence(goal),
        uncertainties=(reason, *cut),
    )
    return book.plan(decision)
