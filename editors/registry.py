"""Finds an editor by its spec string, or takes an object as it is."""

from __future__ import annotations

from editplan.editors.base import Editor
from editplan.providers import Providers
from editplan.specs import ModelSpec

PROVIDERS = Providers(
    what="editor",
    group="editplan.editors",
    built_in={
        "embedded": "editplan.editors.raster.editor",
        "openai": "editplan.editors.openai",
        "google": "editplan.editors.google",
        "compatible": "editplan.editors.compatible",
        "vllm": "editplan.editors.compatible",
        "comfyui": "editplan.editors.comfyui",
        "diffusers": "editplan.editors.diffusers",
        "diffusers-video": "editplan.editors.diffusers_video",
        "video": "editplan.editors.video",
        "svg": "editplan.svg_provider",
    },
)
"""Built-in and installed providers of editors."""


def resolve(spec: str | ModelSpec | Editor) -> Editor:
    """The editor that a spec names (`embedded:raster`, `openai:gpt-image-2?quality=high`), or the object itself.

    Raises `SpecError` for an unknown provider or option, listing the known ones, and `ConfigError` for an object that
    doesn't satisfy the protocol.
    """
    editor: Editor = PROVIDERS.build(spec) if isinstance(spec, (str, ModelSpec)) else spec
    PROVIDERS.check(editor, Editor)
    return editor


def known_providers() -> tuple[str, ...]:
    """Built-in providers and those of installed packages."""
    return PROVIDERS.names()
