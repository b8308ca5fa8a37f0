"""The four controls (protocol section 4.5): outputs whose verdict is known before any model runs."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from enum import StrEnum

from editplan.errors import DatasetError
from editplan.evals.protocols.vectorbench.tasks import VectorTask
from editplan.svg_source import parse

_MARK = "data-control"


class Control(StrEnum):
    """What a control is to show."""

    CORRUPTED_INPUT = "corrupted input"
    """The input unchanged: nothing repaired, nothing damaged."""
    HIDDEN_TARGET = "hidden target"
    """The right answer: passes."""
    SIDE_EFFECT = "target with a side effect"
    """The right answer with one more attribute on the first protected element: repaired, not clean."""
    MALFORMED = "malformed target"
    """The right answer without its last character: invalid."""


def control_outputs(task: VectorTask) -> dict[Control, str]:
    """The four control outputs of a task.

    Raises:
        DatasetError: the target can't be read, or has none of the protected elements.
    """
    return {
        Control.CORRUPTED_INPUT: task.initial_svg,
        Control.HIDDEN_TARGET: task.target_svg,
        Control.SIDE_EFFECT: _with_side_effect(task),
        Control.MALFORMED: task.target_svg.rstrip()[:-1],
    }


def _with_side_effect(task: VectorTask) -> str:
    root, reason = parse(task.target_svg)
    if root is None:
        raise DatasetError(f"task {task.task_id!r}: target_svg: {reason}")
    protected = set(task.should_preserve)
    element = next((node for node in root.iter() if node.get("id") in protected), None)
    if element is None:
        raise DatasetError(f"task {task.task_id!r}: target_svg holds none of the parts in should_preserve")
    element.set(_MARK, "changed")
    return ET.tostring(root, encoding="unicode")
