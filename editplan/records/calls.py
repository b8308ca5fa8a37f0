"""One request to a model or an editor, its answer, and what it cost."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from editplan.records.base import Record, Sha256
from editplan.records.media import Media, Part


class Usage(Record):
    """What one or more calls consumed; `None` where the provider does not say."""

    tokens_in: int = 0
    tokens_out: int = 0
    tokens_thinking: int = 0
    images_in: int = 0
    images_out: int = 0
    image_pixels: int = 0
    """Pixels of the images sent, as sent."""
    cost_usd: float | None = None

    def __add__(self, other: Usage) -> Usage:
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            tokens_thinking=self.tokens_thinking + other.tokens_thinking,
            images_in=self.images_in + other.images_in,
            images_out=self.images_out + other.images_out,
            image_pixels=self.image_pixels + other.image_pixels,
            cost_usd=sum(costs) if costs else None,
        )


class Ask(Record):
    """One question to a vision model: labelled images in order, then the rendered text."""

    task: str
    """Which prompt family asks: inspect, resolve, judge, ..."""
    prompt_id: str
    """`<task>/v<N>@<hash>` of the file that `text` was rendered from."""
    text: str
    system: str = ""
    """Goes before it as a system message, where a protocol has one."""
    parts: tuple[Part, ...] = ()
    json_schema: dict[str, Any] | None = None
    temperature: float | None = None
    max_tokens: int = Field(default=4096, ge=1)


def _encodable(text: str) -> str:
    # JSON can carry a lone surrogate, UTF-8 can't.
    return text.encode("utf-8", "replace").decode("utf-8")


class Reply(Record):
    """One answer as it came; `text` is raw, but for lone surrogates."""

    text: Annotated[str, AfterValidator(_encodable)]
    finish: Literal["stop", "length", "refused", "empty"] = "stop"
    model: str = ""
    """The model id that the provider returned."""
    usage: Usage = Usage()
    request_id: str | None = None
    notes: tuple[str, ...] = ()


class EditJob(Record):
    """One generation: labelled images in order and the one instruction."""

    parts: tuple[Part, ...] = ()
    instruction: str
    mask: Media | None = None
    """White = edit; the size of the first part."""
    size: tuple[int, int] | None = None
    """Wanted (width, height) in pixels; None = the editor's own rule."""
    seed: int | None = Field(default=None, ge=0, le=2**31 - 1)


class Edited(Record):
    """What an editor returned: canonical images, the raw bytes beside them."""

    media: tuple[Media, ...]
    raw: tuple[Sha256, ...] = ()
    """Hashes of the bytes as they came, in the order of `media`."""
    model: str = ""
    usage: Usage = Usage()
    request_id: str | None = None
    notes: tuple[str, ...] = ()


class CallKind(StrEnum):
    """Who makes a call, and so which column of a ledger it belongs to."""

    AGENT = "agent"
    GENERATION = "generation"
    JUDGE = "judge"


class CallRecord(Record):
    """One call in a ledger: a first ask or a re-ask, with all its wire attempts."""

    key: str
    """The journal's key."""
    node: str
    kind: CallKind
    ordinal: int = Field(ge=0)
    """Counts the logical calls of this node, from 0."""
    reask: bool = False
    answered: bool
    wire_attempts: int = Field(ge=0)
    usage: Usage = Usage()
    seconds: float = 0.0
    model: str = ""
    failure: str | None = None
    """The class of the failure that ended it, if it was not answered."""


class Ledger(Record):
    """All calls of one outcome. A logical call is a record that is no re-ask."""

    calls: tuple[CallRecord, ...] = ()

    def logical(self, kind: CallKind) -> int:
        """Requests that the graph's design asked for."""
        return sum(1 for call in self.calls if call.kind is kind and not call.reask)

    def answered(self, kind: CallKind | None = None) -> int:
        """Model answers, re-asks included; the matching vector is made of these."""
        return sum(1 for call in self.calls if call.answered and kind in (None, call.kind))

    def wire_attempts(self, kind: CallKind | None = None) -> int:
        """Requests that went out."""
        return sum(call.wire_attempts for call in self.calls if kind in (None, call.kind))

    def usage(self, kind: CallKind | None = None) -> Usage:
        """Tokens, images and cost summed, those of retries and re-asks included."""
        return sum((call.usage for call in self.calls if kind in (None, call.kind)), Usage())

    @property
    def seconds(self) -> float:
        """Time inside calls; pauses before a retry are not in it."""
        return sum(call.seconds for call in self.calls)
