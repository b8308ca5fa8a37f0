"""Kills a run through the emulator 30 times at random moments; asks the server whether anything came twice.

python benchmarks/kill_resume_wire.py [--kills 30] [--seed 0]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from editplan.emulator.brains import Brain
from editplan.emulator.server import Emulator, Running
from editplan.testing.wire_kills import CASES, rehearse, uninterrupted

KILLS_A_RUN = 5
"""A run of forty cases is over after some sessions; then the next run is begun."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    os.environ.setdefault("OPENAI_API_KEY", "emulated-key-of-openai")
    began, kills, unknown, repeated, unequal, runs = time.monotonic(), 0, 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        with Running(Emulator(Brain(canned=True))) as url:
            figures = without_port(uninterrupted(Path(scratch) / "whole", url, CASES))
        while kills < chosen.kills:
            wanted = min(KILLS_A_RUN, chosen.kills - kills)
            found = rehearse(Path(scratch) / f"run{runs}", wanted, chosen.seed + runs, longest_s=2.5)
            kills, unknown, repeated = kills + found.kills, unknown + found.unknown, repeated + len(found.sent_again)
            unequal += without_port(found.figures) != figures or found.unknown > found.most_unknown
            runs += 1
    print(f"{kills} kills in {runs} runs of {CASES} cases, {time.monotonic() - began:.0f} s")
    print(f"{unknown} attempts were in flight and unknown; {repeated} finished calls were sent again")
    print("all final tables equal the uninterrupted run's" if not unequal else f"{unequal} RUNS DIFFER")
    sys.exit(bool(repeated or unequal))


def without_port(figures: dict[str, Any]) -> str:
    """The figures without the port that the emulator happened to listen on."""
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", json.dumps(figures, sort_keys=True))


if __name__ == "__main__":
    main()
