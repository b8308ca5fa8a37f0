"""The base of everything that is stored, compared or sent."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Unit = Annotated[float, Field(ge=0.0, le=1.0)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def _ordered(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x1, y1, x2, y2 = box
    if not (x1 < x2 and y1 < y2):
        raise ValueError(f"a box is [x1, y1, x2, y2] with x1 < x2 and y1 < y2, not {list(box)}")
    return box


Box = Annotated[tuple[Unit, Unit, Unit, Unit], AfterValidator(_ordered)]
"""Normalised [x1, y1, x2, y2] in 0..1 of the canonical image, x to the right, y down."""


class Record(BaseModel):
    """A value that is stored, compared or sent: frozen, and closed to unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    def canonical_json(self) -> str:
        """The same text for equal records, whatever the order of keys; what digests are made of."""
        return canonical_json(self.model_dump(mode="json"))


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no spaces and no escapes of its own; NaN and infinity are refused."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Any) -> str:
    """The SHA-256 (hex) of the canonical JSON of `value`."""
    return hashlib.sha256(canonical_json(value).encode("utf-8")).hexdigest()
