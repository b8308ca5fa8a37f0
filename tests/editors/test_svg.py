"""The SVG editor: one request, the published prompt's order, outputs kept whatever they are."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from editplan.editors.svg import SvgEditor
from editplan.editors.svg_text import TokenCeiling
from editplan.errors import BadReply, EditorError, Refused, Unsupported
from editplan.prompts.loader import PromptLibrary
from editplan.protocols import Editor, Images
from editplan.records import Ask, Edited, EditJob, Media, Part, Reply
from editplan.store import ImageStore

SOURCE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 140"><rect id="a" x="$1"/></svg>'


@dataclass
class OneReply:
    """A text model that always gives the same reply and keeps what it was asked."""

    reply: Reply
    id: str = "test:writer"
    asked: list[Ask] = field(default_factory=list)

    async def ask(self, ask: Ask, images: Images) -> Reply:
        self.asked.append(ask)
        return self.reply


async def run(reply: Reply, store: ImageStore, instruction: str = "Turn it red.") -> tuple[Edited, Ask]:
    model = OneReply(reply)
    media = store.add_svg(SOURCE, width=220, height=140)
    job = EditJob(parts=(Part(media=media),), instruction=instruction)
    edited = await SvgEditor(model, PromptLibrary()).edit(job, store)
    assert len(model.asked) == 1
    return edited, model.asked[0]


async def test_the_model_sees_instruction_and_source_and_no_image() -> None:
    edited, ask = await run(Reply(text=f"```svg\n{SOURCE}\n```", model="writer-1"), ImageStore(), "Pay $5.")
    assert ask.text.endswith(f"Repair request:\nPay $5.\n\nCorrupted SVG:\n{SOURCE}")
    assert (ask.parts, ask.temperature, ask.max_tokens) == ((), None, 8_192)
    assert ask.prompt_id.startswith("svg_edit_system/v1@")
    assert "+svg_edit_user/v1@" in ask.prompt_id
    assert (edited.model, edited.notes) == ("writer-1", ())


async def test_the_document_is_kept_as_it_was_written() -> None:
    store = ImageStore()
    edited, _ = await run(Reply(text=f"Here: {SOURCE} Done."), store)
    (media,) = edited.media
    assert (media.kind, media.width, media.height) == ("svg", 220, 140)
    assert store[media.sha256].png().decode() == SOURCE


async def test_a_cut_off_document_is_an_output_with_a_note() -> None:
    store = ImageStore()
    edited, _ = await run(Reply(text=SOURCE[:39], finish="length"), store)
    assert store[edited.media[0].sha256].png().decode() == SOURCE[:39]
    assert (edited.media[0].width, edited.media[0].height) == (220, 140)
    assert "the reply ended at the token ceiling" in edited.notes
    assert any("whole reply" in note for note in edited.notes)


async def test_a_nested_svg_is_noted() -> None:
    edited, _ = await run(Reply(text="<svg><svg></svg></svg>"), ImageStore())
    assert any("nested <svg>" in note for note in edited.notes)


async def test_a_refusal_and_an_empty_reply_are_failures() -> None:
    with pytest.raises(Refused, match="I won't"):
        await run(Reply(text="I won't", finish="refused"), ImageStore())
    with pytest.raises(BadReply, match="empty"):
        await run(Reply(text=" \n"), ImageStore())


async def test_jobs_outside_its_set_are_unsupported() -> None:
    store, editor = ImageStore(), SvgEditor(OneReply(Reply(text=SOURCE)), PromptLibrary())
    svg, png = store.add_svg(SOURCE, width=1, height=1), Media(sha256="0" * 64, width=1, height=1)
    for job in (
        EditJob(instruction="x"),
        EditJob(parts=(Part(media=png),), instruction="x"),
        EditJob(parts=(Part(media=svg), Part(media=svg)), instruction="x"),
        EditJob(parts=(Part(media=svg),), instruction="x", mask=png),
    ):
        with pytest.raises(Unsupported):
            await editor.edit(job, store)


def test_its_identity_names_the_model_and_the_ceiling() -> None:
    editor = SvgEditor(OneReply(Reply(text="")), PromptLibrary(), ceiling=TokenCeiling.STUDY)
    assert isinstance(editor, Editor)
    assert editor.id == "svg:test:writer#study"
    assert editor.manifest()["model"] == {"id": "test:writer"}
    assert editor.manifest()["token_ceiling"] == "study"
    assert editor.capabilities.media == "svg"


async def test_a_store_that_keeps_no_svg_is_named() -> None:
    class Plain:
        def __init__(self, store: ImageStore) -> None:
            self._store = store

        def __getitem__(self, sha256: str) -> object:
            return self._store[sha256]

    store = ImageStore()
    job = EditJob(parts=(Part(media=store.add_svg(SOURCE, width=1, height=1)),), instruction="x")
    with pytest.raises(EditorError, match="add_svg"):
        await SvgEditor(OneReply(Reply(text=SOURCE)), PromptLibrary()).edit(job, Plain(store))  # type: ignore[arg-type]
