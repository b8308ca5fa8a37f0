"""HTTP statuses and transport faults as call failures; the table that every adapter uses."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from editplan.errors import CallFailure, FateUnknown, RateLimited, Rejected, Unavailable
from editplan.secrets import masked

RETRIED_STATUSES = frozenset({408, 409, 425})
_SHOWN = 300


def shortened(text: str) -> str:
    """A provider's words in one line of at most 300 characters, without secrets."""
    flat = " ".join(masked(text).split())
    return flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + "…"


def retry_after_s(headers: Mapping[str, str] | None) -> float | None:
    """Seconds from `Retry-After` (a number or an HTTP date) or `retry-after-ms`; None if there is no usable one."""
    if not headers:
        return None
    given = {name.lower(): value for name, value in headers.items()}
    if (milliseconds := _number(given.get("retry-after-ms"))) is not None:
        return milliseconds / 1000.0
    value = given.get("retry-after")
    if value is None or (seconds := _number(value)) is not None:
        return None if value is None else seconds
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None else None
    except ValueError:
        return None
    return value if value is not None and 0.0 <= value < 1e7 else None


def from_status(status: int, message: str, *, retry_after: float | None = None) -> CallFailure:
    """The failure that an HTTP status stands for: 429, then what may pass, then what is our fault."""
    text = shortened(f"HTTP {status}: {message}")
    if status == 429:
        return RateLimited(text, retry_after_s=retry_after)
    if status >= 500 or status in RETRIED_STATUSES:
        return Unavailable(text, status=status, retry_after_s=retry_after)
    return Rejected(text, status=status)


def from_transport(error: BaseException) -> CallFailure:
    """A transport fault: unavailable if the request certainly never went out, else its fate is unknown."""
    name = type(error).__name__
    never_sent = {"ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError", "UnsupportedProtocol"}
    text = shortened(f"{name}: {error}")
    if name in never_sent or isinstance(error, ConnectionRefusedError):
        return Unavailable(f"no connection: {text}")
    return FateUnknown(f"the connection broke after sending: {text}")
