"""What tests need, ours and a third party's: scripted models and editors, conformance suites, a socket guard."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from editplan.testing.conformance import check_editor, check_vision_model
    from editplan.testing.scripted import CountingEditor, ScriptedEditor, ScriptedModel
    from editplan.testing.sockets import only_loopback

_HOMES = {
    "CountingEditor": "editplan.testing.scripted",
    "ScriptedEditor": "editplan.testing.scripted",
    "ScriptedModel": "editplan.testing.scripted",
    "check_editor": "editplan.testing.conformance",
    "check_vision_model": "editplan.testing.conformance",
    "only_loopback": "editplan.testing.sockets",
}

__all__ = [
    "CountingEditor",
    "ScriptedEditor",
    "ScriptedModel",
    "check_editor",
    "check_vision_model",
    "only_loopback",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
