"""Claims: declared before the run, and supported, contradicted or inconclusive for a reason."""

from pathlib import Path

import pytest

from editplan.errors import ConfigError
from editplan.evals.cases import Case
from editplan.evals.claims.page import claim_html, claim_text
from editplan.evals.claims.sizing import size_claims
from editplan.evals.claims.verdicts import claim_page
from editplan.evals.experiment import parse_experiment
from editplan.evals.judging import Verdicts
from editplan.evals.rows import RunKey
from editplan.evals.run import load_run
from editplan.evals.stats.power import Design
from editplan.records import Outcome, Status
from editplan.testing.runs import Made
from tests.evals.comparison.conftest import Making, number

EQUAL_CALLS = {"plan": 2, "direct": 2}


def claim(name: str = "c", **fields: object) -> dict[str, object]:
    return {"name": name, "a": "plan", "b": "direct", **fields}


def gaining(case: Case, key: RunKey) -> float:
    """`plan` is .2 better, give or take."""
    return 0.3 + 0.02 * (number(case) % 5) + (0.16 + 0.02 * (number(case) % 5) if key.condition == "plan" else 0.0)


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        ({}, "supported"),
        ({"margin": 0.1}, "supported"),
        ({"margin": 0.2}, "inconclusive"),
        ({"margin": 0.3}, "contradicted"),
        ({"says": "less"}, "contradicted"),
        ({"a": "direct", "b": "plan", "says": "less", "margin": 0.1}, "supported"),
        ({"says": "equal", "margin": 0.3}, "supported"),
        ({"says": "equal", "margin": 0.05}, "contradicted"),
        ({"where": {"regime": "RD"}}, "supported"),
    ],
)
async def test_the_interval_decides(run_of: Making, fields: dict[str, object], verdict: str) -> None:
    page = claim_page(await run_of(gaining, claims=[claim(**fields)], agent=EQUAL_CALLS))
    assert page.verdicts[0].verdict == verdict
    assert page.verdicts[0].matching == "matched"


async def test_unequal_calls_leave_a_claim_about_equal_calls_open(run_of: Making) -> None:
    claims = [claim("equal-calls"), claim("any-calls", matched=False)]
    first, second = claim_page(await run_of(gaining, claims=claims, agent={"plan": 2})).verdicts
    assert first.verdict == "inconclusive"
    assert any("not matched: agent calls differ" in reason for reason in first.reasons)
    assert second.verdict == "supported"


async def test_what_is_missing_can_undo_a_claim(run_of: Making) -> None:
    def holes(case: Case, key: RunKey) -> float | Made:
        if key.condition == "plan" and number(case) < 12:
            return Outcome(status=Status.OK), Verdicts(status="judge_refused")
        return gaining(case, key)

    page = claim_page(await run_of(holes, claims=[claim(matched=False)]))
    assert page.verdicts[0].verdict == "inconclusive"
    assert "what is missing could undo it: see the bounds" in page.verdicts[0].reasons


async def test_p_values_are_corrected_over_the_claims(run_of: Making) -> None:
    page = claim_page(await run_of(gaining, claims=[claim("a"), claim("b", margin=0.19)], agent=EQUAL_CALLS))
    first, second = page.verdicts
    assert first.p_holm == pytest.approx(2 * first.evidence.p)
    assert second.p_holm == second.evidence.p


async def test_the_page_names_judge_family_hash_and_every_claim(run_of: Making) -> None:
    names = {"planner": "openai:gpt-4.1", "judges": ["openai:gpt-5"]}
    run = await run_of(gaining, claims=[claim(text="Planning <helps>.")], agent=EQUAL_CALLS, **names)
    page = claim_page(run)
    assert any("its own model family" in warning for warning in page.warnings)
    text, html = claim_text(page), claim_html(page)
    assert "SUPPORTED: Planning <helps>." in text
    assert page.records_sha256 in text
    assert "Planning &lt;helps&gt;." in html
    assert claim_page(load_run(run.folder)).records_sha256 == page.records_sha256
    changed = await run_of(lambda case, key: 0.5, name="y", claims=[claim()])
    assert claim_page(changed).records_sha256 != page.records_sha256


async def test_other_judges_stand_beside_the_first(run_of: Making) -> None:
    page = claim_page(await run_of(gaining, claims=[claim()], judges=["one", "two"], agent=EQUAL_CALLS))
    assert [each.judge for each in page.verdicts[0].others] == ["two"]


async def test_a_run_without_claims_and_an_unknown_group_are_errors(run_of: Making) -> None:
    with pytest.raises(ConfigError, match="declares no claim"):
        claim_page(await run_of(gaining))
    with pytest.raises(ConfigError, match="regime = RD"):
        claim_page(await run_of(gaining, name="y", claims=[claim(where={"regime": "XX"})]))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"b": "text_rewrite"}, "none of the conditions"),
        ({"b": "plan"}, "compared with itself"),
        ({"says": "equal"}, "needs a margin"),
        ({"editor": "other"}, "none of the editors"),
    ],
)
def test_a_claim_that_cannot_be_checked_is_refused_in_the_file(fields: dict[str, object], message: str) -> None:
    names = {"name": "x", "suite": "tiny", "editors": ["e"], "judges": ["j"], "conditions": ["direct", "plan"]}
    with pytest.raises(ConfigError, match=message):
        parse_experiment({**names, "claims": [claim(**fields)]})


async def test_power_gives_cases_calls_and_the_detectable_difference(run_of: Making, tmp_path: Path) -> None:
    def noisy(case: Case, key: RunKey) -> float:
        return 0.4 + (0.3 if (number(case) // 2 + (key.condition == "plan")) % 2 else 0.0)

    pilot = await run_of(noisy, claims=[claim("a"), claim("b", margin=0.1)], agent=EQUAL_CALLS)
    small, large = (size_claims(pilot.experiment, pilot, 60, Design(), effect) for effect in (0.3, 0.15))
    assert small[0].alpha == 0.025
    assert small[0].cases is not None
    assert large[0].cases is not None
    assert small[0].cases < large[0].cases
    assert small[1].cases is not None
    assert small[0].cases < small[1].cases
    assert small[0].calls == {"agent": 4 * small[0].cases, "generation": 2 * small[0].cases, "judge": 0}
    assert small[0].power_now > large[0].power_now
    assert size_claims(pilot.experiment, pilot, 240, Design())[0].detectable_now < small[0].detectable_now
