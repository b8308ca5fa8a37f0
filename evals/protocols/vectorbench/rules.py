"""Which reading of the protocol a verdict uses: the published one, or a labelled variant of it."""

from __future__ import annotations

from enum import StrEnum

from editplan.records import Record


class Grammar(StrEnum):
    """How attribute values are read."""

    OFFICIAL = "official"
    """The published evaluator's subset: no compact number runs, 18 colour names, `rgb()` of three integers."""
    STRICT_SVG = "strict_svg"
    """Every legal SVG number run (`1.5.5`, unseparated arc flags) and every CSS colour."""


class SemanticForm(Record):
    """What the semantic form V forgives; the defaults are the published form (protocol section 4.3)."""

    child_order: bool = True
    """True: the order of siblings counts."""
    style_storage: bool = False
    """True: a declaration in `style` differs from the same value in an attribute."""
    id_names: bool = False
    """True: a consistently renamed id is a change."""


class Rules(Record):
    """One reading of the whole evaluator."""

    grammar: Grammar = Grammar.OFFICIAL
    form: SemanticForm = SemanticForm()


OFFICIAL = Rules()
STRICT_SVG = Rules(grammar=Grammar.STRICT_SVG)
