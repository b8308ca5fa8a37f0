"""Plan an image edit, make it with one call to an unchanged editor, and measure whether the planning helped.

Names are loaded when they are used: importing this package loads no SDK, no graph library and no image library.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from editplan.errors import (
        BadReply,
        Broken,
        BudgetExceeded,
        CallFailure,
        Cancelled,
        ConfigError,
        DatasetError,
        EditorError,
        EditplanError,
        FateUnknown,
        ImageError,
        JudgeError,
        ModelError,
        PromptError,
        RateLimited,
        Refused,
        Rejected,
        SpecError,
        StoreError,
        Unavailable,
        Unsupported,
    )
    from editplan.finish.settings import Finish
    from editplan.planner.agent import EditAgent
    from editplan.planner.options import PlannerOptions
    from editplan.planner.result import EditResult, PlannedEdit
    from editplan.protocols import Editor, VisionModel
    from editplan.records import (
        Ask,
        Capabilities,
        Edited,
        EditJob,
        EditRequest,
        Ledger,
        Media,
        Outcome,
        Part,
        PartRole,
        Plan,
        Reply,
        Status,
    )

__version__ = "0.1.0"

_ERRORS = (
    "BadReply",
    "Broken",
    "BudgetExceeded",
    "CallFailure",
    "Cancelled",
    "ConfigError",
    "DatasetError",
    "EditorError",
    "EditplanError",
    "FateUnknown",
    "ImageError",
    "JudgeError",
    "ModelError",
    "PromptError",
    "RateLimited",
    "Refused",
    "Rejected",
    "SpecError",
    "StoreError",
    "Unavailable",
    "Unsupported",
)
_RECORDS = (
    "Ask",
    "Capabilities",
    "EditJob",
    "EditRequest",
    "Edited",
    "Ledger",
    "Media",
    "Outcome",
    "Part",
    "PartRole",
    "Plan",
    "Reply",
    "Status",
)
_HOMES = {
    **dict.fromkeys(_ERRORS, "editplan.errors"),
    **dict.fromkeys(_RECORDS, "editplan.records"),
    "EditAgent": "editplan.planner.agent",
    "EditResult": "editplan.planner.result",
    "Editor": "editplan.protocols",
    "Finish": "editplan.finish.settings",
    "PlannedEdit": "editplan.planner.result",
    "PlannerOptions": "editplan.planner.options",
    "VisionModel": "editplan.protocols",
}

__all__ = [
    "Ask",
    "BadReply",
    "Broken",
    "BudgetExceeded",
    "CallFailure",
    "Cancelled",
    "Capabilities",
    "ConfigError",
    "DatasetError",
    "EditAgent",
    "EditJob",
    "EditRequest",
    "EditResult",
    "Edited",
    "Editor",
    "EditorError",
    "EditplanError",
    "FateUnknown",
    "Finish",
    "ImageError",
    "JudgeError",
    "Ledger",
    "Media",
    "ModelError",
    "Outcome",
    "Part",
    "PartRole",
    "Plan",
    "PlannedEdit",
    "PlannerOptions",
    "PromptError",
    "RateLimited",
    "Refused",
    "Rejected",
    "Reply",
    "SpecError",
    "Status",
    "StoreError",
    "Unavailable",
    "Unsupported",
    "VisionModel",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
