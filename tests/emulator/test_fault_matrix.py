"""Each fault at each adapter ends in the documented status after the documented number of wire attempts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from editplan.calls.journal import Journal
from editplan.calls.layer import CallPolicy, Calls
from editplan.calls.retry import RetryPolicy
from editplan.editors import resolve as resolve_editor
from editplan.emulator.brains import Brain
from editplan.emulator.faults import Fault, FaultKind, FaultPlan
from editplan.emulator.server import Emulator, Running
from editplan.planner.conditions.registry import resolve_condition
from editplan.planner.deps import Deps
from editplan.planner.models import resolve as resolve_model
from editplan.planner.run import run_condition, session_of
from editplan.protocols import close
from editplan.records import CallKind, EditRequest, Outcome, Part, Status
from editplan.store import ImageStore

F = FaultKind
Serve = Callable[..., tuple[Emulator, str]]
WORKFLOW = {
    "1": {"class_type": "LoadImage", "inputs": {"image": "$image"}},
    "2": {"class_type": "Prompt", "inputs": {"text": "$instruction"}},
    "3": {"class_type": "KSampler", "inputs": {"seed": "$seed"}},
    "9": {"class_type": "SaveImage", "inputs": {"images": ["3", 0]}},
}


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "emulated-key-of-openai")
    monkeypatch.setenv("GEMINI_API_KEY", "emulated-key-of-gemini")


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Emulator, str]]:
    emulator = Emulator(Brain(canned=True))
    with Running(emulator) as url:
        yield emulator, url


@pytest.fixture
def served(server: tuple[Emulator, str]) -> Serve:
    def begin(*faults: Fault) -> tuple[Emulator, str]:
        emulator, url = server
        emulator.faults = FaultPlan(fault=faults)
        emulator.counts.clear()
        emulator.seen.clear()
        return emulator, url

    return begin


def editor_spec(adapter: str, url: str, folder: Path, *, timeout_s: float = 5.0) -> str:
    (folder / "w.json").write_text(json.dumps(WORKFLOW))
    return {
        "openai": f"openai:gpt-image-2@{url}/v1?size=auto&timeout_s={timeout_s}",
        "google": f"google:gemini-3.1-flash-image@{url}?timeout_s={timeout_s}",
        "chat": f"compatible:some/model@{url}/v1?timeout_s={timeout_s}",
        "images": f"compatible:some/model@{url}/v1?endpoint=images&timeout_s={timeout_s}",
        "comfyui": f"comfyui:{folder / 'w.json'}@{url}?poll_s=0.05&timeout_s={timeout_s}",
    }[adapter]


def model_spec(adapter: str, url: str, *, timeout_s: float = 5.0) -> str:
    return {
        "openai": f"openai:gpt-4.1@{url}/v1?timeout_s={timeout_s}",
        "google": f"google:gemini-3.1-flash@{url}?timeout_s={timeout_s}",
        "compatible": f"compatible:qwen3-vl@{url}/v1?timeout_s={timeout_s}",
    }[adapter]


async def run(condition: str, *, editor: str, planner: str | None = None) -> tuple[Outcome, ImageStore]:
    images = ImageStore()
    journal = Journal()
    calls = Calls(journal, images, CallPolicy(retry=RetryPolicy(base_s=0.0, cap_s=0.0)))
    chosen = resolve_condition(condition)
    rng = np.random.default_rng(1)
    media = images.add_array(rng.integers(0, 255, (96, 128, 3), dtype=np.uint8))
    request = EditRequest(case_id="case", parts=(Part(media=media),), goal="Paint it grey.")
    deps = Deps(
        session=session_of(calls, chosen, case_id="case"),
        editor=resolve_editor(editor),
        planner=resolve_model(planner) if planner else None,
    )
    try:
        return await run_condition(chosen, request, deps), images
    finally:
        await close(deps.editor, deps.planner)
        journal.close()


# What an editor's fault must come to: status and wire attempts.
FINAL = {
    F.RATE_LIMIT: (Status.RATE_LIMITED, 3),
    F.SERVER_ERROR: (Status.PROVIDER_ERROR, 3),
    F.UNAVAILABLE: (Status.PROVIDER_ERROR, 3),
    F.BAD_REQUEST: (Status.PROVIDER_ERROR, 1),
    F.UNAUTHORISED: (Status.PROVIDER_ERROR, 1),
    F.RESET: (Status.TIMEOUT_UNKNOWN, 1),
    F.STALL: (Status.TIMEOUT_UNKNOWN, 1),
    F.TRUNCATED_BODY: (Status.TIMEOUT_UNKNOWN, 1),
    F.HTML: (Status.PROVIDER_ERROR, 3),
}
SAME_FOR_ALL = [
    (adapter, kind, *end) for adapter in ("openai", "google", "chat", "images") for kind, end in FINAL.items()
]
OWN = [
    ("openai", F.EMPTY_DATA, Status.NO_IMAGE, 3),
    ("openai", F.NULL_IMAGE, Status.NO_IMAGE, 3),
    ("openai", F.MODERATION, Status.REFUSED_INPUT, 1),
    ("openai", F.GARBAGE_IMAGE, Status.BAD_IMAGE, 3),
    ("openai", F.EMPTY_BODY, Status.PROVIDER_ERROR, 3),
    ("images", F.NULL_IMAGE, Status.NO_IMAGE, 3),
    ("images", F.MODERATION, Status.REFUSED_INPUT, 1),
    ("google", F.EMPTY_DATA, Status.NO_IMAGE, 3),
    ("google", F.BLOCK_REASON, Status.REFUSED_INPUT, 1),
    ("google", F.REFUSAL, Status.REFUSED_OUTPUT, 1),
    ("google", F.NO_IMAGE, Status.NO_IMAGE, 3),
    ("google", F.TEXT_ONLY, Status.NO_IMAGE, 3),
    ("google", F.GARBAGE_IMAGE, Status.BAD_IMAGE, 3),
    ("google", F.EMPTY_BODY, Status.NO_IMAGE, 3),
    ("chat", F.TEXT_ONLY, Status.NO_IMAGE, 3),
    ("chat", F.NO_IMAGE, Status.NO_IMAGE, 3),
    ("chat", F.EMPTY_DATA, Status.PROVIDER_ERROR, 3),
    ("chat", F.MODERATION, Status.REFUSED_INPUT, 1),
    ("chat", F.GARBAGE_IMAGE, Status.BAD_IMAGE, 3),
    ("comfyui", F.RATE_LIMIT, Status.RATE_LIMITED, 3),
    ("comfyui", F.SERVER_ERROR, Status.PROVIDER_ERROR, 3),
    ("comfyui", F.UNAVAILABLE, Status.PROVIDER_ERROR, 3),
    ("comfyui", F.RESET, Status.TIMEOUT_UNKNOWN, 1),
    ("comfyui", F.STALL, Status.TIMEOUT_UNKNOWN, 1),
    ("comfyui", F.HTML, Status.PROVIDER_ERROR, 3),
    ("comfyui", F.MODERATION, Status.PROVIDER_ERROR, 1),
    ("comfyui", F.NO_IMAGE, Status.NO_IMAGE, 3),
    ("comfyui", F.GARBAGE_IMAGE, Status.BAD_IMAGE, 3),
]


@pytest.mark.parametrize(("adapter", "kind", "status", "attempts"), SAME_FOR_ALL + OWN)
async def test_a_fault_of_an_editor(
    served: Serve, tmp_path: Path, adapter: str, kind: FaultKind, status: Status, attempts: int
) -> None:
    emulator, url = served(Fault(kind=kind))
    timeout_s = 0.5 if kind is F.STALL else 5.0
    outcome, _ = await run("direct", editor=editor_spec(adapter, url, tmp_path, timeout_s=timeout_s))
    assert (outcome.status, outcome.calls.wire_attempts()) == (status, attempts), outcome.notes
    assert sum(emulator.counts.values()) == attempts
    assert outcome.media is None
    assert outcome.notes or outcome.refusal
    assert (outcome.refusal is not None) == (status in (Status.REFUSED_INPUT, Status.REFUSED_OUTPUT))


@pytest.mark.parametrize("adapter", ["openai", "google", "chat", "images", "comfyui"])
@pytest.mark.parametrize("kind", [F.WRONG_SIZE, F.ROTATED, F.CMYK_JPEG, F.PNG16, F.OTHER_MODEL, F.THOUGHT_FIRST])
async def test_an_odd_picture_is_taken_as_it_came_and_kept_raw(
    served: Serve, tmp_path: Path, adapter: str, kind: FaultKind
) -> None:
    _, url = served(Fault(kind=kind))
    outcome, images = await run("direct", editor=editor_spec(adapter, url, tmp_path))
    assert outcome.status is Status.OK, outcome.notes
    assert outcome.media is not None
    pixels = images[outcome.media.sha256].array()
    assert np.abs(pixels.astype(int) - 127).max() <= 3
    assert outcome.calls.wire_attempts() == 1


@pytest.mark.parametrize("adapter", ["openai", "google", "chat", "images", "comfyui"])
async def test_two_faults_and_then_an_answer(served: Serve, tmp_path: Path, adapter: str) -> None:
    faults = (Fault(kind=F.UNAVAILABLE, calls=(1,)), Fault(kind=F.RATE_LIMIT, calls=(2,), retry_after="0.05"))
    _, url = served(*faults)
    outcome, _ = await run("direct", editor=editor_spec(adapter, url, tmp_path))
    assert outcome.status is Status.OK
    assert outcome.calls.wire_attempts(CallKind.GENERATION) == 3
    assert outcome.calls.answered(CallKind.GENERATION) == 1


# A vision model's fault at its first two calls (Inspect and its re-ask): status, then wire attempts of agent calls.
ASKED = [
    (F.RATE_LIMIT, Status.RATE_LIMITED, 4),
    (F.SERVER_ERROR, Status.PROVIDER_ERROR, 4),
    (F.RESET, Status.TIMEOUT_UNKNOWN, 4),
    (F.TRUNCATED_BODY, Status.TIMEOUT_UNKNOWN, 4),
    (F.HTML, Status.PROVIDER_ERROR, 4),
    (F.UNAUTHORISED, Status.PROVIDER_ERROR, 1),
    (F.BLOCK_REASON, Status.REFUSED_INPUT, 1),
    (F.TRUNCATED_JSON, Status.AGENT_FAILED, 2),
    (F.WHITESPACE, Status.AGENT_FAILED, 2),
    (F.WRONG_SCHEMA, Status.AGENT_FAILED, 2),
    (F.NULL_IMAGE, Status.AGENT_FAILED, 2),
]


@pytest.mark.parametrize("adapter", ["openai", "google", "compatible"])
@pytest.mark.parametrize(("kind", "status", "attempts"), ASKED)
async def test_a_fault_of_a_vision_model_is_never_a_direct_edit(
    served: Serve, tmp_path: Path, adapter: str, kind: FaultKind, status: Status, attempts: int
) -> None:
    endpoint = "gemini" if adapter == "google" else "openai.chat"
    emulator, url = served(Fault(endpoint=endpoint, kind=kind))
    outcome, _ = await run("plan", editor=editor_spec("images", url, tmp_path), planner=model_spec(adapter, url))
    assert (outcome.status, outcome.calls.wire_attempts(CallKind.AGENT)) == (status, attempts), outcome.notes
    assert emulator.counts["openai.images"] == 0
    assert outcome.media is None


@pytest.mark.parametrize("adapter", ["openai", "google", "compatible"])
@pytest.mark.parametrize("kind", [F.FENCED, F.TRAILING_PROSE, F.THOUGHT_FIRST, F.OTHER_MODEL])
async def test_a_messy_answer_of_a_vision_model_is_read(
    served: Serve, tmp_path: Path, adapter: str, kind: FaultKind
) -> None:
    endpoint = "gemini" if adapter == "google" else "openai.chat"
    emulator, url = served(Fault(endpoint=endpoint, kind=kind))
    outcome, _ = await run("plan", editor=editor_spec("images", url, tmp_path), planner=model_spec(adapter, url))
    assert outcome.status is Status.OK, outcome.notes
    assert outcome.calls.answered(CallKind.AGENT) == 2
    assert outcome.calls.wire_attempts() == sum(emulator.counts.values()) == 3


@pytest.mark.parametrize("adapter", ["openai", "google", "compatible"])
async def test_a_refusal_of_a_vision_model_keeps_its_words(served: Serve, tmp_path: Path, adapter: str) -> None:
    endpoint = "gemini" if adapter == "google" else "openai.chat"
    emulator, url = served(Fault(endpoint=endpoint, kind=F.REFUSAL))
    outcome, _ = await run("plan", editor=editor_spec("images", url, tmp_path), planner=model_spec(adapter, url))
    assert outcome.status in (Status.REFUSED_OUTPUT, Status.AGENT_FAILED)
    assert emulator.counts["openai.images"] == 0
    assert outcome.notes
