"""What a run over the wire records of its providers: names, limits, prices, faults; and the limits of one request."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from editplan import EditAgent, Status
from editplan.calls.layer import CallPolicy
from editplan.calls.prices import Price, PriceTable
from editplan.calls.retry import RetryPolicy
from editplan.emulator.brains import Brain
from editplan.emulator.faults import Fault, FaultKind, FaultPlan
from editplan.emulator.server import Emulator, Running
from editplan.errors import ConfigError
from editplan.evals.components import Given
from editplan.evals.experiment import parse_experiment
from editplan.evals.report.page import write_report
from editplan.evals.session import Finished, SessionOptions, run_experiment
from editplan.evals.store import read_description
from editplan.testing.evaluation import ScriptedJudge, TinySuite, by_output

PICTURE = np.full((32, 32, 3), 200, np.uint8)
Run = Callable[..., Finished]


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "emulated-key-of-openai")


@contextmanager
def served(*faults: Fault) -> Iterator[str]:
    with Running(Emulator(Brain(canned=True), FaultPlan(fault=faults))) as url:
        yield url


def run(folder: Path, url: str, *, cases: int = 3, **settings: Any) -> Finished:
    arms = {"conditions": ["plan"], "editors": [f"openai:gpt-image-2@{url}/v1?size=auto"], "judges": ["scripted"]}
    retry = {"base_s": 0.0, "cap_s": 0.01}
    made = {"name": "r", "suite": "tiny", "planner": f"openai:gpt-4.1@{url}/v1", "retry": retry, **arms, **settings}
    given = Given(suite=TinySuite(cases), judges={"scripted": ScriptedJudge(by_output)})
    return run_experiment(parse_experiment(made), folder, SessionOptions(given=given))


def test_a_model_that_changed_during_the_run_is_reported(tmp_path: Path) -> None:
    with served(Fault(kind=FaultKind.OTHER_MODEL, endpoint="openai.images", calls=(2,))) as url:
        page, summary = write_report(run(tmp_path, url).run)
    (editor,) = (names for model, names in summary["returned_models"].items() if "image" in model)
    assert editor == {"gpt-image-2": 2, "another-model-2026-01-01": 1}
    assert "answered under 2 names" in page.read_text(encoding="utf-8")


def test_limits_prices_and_hidden_rewriting_are_in_the_run(tmp_path: Path) -> None:
    with served() as url:
        finished = run(tmp_path, url)
    _, summary = write_report(finished.run)
    assert {one["episodes_429"] for one in summary["limits"].values()} == {0}
    assert len(summary["limits"]) == 2
    assert summary["billed"]["cost_usd"] > 0
    assert summary["unpriced_models"] == []
    (manifest,) = read_description(finished.run.folder)["models"]["editors"].values()
    assert "rewrite" in manifest["provider_rewriting"]


def test_a_storm_of_429s_costs_no_case(tmp_path: Path) -> None:
    with served(Fault(kind=FaultKind.RATE_LIMIT, share=0.3)) as url:
        _, summary = write_report(run(tmp_path, url, cases=24).run)
    (arm,) = summary["conditions"]["plan"].values()
    assert arm["statuses"] == {"ok": 24}
    assert summary["billed"]["wire_attempts"] > 24 * 3


def test_a_ceiling_with_a_model_of_unknown_price_is_an_error_before_the_run(tmp_path: Path) -> None:
    with served() as url:
        with pytest.raises(ConfigError, match="price of openai:tomorrow"):
            run(tmp_path, url, planner=f"openai:tomorrow@{url}/v1", max_cost_usd=1.0)
        assert not (tmp_path / "r" / "experiment.json").exists()
        prices = tmp_path / "prices.toml"
        prices.write_text('[[price]]\nmatch = "openai:tomorrow"\ninput = 1000.0\n')
        stopped = run(tmp_path, url, planner=f"openai:tomorrow@{url}/v1", max_cost_usd=1.0, prices=str(prices))
    assert stopped.stopped is not None
    assert "max_cost_usd" in stopped.stopped


def agent(url: str, folder: Path | None = None, **settings: Any) -> EditAgent:
    prices = PriceTable(rows=(Price(match="openai:*", input=1000.0),))
    policy = CallPolicy(prices=prices, retry=RetryPolicy(base_s=0.0, cap_s=0.0))
    editor = f"openai:gpt-image-2@{url}/v1?size=auto"
    return EditAgent(f"openai:gpt-4.1@{url}/v1", editor, run_dir=folder, policy=policy, **settings)


def test_a_deadline_during_a_generation_is_an_unknown_fate_and_the_journal_keeps_the_rest(tmp_path: Path) -> None:
    with served(Fault(kind=FaultKind.STALL, endpoint="openai.images")) as url:
        with agent(url, tmp_path, deadline_s=3.0) as hurried:
            result = hurried.edit(PICTURE, "Paint it.")
        assert result.status is Status.TIMEOUT_UNKNOWN
        assert any("deadline_s = 3" in note for note in result.notes)
        assert [call.answered for call in result.calls.calls] == [True, True, False]
        with agent(url, tmp_path) as patient:
            again = patient.edit(PICTURE, "Paint it.")
    assert again.status is Status.TIMEOUT_UNKNOWN
    assert any("resend_unknown" in note for note in again.notes)
    assert again.calls.wire_attempts() == 3


def test_a_ceiling_on_cost_ends_a_request_as_cancelled(tmp_path: Path) -> None:
    with served() as url, agent(url) as poor:
        result = poor.edit(PICTURE, "Paint it.", max_cost_usd=0.1)
        assert poor.edit(PICTURE, "Paint it.").status is Status.OK
    assert result.status is Status.CANCELLED
    assert any("max_cost_usd = 0.1" in note for note in result.notes)
    assert len(result.calls.calls) == 1
    assert (result.calls.usage().cost_usd or 0) > 0.1


def test_an_estimate_of_an_agent_sends_nothing() -> None:
    with served() as url, agent(url) as made:
        found = made.estimate([PICTURE, PICTURE], "Paint it.", requests=10)
    assert {line.kind.value: line.calls for line in found.lines} == {"agent": 20, "generation": 10}
    assert found.cost_usd == pytest.approx(sum(line.tokens_in for line in found.lines) / 1000)
    assert json.loads(json.dumps(found.document()))["calls"] == 30
