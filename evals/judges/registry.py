"""Judges by their spec: `checkers`, `pixels`, `svg`, or the spec of a vision model (`vlm:` may stand before it)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from editplan.errors import ConfigError, SpecError
from editplan.evals.judging import Judge
from editplan.specs import ModelSpec, parse_spec, read_options

if TYPE_CHECKING:
    from editplan.evals.judges.asking import JudgeCalls

_CODE = {
    "checkers": ("editplan.evals.judges.checkers", "CheckersJudge"),
    "pixels": ("editplan.evals.judges.pixels", "PixelsJudge"),
    "svg": ("editplan.evals.protocols.vectorbench.judge", "SvgJudge"),
}
"""Judges that are code: module and class."""
_PREFIX = "vlm"
_PLANS_ONLY = "embedded"
"""Answers planning questions only."""


def code_judges() -> tuple[str, ...]:
    """Names of the judges that call no model."""
    return tuple(sorted(_CODE))


def resolve_judge(
    spec: str,
    options: Mapping[str, str | int | float | bool] | None = None,
    reach: JudgeCalls | None = None,
) -> Judge:
    """The judge that a spec names.

    `options` are `[judge_options]`: settings of judges that are models, and paths of weights for checkers. `reach` is
    the run's road for calls (None keeps them in memory). Raises `ConfigError` for an unknown judge.
    """
    parsed = parse_spec(spec)
    if parsed.provider in _CODE:
        return _code_judge(spec, parsed, options or {})
    return _model_judge(spec, parsed, options or {}, reach)


def check_options(specs: Iterable[str], options: Mapping[str, str | int | float | bool]) -> None:
    """Raises `ConfigError` for a key of `[judge_options]` that no judge reads.

    A model that judges reads them all and refuses what it doesn't know itself.
    """
    providers = {parse_spec(spec).provider for spec in specs}
    if not options or not providers <= set(_CODE):
        return
    known: list[str] = []
    if "checkers" in providers:
        from editplan.evals.checkers.instruments import InstrumentPaths

        known = sorted(InstrumentPaths.model_fields)
    for key, value in options.items():
        if key not in known:
            ours = f"{', '.join(sorted(providers))} knows: {', '.join(known) or 'none'}"
            raise ConfigError(f"judge_options: unknown key {key!r}; {ours}")
        if not isinstance(value, str):
            raise ConfigError(f"judge_options: {key} = {value!r}: the path of weights is expected")


def _code_judge(spec: str, parsed: ModelSpec, options: Mapping[str, str | int | float | bool]) -> Judge:
    if parsed.provider == "checkers" and not parsed.model and not parsed.base_url:
        from editplan.evals.checkers.instruments import InstrumentPaths, load_instruments
        from editplan.evals.judges.checkers import CheckersJudge

        common = {key: str(value) for key, value in options.items() if key in InstrumentPaths.model_fields}
        merged = parsed.model_copy(update={"options": tuple(sorted({**common, **dict(parsed.options)}.items()))})
        return CheckersJudge(load_instruments(read_options(merged, InstrumentPaths)))
    if parsed.model or parsed.base_url or parsed.options:
        raise ConfigError(f"judge {spec!r}: {parsed.provider} takes neither a model nor options")
    module, name = _CODE[parsed.provider]
    judge: Judge = getattr(import_module(module), name)()
    return judge


def _model_judge(
    spec: str, parsed: ModelSpec, options: Mapping[str, str | int | float | bool], reach: JudgeCalls | None
) -> Judge:
    from editplan.evals.judges.options import JudgeOptions, split_options
    from editplan.evals.judges.vlm import VisionModelJudge
    from editplan.planner.models.registry import known_providers, resolve

    if parsed.provider == _PREFIX:
        provider, _, model = parsed.model.partition(":")
        parsed = parsed.model_copy(update={"provider": provider, "model": model})
    models = tuple(name for name in known_providers() if name != _PLANS_ONLY)
    if parsed.provider not in models:
        raise ConfigError(
            f"judge {spec!r}: no such judge; the judges that are code are {', '.join(code_judges())}, "
            f"and vision models are {', '.join(models)}"
        )
    try:
        model_spec, judge_options = split_options(parsed, options)
        return VisionModelJudge(resolve(model_spec), judge_options, reach)
    except SpecError as error:
        ours = ", ".join(JudgeOptions.model_fields)
        raise SpecError(f"judge {spec!r}: {error}; a judge also takes {ours}") from error
