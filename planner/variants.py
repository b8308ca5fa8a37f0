"""`plan` and its ablations: which parts of the method each leaves out (SolveEdit, ablations; design §4)."""

from __future__ import annotations

from editplan.records import Record


class PlanVariant(Record):
    """What Inspect and Resolve do in one arm."""

    task: str = "resolve"
    """The prompt of the call that settles the plan."""
    inspect_task: str | None = "inspect"
    """None: one stage, nothing is inspected first."""
    crops: bool = True
    candidates: bool = True
    """Whether several candidates are weighed."""
    contrast: bool = True
    preservation: bool = True
    obligations: bool = True


VARIANTS = {
    "": PlanVariant(),
    "no_crops": PlanVariant(crops=False),
    "one_candidate": PlanVariant(task="resolve_one_candidate", candidates=False, contrast=False),
    "no_contrast": PlanVariant(task="resolve_no_contrast", contrast=False),
    "no_preservation": PlanVariant(
        task="resolve_no_preservation", inspect_task="inspect_no_preservation", preservation=False
    ),
    "no_obligations": PlanVariant(task="resolve_no_obligations", obligations=False),
    "one_stage": PlanVariant(task="one_stage", inspect_task=None, crops=False),
}
"""By the name after `plan:`."""
