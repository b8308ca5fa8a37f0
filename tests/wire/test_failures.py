"""HTTP statuses and transport faults become the failure that decides about a retry."""

from __future__ import annotations

import email.utils
import time

import httpx2
import pytest

from editplan.errors import FateUnknown, RateLimited, Rejected, Unavailable
from editplan.wire.failures import from_status, from_transport, retry_after_s, shortened


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after-ms": "150", "retry-after": "9"}, 0.15),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({}, None),
        (None, None),
    ],
)
def test_retry_after_in_seconds(headers: dict[str, str] | None, seconds: float | None) -> None:
    assert retry_after_s(headers) == seconds


def test_retry_after_as_an_http_date() -> None:
    later = email.utils.formatdate(time.time() + 20, usegmt=True)
    earlier = email.utils.formatdate(time.time() - 20, usegmt=True)
    assert retry_after_s({"Retry-After": later}) == pytest.approx(20, abs=2)
    assert retry_after_s({"Retry-After": earlier}) == 0.0


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, Rejected),
        (401, Rejected),
        (403, Rejected),
        (404, Rejected),
        (422, Rejected),
        (408, Unavailable),
        (409, Unavailable),
        (429, RateLimited),
        (500, Unavailable),
        (503, Unavailable),
        (529, Unavailable),
    ],
)
def test_statuses(status: int, kind: type[Exception]) -> None:
    assert type(from_status(status, "words")) is kind


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx2.ConnectError("refused"), Unavailable),
        (httpx2.ConnectTimeout("no route"), Unavailable),
        (httpx2.ReadTimeout("silence"), FateUnknown),
        (httpx2.ReadError("reset"), FateUnknown),
        (httpx2.RemoteProtocolError("cut"), FateUnknown),
    ],
)
def test_only_what_never_went_out_is_free_to_repeat(error: Exception, kind: type[Exception]) -> None:
    assert type(from_transport(error)) is kind


def test_a_providers_words_are_one_short_line_without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "planted-secret-value")
    text = shortened("line one\nkey planted-secret-value\n" + "x" * 1000)
    assert "planted" not in text
    assert "\n" not in text
    assert len(text) <= 300
