"""The report: everything escaped, everything in its own folder."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from editplan.evals.cases import Case
from editplan.evals.experiment import parse_experiment
from editplan.evals.judging import Verdicts
from editplan.evals.report import page
from editplan.evals.report.markup import Html, element, joined
from editplan.evals.report.page import write_report
from editplan.evals.rows import RunKey
from editplan.evals.run import Run
from editplan.evals.verdicts import AtomVerdict
from editplan.records import Evidence, EvidenceSource, Outcome, Plan, Refusal, Status
from editplan.testing.evaluation import TinySuite
from editplan.testing.runs import Made, write_run

HOSTILE = "<script>alert('x')</script> & \"quoted\""
EXPERIMENT = parse_experiment(
    {"name": "x", "suite": "tiny", "conditions": ["direct", "plan"], "editors": ["e"], "judges": ["checkers"]}
)
PLAN = Plan(
    evidence=(
        Evidence(claim_id="c1", claim=HOSTILE, source=EvidenceSource.OBSERVED_STATE, bbox=(0.1, 0.2, 0.5, 0.8)),
        Evidence(claim_id="c2", claim="no box", source=EvidenceSource.BINDING),
    ),
    instruction=HOSTILE,
)


def hostile(case: Case, key: RunKey) -> Made:
    if key.condition == "direct" and case.case_id == "tiny-001":
        refusal = Refusal(stage="input", text=HOSTILE)
        refused = Outcome(status=Status.REFUSED_INPUT, refusal=refusal, notes=(HOSTILE,))
        return refused, Verdicts(status="missing_output", score=0.0)
    if key.condition == "direct" and case.case_id == "tiny-002":
        return None
    plan = PLAN if key.condition == "plan" else None
    media = case.request.parts[0].media
    outcome = Outcome(status=Status.OK, media=media, instruction=HOSTILE, plan=plan, text=HOSTILE)
    atoms = (AtomVerdict(id=HOSTILE, verdict="pass", reason=HOSTILE),)
    return outcome, Verdicts(status="scored", score=0.5, atoms=atoms, notes=(HOSTILE,))


async def hostile_run(folder: Path, count: int = 4) -> Run:
    return await write_run(folder, EXPERIMENT, TinySuite(count, invalid=1), hostile)


class Collected(HTMLParser):
    """Tags and their attributes, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


async def test_nothing_that_a_user_or_a_model_wrote_becomes_markup(tmp_path: Path) -> None:
    index, _ = write_report(await hostile_run(tmp_path))
    text = index.read_text(encoding="utf-8")
    assert "alert(" in text
    assert len(Collected(text).all("script")) == 1
    assert "<script>alert" not in text


async def test_the_folder_holds_all_that_it_shows_and_fetches_nothing(tmp_path: Path) -> None:
    index, _ = write_report(await hostile_run(tmp_path))
    seen = Collected(index.read_text(encoding="utf-8"))
    pictures = [attributes["src"] for attributes in seen.all("img")]
    assert len(pictures) == 4 + 6
    assert all(source and (index.parent / source).is_file() for source in pictures)
    assert all(attributes["loading"] == "lazy" for attributes in seen.all("img"))
    assert not seen.all("link")
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", index.read_text(encoding="utf-8"))
    assert {path.name for path in index.parent.iterdir()} == {"index.html", "images", "summary.json", "summary.csv"}


async def test_evidence_boxes_are_drawn_where_the_plan_saw_them(tmp_path: Path) -> None:
    index, _ = write_report(await hostile_run(tmp_path))
    frames = Collected(index.read_text(encoding="utf-8")).all("rect")
    assert len(frames) == 4
    assert frames[0] == {"x": "2.4", "y": "3.2", "width": "9.6", "height": "9.6"}


async def test_each_case_carries_what_the_page_filters_by(tmp_path: Path) -> None:
    index, _ = write_report(await hostile_run(tmp_path))
    cases = Collected(index.read_text(encoding="utf-8")).all("section")
    assert [each["data-family"] for each in cases] == ["even", "odd", "even", "odd"]
    assert [each["data-status"] for each in cases] == ["ok", "ok refused_input", "not_run ok", "ok"]


async def test_a_large_run_is_spread_over_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "CASES_A_PAGE", 3)
    index, _ = write_report(await hostile_run(tmp_path, 8))
    pages = [index, index.with_name("cases-2.html"), index.with_name("cases-3.html")]
    texts = [path.read_text(encoding="utf-8") for path in pages]
    assert [len(Collected(text).all("section")) for text in texts] == [3, 3, 2]
    targets = [str(each["href"]) for each in Collected(texts[0]).all("a")]
    links = {target.partition("#") for target in targets if "#" in target}
    assert len(links) == 8
    for name, _, anchor in links:
        assert f'id="{anchor}"' in texts[pages.index(index.with_name(name))]


async def test_an_unfinished_run_says_so(tmp_path: Path) -> None:
    index, summary = write_report(await hostile_run(tmp_path))
    assert not summary["complete"]
    assert "This run is not complete" in index.read_text(encoding="utf-8")


async def test_a_picture_that_is_gone_leaves_a_word_and_not_an_error(tmp_path: Path) -> None:
    run = await hostile_run(tmp_path)
    for path in (tmp_path / "images").rglob("*.png"):
        path.unlink()
    index, _ = write_report(run)
    assert "be shown: image" in index.read_text(encoding="utf-8")


def test_markup_escapes_text_and_attributes_and_nothing_twice() -> None:
    inner = element("b", {}, "a < b")
    assert inner == "<b>a &lt; b</b>"
    assert element("p", {"title": '"<x>"', "hidden": True, "id": None}, inner, "&") == (
        '<p title="&quot;&lt;x&gt;&quot;" hidden><b>a &lt; b</b>&amp;</p>'
    )
    assert isinstance(joined(["<", inner]), Html)
    assert joined(["<", inner], " ") == "&lt; <b>a &lt; b</b>"
