"""What a suite may hand to a control on purpose."""

from __future__ import annotations

from editplan.records import Box, Record


class OracleSpec(Record):
    """The answer only: no criteria, no allowed or forbidden changes."""

    final_state: str
    """In words: what the output must show."""
    boxes: tuple[Box, ...] = ()


class KnowledgeHint(Record):
    """The benchmark's own hint."""

    text: str
