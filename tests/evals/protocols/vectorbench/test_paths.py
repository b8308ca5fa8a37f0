"""Path samples are `svg.path`'s to the last bit, several times as fast, and hostile curves end."""

from __future__ import annotations

import random
import time

import pytest
from svg.path import parse_path

from editplan.evals.protocols.vectorbench.path_length import TooCostly, segment_ends
from editplan.evals.protocols.vectorbench.paths import path_distance, readable_path, sample_path

ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "Z": 0}


def reference(d: str) -> tuple[complex, ...]:
    path = parse_path(d)
    return tuple(path.point(index / 128) for index in range(129))


def random_path(seed: int) -> str:
    chance = random.Random(seed)

    def number() -> str:
        return f"{chance.uniform(-40, 240):.{chance.randint(0, 2)}f}"

    commands = [f"M{number()} {number()}"]
    for _ in range(chance.randint(1, 3)):
        letter = chance.choice("CCSQTLHVZMA")
        if letter == "A":
            radii = f"{chance.uniform(1, 40):.1f} {chance.uniform(1, 40):.1f}"
            flags = f"{chance.randint(0, 90)} {chance.randint(0, 1)} {chance.randint(0, 1)}"
            commands.append(f"A{radii} {flags} {number()} {number()}")
        else:
            letter = chance.choice((letter, letter.lower()))
            commands.append(letter + " ".join(number() for _ in range(ARGUMENTS[letter.upper()])))
    return "".join(commands)


@pytest.mark.parametrize("seed", range(24))
def test_samples_equal_those_of_svg_path_to_the_last_bit(seed: int) -> None:
    d = random_path(seed)
    assert sample_path(d) == reference(d)


@pytest.mark.parametrize(
    "d", ["M1 2", "M0 0L0 0", "M5 5A0 3 0 0 1 9 9", "M0 0A4 4 0 0 1 9 0", "M1 1C1 1 1 1 1 1", "M0 0z"]
)
def test_degenerate_paths_are_sampled_like_svg_path(d: str) -> None:
    assert sample_path(d) == reference(d)


def test_distance_is_the_larger_of_rms_and_95th_percentile() -> None:
    left, right = "M8 24 C42 16 74 16 108 24 S176 32 212 24", "M8 18 C42 10 74 10 108 18 S176 26 212 18"
    produced = "M8 24 C42 20 74 20 108 24 S176 28 212 24"
    assert path_distance(left, right) == pytest.approx(6.0, abs=1e-9)
    assert round(path_distance(produced, right) or 0.0, 6) == 8.964999
    a, b = reference(produced), reference(right)
    nearest = sorted([min(abs(p - q) for q in b) for p in a] + [min(abs(p - q) for q in a) for p in b])
    assert path_distance(produced, right) == nearest[245]


def test_direction_and_commands_do_not_matter_but_shape_does() -> None:
    assert path_distance("M0 0L10 0", "M10 0H0") == pytest.approx(0, abs=1e-9)
    assert 5 < (path_distance("M0 0L10 0", "M0 0L10 10") or 0.0) < 10


def test_cubics_are_sampled_three_times_as_fast_as_by_svg_path() -> None:
    paths = [f"M8 24 C42 {y} 74 16 108 24" for y in range(30, 36)]
    started = time.process_time()
    ours = [sample_path(d) for d in paths]
    middle = time.process_time()
    theirs = [reference(d) for d in paths]
    assert ours == theirs
    assert (middle - started) * 3 < time.process_time() - middle


@pytest.mark.parametrize(
    "d",
    [
        "M0 0C1e9 0 0 1e9 1e9 1e9",
        "M0 0C1e999 0 0 0 1 1",
        "M0 0A1e200 3 0 0 1 5 5",
        "M0 0A1 2 0 x 1 5 5",
        "Z",
        "",
        "M0 0" + "C9 5 2 7 1 1" * 3_000,
    ],
)
def test_curves_that_cannot_be_sampled_end_without_a_distance(d: str) -> None:
    started = time.process_time()
    assert path_distance(d, "M0 0L5 5") is None
    assert time.process_time() - started < 20


def test_a_purse_is_for_the_whole_path() -> None:
    with pytest.raises(TooCostly, match="too many points"):
        segment_ends(list(parse_path("M0 0" + "C9 5 2 7 1 1" * 3_000)))


def test_paths_are_readable_or_not() -> None:
    assert readable_path("")
    assert readable_path("M0 0L1 1")
    assert not readable_path("L")
    assert not readable_path("5")
    assert not readable_path("M8 24 Q1 2")
