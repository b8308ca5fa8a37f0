"""Keys never leave the environment."""

from __future__ import annotations

import pytest

from editplan.secrets import masked, read_key


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abcdef0123456789abcdef",
        "key sk-proj-abcdefghijklmnop is wrong",
        "GET https://x.example/v1?key=AIzaSyA1234567890abcdefghijk&b=1",
        "http://user:hunter2secret@localhost/v1",
    ],
)
def test_probable_secrets_are_masked(text: str) -> None:
    shown = masked(text)
    assert "***" in shown
    for secret in ("abcdef0123456789", "abcdefghijklmnop", "AIzaSyA1234567890", "hunter2secret"):
        assert secret not in shown


def test_every_key_of_the_environment_is_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "plain-looking-words")
    assert masked("the server said: plain-looking-words is invalid") == "the server said: *** is invalid"
    assert read_key("ABSENT_KEY", "SOME_API_KEY") == "plain-looking-words"


def test_ordinary_text_is_left_alone() -> None:
    text = "Move the red block to (45.0%, 66.0%). Output only the edited image."
    assert masked(text) == text
