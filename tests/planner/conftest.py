"""A board, clean answers of every task, and a way to run a condition on them with scripted models."""

from __future__ import annotations

import io
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from PIL import ImageDraw

from editplan.calls.journal import Journal
from editplan.calls.layer import CallPolicy, Calls
from editplan.calls.retry import RetryPolicy
from editplan.planner.conditions.registry import resolve_condition
from editplan.planner.deps import Deps
from editplan.planner.run import run_condition, session_of
from editplan.planner.variants import VARIANTS
from editplan.records import EditRequest, Outcome, Part
from editplan.store import ImageStore
from editplan.testing import ScriptedEditor, ScriptedModel

REPLIES = json.loads((Path(__file__).parents[1] / "data" / "replies" / "replies.json").read_text(encoding="utf-8"))
CLEAN = {each["stage"]: json.loads(each["text"]) for each in REPLIES["replies"] if each["name"] == "clean"}
INSTRUCTION = {"instruction": "Move the red block into the third slot. Keep the rest. Output only the edited image."}

RunOne = Callable[..., Awaitable[Outcome]]


@pytest.fixture(scope="session")
def replies() -> dict[str, Any]:
    return REPLIES


@pytest.fixture(scope="session")
def goal() -> str:
    return str(REPLIES["goal"])


@pytest.fixture
def answers() -> dict[str, Any]:
    """A usable answer to every task."""
    critique = {"observations": ["it moved"], "problems": ["the slot is still bare"], **INSTRUCTION}
    rewrites = (
        "rewrite_draft",
        "rewrite_revise",
        "rewrite_revise_tiles",
        "text_rewrite_draft",
        "text_rewrite_revise",
    )
    return {
        **{variant.task: CLEAN["resolve"] for variant in VARIANTS.values()},
        **dict.fromkeys((*rewrites, "restate", "oracle_compile"), INSTRUCTION),
        "inspect": CLEAN["inspect"],
        "inspect_no_preservation": CLEAN["inspect"],
        "answer": {"observations": [], "answer": "The red block fills the third slot."},
        "describe": {"observations": [], "description": "A tray with five slots."},
        "oracle_ground": {"observations": [], "changes": ["the block moves"], "keep": []},
        "critique": critique,
        "critique_from_draft": critique,
        "verify": {
            "observations": [],
            "checks": [{"number": 1, "verdict": "not_met", "seen": "bare"}],
            **INSTRUCTION,
        },
        "choose": {"observations": [], "better": "A"},
    }


@pytest.fixture
def store() -> ImageStore:
    return ImageStore()


@pytest.fixture
def calls(store: ImageStore) -> Iterator[Calls]:
    journal = Journal()
    yield Calls(journal, store, CallPolicy(retry=RetryPolicy(base_s=0.0, cap_s=0.0)))
    journal.close()


@pytest.fixture
def board() -> bytes:
    """A tray with five slots and a red block, 200 × 120 px, as a PNG file."""
    picture = PIL.Image.new("RGB", (200, 120), (240, 240, 240))
    draw = ImageDraw.Draw(picture)
    for slot in range(5):
        draw.rectangle((10 + 36 * slot, 70, 40 + 36 * slot, 100), outline=(40, 40, 40), width=2)
    draw.rectangle((90, 15, 110, 35), fill=(255, 0, 0))
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    return buffer.getvalue()


@pytest.fixture
def request_(store: ImageStore, board: bytes, goal: str) -> EditRequest:
    media, _, _ = store.add(board)
    return EditRequest(case_id="case", parts=(Part(media=media),), goal=goal)


@pytest.fixture
def run_one(calls: Calls, request_: EditRequest, answers: dict[str, Any]) -> RunOne:
    """Runs a condition by its name; `planner`, `editor`, `request` and other handles can be given."""

    async def run(name: str, *, request: EditRequest = request_, **handles: Any) -> Outcome:
        condition = resolve_condition(name)
        deps = Deps(
            session=session_of(calls, condition, case_id=request.case_id),
            planner=ScriptedModel(answers),
            editor=ScriptedEditor(),
        )
        return await run_condition(condition, request, replace(deps, **handles))

    return run
