"""The verdict on one output (protocol sections 4.3 and 4.4): three gates, the diagnostics, the status."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from editplan.evals.protocols.vectorbench.canonical import collapsed
from editplan.evals.protocols.vectorbench.compare import Comparer, numbers_in
from editplan.evals.protocols.vectorbench.elements import by_id, elements_by_id, matching, produced_value
from editplan.evals.protocols.vectorbench.forms import aligned_aliases, seen_differences, seen_equal, source_equal
from editplan.evals.protocols.vectorbench.insertion import inserted_match
from editplan.evals.protocols.vectorbench.masking import masked
from editplan.evals.protocols.vectorbench.rules import OFFICIAL, Rules
from editplan.evals.protocols.vectorbench.tasks import Change, VectorTask, read_task
from editplan.evals.protocols.vectorbench.tolerance import Match, Viewport
from editplan.evals.protocols.vectorbench.validity import fault
from editplan.evals.protocols.vectorbench.variants import seen_equal_under
from editplan.svg_source import parse

EVALUATOR = "semantic-perceptual-binary-2026-07-21"
"""The published evaluator that `official` reproduces."""

NEAR_PROGRESS = 0.80


@dataclass(frozen=True, slots=True)
class _Target:
    """The hidden target, read once for all outputs of a task."""

    root: ET.Element | None
    valid: bool
    comparer: Comparer


@dataclass(frozen=True, slots=True)
class _Output:
    """One parsed output, and why it is invalid, if it is."""

    text: str
    root: ET.Element | None
    reason: str | None

    @property
    def valid(self) -> bool:
        return self.reason is None


def evaluate(task: Mapping[str, Any], svg: str | bytes | None, rules: Rules = OFFICIAL) -> dict[str, Any]:
    """The report on one output, with the published keys, `status` and our `invalid_reason`.

    Args:
        task: a task in the published JSON form.
        svg: the extracted output, bytes as UTF-8; None for a request that ended in a provider error.
        rules: `OFFICIAL` gives the published verdicts; anything else is a labelled variant.

    Raises:
        DatasetError: the task lacks a field that a verdict needs.
        TypeError: the output is neither text nor bytes nor None.
    """
    return evaluate_task(read_task(task), _text(svg), rules)


def _text(svg: object) -> str | None:
    if svg is None or isinstance(svg, str):
        return svg
    if isinstance(svg, bytes | bytearray):
        return svg.decode("utf-8", "replace")
    raise TypeError(f"an output is the text of an SVG, its bytes or None, not {type(svg).__name__}")


def evaluate_task(task: VectorTask, svg: str | None, rules: Rules = OFFICIAL) -> dict[str, Any]:
    """The same as `evaluate`, for a task that was read before."""
    target = _target(task.target_svg, rules)
    if svg is None:
        return _error_report(task.task_id, target)
    root, reason = parse(svg)
    if root is not None:
        reason = fault(root, rules.grammar)
    output = _Output(svg, root, reason)
    checks = [_check(change, output, target) for change in task.changes]
    protected = _protected(task.should_preserve, output, target)
    return _report(task, output, target, (checks, protected))


@lru_cache(maxsize=256)
def _target(text: str, rules: Rules) -> _Target:
    root, _ = parse(text)
    valid = root is not None and fault(root, rules.grammar) is None
    return _Target(root, valid, Comparer(viewport(root), rules))


def viewport(root: ET.Element | None) -> Viewport:
    """Width and height from the viewBox, else from width and height (at least 1), else 100 x 100."""
    if root is None:
        return Viewport(100.0, 100.0)
    box = numbers_in(root.attrib.get("viewBox", ""))
    if box is not None and len(box) == 4 and box[2] > 0 and box[3] > 0:
        return Viewport(box[2], box[3])
    try:
        width, height = (float(root.attrib.get(side, 100)) for side in ("width", "height"))
    except ValueError:
        return Viewport(100.0, 100.0)
    return Viewport(max(width, 1.0), max(height, 1.0))


def _check(change: Change, output: _Output, target: _Target) -> dict[str, Any]:
    """One entry of `expected_changes`; an invalid document gets no credit for any of them."""
    is_deletion = change.attribute == "exists" and change.after is False
    found = by_id(output.root, change.part) if is_deletion else matching(output.root, target.root, change.part)
    produced = produced_value(found, change.attribute)
    match = target.comparer.requested(change.attribute, produced, change.before, change.after)
    if change.attribute == "exists" and change.after is True and match.passed:
        match = inserted_match(found, by_id(target.root, change.part), target.comparer)
        if not match.passed and by_id(output.root, change.part) is None:
            produced = False
    if not output.valid:
        match = replace(match, passed=False, progress=0.0)
    return _entry(change, produced, match)


def _entry(change: Change, produced: Any, match: Match) -> dict[str, Any]:
    return {
        "part": change.part,
        "attribute": change.attribute,
        "expected_before": change.before,
        "expected_after": change.after,
        "produced": _finite(produced),
        **asdict(match),
    }


def _finite(value: Any) -> Any:
    """Infinities and NaN, for which JSON has no spelling, as text."""
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value


def _protected(parts: Sequence[str], output: _Output, target: _Target) -> list[dict[str, Any]]:
    """The entries of `preserve_checks`: each protected subtree under V (ids aligned in the whole document) and C."""
    if output.root is None or target.root is None:
        return [_kept(part, None, by_id(target.root, part), seen=False, source=False) for part in parts]
    grammar = target.comparer.rules.grammar
    aliases = aligned_aliases(output.root, target.root)
    named, wanted = elements_by_id(output.root), elements_by_id(target.root)
    entries = []
    for part in parts:
        ours, theirs = named.get(part), wanted.get(part)
        found = ours if ours is not None else matching(output.root, target.root, part)
        seen = found is not None and theirs is not None and seen_equal(found, theirs, grammar, aliases)
        source = ours is not None and theirs is not None and source_equal(ours, theirs, grammar)
        entries.append(_kept(part, found, theirs, seen=seen, source=source))
    return entries


def _kept(
    part: str, found: ET.Element | None, wanted: ET.Element | None, *, seen: bool, source: bool
) -> dict[str, Any]:
    return {
        "part": part,
        "passed": seen,
        "source_passed": source,
        "target_present": wanted is not None,
        "produced_present": found is not None,
    }


def _report(
    task: VectorTask,
    output: _Output,
    target: _Target,
    found: tuple[list[dict[str, Any]], list[dict[str, Any]]],
) -> dict[str, Any]:
    checks, protected = found
    passed, total = sum(check["passed"] for check in checks), len(checks)
    mean_progress = math.fsum(check["progress"] or 0.0 for check in checks) / total if total else 1.0
    lost = [entry["part"] for entry in protected if not entry["passed"]]
    change_rate = len(lost) / len(protected) if protected else 0.0
    repaired = output.valid and passed == total
    preserved, source_preserved, differences = _side_effects(task, output, target)
    report: dict[str, Any] = {
        "task_id": task.task_id,
        "reward": int(repaired and preserved),
        "specification_pass": repaired and preserved,
        "near_pass": preserved and not repaired and passed >= total - 1 and mean_progress >= NEAR_PROGRESS,
        "repair_pass": repaired,
        "preservation_pass": preserved,
        "source_preservation_pass": source_preserved,
        "validity_pass": output.valid,
        "exact": collapsed(output.text) == collapsed(task.target_svg),
        "structural": _structural(output, target),
        "preservation": 1.0 - change_rate,
        "source_preservation": _share([entry["source_passed"] for entry in protected]),
        "edit_completion": passed / total if total else 1.0,
        "repair_progress": mean_progress,
        "unintended_change_rate": change_rate,
        **_documents(output, target),
        "expected_changes_passed": passed,
        "expected_changes_total": total,
        "expected_changes": checks,
        "preserve_checks": protected,
        "unexpected_changed_parts": sorted({*differences, *lost}),
        "failure_reasons": _failure_reasons(output.valid, repaired, preserved),
        "invalid_reason": output.reason,
    }
    return {**report, "status": status(report)}


def _documents(output: _Output, target: _Target) -> dict[str, bool]:
    return {
        "produced_parse_ok": output.root is not None,
        "produced_valid_svg": output.valid,
        "target_parse_ok": target.root is not None,
        "target_valid_svg": target.valid,
    }


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else 1.0


def _structural(output: _Output, target: _Target) -> bool:
    if output.root is None or target.root is None:
        return False
    return source_equal(output.root, target.root, target.comparer.rules.grammar)


def _side_effects(task: VectorTask, output: _Output, target: _Target) -> tuple[bool, bool, list[str]]:
    """Preservation under the semantic form, under C, and the labels of what differs, requested edits masked."""
    if output.root is None or target.root is None:
        return False, False, ["__document__"]
    rules = target.comparer.rules
    ours, theirs = masked(output.root, target.root, task.changes)
    differences = list(seen_differences(ours, theirs, rules.grammar))
    both_valid = output.valid and target.valid
    seen = not differences if rules.form == OFFICIAL.form else seen_equal_under(ours, theirs, rules)
    return both_valid and seen, both_valid and source_equal(ours, theirs, rules.grammar), differences


def _failure_reasons(valid: bool, repaired: bool, preserved: bool) -> list[str]:
    gates = {
        "invalid_svg": valid,
        "requested_repairs_incomplete": repaired,
        "unintended_document_changes": preserved,
    }
    return [reason for reason, passed in gates.items() if not passed]


def status(report: Mapping[str, Any]) -> str:
    """PASS, INVALID, SIDE_EFFECTS, NEAR, PARTIAL or FAIL, the first that holds."""
    if report["specification_pass"]:
        return "PASS"
    if not report["validity_pass"]:
        return "INVALID"
    if report["repair_pass"] and not report["preservation_pass"]:
        return "SIDE_EFFECTS"
    if report["near_pass"]:
        return "NEAR"
    return "PARTIAL" if report["edit_completion"] > 0 else "FAIL"


def _error_report(task_id: str, target: _Target) -> dict[str, Any]:
    """The published record of a request that gave no answer: everything zero, UCR 1, status ERR."""
    gates = ("specification", "near", "repair", "preservation", "source_preservation", "validity")
    return {
        "task_id": task_id,
        "status": "ERR",
        "reward": 0,
        **{f"{gate}_pass": False for gate in gates},
        "exact": False,
        "structural": False,
        "preservation": 0.0,
        "source_preservation": 0.0,
        "edit_completion": 0.0,
        "repair_progress": 0.0,
        "unintended_change_rate": 1.0,
        "produced_parse_ok": False,
        "produced_valid_svg": False,
        "target_parse_ok": target.root is not None,
        "target_valid_svg": target.valid,
        "expected_changes_passed": 0,
        "expected_changes_total": 0,
        "expected_changes": [],
        "preserve_checks": [],
        "unexpected_changed_parts": [],
        "failure_reasons": [],
        "invalid_reason": "the request ended in an error; there is no output",
    }
