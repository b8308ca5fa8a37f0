"""Prompt files: fields, versions, a user's replacements, the lock."""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path

import pytest

from editplan.errors import PromptError
from editplan.prompts import __main__ as command
from editplan.prompts.loader import FOLDER, PromptLibrary, present, released, tasks

FIELDS = {"goal": "Paint it.", "boxes": "[x1, y1, x2, y2]"}


def test_an_id_names_task_version_and_hash() -> None:
    digest = hashlib.sha256((FOLDER / "inspect" / "v1.md").read_bytes()).hexdigest()
    rendered = PromptLibrary().render("inspect", FIELDS, version=1)
    assert rendered.prompt_id == f"inspect/v1@{digest[:12]}"
    assert "<goal>\nPaint it.\n</goal>" in rendered.text


def test_a_missing_and_an_unused_field_are_errors() -> None:
    with pytest.raises(PromptError, match="needs the field 'boxes'"):
        PromptLibrary().render("inspect", {"goal": "g"})
    with pytest.raises(PromptError, match="has no field 'colour'"):
        PromptLibrary().render("inspect", {**FIELDS, "colour": "red"})


def test_a_goal_with_dollar_signs_is_only_text() -> None:
    assert "$boxes costs $5" in PromptLibrary().render("inspect", {**FIELDS, "goal": "$boxes costs $5"}).text


def test_an_unknown_task_or_version_lists_the_known_ones() -> None:
    with pytest.raises(PromptError, match=r"no prompt 'inspct'; known: .*inspect"):
        PromptLibrary().get("inspct")
    with pytest.raises(PromptError, match="no version v99"):
        PromptLibrary().get("inspect", 99)


def test_a_users_file_replaces_ours(tmp_path: Path) -> None:
    (tmp_path / "inspect.md").write_text("Look: $goal")
    (tmp_path / "resolve").mkdir()
    (tmp_path / "resolve" / "v7.md").write_text("Solve: $goal")
    library = PromptLibrary(tmp_path)
    assert library.render("inspect", {"goal": "g"}).text == "Look: g\n"
    assert library.get("inspect").prompt_id == f"inspect/user@{hashlib.sha256(b'Look: $goal').hexdigest()[:12]}"
    assert library.get("resolve").prompt_id.startswith("resolve/v7@")
    assert library.get("choose").prompt_id == PromptLibrary().get("choose").prompt_id
    assert library.ids()["inspect"].startswith("inspect/user@")


def test_a_stray_dollar_sign_or_a_binary_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "inspect.md").write_text("5 $ for $goal")
    (tmp_path / "resolve.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PromptError, match="stray dollar sign"):
        PromptLibrary(tmp_path).get("inspect")
    with pytest.raises(PromptError, match="UTF-8"):
        PromptLibrary(tmp_path).get("resolve")
    with pytest.raises(PromptError, match="is no folder"):
        PromptLibrary(tmp_path / "nowhere")


def test_a_file_that_replaces_nothing_is_warned_about(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "inspct.md").write_text("x")
    with caplog.at_level(logging.WARNING, logger="editplan.prompts"):
        PromptLibrary(tmp_path)
    assert "inspct.md replaces no packaged prompt" in caplog.text


def test_released_prompts_are_what_the_lock_says() -> None:
    now, lock = present(), released()
    assert {name: now.get(name) for name in lock} == lock
    assert set(now) == set(lock), "new prompt files: run python -m editplan.prompts"


def test_a_changed_release_is_refused_and_a_new_file_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lock = tmp_path / "lock.json"
    files = {"inspect/v1": "a" * 64, "inspect/v2": "b" * 64}
    lock.write_text(json.dumps({"inspect/v1": "a" * 64}))
    monkeypatch.setattr(command, "LOCK", lock)
    monkeypatch.setattr(command, "released", lambda: json.loads(lock.read_text()))
    monkeypatch.setattr(command, "present", lambda: files)
    assert command.main() == 0
    assert json.loads(lock.read_text()) == files
    files["inspect/v1"] = "c" * 64
    assert command.main() == 2
    assert "inspect/v1 was changed after its release" in capsys.readouterr().err
    assert json.loads(lock.read_text())["inspect/v1"] == "a" * 64


@pytest.mark.parametrize("task", tasks())
def test_a_prompt_can_be_rendered(task: str) -> None:
    prompt = PromptLibrary().get(task)
    rendered = prompt.render(dict.fromkeys(prompt.fields, "field"))
    assert "$" not in rendered.text.replace("$$", "")
