"""Kills a run 30 times at random moments and checks that nothing finished was made again.

python benchmarks/kill_resume.py [--kills 30] [--seed 0]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from editplan.evals.run import load_run
from editplan.evals.summary import figures_of, summarise
from editplan.testing.kills import carry_out, rehearsal, rehearse

KILLS_A_RUN = 3
"""A run of forty cases is over after a few sessions; then the next run is begun."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    began, kills, cut_off, faults = time.monotonic(), 0, 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        whole = Path(scratch) / "whole"
        whole.mkdir()
        carry_out(whole)
        figures = figures_of(summarise(load_run(whole / rehearsal().name)))
        round_ = 0
        while kills < chosen.kills:
            folder = Path(scratch) / f"run{round_}"
            folder.mkdir()
            wanted = min(KILLS_A_RUN, chosen.kills - kills)
            found = rehearse(folder, kills=wanted, seed=chosen.seed + round_)
            kills, cut_off = kills + found.kills, cut_off + found.cut_off
            faults += len(found.repeated) + (found.figures != figures)
            round_ += 1
    seconds = time.monotonic() - began
    print(f"{kills} kills in {round_} runs, {cut_off} requests cut off and made again, {seconds:.0f} s")
    print("nothing finished was made again, all tables equal" if not faults else f"{faults} FAULTS")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
