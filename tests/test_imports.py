"""Importing is cheap and silent, folders import one way, and the public surface is what it says."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import editplan

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "planner": "editplan.planner",
    "editors": "editplan.editors",
    "evals": "editplan.evals",
    "prompts": "editplan.prompts",
}
HEAVY = (
    "PIL",
    "cv2",
    "diffusers",
    "google.genai",
    "httpx2",
    "json_repair",
    "langchain_core",
    "langgraph",
    "lxml",
    "numpy",
    "openai",
    "ray",
    "rich",
    "scipy",
    "skimage",
    "starlette",
    "torch",
    "typer",
)
ROLES = ("editplan.planner", "editplan.editors", "editplan.evals", "editplan.prompts")
TOP = ("editplan.cli", "editplan.testing", "editplan.emulator", "editplan.svg_provider")
"""What stands above all folders: the face, and what puts things of several folders together."""
FACE = {"editplan.planner.agent": "editplan.editors.registry"}
"""The library face resolves editors by their specs; nothing else of the planner knows more than their protocol."""

SURFACE = (
    *(
        "Ask",
        "BadReply",
        "Broken",
        "BudgetExceeded",
        "CallFailure",
        "Cancelled",
        "Capabilities",
        "ConfigError",
        "DatasetError",
    ),
    *("EditAgent", "EditJob", "EditRequest", "EditResult", "Edited", "Editor", "EditorError", "EditplanError"),
    *(
        "FateUnknown",
        "Finish",
        "ImageError",
        "JudgeError",
        "Ledger",
        "Media",
        "ModelError",
        "Outcome",
        "Part",
        "PartRole",
    ),
    *("Plan", "PlannedEdit", "PlannerOptions", "PromptError", "RateLimited", "Refused", "Rejected", "Reply"),
    *("SpecError", "Status", "StoreError", "Unavailable", "Unsupported", "VisionModel", "__version__"),
)


def _modules() -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / "editplan").rglob("*.py")):
        yield ".".join(["editplan", *path.relative_to(ROOT / "editplan").with_suffix("").parts]), path
    for folder, package in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield ".".join([package, *path.relative_to(ROOT / folder).with_suffix("").parts]), path


MODULES = {name.removesuffix(".__init__"): path for name, path in _modules()}
PACKAGES = sorted(name for name, path in MODULES.items() if path.name == "__init__.py")


def _imports(path: Path) -> set[str]:
    """Everything of ours that a module imports anywhere in it, function bodies included."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.args[0].value
            if isinstance(name, str) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "import_module":
                found.add(name)
    return {name for name in found if name.split(".")[0] == "editplan"}


def _within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _forbidden(module: str) -> tuple[str, ...]:
    """The packages that a module may not import."""
    if module == "editplan" or _within(module, *TOP):
        return ()
    if _within(module, "editplan.evals"):
        return ("editplan.planner.embedded", "editplan.editors.raster", "editplan.recognition", *TOP)
    if _within(module, "editplan.planner"):
        return ("editplan.evals", *TOP)
    if _within(module, "editplan.editors"):
        return ("editplan.evals", "editplan.planner", "editplan.prompts", *TOP)
    if _within(module, "editplan.prompts"):
        return ("editplan.evals", "editplan.planner", "editplan.editors", *TOP)
    return (*ROLES, *TOP)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_imports_only_what_its_folder_may(module: str) -> None:
    broken = {name for name in _imports(MODULES[module]) if _within(name, *_forbidden(module))}
    if _within(module, "editplan.planner"):
        editors = {name for name in _imports(MODULES[module]) if _within(name, "editplan.editors")}
        broken |= {
            name
            for name in editors
            if not _within(name, "editplan.editors.base", FACE.get(module, "editplan.editors.base"))
            and name != "editplan.editors"
        }
    assert not broken, f"{module} imports {', '.join(sorted(broken))}"


def test_the_walk_sees_imports_in_functions(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text(
        "def f():\n    from editplan.evals import cases\n    import importlib\n"
        "    importlib.import_module('editplan.cli')\n"
    )
    assert _imports(path) == {"editplan.evals", "editplan.evals.cases", "editplan.cli"}


def _loaded(code: str) -> dict[str, object]:
    """What a fresh interpreter has loaded after `code`, the CPU seconds of the code, and what it printed."""
    script = (
        "import json, resource, sys, time\n"
        "began = time.process_time()\n"
        f"{code}\n"
        "spent = time.process_time() - began\n"
        "print(json.dumps({'modules': sorted(sys.modules), 'cpu_s': spent}))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    lines = done.stdout.splitlines()
    return {**json.loads(lines[-1]), "printed": lines[:-1] + done.stderr.splitlines()}


def test_importing_any_package_loads_nothing_heavy_and_prints_nothing() -> None:
    result = _loaded("\n".join(f"import {name}" for name in PACKAGES))
    heavy = [name for name in result["modules"] if _within(name, *HEAVY)]
    assert heavy == []
    assert result["printed"] == []


def test_importing_editplan_is_fast() -> None:
    assert min(float(str(_loaded("import editplan")["cpu_s"])) for _ in range(3)) < 0.15


def test_importing_reads_no_environment() -> None:
    code = (
        "import os\n"
        "asked = []\n"
        "class Seen(dict):\n"
        "    def get(self, key, default=None):\n"
        "        asked.append(key)\n"
        "        return default\n"
        "    def __getitem__(self, key):\n"
        "        asked.append(key)\n"
        "        raise KeyError(key)\n"
        "real = os.environ\n"
        "os.environ = Seen()\n"
        "import editplan\n"
        "os.environ = real\n"
        "if asked:\n"
        "    print(asked)"
    )
    assert _loaded(code)["printed"] == []


def test_the_public_surface() -> None:
    assert sorted(editplan.__all__) == sorted(SURFACE)
    assert dir(editplan) == sorted(SURFACE)
    for name in SURFACE:
        assert getattr(editplan, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        editplan.nothing  # noqa: B018
