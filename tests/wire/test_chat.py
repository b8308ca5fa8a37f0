"""HTTP 200 bodies of chat completions, whatever they are."""

from __future__ import annotations

import json
from typing import Any

import pytest

from editplan.errors import BadReply, RateLimited, Refused, Unavailable
from editplan.wire.chat import read_body, read_usage


def _body(message: dict[str, Any], finish: str = "stop", **extra: Any) -> bytes:
    return json.dumps(
        {"id": "x", "model": "m", "choices": [{"message": message, "finish_reason": finish}], **extra}
    ).encode()


@pytest.mark.parametrize(
    "content", [b"", b"<html>", b"[1]", b"null", b'{"choices": null}', b'{"choices": []}', b"\xff\xfe"]
)
def test_no_answer_is_a_bad_reply_and_no_crash(content: bytes) -> None:
    with pytest.raises(BadReply) as caught:
        read_body(content)
    assert caught.value.kind == "malformed"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": 429, "message": "busy"}, RateLimited),
        ({"code": "502", "message": "upstream"}, Unavailable),
        ({"message": "no code"}, Unavailable),
        ("plain words", Unavailable),
        ({"code": "content_policy_violation", "message": "no"}, Refused),
        ({"code": 403, "message": "no", "metadata": {"reasons": ["moderation"]}}, Refused),
    ],
)
def test_a_gateways_error_with_status_200_is_raised_as_what_it_is(error: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        read_body(json.dumps({"choices": None, "error": error}).encode())


@pytest.mark.parametrize(
    ("message", "finish", "expected"),
    [
        ({"content": "yes"}, "stop", "stop"),
        ({"content": "{"}, "length", "length"),
        ({"content": "  "}, "stop", "empty"),
        ({"content": None}, "stop", "empty"),
        ({"content": None, "refusal": "I can't"}, "stop", "refused"),
        ({"content": [{"type": "text", "text": "parts"}]}, "stop", "stop"),
    ],
)
def test_finishes(message: dict[str, Any], finish: str, expected: str) -> None:
    assert read_body(_body(message, finish)).finish == expected


def test_a_withheld_answer_is_a_refusal() -> None:
    with pytest.raises(Refused, match="content filter"):
        read_body(_body({"content": None}, "content_filter"))


def test_a_lone_surrogate_can_be_stored() -> None:
    content = b'{"choices": [{"message": {"content": "half \\ud83d of it"}, "finish_reason": "stop"}]}'
    answer = read_body(content)
    assert json.loads(answer.model_dump_json())["text"].startswith("half ")


@pytest.mark.parametrize("usage", [None, "much", {"prompt_tokens": None, "completion_tokens": True, "cost": "free"}])
def test_odd_usage_counts_as_not_said(usage: Any) -> None:
    read = read_usage(usage)
    assert (read.tokens_in, read.tokens_out, read.cost_usd) == (0, 0, None)


def test_images_and_the_provider_behind_a_gateway_are_kept() -> None:
    message = {"content": None, "images": [{"image_url": {"url": "data:image/png;base64,AA=="}}, {"image_url": None}]}
    answer = read_body(_body(message, provider="someone", usage={"prompt_tokens": 5, "cost": 0.25}))
    assert answer.images == ("data:image/png;base64,AA==",)
    assert (answer.provider, answer.usage.tokens_in, answer.usage.cost_usd) == ("someone", 5, 0.25)
