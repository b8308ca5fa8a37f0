"""An experiment: the TOML file that declares it, and the record that it becomes."""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, ValidationError, model_validator

from editplan.calls.limiter import LimitPolicy
from editplan.calls.limits import RunLimits
from editplan.calls.retry import RetryPolicy
from editplan.errors import ConfigError
from editplan.evals.claims.claim import Claim
from editplan.evals.simulation.rates import Rates
from editplan.planner.options import PlannerOptions
from editplan.records import Record

SESSION_FIELDS = frozenset(
    {"concurrency", "executor", "limit", "max_calls", "max_cases", "max_cost_usd", "max_minutes"}
    | {"prices", "simulation"}
    | {"resend_unknown", "retry", "retry_failed"}
)
"""May differ from one session of a run to the next: they say how it is carried out, not what is measured."""

Name = Annotated[str, Field(pattern=r"^\w[\w.\-]{0,99}$")]
Options = dict[str, str | int | float | bool]


class Comparison(Record):
    """A difference `a - b` declared before the run."""

    a: str
    b: str
    primary: bool = False
    """Whether it carries the claim; p-values are corrected over the primary ones."""


class ExecutorChoice(Record):
    """Where cases are carried out."""

    kind: Literal["local"] = "local"


class Experiment(Record):
    """Everything that determines a run's figures, and beside it how the work is carried out."""

    name: Name
    """The run directory's name."""
    suite: str
    conditions: Annotated[tuple[str, ...], Field(min_length=1)]
    """Names; an arm may also be `{name = "direct-b", condition = "direct"}`: that condition again, drawn anew."""
    again: dict[str, str] = Field(default_factory=dict)
    """Name → condition of the arms that are another condition drawn anew (an A/A comparison)."""
    editors: Annotated[tuple[str, ...], Field(min_length=1)]
    planner: str = "embedded"
    judges: tuple[str, ...] = ()
    """Empty = the judge that the suite's metric is defined with."""
    replicates: int = Field(default=1, ge=1)
    seed: int = 0
    comparisons: tuple[Comparison, ...] = ()
    claims: tuple[Claim, ...] = ()
    """What the experiment is to show; p-values are corrected over them."""
    simulation: Rates | None = None
    """What `editplan simulate` plants; a run doesn't read it."""
    planner_options: PlannerOptions = PlannerOptions()
    """Settings of all agent calls, the same in every arm."""
    editor_options: Options = Field(default_factory=dict)
    """Options of every editor's spec that doesn't set them itself."""
    judge_options: Options = Field(default_factory=dict)
    prompts_dir: Path | None = None
    """Prompt files of the user's own, used in place of ours."""
    instruction_language: str = ""
    """BCP 47 tag for the instructions of all arms; empty = the goal's own."""
    concurrency: int = Field(default=32, ge=1)
    max_cases: int | None = Field(default=None, ge=1)
    """Only the first so many cases of the seeded order; a larger number later adds to them."""
    max_cost_usd: float | None = Field(default=None, ge=0.0)
    prices: Path | None = None
    """A file with prices of the user's own, which come before ours."""
    max_calls: int | None = Field(default=None, ge=0)
    max_minutes: float | None = Field(default=None, ge=0.0)
    retry: RetryPolicy = RetryPolicy()
    limit: LimitPolicy = LimitPolicy()
    resend_unknown: bool = False
    """Whether a generation that may have been carried out and billed is sent again."""
    retry_failed: bool = False
    """Whether refusals and failed plans of earlier sessions are asked again."""
    executor: ExecutorChoice = ExecutorChoice()

    @model_validator(mode="before")
    @classmethod
    def _named_arms(cls, raw: Any) -> Any:
        if not isinstance(raw, dict) or not isinstance(raw.get("conditions"), list | tuple):
            return raw
        again = raw.get("again", {})
        if not isinstance(again, dict):
            raise ValueError(f"again: a table of arm = condition is expected, not {again!r}")
        names, again = [], dict(again)
        for entry in raw["conditions"]:
            if not isinstance(entry, dict):
                names.append(entry)
                continue
            if set(entry) != {"name", "condition"} or not all(isinstance(each, str) for each in entry.values()):
                raise ValueError(
                    f'conditions: an arm with a name of its own is {{name = "...", condition = "..."}}, not {entry!r}'
                )
            again[entry["name"]] = entry["condition"]
            names.append(entry["name"])
        return {**raw, "conditions": names, "again": again}

    @model_validator(mode="before")
    @classmethod
    def _start_below_ceiling(cls, raw: Any) -> Any:
        """A ceiling alone lowers the start; a start above the ceiling was given by mistake."""
        limit = raw.get("limit") if isinstance(raw, dict) else None
        if not isinstance(limit, dict):
            return raw
        usual = LimitPolicy()
        ceiling = limit.get("ceiling", usual.ceiling)
        start = limit.get("start", min(usual.start, ceiling) if isinstance(ceiling, int) else usual.start)
        if isinstance(start, int) and isinstance(ceiling, int) and start > ceiling:
            raise ValueError(f"limit: start = {start} lies above ceiling = {ceiling}")
        return {**raw, "limit": {**limit, "start": start}}

    @model_validator(mode="after")
    def _consistent(self) -> Experiment:
        for field in ("conditions", "editors", "judges"):
            names = getattr(self, field)
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise ValueError(f"{field}: {twice!r} is named twice")
        for field, pairs in (("comparisons", self.comparisons), ("claims", self.claims)):
            for pair in pairs:
                for name in (pair.a, pair.b):
                    if name not in self.conditions:
                        raise ValueError(f"{field}: {name!r} is none of the conditions {list(self.conditions)}")
                if pair.a == pair.b:
                    raise ValueError(f"{field}: {pair.a!r} is compared with itself")
        for claim in self.claims:
            if claim.editor and claim.editor not in self.editors:
                raise ValueError(f"claims: {claim.editor!r} is none of the editors {list(self.editors)}")
            if claim.says == "equal" and not claim.margin:
                raise ValueError(f"claims: {claim.name!r} says equal and needs a margin above 0")
        if strange := [name for name in self.again if name not in self.conditions]:
            raise ValueError(f"again: {strange[0]!r} is none of the conditions {list(self.conditions)}")
        if strange := [place for place, value in _scalars(self.model_dump()) if _is_not_finite(value)]:
            raise ValueError(f"{strange[0]}: a finite number is expected; leave the key out for its default")
        if self.planner_options.review or self.planner_options.instruction_language:
            raise ValueError("planner_options: review has no place in a run; set instruction_language at the top")
        return self

    @property
    def limits(self) -> RunLimits:
        """Ceilings of one session."""
        return RunLimits(max_calls=self.max_calls, max_cost_usd=self.max_cost_usd, max_minutes=self.max_minutes)

    @property
    def retry_policy(self) -> RetryPolicy:
        """`retry`, with `resend_unknown` wherever it was set."""
        return self.retry.model_copy(update={"resend_unknown": self.resend_unknown or self.retry.resend_unknown})

    def identity(self) -> dict[str, Any]:
        """What must be equal for two sessions to belong to one run."""
        return self.model_dump(mode="json", exclude=set(SESSION_FIELDS))


def load_experiment(path: Path) -> Experiment:
    """Reads an experiment file. Raises `ConfigError` that names file, key and the known keys."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}: check the path of the experiment file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is no TOML file: {error}") from error
    return parse_experiment(raw, source=str(path))


def parse_experiment(raw: dict[str, Any], *, source: str = "experiment") -> Experiment:
    """The record of a parsed file; see `load_experiment`."""
    try:
        experiment = Experiment.model_validate(raw)
    except ValidationError as error:
        raise ConfigError(f"{source}: {_first_fault(error)}") from error
    read = dict(_scalars(experiment.model_dump()))
    for place, value in _scalars(raw):
        if place in read and (kind := _converted(value, read[place])):
            raise ConfigError(f"{source}: {place}: {kind} is expected, not {value!r}")
    return experiment


def _scalars(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """All values of nested tables and lists that are neither, each with its key."""
    if isinstance(value, dict | list | tuple):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in inner:
            yield from _scalars(each, f"{place}.{key}" if place else str(key))
    else:
        yield place, value


def _is_not_finite(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _converted(given: Any, read: Any) -> str:
    """What was expected where reading made another kind of value of a given one; else empty."""
    for kind, name in ((bool, "true or false"), (int, "a whole number"), (float, "a number")):
        if isinstance(read, kind):
            fine = kind is type(given) or (kind is float and type(given) is int)
            return "" if fine else name
    return ""


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False)[0]
    place = ".".join(str(step) for step in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return _unknown_key(fault["loc"])
    if fault["type"] == "missing":
        return f"{place} is missing"
    message = fault["msg"].removeprefix("Value error, ")
    return f"{place}: {message}, not {fault['input']!r}" if place else message


def _unknown_key(location: tuple[int | str, ...]) -> str:
    key, known = str(location[-1]), sorted(_fields_at(location[:-1]))
    close = difflib.get_close_matches(key, known, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    table = ".".join(str(step) for step in location[:-1] if isinstance(step, str))
    where = f" in [{table}]" if table else ""
    return f"unknown key {key!r}{where}{hint}; known: {', '.join(known)}"


def _fields_at(location: tuple[int | str, ...]) -> list[str]:
    record: type[Record] = Experiment
    for step in location:
        if isinstance(step, str) and step in record.model_fields:
            declared = record.model_fields[step].annotation
            inner = next((kind for kind in (declared, *get_args(declared)) if _is_record(kind)), None)
            record = inner or record
    return list(record.model_fields)


def _is_record(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Record)


def differing_keys(before: dict[str, Any], now: dict[str, Any], prefix: str = "") -> list[str]:
    """Paths at which two JSON objects differ, in order."""
    found = []
    for key in sorted({*before, *now}):
        old, new = before.get(key), now.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            found += differing_keys(old, new, f"{prefix}{key}.")
        elif old != new:
            found.append(f"{prefix}{key}")
    return found
