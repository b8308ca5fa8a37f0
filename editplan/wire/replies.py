"""HTTP 200 bodies that may be anything."""

from __future__ import annotations

import json
from typing import Any

from editplan.errors import BadReply
from editplan.wire.failures import shortened


def json_object(content: bytes) -> dict[str, Any]:
    """The body as a JSON object. Raises `BadReply` with its beginning for anything else."""
    try:
        body = json.loads(content)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        shown = shortened(content[:200].decode("utf-8", "replace")) or "nothing"
        raise BadReply(f"HTTP 200 with a body that is no JSON: {shown}", kind="malformed") from error
    if not isinstance(body, dict):
        raise BadReply(f"HTTP 200 with a JSON {type(body).__name__} where an object belongs", kind="malformed")
    return body


def sound_text(text: str) -> str:
    """A provider's text without lone surrogates, which JSON can carry and UTF-8 can't."""
    return text.encode("utf-8", "replace").decode("utf-8")
