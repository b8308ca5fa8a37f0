"""The runs of the comparison tests."""

from tests.evals.comparison.conftest import run_of

__all__ = ["run_of"]
