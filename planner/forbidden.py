"""Keys that only an evaluator may know: refused at any depth, in what comes in and in what a model writes."""

from __future__ import annotations

from typing import Any

FORBIDDEN_KEYS = frozenset(
    {
        "contract",
        "contract_path",
        "reward_questions",
        "penalty_questions",
        "manual_facts",
        "intended_final_state",
        "gt_image",
        "reference_image",
        "dependency_regime",
        "dependency_level",
        "visual_dependency_level",
    }
)
"""SolveEdit-Plan's list (protocols, section 1.7), compared in lower case."""


def forbidden_keys(value: Any, path: str = "$") -> tuple[str, ...]:
    """`forbidden_key:<JSON path>` for each such key in `value`, in order."""
    found: list[str] = []
    if isinstance(value, dict):
        for key, each in value.items():
            here = f"{path}.{key}"
            if str(key).lower() in FORBIDDEN_KEYS:
                found.append(f"forbidden_key:{here}")
            found.extend(forbidden_keys(each, here))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            found.extend(forbidden_keys(each, f"{path}[{number}]"))
    return tuple(found)
