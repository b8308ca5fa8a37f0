"""The honesty benchmark, on few experiments: the figures that the docs print come from it."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "simulation_honesty.py"


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("simulation_honesty", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_nothing_is_found_between_equal_arms_and_a_planted_gain_without_bias(script: Any) -> None:
    equal, _, planned, *_ = script.scenarios()
    nothing = script.examined(equal, 200, seed=1)
    assert nothing.truth == 0.0
    assert nothing.significant < 0.10
    assert nothing.coverage > 0.90
    gain = script.examined(planned, 200, seed=1)
    assert abs(gain.bias) < 4 * gain.bias_error
    assert gain.significant == pytest.approx(gain.predicted, abs=0.12)
    assert gain.coverage > 0.90
