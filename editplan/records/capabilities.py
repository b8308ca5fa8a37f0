"""What an editor can take and what it promises."""

from __future__ import annotations

from pydantic import Field

from editplan.records.base import Record


class Capabilities(Record):
    """Declared by each editor; checked before a job is sent."""

    max_images: int = Field(default=1, ge=0)
    mask: bool = False
    sizes: bool = False
    """Takes a wanted size."""
    seed: bool = False
    """Takes a seed; otherwise the ledger says `unseeded`."""
    media: str = "png"
    """"png" or "svg": what goes in and comes out."""
    in_process: bool = False
    """Runs in this process without charge: a call that a crash cut off is simply made again."""
    max_instruction_characters: int | None = None
    guide: str = ""
    """How to word an instruction for it; used only where a run turns guides on, for every arm."""
