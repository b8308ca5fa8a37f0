"""A claim: what an experiment is to show, written down before it runs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from editplan.records import Record


class Claim(Record):
    """`a` is better than `b` by more than `margin` (or worse, or equal within it), on all cases or a group."""

    name: str = Field(pattern=r"^\w[\w.\-]{0,99}$")
    text: str = ""
    """The claim in words; empty = made from the other fields."""
    a: str
    b: str
    says: Literal["greater", "less", "equal"] = "greater"
    margin: float = Field(default=0.0, ge=0.0)
    """On the metric's scale: the least difference that would matter; `equal` needs one above 0."""
    editor: str = ""
    """Empty = the gain pooled over all editors of the experiment."""
    where: dict[str, str] = Field(default_factory=dict)
    """Column → group, as in the tables: {regime = "RD"}."""
    matched: bool = True
    """Whether the claim is one about equal calls: arms that are not matched then leave it inconclusive."""

    @property
    def words(self) -> str:
        """The claim as a sentence."""
        if self.text:
            return self.text
        beyond = f" by more than {self.margin:g}" if self.margin else ""
        relation = {
            "greater": f"scores higher than {self.b}{beyond}",
            "less": f"scores lower than {self.b}{beyond}",
            "equal": f"scores within {self.margin:g} of {self.b}",
        }[self.says]
        group = "".join(f", {column} {value}" for column, value in self.where.items())
        return f"{self.a} {relation}{group}{f', with {self.editor}' if self.editor else ''}"
