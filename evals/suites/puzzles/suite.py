"""The suite `puzzles`: cases dealt evenly over families and difficulties."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field, field_validator

from editplan.errors import DatasetError
from editplan.evals.cases import Case
from editplan.evals.suites.puzzles.catalogue import FAMILIES
from editplan.evals.suites.puzzles.making import make_puzzle
from editplan.evals.suites.puzzles.puzzle import LEVELS, Difficulty, Puzzle
from editplan.records import EditRequest, Part, Record
from editplan.store import ImageStore


class PuzzleOptions(Record):
    """Options of `puzzles?...`."""

    count: int = Field(default=100, ge=1, le=100_000)
    seed: int = Field(default=7, ge=0)
    families: tuple[str, ...] = tuple(FAMILIES)
    """Names joined by commas, or `all`, or `core` (the first six)."""
    difficulty: tuple[Difficulty, ...] = LEVELS

    @field_validator("families", mode="before")
    @classmethod
    def _known_families(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        if value in ("all", "core"):
            return tuple(name for name, family in FAMILIES.items() if value == "all" or family.core)
        return _known(value, tuple(FAMILIES), "family")

    @field_validator("difficulty", mode="before")
    @classmethod
    def _known_levels(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return LEVELS if value == "all" else _known(value, LEVELS, "difficulty")


class PuzzleSuite:
    """Procedural scenes with contracts that code decides."""

    metric = "solvescore"

    def __init__(self, options: PuzzleOptions) -> None:
        self.options = options

    @property
    def id(self) -> str:
        """The spec with all that determines the cases."""
        options = self.options
        families = "all" if options.families == tuple(FAMILIES) else ",".join(options.families)
        levels = "all" if options.difficulty == LEVELS else ",".join(options.difficulty)
        return f"puzzles?count={options.count}&difficulty={levels}&families={families}&seed={options.seed}"

    def dealt(self, index: int) -> tuple[str, Difficulty]:
        """Family and difficulty of the case with that number.

        Each run of families x difficulties cases holds every pair once.
        """
        families, levels = self.options.families, self.options.difficulty
        turn, place = divmod(index % (len(families) * len(levels)), len(families))
        return families[place], levels[(turn + place) % len(levels)]

    def puzzle(self, index: int) -> Puzzle:
        """The case with that number and its enumerated truth."""
        return make_puzzle(self.options.seed, index, *self.dealt(index))

    def puzzles(self) -> Iterator[Puzzle]:
        """All of them, in order."""
        return (self.puzzle(index) for index in range(self.options.count))

    def puzzle_of(self, case_id: str) -> Puzzle:
        """The puzzle behind a case id of this suite, made again. Raises `DatasetError` for another id."""
        number = case_id.split("-")[2] if case_id.count("-") >= 3 else ""
        puzzle = self.puzzle(int(number)) if number.isdecimal() and int(number) < self.options.count else None
        if puzzle is None or puzzle.case_id != case_id:
            raise DatasetError(f"{case_id!r} is no case of {self.id}")
        return puzzle

    def cases(self, images: ImageStore) -> Iterator[Case]:
        """Makes the cases; each source picture goes into `images`."""
        return (as_case(puzzle, images) for puzzle in self.puzzles())


def as_case(puzzle: Puzzle, images: ImageStore) -> Case:
    """A puzzle as the runner knows cases."""
    media = images.add_array(puzzle.source)
    return Case(
        case_id=puzzle.case_id,
        request=EditRequest(case_id=puzzle.case_id, parts=(Part(media=media),), goal=puzzle.goal, language="en"),
        contract=puzzle.contract,
        regime=puzzle.regime,
        domain=puzzle.domain,
        difficulty=puzzle.difficulty,
        provenance="generated",
        scene_group=puzzle.scene_group,
        oracle=puzzle.oracle,
        groups={"family": puzzle.family},
    )


def _known(value: str, names: tuple[str, ...], what: str) -> tuple[str, ...]:
    wanted = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    unknown = [name for name in wanted if name not in names]
    if unknown or not wanted:
        found = f"unknown {what} {unknown[0]!r}" if unknown else f"no {what} given"
        raise ValueError(f"{found}; known: {', '.join(names)}")
    return wanted
