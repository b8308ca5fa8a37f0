"""A small suite and a scripted judge, to rehearse an experiment without a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from editplan.evals.cases import Case, InvalidCase
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.protocols import Images
from editplan.records import EditRequest, Part

if TYPE_CHECKING:
    from editplan.store import ImageStore

REGIMES = ("IS", "SD", "RD")


@dataclass(frozen=True)
class TinySuite:
    """`count` cases of 24 × 16 px, each with a square of its own shade; two cases share a scene group."""

    count: int = 6
    invalid: int = 0
    """So many broken items beside them."""
    metric: str = "solvescore"

    @property
    def id(self) -> str:
        """All that determines the cases."""
        return f"tiny?count={self.count}&invalid={self.invalid}"

    def cases(self, images: ImageStore) -> Iterator[Case | InvalidCase]:
        """See `editplan.evals.cases.Suite`."""
        for at in range(self.count):
            yield _tiny_case(at, images)
        for at in range(self.invalid):
            yield InvalidCase(case_id=f"broken-{at}", error="its image is missing")


def _tiny_case(at: int, images: ImageStore) -> Case:
    import numpy as np

    pixels = np.full((16, 24, 3), 255, np.uint8)
    pixels[4:12, 4:12] = (40 + at % 200, 90, 200)
    part = Part(media=images.add_array(pixels), label="Image 1")
    return Case(
        case_id=f"tiny-{at:03d}",
        request=EditRequest(case_id=f"tiny-{at:03d}", parts=(part,), goal=f"Recolour the square, number {at}."),
        regime=REGIMES[at % 3],
        domain="squares",
        scene_group=f"scene-{at // 2}",
        groups={"family": "odd" if at % 2 else "even"},
    )


@dataclass
class ScriptedJudge:
    """Answers with a function of the task and counts what it was asked."""

    answer: Callable[[JudgeTask], Verdicts]
    id: str = "scripted"
    judges_text: bool = False
    """Whether it takes answers in words; a judge of images leaves them unmeasured."""
    asked: list[JudgeTask] = field(default_factory=list)

    async def judge(self, task: JudgeTask, images: Images) -> Verdicts:
        """See `editplan.evals.judging.Judge`."""
        self.asked.append(task)
        return self.answer(task)


def by_output(task: JudgeTask) -> Verdicts:
    """Scores 1 for any output and nothing for none."""
    if task.output is None and task.text is None:
        return Verdicts(status="missing_output", score=0.0, required=0.0)
    return Verdicts(status="scored", score=1.0, required=1.0, damage=0.0, coverage=1.0, gate="pass")
