"""Random graphs under random faults against the emulator: no budget is exceeded, and ledgers are what arrived."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editplan.calls.journal import Journal
from editplan.calls.layer import CallPolicy, Calls
from editplan.calls.retry import RetryPolicy
from editplan.editors import resolve as resolve_editor
from editplan.emulator.brains import Brain
from editplan.emulator.faults import Fault, FaultKind, FaultPlan
from editplan.emulator.server import Emulator, Running
from editplan.planner.conditions.registry import resolve_condition
from editplan.planner.deps import Deps
from editplan.planner.hints import KnowledgeHint, OracleSpec
from editplan.planner.models import resolve as resolve_model
from editplan.planner.run import run_condition, session_of
from editplan.protocols import close
from editplan.records import CallKind, EditRequest, Outcome, Part
from editplan.store import ImageStore

F = FaultKind
NAMES = (
    "direct",
    "text_rewrite",
    "generic_rewrite:tiles",
    "text_thinking:raw",
    "oracle",
    "self_reflection:2",
    "plan",
)
NAMES += ("plan:one_stage", "plan_verify", "best_of:3[direct]")
KINDS = (
    F.RATE_LIMIT,
    F.SERVER_ERROR,
    F.BAD_REQUEST,
    F.RESET,
    F.HTML,
    F.EMPTY_DATA,
    F.GARBAGE_IMAGE,
    F.TRUNCATED_JSON,
)
GENERATIONS, ASKS = "openai.images", "openai.chat"


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Emulator, str]]:
    emulator = Emulator(Brain(canned=True))
    with Running(emulator) as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "emulated-key-of-openai")
        yield emulator, url


async def _run(name: str, url: str) -> Outcome:
    images, journal = ImageStore(), Journal()
    calls = Calls(journal, images, CallPolicy(retry=RetryPolicy(base_s=0.0, cap_s=0.0)))
    media = images.add_array(np.random.default_rng(1).integers(0, 255, (48, 64, 3), dtype=np.uint8))
    request = EditRequest(case_id="case", parts=(Part(media=media),), goal="Paint it grey.")
    condition = resolve_condition(name)
    deps = Deps(
        session=session_of(calls, condition, case_id="case"),
        editor=resolve_editor(f"openai:gpt-image-2@{url}/v1?size=auto"),
        planner=resolve_model(f"compatible:qwen3-vl@{url}/v1"),
        oracle=OracleSpec(final_state="It is grey."),
        hint=KnowledgeHint(text="Grey."),
    )
    try:
        return await run_condition(condition, request, deps)
    finally:
        await close(deps.editor, deps.planner)
        journal.close()


faults = st.builds(Fault, kind=st.sampled_from(KINDS), share=st.sampled_from([0.2, 0.5, 0.8]))


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(NAMES), st.lists(faults, max_size=2), st.integers(0, 1000))
def test_no_graph_exceeds_its_budget_and_ledgers_are_what_arrived(
    server: tuple[Emulator, str], name: str, met: list[Fault], seed: int
) -> None:
    emulator, url = server
    emulator.faults = FaultPlan(fault=tuple(met), seed=seed)
    emulator.counts.clear()
    emulator.seen.clear()
    outcome = asyncio.run(_run(name, url))
    ledger, budget = outcome.calls, resolve_condition(name).budget
    assert ledger.logical(CallKind.AGENT) <= budget.agent_calls
    assert ledger.logical(CallKind.GENERATION) <= budget.generations
    arrived = {endpoint: count for endpoint, count in emulator.counts.items() if count}
    agent, generations = ledger.wire_attempts(CallKind.AGENT), ledger.wire_attempts(CallKind.GENERATION)
    assert arrived == {key: count for key, count in ((ASKS, agent), (GENERATIONS, generations)) if count}
