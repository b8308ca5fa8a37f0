"""Puzzles through the emulator with openai: and google: beside the embedded run: same plans, pixels and scores?

python benchmarks/emulated_puzzles.py [--count 100] [--seed 7]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from editplan.testing.emulated import embedded_run, rehearse, scores_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args()
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY"):
        os.environ.setdefault(name, "emulated-key")
    faults = 0
    with tempfile.TemporaryDirectory() as scratch:
        began = time.monotonic()
        beside = embedded_run(Path(scratch), count=chosen.count, seed=chosen.seed)
        scores = scores_of(beside)
        print(f"embedded: {shown(scores)}, {time.monotonic() - began:.0f} s")
        for provider in ("openai", "google"):
            began = time.monotonic()
            found = rehearse(Path(scratch), provider, beside, count=chosen.count, seed=chosen.seed)
            equal = found.scores == scores and not found.differing and found.arrived == found.in_ledgers
            faults += not equal
            counts = f"{found.arrived} requests arrived, {found.in_ledgers} in the ledgers"
            print(f"{provider}: {shown(found.scores)}, {counts}, {time.monotonic() - began:.0f} s")
            for run in found.differing:
                print(f"  differs: {run}")
    print("all equal" if not faults else f"{faults} FAULTS")
    sys.exit(bool(faults))


def shown(scores: dict[str, float]) -> str:
    return ", ".join(f"{condition} {score:.6f}" for condition, score in scores.items())


if __name__ == "__main__":
    main()
