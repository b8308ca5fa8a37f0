"""Settings of judges that are models: keys of a judge's spec, or of `[judge_options]` for all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field

from editplan.records import Record
from editplan.specs import ModelSpec, read_options

Mode = Literal["strict", "official"]

_NUMBER = re.compile(r"\d+(\.\d*)?|\.\d+")


class JudgeOptions(Record):
    """How a model is asked to judge; None leaves a setting to the benchmark's protocol."""

    mode: Mode = "strict"
    """Whose prompt and reading: the published ones, or ours that give nothing away."""
    samples: int | None = Field(default=None, ge=1, le=25)
    """Answers an output is judged by; declared before the run, all are kept."""
    temperature: float | None = Field(default=None, ge=0.0, le=2.0)
    max_tokens: int | None = Field(default=None, ge=100)
    checkers: bool = True
    """Whether the contract's checks stand beside the model, with a reconciling call where they disagree."""
    detector: Path | None = None
    detector_labels: Path | None = None
    segmenter: Path | None = None
    """Weights of the checkers' instruments (`InstrumentPaths`)."""

    def written(self) -> str:
        """What differs from the defaults, as a spec writes it."""
        changed = {name: value for name, value in self if value != type(self).model_fields[name].default}
        return "&".join(f"{name}={str(value).lower()}" for name, value in sorted(changed.items()))


def split_options(spec: ModelSpec, common: Mapping[str, str | int | float | bool]) -> tuple[ModelSpec, JudgeOptions]:
    """The model's own spec and the judge's settings; a key of the spec goes before one of `common`.

    `temperature` as a number is the judge's; `true` and `false` say whether the model takes one at all. Raises
    `SpecError` for a value that fits no setting.
    """
    given = {key: _text(value) for key, value in common.items()} | dict(spec.options)
    ours = {key: value for key, value in given.items() if key in JudgeOptions.model_fields and _is_ours(key, value)}
    theirs = {key: value for key, value in given.items() if key not in ours}
    options = read_options(spec.model_copy(update={"options": tuple(sorted(ours.items()))}), JudgeOptions)
    return spec.model_copy(update={"options": tuple(sorted(theirs.items()))}), options


def _is_ours(key: str, value: str) -> bool:
    return key != "temperature" or bool(_NUMBER.fullmatch(value))


def _text(value: str | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
