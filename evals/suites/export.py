"""Writing a suite in SolveEdit's published layout: `manifest.jsonl`, `contracts/`, `images/`."""

from __future__ import annotations

import json
from pathlib import Path

from editplan.errors import DatasetError, StoreError
from editplan.evals.cases import Case, InvalidCase, Suite
from editplan.evals.contracts import Contract
from editplan.evals.suites.names import file_slug
from editplan.evals.suites.solveedit import PROFILE_REGIME
from editplan.records import Record
from editplan.store import ImageStore


class Exported(Record):
    """What was written."""

    manifest: Path
    n_cases: int
    left_out: tuple[InvalidCase, ...] = ()
    """Items that have no place in the layout, each with its reason."""


def export_suite(suite: Suite, folder: Path) -> Exported:
    """Writes a suite's cases below `folder`, which must be empty or new.

    The manifest is the conditions' side and holds no field of the evaluation; regime, domain, groups and the
    oracle's answer go into the contract's `reasoning_profile`. Raises `StoreError` where it can't be written and
    `DatasetError` where no case can be exported.
    """
    _prepare(folder)
    images = ImageStore()
    lines, left_out = [], []
    for item in suite.cases(images):
        fault = item.error if isinstance(item, InvalidCase) else _unfit(item)
        if isinstance(item, InvalidCase) or fault:
            left_out.append(InvalidCase(case_id=item.case_id, error=fault))
            continue
        lines.append(_write(item, folder, images))
    if not lines:
        raise DatasetError(
            f"{suite.id}: nothing to export: "
            + (f"{left_out[0].case_id}: {left_out[0].error}" if left_out else "it has no cases")
        )
    manifest = folder / "manifest.jsonl"
    manifest.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return Exported(manifest=manifest, n_cases=len(lines), left_out=tuple(left_out))


def _prepare(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise StoreError(f"{folder} is not empty: choose a new folder for the export")
        for name in ("contracts", "images"):
            (folder / name).mkdir()
    except OSError as error:
        raise StoreError(f"can't write to {folder}: {error.strerror}: choose another folder") from error


def _unfit(case: Case) -> str:
    """Why the layout has no place for a case; empty where it has."""
    if case.contract is None:
        return "it has no contract, and SolveEdit's layout scores by contracts"
    if len(case.request.parts) != 1 or case.request.output != "edit":
        return "SolveEdit's layout holds edits of one image"
    return "it has a mask, for which the layout has no place" if case.request.mask else ""


def _write(case: Case, folder: Path, images: ImageStore) -> str:
    """Writes image and contract of a case; returns its manifest line."""
    slug = file_slug(case.case_id)
    image = f"images/{slug}.png"
    (folder / image).write_bytes(images[case.request.parts[0].media.sha256].png())
    contract = json.dumps(_contract(case).as_json(), ensure_ascii=False)
    (folder / "contracts" / f"{slug}.json").write_text(contract, encoding="utf-8")
    record = {"uid": slug, "case_id": case.case_id, "input_image": image, "instruction": case.request.goal}
    if case.request.language:
        record["language"] = case.request.language
    return json.dumps(record, ensure_ascii=False)


def _contract(case: Case) -> Contract:
    """The case's contract with all that the evaluator knows about the case."""
    assert case.contract is not None, "cases without a contract are left out"
    profile: dict[str, object] = {
        PROFILE_REGIME: case.regime,
        "domain": case.domain,
        "difficulty": case.difficulty,
        "provenance": case.provenance,
        "scene_group": case.scene_group,
        "groups": case.groups,
        "oracle": case.oracle.model_dump(mode="json") if case.oracle else None,
    }
    kept = {key: value for key, value in profile.items() if value}
    return case.contract.model_copy(
        update={"case_id": case.case_id, "reasoning_profile": {**case.contract.reasoning_profile, **kept}}
    )
