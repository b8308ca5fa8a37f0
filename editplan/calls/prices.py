"""What calls cost where the provider doesn't say: a dated table, and rows of the user's own before it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from datetime import date
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from editplan.errors import ConfigError
from editplan.records import Record, Usage

_MILLION = 1e6


class Price(Record):
    """What one model costs, in USD; `match` is a pattern for `provider:model[@base_url]`."""

    match: str = Field(min_length=1)
    input: float = Field(default=0.0, ge=0.0)
    """Per million tokens in."""
    output: float = Field(default=0.0, ge=0.0)
    """Per million tokens out."""
    thinking: float | None = Field(default=None, ge=0.0)
    """Per million thinking tokens, a part of the tokens out; None = as `output`."""
    image: float = Field(default=0.0, ge=0.0)
    """Per picture that comes back."""
    source: str = ""
    """Where the figures were read."""
    read: date | None = None
    """When they were read; they may have changed since."""

    def cost_usd(self, usage: Usage) -> float:
        """What this usage costs."""
        thinking = min(usage.tokens_thinking, usage.tokens_out)
        rate = self.output if self.thinking is None else self.thinking
        tokens = usage.tokens_in * self.input + (usage.tokens_out - thinking) * self.output + thinking * rate
        return tokens / _MILLION + usage.images_out * self.image

    def fits(self, model: str) -> bool:
        """Whether a model's id, without its options, is this row's."""
        whole = model.partition("?")[0]
        return any(fnmatchcase(name, self.match) for name in (whole, whole.partition("@http")[0]))


class _File(Record):
    price: tuple[Price, ...] = ()


class PriceTable(Record):
    """Rows in order; the first that fits a model counts. `path` is the user's own file, if there is one."""

    rows: tuple[Price, ...] = ()
    path: Path | None = None

    def of(self, model: str) -> Price | None:
        """The row of a model id; None where its price is unknown."""
        return next((row for row in self.rows if row.fits(model)), None)

    def priced(self, usage: Usage, model: str, *, in_process: bool = False) -> Usage:
        """The usage with its cost: what the provider said, else this table's; None stays where neither knows."""
        if usage.cost_usd is not None:
            return usage
        row = self.of(model)
        if row is None:
            return usage.model_copy(update={"cost_usd": 0.0}) if in_process else usage
        return usage.model_copy(update={"cost_usd": row.cost_usd(usage)})

    def require(self, models: Iterable[Any], max_cost_usd: float | None) -> None:
        """Raises `ConfigError` where there is a ceiling on cost and a model's price is unknown; sends nothing."""
        if max_cost_usd is None:
            return
        for model in models:
            if model is None or is_in_process(model) or self.of(model.id) is not None:
                continue
            name = model.id.partition("?")[0]
            where = self.path or 'a file that `prices = "file.toml"` or --prices names'
            raise ConfigError(
                f"max_cost_usd = {max_cost_usd:g} can't be held: the price of {name} is unknown. "
                f'Add it to {where}: [[price]] match = "{name}", input = ..., output = ... (USD per million tokens)'
            )


def is_in_process(model: Any) -> bool:
    """Whether a model or an editor runs in this process, where nobody bills."""
    return bool(getattr(getattr(model, "capabilities", model), "in_process", False))


@cache
def built_in_prices() -> PriceTable:
    """The packaged table."""
    text = (files("editplan.calls") / "prices.toml").read_text("utf-8")
    return PriceTable(rows=_File.model_validate(tomllib.loads(text)).price)


def load_prices(path: Path | None) -> PriceTable:
    """The packaged table behind the rows of a user's file. Raises `ConfigError` that names file and key."""
    if path is None:
        return built_in_prices()
    try:
        own = _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise ConfigError(f"prices file {path}: {error.strerror or error}: check the path") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"prices file {path} is no TOML file: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise ConfigError(f"prices file {path}: {place}: {first['msg']}") from error
    return PriceTable(rows=(*own.price, *built_in_prices().rows), path=path)
