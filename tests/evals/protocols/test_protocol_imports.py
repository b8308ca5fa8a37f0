"""Importing a protocol package is cheap; its heavy parts load where they are used."""

from __future__ import annotations

import subprocess
import sys

CHECK = """
import sys
from editplan.evals.protocols import paintbench, preflight, rigbench, risebench, wiseedit
heavy = {"numpy", "cv2", "PIL", "scipy", "torch", "langgraph", "openai", "google.genai"} & set(sys.modules)
assert not heavy, heavy
for package in (paintbench, rigbench):
    for name in package.__all__:
        assert callable(getattr(package, name)) or name == "SUBTASKS", name
assert "numpy" in sys.modules
assert not {"editplan.planner.embedded", "editplan.editors.raster", "editplan.recognition"} & set(sys.modules)
"""


def test_packages_load_nothing_heavy_and_every_public_name_is_there() -> None:
    done = subprocess.run([sys.executable, "-c", CHECK], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_an_unknown_name_is_an_attribute_error() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from editplan.evals.protocols.paintbench import scores"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "cannot import name 'scores'" in done.stderr
