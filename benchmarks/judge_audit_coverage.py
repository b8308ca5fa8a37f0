"""Do the intervals of `judge-audit` cover? Scripted judges with planted miss rates, asked again and again.

    python benchmarks/judge_audit_coverage.py [--repetitions 200] [--pictures DIR] [--puzzles 30]

Each repetition asks a judge that misses a planted share of the faults, and looks whether the audit's 95% interval of
the missed damage (pictures) and of the false passes (puzzles) holds the planted rate. Without `--pictures` the
photographs of scikit-image are used.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterable
from pathlib import Path

from editplan.evals.audit.auditing import ask_all
from editplan.evals.audit.photographs import find_pictures, picture_tasks
from editplan.evals.audit.planted import PlantedJudge
from editplan.evals.audit.puzzle_tasks import puzzle_tasks
from editplan.evals.audit.report import audit_report
from editplan.evals.audit.shares import Share
from editplan.evals.audit.tasks import AuditTask
from editplan.store import ImageStore

RATES = (0.1, 0.3, 0.6)
PHOTOGRAPHS = ("astronaut", "chelsea", "coffee", "rocket", "camera", "coins", "clock", "retina")


def pictures(folder: Path | None) -> Iterable[tuple[str, object]]:
    """Names and pictures."""
    if folder is not None:
        return [(path.name, path) for path in find_pictures(folder)]
    from skimage import data

    return [(name, getattr(data, name)()[::2, ::2].copy()) for name in PHOTOGRAPHS]


def covered(share: Share, rate: float) -> bool:
    """Whether the interval holds the planted rate."""
    return share.ci is not None and share.ci[0] <= rate <= share.ci[1]


async def coverage(tasks: tuple[AuditTask, ...], images: ImageStore, repetitions: int) -> dict[str, dict[str, float]]:
    """Share of repetitions that cover, and the mean width of the intervals, by what is measured and rate."""
    found: dict[str, dict[str, float]] = {}
    for rate in RATES:
        held, width = 0, 0.0
        for seed in range(repetitions):
            judge = PlantedJudge(tasks, rate, seed=seed)
            rows = await ask_all(judge, tasks, images, concurrency=1)
            report = audit_report(rows, judge.id)
            share = report.agreement["all"][0].false_pass if report.agreement else report.detection.miss
            held += covered(share, rate)
            width += (share.ci[1] - share.ci[0]) / repetitions if share.ci else 0.0
        found[str(rate)] = {"covered": held / repetitions, "mean_width": round(width, 3), "faults": share.n}
    return found


def main() -> None:
    """Prints one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("--pictures", type=Path, default=None)
    parser.add_argument("--puzzles", type=int, default=30)
    options = parser.parse_args()
    images = ImageStore()
    photographs = tuple(
        task
        for name, source in pictures(options.pictures)
        for task in picture_tasks(name, source, images, 7)
        if task.damaged
    )
    puzzles = tuple(puzzle_tasks(options.puzzles, 7, images))
    print(
        json.dumps(
            {
                "missed damage on pictures": asyncio.run(coverage(photographs, images, options.repetitions)),
                "false passes on puzzles": asyncio.run(coverage(puzzles, images, options.repetitions)),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
