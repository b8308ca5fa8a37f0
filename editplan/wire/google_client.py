"""The Google GenAI SDK, held to one wire attempt, and its faults as call failures."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

from editplan.errors import BadReply, CallFailure, ConfigError, FateUnknown
from editplan.secrets import read_key
from editplan.wire.failures import from_status, from_transport, retry_after_s, shortened
from editplan.wire.loops import PerLoop

if TYPE_CHECKING:
    from google.genai import Client
    from google.genai.errors import APIError

T = TypeVar("T")

KEYS = ("GEMINI_API_KEY", "GOOGLE_API_KEY")

REFUSALS = frozenset(
    {
        "SAFETY",
        "PROHIBITED_CONTENT",
        "BLOCKLIST",
        "SPII",
        "RECITATION",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_RECITATION",
        "JAILBREAK",
        "MODEL_ARMOR",
    }
)
"""Finish and block reasons that are refusals; the others that give nothing are no answer."""


def clients(*, base_url: str | None, api_version: str | None, timeout_s: float) -> PerLoop[Client]:
    """Clients that never retry on their own. Raises `ConfigError` naming the variable where there is no key."""
    key = read_key(*KEYS)
    if key is None:
        raise ConfigError(f"no API key: set {' or '.join(KEYS)} in the environment")
    # Imported before the first attempt: half a second of import is no part of a deadline.
    from google import genai
    from google.genai import types

    def make() -> Client:
        options = types.HttpOptions(
            base_url=base_url,
            api_version=api_version,
            timeout=int(timeout_s * 1000),
            retry_options=types.HttpRetryOptions(attempts=1),
        )
        return genai.Client(api_key=key, http_options=options)

    async def close(client: Client) -> None:
        await client.aio.aclose()
        client.close()

    return PerLoop(make, close)


async def attempt(request: Awaitable[T]) -> T:
    """Awaits one SDK request; every fault comes out as one `CallFailure`."""
    import httpx2
    from google.genai import errors

    try:
        with warnings.catch_warnings():
            # An unknown finish reason warns; it is handled by its name.
            warnings.simplefilter("ignore", UserWarning)
            return await request
    except errors.APIError as error:
        raise from_api_error(error) from error
    except httpx2.TransportError as error:
        raise from_transport(error) from error
    except (json.JSONDecodeError, UnicodeDecodeError, errors.UnknownApiResponseError) as error:
        raise BadReply(shortened(f"HTTP 200 with a body that is no JSON: {error}"), kind="malformed") from error
    except TimeoutError as error:
        raise FateUnknown("no answer in time") from error


def from_api_error(error: APIError) -> CallFailure:
    """A 4xx or 5xx; the delay of a 429 stands in the body's RetryInfo, not in a header."""
    headers = getattr(error.response, "headers", None)
    delay = retry_after_s(dict(headers) if headers else None)
    return from_status(int(error.code or 500), str(error.message or error), retry_after=_retry_info(error) or delay)


def _retry_info(error: APIError) -> float | None:
    details: Any = error.details if isinstance(error.details, dict) else {}
    inner = details.get("error", details)
    for item in inner.get("details") or () if isinstance(inner, dict) else ():
        match = re.fullmatch(r"([0-9.]+)s", str(item.get("retryDelay", ""))) if isinstance(item, dict) else None
        if match:
            return float(match[1])
    return None


def reason(value: Any) -> str:
    """The name of a finish or block reason, known to the SDK or not."""
    return str(getattr(value, "value", value) or "")
