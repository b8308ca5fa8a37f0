"""`editplan models`: the providers that a spec may name, with their options."""

from __future__ import annotations

import importlib
from typing import Any

from editplan.cli.run import AsJson


def models(as_json: AsJson = False) -> None:
    """List providers of vision models and editors, and the option keys of their specs."""
    from editplan.cli.console import print_json

    found = {"vision models": _listed("editplan.planner.models"), "editors": _listed("editplan.editors")}
    if as_json:
        print_json(found)
        return
    for kind, providers in found.items():
        print(f"{kind} (provider:model[@base_url][?key=value&...])")
        for provider in providers:
            print(f"  {provider['provider']:<12} {provider['about']}")
            print(f"  {'':<12} options: {', '.join(provider['options']) or 'none'}")
        print()


def _listed(package: str) -> list[dict[str, Any]]:
    registry = importlib.import_module(f"{package}.registry")
    built_in: dict[str, str] = registry.PROVIDERS.built_in
    return [_described(name, built_in.get(name)) for name in registry.known_providers()]


def _described(provider: str, module_name: str | None) -> dict[str, Any]:
    if module_name is None:
        return {"provider": provider, "about": "from an installed package", "options": []}
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        return {"provider": provider, "about": f"not installed: {error}", "options": []}
    about = (module.__doc__ or "").strip().splitlines()[0]
    return {"provider": provider, "about": about, "options": _option_keys(module)}


def _option_keys(module: Any) -> list[str]:
    """The fields of the record of options that a provider's module defines."""
    from editplan.records import Record

    kinds = [
        each
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Record) and each.__name__.endswith("Options")
    ]
    own = [kind for kind in kinds if kind.__module__ == module.__name__] or kinds
    return sorted({name for kind in own for name in kind.model_fields})
