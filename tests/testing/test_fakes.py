"""The fakes that are shipped, and the conformance suites."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from editplan.editors import resolve as resolve_editor
from editplan.errors import Refused
from editplan.planner.models import resolve as resolve_model
from editplan.records import Ask, Capabilities, Edited, EditJob, Media, Part, Reply, Usage
from editplan.store import ImageStore
from editplan.testing import CountingEditor, ScriptedEditor, ScriptedModel, check_editor, check_vision_model


def _ask(task: str = "t") -> Ask:
    return Ask(task=task, prompt_id="p", text="x")


async def test_a_scripted_model_answers_in_order_by_task_or_by_function() -> None:
    store = ImageStore()
    listed = ScriptedModel(["one", {"two": 2}])
    assert [(await listed.ask(_ask(), store)).text for _ in range(2)] == ["one", '{"two": 2}']
    with pytest.raises(IndexError):
        await listed.ask(_ask(), store)
    by_task = ScriptedModel({"a": ["first", "last"], "b": "always"})
    assert [(await by_task.ask(_ask(task), store)).text for task in "aaab"] == ["first", "last", "last", "always"]
    with pytest.raises(KeyError):
        await by_task.ask(_ask("c"), store)
    assert (await ScriptedModel(lambda ask: ask.task).ask(_ask("z"), store)).text == "z"


async def test_a_scripted_editor_paints_by_instruction_and_seed() -> None:
    store = ImageStore()
    outputs = set()
    for instruction, seed in (("a", 1), ("a", 1), ("b", 1), ("a", 2)):
        edited = await ScriptedEditor().edit(EditJob(instruction=instruction, seed=seed), store)
        outputs.add(edited.media[0].sha256)
    assert len(outputs) == 3


async def test_a_counting_editor_writes_each_call_down(tmp_path: Path) -> None:
    editor = CountingEditor(ScriptedEditor([Refused("no")]), tmp_path / "calls")
    with pytest.raises(Refused):
        await editor.edit(EditJob(instruction="a\nb", seed=1), ImageStore())
    again = CountingEditor(ScriptedEditor(), tmp_path / "calls")
    await again.edit(EditJob(instruction="c", seed=2), ImageStore())
    assert len(again.calls()) == 2
    assert again.finished() == again.calls()[1:]
    assert again.id == "scripted-editor"


async def test_good_models_and_editors_conform(tmp_path: Path) -> None:
    await check_vision_model(ScriptedModel(["hello"]))
    await check_editor(ScriptedEditor())
    await check_editor(CountingEditor(ScriptedEditor(), tmp_path / "calls"))


async def test_the_embedded_ones_conform() -> None:
    await check_vision_model(resolve_model("embedded"))
    await check_editor(resolve_editor("embedded:raster"))


async def test_a_failure_of_the_protocol_goes_through() -> None:
    with pytest.raises(Refused):
        await check_editor(ScriptedEditor([Refused("no")]))


class _Editor:
    """Breaks one rule at a time."""

    def __init__(self, make: Callable[[EditJob, Any], Any], **fields: Any) -> None:
        self.id = fields.get("id", "bad")
        self.capabilities = fields.get("capabilities", Capabilities())
        self._make = make

    async def edit(self, job: EditJob, images: Any) -> Any:
        return self._make(job, images)


GHOST = Media(sha256="f" * 64, width=3, height=3)


def _wrong_size(job: EditJob, images: Any) -> Edited:
    return Edited(media=(job.parts[0].media.model_copy(update={"width": 1}),))


@pytest.mark.parametrize(
    ("editor", "rule"),
    [
        (_Editor(lambda job, images: None), "must return an Edited"),
        (_Editor(lambda job, images: Edited(media=())), "no_image"),
        (_Editor(lambda job, images: Edited(media=(GHOST,))), "added to images"),
        (_Editor(_wrong_size), "the record says"),
        (_Editor(lambda job, images: None, id=""), "non-empty"),
        (_Editor(lambda job, images: None, capabilities=None), "Capabilities record"),
        (_Editor(lambda job, images: Edited(media=(job.parts[0].media,), usage=Usage(tokens_in=-1))), "negative"),
    ],
)
async def test_an_editor_that_breaks_a_rule_is_named(editor: Any, rule: str) -> None:
    with pytest.raises(AssertionError, match=rule):
        await check_editor(editor)


@pytest.mark.parametrize(
    ("said", "rule"),
    [(Reply(text="", finish="stop"), "empty"), (Reply(text="x", usage=Usage(images_in=-1)), "negative")],
)
async def test_a_model_that_breaks_a_rule_is_named(said: Reply, rule: str) -> None:
    with pytest.raises(AssertionError, match=rule):
        await check_vision_model(ScriptedModel([said]))


def test_parts_are_records() -> None:
    assert Part(media=GHOST).label == ""


def test_other_machines_are_out_of_reach() -> None:
    with socket.socket() as outside, pytest.raises(ConnectionRefusedError):
        outside.connect(("192.0.2.1", 80))
    with pytest.raises(ConnectionRefusedError):
        socket.getaddrinfo("example.org", 80)


def test_this_machine_is_in_reach() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()[:2]) as here:
        assert here.getpeername() == server.getsockname()
