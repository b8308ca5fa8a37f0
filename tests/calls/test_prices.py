"""Prices: the provider's own word first, then the user's rows, then the packaged ones, else unknown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from editplan.calls.journal import Journal
from editplan.calls.layer import CallPolicy, Calls
from editplan.calls.limits import Allowance, RunLimits
from editplan.calls.prices import Price, PriceTable, built_in_prices, load_prices
from editplan.calls.session import CallSession, Scope
from editplan.errors import Cancelled, ConfigError
from editplan.records import Ask, Reply, Usage
from editplan.store import ImageStore
from editplan.testing import ScriptedModel

ASK = Ask(task="inspect", prompt_id="inspect/v1@0", text="What is open?")
DEAR = PriceTable(rows=(Price(match="dear:*", input=2.0, output=10.0, thinking=4.0, image=0.5),))
USAGE = Usage(tokens_in=1_000_000, tokens_out=300_000, tokens_thinking=100_000, images_out=2)


def model(name: str, usage: Usage = USAGE, *, in_process: bool = False) -> ScriptedModel:
    return ScriptedModel(lambda _: Reply(text="yes", usage=usage), model_id=name, in_process=in_process)


@pytest.fixture
def calls() -> Iterator[Calls]:
    journal = Journal()
    yield Calls(journal, ImageStore(), CallPolicy(prices=DEAR))
    journal.close()


def session(calls: Calls, case: str = "c", allowance: Allowance | None = None) -> CallSession:
    return CallSession(calls, Scope(case_id=case, condition="plan"), allowance=allowance)


def test_a_cost_counts_tokens_thinking_and_pictures_once() -> None:
    assert DEAR.rows[0].cost_usd(USAGE) == pytest.approx(2.0 + 0.2 * 10 + 0.1 * 4 + 1.0)
    plain = Price(match="*", output=10.0)
    assert plain.cost_usd(USAGE) == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("name", "usage", "in_process", "cost"),
    [
        ("dear:model?detail=high", USAGE, False, 5.4),
        ("dear:model@http://localhost:8000/v1", USAGE, False, 5.4),
        ("dear:model", USAGE.model_copy(update={"cost_usd": 0.25}), False, 0.25),
        ("unknown:model", USAGE, False, None),
        ("embedded", USAGE, True, 0.0),
    ],
)
async def test_the_ledger_holds_the_cost(
    calls: Calls, name: str, usage: Usage, in_process: bool, cost: float | None
) -> None:
    asker = session(calls)
    reply = await asker.ask(model(name, usage, in_process=in_process), ASK, node="a")
    assert reply.usage.cost_usd == (None if cost is None else pytest.approx(cost))
    assert asker.ledger.usage() == reply.usage
    assert calls.meter.spent.cost_usd == reply.usage.cost_usd


async def test_a_ceiling_of_one_outcome_stops_that_outcome_only(calls: Calls) -> None:
    dear = model("dear:model")
    poor = session(calls, allowance=Allowance(max_cost_usd=6.0))
    for node in "ab":
        await poor.ask(dear, ASK, node=node)
    with pytest.raises(Cancelled, match="max_cost_usd = 6"):
        await poor.ask(dear, ASK, node="c")
    assert len(poor.ledger.calls) == 2
    await session(calls, "other").ask(dear, ASK, node="a")


def test_a_ceiling_with_an_unknown_price_names_model_and_file(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text('[[price]]\nmatch = "known:*"\ninput = 1.0\n')
    prices = load_prices(path)
    prices.require([model("known:a"), model("x", in_process=True), None], 5.0)
    prices.require([model("unknown:a")], None)
    with pytest.raises(ConfigError, match=r"unknown:a is unknown.*prices\.toml"):
        prices.require([model("unknown:a?size=1")], RunLimits(max_cost_usd=5.0).max_cost_usd)


def test_a_users_row_comes_before_ours(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text('﻿[[price]]\nmatch = "openai:gpt-image-2*"\nimage = 0.04\n')
    row = load_prices(path).of("openai:gpt-image-2-2026-04-21?quality=high")
    assert row is not None
    assert (row.image, row.output) == (0.04, 0.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[price]]\nmatch = 3\n", "price.0.match"),
        ("[[price]]\nmatch = 'a'\nin = 1\n", "price.0.in"),
        ("[[price]]\nmatch = 'a'\ninput = -1\n", "price.0.input"),
        ("price = [", "no TOML"),
    ],
)
def test_a_wrong_file_is_named_with_its_key(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=words):
        load_prices(path)
    with pytest.raises(ConfigError, match="check the path"):
        load_prices(tmp_path / "absent.toml")


def test_every_packaged_price_says_where_and_when_it_was_read() -> None:
    rows = built_in_prices().rows
    assert rows
    assert all(row.source and row.read for row in rows)
    assert built_in_prices().of("openai:a-model-of-tomorrow") is None
    assert built_in_prices().of("compatible:qwen3-vl@http://localhost:8000/v1") is not None
    assert built_in_prices().of("compatible:qwen3-vl@https://openrouter.ai/api/v1") is None
