"""Types that the fields of check specs share."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

Colour = Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$", to_lower=True)]
Tolerance = Annotated[float, Field(gt=0.0, le=100.0)]
Pixels = Annotated[int, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]
PositiveShare = Annotated[float, Field(gt=0.0, le=1.0)]
