"""The OpenAI SDK, held to one wire attempt, and its faults as call failures."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

from editplan.errors import BadReply, CallFailure, ConfigError, FateUnknown, Refused
from editplan.secrets import read_key
from editplan.wire.failures import from_status, from_transport, retry_after_s, shortened
from editplan.wire.loops import PerLoop

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

T = TypeVar("T")

_REFUSAL_CODES = frozenset(
    {"moderation_blocked", "content_policy_violation", "content_filter", "safety_violation", "image_safety_violation"}
)


def clients(
    *, base_url: str | None, key_names: tuple[str, ...], timeout_s: float, needs_key: bool
) -> PerLoop[AsyncOpenAI]:
    """Clients that never retry on their own. Raises `ConfigError` naming the variable where a key is needed."""
    key = read_key(*key_names)
    if key is None and needs_key:
        raise ConfigError(f"no API key: set {' or '.join(key_names)} in the environment")
    # Imported before the first attempt: half a second of import is no part of a deadline.
    from openai import AsyncOpenAI

    def make() -> AsyncOpenAI:
        return AsyncOpenAI(api_key=key or "none", base_url=base_url, max_retries=0, timeout=timeout_s)

    async def close(client: AsyncOpenAI) -> None:
        await client.close()

    return PerLoop(make, close)


async def attempt(request: Awaitable[T]) -> T:
    """Awaits one SDK request; every fault comes out as one `CallFailure`."""
    import openai

    try:
        return await request
    except openai.APIStatusError as error:
        raise from_api_status(error) from error
    except openai.APITimeoutError as error:
        cause = error.__cause__ or error
        raise (from_transport(cause) if cause is not error else FateUnknown("no answer in time")) from error
    except openai.APIConnectionError as error:
        raise from_transport(error.__cause__ or error) from error
    except openai.APIResponseValidationError as error:
        raise BadReply(shortened(f"an answer of another shape: {error}"), kind="malformed") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadReply(shortened(f"HTTP 200 with a body that is no JSON: {error}"), kind="malformed") from error


def from_api_status(error: APIStatusError) -> CallFailure:
    """A 4xx or 5xx: refusals are told from wrong requests by the error's code."""
    body: Any = error.body if isinstance(error.body, dict) else {}
    inner = body.get("error") if isinstance(body.get("error"), dict) else body
    code = str(inner.get("code") or getattr(error, "code", None) or "")
    message = str(inner.get("message") or error.message)
    if code in _REFUSAL_CODES:
        return Refused(shortened(message), category=code, stage="input")
    return from_status(error.status_code, message, retry_after=retry_after_s(error.response.headers))


def check_gateway_error(body: dict[str, Any]) -> None:
    """Gateways send HTTP 200 with an `error` body and `choices: null`: raised as the failure that it is."""
    problem = body.get("error")
    if not problem:
        return
    detail = problem if isinstance(problem, dict) else {"message": str(problem)}
    code = detail.get("code")
    message = str(detail.get("message") or detail)
    if str(code) in _REFUSAL_CODES or "moderation" in str(detail.get("metadata", "")).lower():
        raise Refused(shortened(message), category=str(code), stage="input")
    number = int(str(code)) if str(code).isdigit() else 0
    raise from_status(number if 400 <= number < 600 else 502, message)
