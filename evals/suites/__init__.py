"""Suites: what yields the cases of an experiment."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from editplan.evals.cases import Suite


def resolve_suite(spec: str) -> Suite:
    """The suite that a spec names; see `editplan.evals.suites.registry`."""
    from editplan.evals.suites.registry import resolve_suite as resolve

    return resolve(spec)
