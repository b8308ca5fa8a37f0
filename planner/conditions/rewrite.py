"""Free rewriting in two agent calls: from the text alone, with the images, with six fixed tiles."""

from __future__ import annotations

from editplan.calls.budget import CallBudget
from editplan.planner.conditions.base import ChainCondition
from editplan.planner.conditions.direct import EDIT
from editplan.planner.graph import Step
from editplan.planner.nodes.rewrite import draft_with, revise_with, tile

TWO_AND_ONE = CallBudget(agent_calls=2, generations=1)


def text_rewrite() -> ChainCondition:
    """No image is seen."""
    draft = Step("draft", draft_with("text_rewrite_draft", blind=True))
    revise = Step("revise", revise_with("text_rewrite_revise", blind=True))
    return ChainCondition("text_rewrite", TWO_AND_ONE, (draft, revise, EDIT))


def generic_rewrite() -> ChainCondition:
    """The images are seen; no variables, candidates, obligations or crops."""
    draft, revise = Step("draft", draft_with("rewrite_draft")), Step("revise", revise_with("rewrite_revise"))
    return ChainCondition("generic_rewrite", TWO_AND_ONE, (draft, revise, EDIT))


def tiles() -> ChainCondition:
    """The second call also sees six fixed tiles: the pixels of `plan` without its thinking."""
    draft, revise = Step("draft", draft_with("rewrite_draft")), Step("revise", revise_with("rewrite_revise_tiles"))
    return ChainCondition("generic_rewrite:tiles", TWO_AND_ONE, (draft, Step("tile", tile), revise, EDIT))
