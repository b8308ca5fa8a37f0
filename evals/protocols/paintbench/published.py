"""Outputs in the published evaluator's layout: `<model>/<benchmark>/<task>/<NNNN>_output.png`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from editplan.errors import DatasetError
from editplan.evals.protocols.paintbench.problems import PaintProblem
from editplan.evals.protocols.preflight import Preflight, preflight


def import_outputs(root: str | Path, problems: Iterable[PaintProblem], *, benchmark: str | None = None) -> Preflight:
    """Find the output of every problem in one model's folder.

    `root` is `<model>` or `<model>/<benchmark>`; a model's folder with several benchmarks needs `benchmark`.
    The published evaluator reads PNG files with four digits; nothing else is taken for an output.
    """
    folder = _benchmark_folder(Path(root), benchmark)
    candidates = {problem.id: (output_path(folder, problem),) for problem in problems}
    return preflight(folder, candidates, searched=(folder,))


def output_path(root: str | Path, problem: PaintProblem) -> Path:
    """Where the published evaluator looks for an output, below `<model>/<benchmark>`."""
    task, number = problem.id.split("/")
    return Path(root) / task / f"{int(number):04d}_output.png"


def _benchmark_folder(root: Path, benchmark: str | None) -> Path:
    if benchmark is not None:
        return root / benchmark
    if not root.is_dir() or any(root.glob("*/[0-9]*_output.png")):
        return root
    inner = sorted({path.parent.parent for path in root.glob("*/*/[0-9]*_output.png")})
    if len(inner) > 1:
        names = ", ".join(folder.name for folder in inner)
        raise DatasetError(f"{root} holds several benchmarks ({names}); say which one")
    return inner[0] if inner else root
