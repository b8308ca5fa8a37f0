"""The editor protocol for adapters: `Editor`, `Capabilities` and what a job and an answer hold."""

from __future__ import annotations

from editplan.protocols import Editor, Images
from editplan.records import Capabilities, Edited, EditJob

__all__ = ["Capabilities", "EditJob", "Edited", "Editor", "Images"]
