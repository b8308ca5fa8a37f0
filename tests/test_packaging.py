"""The wheel holds every module and data file of the tree, and nothing outside `editplan/`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = {"editplan": "", "planner": "planner/", "editors": "editors/", "prompts": "prompts/", "evals": "evals/"}
DATA = {".md", ".toml", ".json", ".png", ".css", ".js", ".html", ".svg", ".jsonl", ".typed", ""}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The names in a wheel that is built from an sdist."""
    work = tmp_path_factory.mktemp("build")
    source = work / "source"
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(work / "dist"), str(source)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[-3000:]
    (archive,) = (work / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as sdist:
        assert any(name.endswith("/pyproject.toml") for name in sdist.getnames())
    (path,) = (work / "dist").glob("*.whl")
    return zipfile.ZipFile(path).namelist()


def _tree() -> set[str]:
    command = ["git", "ls-files", "-co", "--exclude-standard", *FOLDERS]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    files = set()
    for name in listed.stdout.splitlines():
        folder, _, rest = name.partition("/")
        path = ROOT / name
        if path.is_file() and (path.suffix == ".py" or path.suffix in DATA or path.name == "py.typed"):
            files.add(f"editplan/{FOLDERS[folder]}{rest}")
    return files


def test_every_module_and_data_file_is_in_the_wheel(wheel: list[str]) -> None:
    assert _tree() - set(wheel) == set()


def test_nothing_lands_outside_the_package(wheel: list[str]) -> None:
    outside = [name for name in wheel if not name.startswith("editplan/") and ".dist-info/" not in name]
    assert outside == []


def test_what_the_wheel_holds_is_in_the_tree(wheel: list[str]) -> None:
    assert {name for name in wheel if name.startswith("editplan/")} - _tree() == set()
