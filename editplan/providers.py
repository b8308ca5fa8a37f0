"""Looks providers up by name: built-in ones, then entry points of installed packages."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from editplan.errors import ConfigError, SpecError
from editplan.records import Capabilities
from editplan.secrets import masked
from editplan.specs import ModelSpec, parse_spec


@dataclass(frozen=True)
class Providers:
    """One kind of model: each provider is a module with `build(spec)`, or an entry point that is such a function."""

    what: str
    group: str
    built_in: dict[str, str]

    def names(self) -> tuple[str, ...]:
        """All that can be named in a spec."""
        present = [name for name, module in self.built_in.items() if _exists(module)]
        return tuple(sorted({*present, *self._entry_points}))

    def build(self, spec: str | ModelSpec) -> Any:
        """What the spec's provider builds. Raises `SpecError` for an unknown provider."""
        parsed = parse_spec(spec) if isinstance(spec, str) else spec
        module = self.built_in.get(parsed.provider)
        if module is not None and _exists(module):
            return importlib.import_module(module).build(parsed)
        if parsed.provider in self._entry_points:
            return self._entry_points[parsed.provider].load()(parsed)
        raise SpecError(
            f"spec {masked(str(parsed))!r}: there is no {self.what} provider {parsed.provider!r}; "
            f"known: {', '.join(self.names())}"
        )

    def check(self, made: object, protocol: Any) -> None:
        """Raises `ConfigError` for an object that doesn't satisfy the protocol."""
        if isinstance(made, type) or not isinstance(made, protocol):
            missing = [name for name in _members(protocol) if isinstance(made, type) or not hasattr(made, name)]
            raise ConfigError(
                f"{made!r} is no {self.what}: it lacks {', '.join(missing)}; "
                f"give a spec string or an object with {', '.join(_members(protocol))}"
            )
        name = getattr(made, "id", None)
        if not isinstance(name, str) or not name:
            raise ConfigError(f"{made!r} has the id {name!r}: give a text that names provider, model and parameters")
        if "capabilities" in _members(protocol):
            can = getattr(made, "capabilities", None)
            if not isinstance(can, Capabilities):
                what = type(can).__name__
                raise ConfigError(f"{name} declares capabilities as a {what}: give editplan.records.Capabilities")

    @cached_property
    def _entry_points(self) -> dict[str, EntryPoint]:
        return {each.name: each for each in entry_points(group=self.group)}


def _members(protocol: Any) -> tuple[str, ...]:
    return tuple(sorted(name for name in vars(protocol) if not name.startswith("_")))


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False
