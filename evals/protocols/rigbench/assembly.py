"""What an editor is shown of an item, in the published order (arXiv 2609.02864, appendix A.1), in our words."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from editplan.evals.protocols.rigbench.items import RigItem
from editplan.records import Record

Role = Literal["canvas", "reference", "demo_in", "demo_out"]


class TextBlock(Record):
    """Text between images."""

    text: str


class ImageBlock(Record):
    """An image of the item."""

    path: Path
    role: Role


Block = TextBlock | ImageBlock


def assemble(item: RigItem) -> tuple[Block, ...]:
    """Demonstrations between their markers, the test images, the instruction, the source's hint.

    Without demonstrations header, markers and closing line are left out. The ground truth never appears.
    """
    blocks: list[Block] = []
    count = len(item.demos)
    if count:
        plural = "examples show" if count > 1 else "example shows"
        blocks.append(TextBlock(text=f"The following {count} {plural} an input and the output that belongs to it."))
    for number, demo in enumerate(item.demos, start=1):
        blocks.append(TextBlock(text=f"Example {number} input:"))
        blocks.extend(ImageBlock(path=path, role="demo_in") for path in demo.inputs)
        blocks.append(TextBlock(text=f"Example {number} output:"))
        blocks.extend(ImageBlock(path=path, role="demo_out") for path in demo.outputs)
    if count:
        blocks.append(TextBlock(text="That was the last example. The test input follows:"))
    canvas: Role = "canvas" if len(item.context_images) == 1 else "reference"
    blocks.extend(ImageBlock(path=path, role=canvas) for path in item.context_images)
    blocks.append(TextBlock(text=item.instruction))
    if item.hint:
        blocks.append(TextBlock(text=f"Task description: {item.hint}"))
    return tuple(blocks)


def goal(item: RigItem) -> str:
    """The texts of an item without its images: what a condition gets as the goal."""
    texts = (item.instruction, f"Task description: {item.hint}" if item.hint else "")
    return "\n".join(text for text in texts if text)
