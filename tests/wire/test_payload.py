"""Images within a provider's limits; every step away from the source is noted."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.errors import Unsupported
from editplan.store import ImageStore
from editplan.wire.payload import ImageLimits, encode, sent_size


def _noise(width: int, height: int) -> tuple[ImageStore, str]:
    store = ImageStore()
    rng = np.random.default_rng(0)
    return store, store.add_array(rng.integers(0, 256, (height, width, 3), dtype=np.uint8)).sha256


def test_a_picture_that_fits_goes_out_as_it_is() -> None:
    store, sha256 = _noise(40, 30)
    payload = encode(store[sha256], ImageLimits())
    assert payload.data == store[sha256].png()
    assert (payload.mime, payload.notes) == ("image/png", ())
    assert payload.data_url.startswith("data:image/png;base64,")


def test_a_heavy_picture_becomes_a_jpeg_and_says_so() -> None:
    store, sha256 = _noise(200, 200)
    payload = encode(store[sha256], ImageLimits(max_bytes=60_000))
    assert payload.mime == "image/jpeg"
    assert len(payload.data) <= 60_000
    assert "JPEG" in payload.notes[0]


def test_what_can_not_be_made_to_fit_is_unsupported() -> None:
    store, sha256 = _noise(200, 200)
    with pytest.raises(Unsupported, match="1,000 bytes"):
        encode(store[sha256], ImageLimits(max_bytes=1000))


def test_a_large_picture_is_scaled_and_the_size_is_true() -> None:
    store, sha256 = _noise(300, 150)
    payload = encode(store[sha256], ImageLimits(max_side_px=100))
    assert (payload.width, payload.height) == (100, 50)
    assert PIL.Image.open(io.BytesIO(payload.data)).size == (100, 50)
    assert "300 × 150" in payload.notes[0]


@given(
    st.integers(1, 3000),
    st.integers(1, 3000),
    st.integers(64, 2000),
    st.sampled_from([1, 14, 28, 32]),
)
def test_sizes_keep_within_the_sides_and_the_multiple(width: int, height: int, longest: int, step: int) -> None:
    sent = sent_size(width, height, ImageLimits(max_side_px=longest, multiple_px=step))
    assert max(sent) <= longest + step
    assert all(side % step == 0 and side >= 1 for side in sent) or sent == (width, height)


def test_a_sliver_that_fits_no_size_is_refused() -> None:
    with pytest.raises(Unsupported, match="fits no size"):
        sent_size(4000, 2, ImageLimits(max_side_px=2000, min_side_px=28))
