"""Keys come from the environment only, and never leave it: everything written or shown passes `masked`."""

from __future__ import annotations

import os
import re

_NAMES = re.compile(r"(API_?KEY|_TOKEN|_SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
_SHAPES = re.compile(
    r"(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{12,}|AIza[A-Za-z0-9_-]{20,}|Bearer\s+[A-Za-z0-9._~+/=-]{12,}|hf_[A-Za-z0-9]{16,})"
)
_IN_URL = re.compile(r"(?i)(://[^/\s:@]+:)[^@/\s]+(@)|([?&](?:key|api_key|token)=)[^&\s]{8,}")


def masked(text: str) -> str:
    """`text` with every known or probable secret replaced by `***`."""
    for name, value in os.environ.items():
        if len(value) >= 8 and _NAMES.search(name):
            text = text.replace(value, "***")
    text = _IN_URL.sub(lambda hit: (hit[1] or hit[3]) + "***" + (hit[2] or ""), text)
    return _SHAPES.sub("***", text)


def read_key(*names: str) -> str | None:
    """The first of these environment variables that is set and not blank."""
    return next((value for name in names if (value := os.environ.get(name, "").strip())), None)
