"""Vision models: `resolve` finds one by its spec; adapters are loaded when they are named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from editplan.planner.models.registry import known_providers, resolve

__all__ = ["known_providers", "resolve"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from editplan.planner.models import registry

        return getattr(registry, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
