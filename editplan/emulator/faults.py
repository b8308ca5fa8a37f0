"""Which request meets which fault: read from a TOML file, decided by endpoint and call number.

[[fault]]
endpoint = "openai.chat"     # openai.chat | openai.images | gemini | comfyui
kind = "rate_limit"          # see `FaultKind`
calls = [1, 2]               # of that endpoint, from 1; or every = 5; or share = 0.3 (seeded)
retry_after = "1"            # for rate_limit: a number of seconds or an HTTP date; left out = no header
"""

from __future__ import annotations

import hashlib
import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from editplan.errors import ConfigError
from editplan.records import Record

Endpoint = Literal["openai.chat", "openai.images", "gemini", "comfyui"]
ENDPOINTS: tuple[Endpoint, ...] = ("openai.chat", "openai.images", "gemini", "comfyui")


class FaultKind(StrEnum):
    """What can go wrong with an answer."""

    RATE_LIMIT = "rate_limit"
    SERVER_ERROR = "server_error"
    UNAVAILABLE = "unavailable"
    BAD_REQUEST = "bad_request"
    UNAUTHORISED = "unauthorised"
    RESET = "reset"
    STALL = "stall"
    TRUNCATED_BODY = "truncated_body"
    HTML = "html"
    EMPTY_BODY = "empty_body"
    EMPTY_DATA = "empty_data"
    NULL_IMAGE = "null_image"
    GARBAGE_IMAGE = "garbage_image"
    MODERATION = "moderation"
    BLOCK_REASON = "block_reason"
    NO_IMAGE = "no_image"
    THOUGHT_FIRST = "thought_first"
    TEXT_ONLY = "text_only"
    WRONG_SIZE = "wrong_size"
    ROTATED = "rotated"
    CMYK_JPEG = "cmyk_jpeg"
    PNG16 = "png16"
    FENCED = "fenced"
    TRUNCATED_JSON = "truncated_json"
    TRAILING_PROSE = "trailing_prose"
    WRONG_SCHEMA = "wrong_schema"
    WHITESPACE = "whitespace"
    REFUSAL = "refusal"
    OTHER_MODEL = "other_model"


class Fault(Record):
    """One rule; the first that fits a request counts."""

    endpoint: Endpoint | Literal["*"] = "*"
    kind: FaultKind
    calls: tuple[int, ...] = ()
    every: int | None = Field(default=None, ge=1)
    share: float | None = Field(default=None, ge=0.0, le=1.0)
    retry_after: str | None = None
    seconds: float = Field(default=3600.0, ge=0.0)
    """For a stall: how long it lasts."""

    def fits(self, endpoint: str, call: int, seed: int) -> bool:
        """Whether call number `call` (from 1) of an endpoint meets this fault."""
        if self.endpoint not in ("*", endpoint):
            return False
        if not self.calls and self.every is None and self.share is None:
            return True
        by_share = self.share is not None and _uniform(seed, endpoint, call) < self.share
        return call in self.calls or (self.every is not None and call % self.every == 0) or by_share


def _uniform(seed: int, endpoint: str, call: int) -> float:
    head = hashlib.sha256(f"{seed}/{endpoint}/{call}".encode()).digest()[:8]
    return int.from_bytes(head, "big") / 2**64


class FaultPlan(Record):
    """All rules of a server."""

    fault: tuple[Fault, ...] = ()
    seed: int = 0

    def for_call(self, endpoint: str, call: int) -> Fault | None:
        """The fault that a request meets, if any."""
        return next((fault for fault in self.fault if fault.fits(endpoint, call, self.seed)), None)


def load_faults(path: Path) -> FaultPlan:
    """Reads a faults file. Raises `ConfigError` with file and key."""
    try:
        return FaultPlan.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"faults file {path}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ConfigError(f"faults file {path}: {place}: {first['msg']}") from error
