"""Finds a vision model by its spec string, or takes an object as it is."""

from __future__ import annotations

from editplan.planner.models.base import VisionModel
from editplan.providers import Providers
from editplan.specs import ModelSpec

PROVIDERS = Providers(
    what="vision model",
    group="editplan.vision_models",
    built_in={
        "embedded": "editplan.planner.models.embedded",
        "openai": "editplan.planner.models.openai",
        "google": "editplan.planner.models.google",
        "compatible": "editplan.planner.models.compatible",
        "ollama": "editplan.planner.models.compatible",
        "vllm": "editplan.planner.models.compatible",
    },
)
"""Built-in and installed providers of vision models."""


def resolve(spec: str | ModelSpec | VisionModel) -> VisionModel:
    """The model that a spec names (`openai:gpt-5.6?...`, `embedded`), or the object itself.

    Raises `SpecError` for an unknown provider or option, listing the known ones, and `ConfigError` for an object that
    doesn't satisfy the protocol.
    """
    model: VisionModel = PROVIDERS.build(spec) if isinstance(spec, (str, ModelSpec)) else spec
    PROVIDERS.check(model, VisionModel)
    return model


def known_providers() -> tuple[str, ...]:
    """Built-in providers and those of installed packages."""
    return PROVIDERS.names()
