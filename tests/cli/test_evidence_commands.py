"""`compare`, `study`, `claim`, `power`, `simulate`, `agree` and `rate` on one small rehearsed run."""

import json
import sys
from pathlib import Path

import pytest

from editplan.cli import main
from editplan.evals.experiment import load_experiment
from editplan.evals.simulation.rates import Rates
from editplan.testing.rehearsal import rehearse_experiment

EXPERIMENT = """
name = "small"
suite = "tiny"
conditions = ["direct", "generic_rewrite", "plan", "oracle:raw", {name = "direct-b", condition = "direct"}]
editors = ["e"]
judges = ["scripted"]

[[comparisons]]
a = "plan"
b = "generic_rewrite"
primary = true

[[claims]]
name = "gain"
a = "plan"
b = "generic_rewrite"

[simulation]
recovers = {plan = 0.9}
otherwise_recovers = 0.3
"""


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    file = tmp_path / "e.toml"
    file.write_text(EXPERIMENT, encoding="utf-8")
    await rehearse_experiment(load_experiment(file), Rates(), tmp_path / "runs", cases=8)
    return tmp_path


class Command:
    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self._capsys, self._monkeypatch = capsys, monkeypatch
        self.folder = folder
        self.err = ""

    def __call__(self, *arguments: object) -> str:
        self._monkeypatch.chdir(self.folder)
        self._monkeypatch.setattr(sys, "argv", ["editplan", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, self.err = self._capsys.readouterr()
        assert not ended.value.code, self.err
        return out


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> Command:
    return Command(capsys, monkeypatch, folder)


def test_compare_prints_tables_and_one_json_document(command: Command) -> None:
    text = command("compare", "small")
    assert "plan - generic_rewrite (e)" in text
    assert "Matching vector" in text
    assert "oracle:raw - direct" in text
    document = json.loads(command("compare", "small", "--json"))
    assert document["pairs"][0]["matching"] == "matched"
    assert document["attribution"]["kind"] == "estimate"
    assert document["study"][0]["oracle_minus_direct"]["n"] == 8


def test_study_claim_power_and_simulate(command: Command) -> None:
    assert "O - D" in command("study", "small")
    page = command("claim", "small", "--html", "claims.html")
    assert "plan scores higher than generic_rewrite" in page
    assert "<html" in (command.folder / "claims.html").read_text(encoding="utf-8")
    sized = json.loads(command("power", "e.toml", "--effect", "0.3", "--json"))
    assert sized["cases_planned"] == 8
    simulated = json.loads(command("simulate", "e.toml", "--experiments", "5", "--json"))
    assert simulated["rehearsal"]["n_cases"] == 12
    assert simulated["claims"][0]["true_difference"] > 0.4


def test_rate_writes_a_page_and_reads_ratings_back(command: Command) -> None:
    made = json.loads(command("rate", "small", "--json"))
    page = Path(made["page"]).read_text(encoding="utf-8")
    names = [part.split('"')[0] for part in page.split('data-item="')[1:]]
    assert len(names) == made["items"] > 8
    for rater in ("anna", "ben"):
        lines = [f"{name},{at % 6}" for at, name in enumerate(names)]
        (command.folder / f"{rater}.csv").write_text("\n".join(["item,rating", *lines]), encoding="utf-8")
    found = json.loads(command("rate", "small", "--read", "anna.csv", "--read", "ben.csv", "--json"))
    assert found["raters"] == ["scripted", "anna", "ben"]
    agreed = json.loads(command("agree", "anna.csv", "ben.csv", "--json"))
    assert agreed["pairs"][0]["agreement"]["icc"] == pytest.approx(1.0)
    assert "Krippendorff" in command("agree", "anna.csv", "ben.csv")
