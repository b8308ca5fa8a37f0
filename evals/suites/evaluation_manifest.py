"""The suite `solveedit:<manifest.json>`: SolveEdit's evaluation manifest, which names outputs and contracts.

The records are `{uid, case_id, contract_path, input_image, output_image, model?}`, paths relative to the manifest.
As a suite it yields each case once; `editplan import` reads the outputs of every model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from editplan.errors import DatasetError, EditplanError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.contracts import Contract, load_contract
from editplan.evals.plain_json import strict_json
from editplan.evals.protocols.preflight import existing
from editplan.evals.suites.lines import text_field
from editplan.evals.suites.solveedit import with_profile
from editplan.records import EditRequest, Part
from editplan.store import ImageStore

UNNAMED = "unnamed"
"""The model of a record that names none."""


class EvaluationManifestSuite:
    """The cases of an evaluation manifest."""

    metric = "solvescore"

    def __init__(self, manifest: Path) -> None:
        self.manifest = manifest
        if not manifest.is_file():
            raise DatasetError(f"{manifest}: no such file; solveedit:<manifest.json> takes the manifest's path")

    @property
    def id(self) -> str:
        """The spec."""
        return f"solveedit:{self.manifest}"

    def cases(self, images: ImageStore) -> Iterator[Case | InvalidCase]:
        """Each case at its first record; a faulty record becomes an `InvalidCase`."""
        seen: set[str] = set()
        for number, record in enumerate(read_records(self.manifest)):
            name = f"record {number}"
            try:
                case_id = text_field(record, "case_id")
                if case_id in seen:
                    continue
                seen.add(case_id)
                name = case_id
                yield self._case(case_id, record, images)
            except EditplanError as error:
                yield InvalidCase(case_id=name, error=f"{self.manifest.name}, $.records[{number}]: {error}")

    def _case(self, case_id: str, record: dict[str, Any], images: ImageStore) -> Case:
        folder = self.manifest.parent
        contract: Contract = load_contract(existing(folder, text_field(record, "contract_path")))
        if not contract.instruction.strip():
            raise DatasetError("the contract has no instruction, and the record gives none")
        picture = existing(folder, text_field(record, "input_image"))
        media, _, _ = images.add(picture.read_bytes(), name=str(picture))
        request = EditRequest(case_id=case_id, parts=(Part(media=media),), goal=contract.instruction)
        return with_profile(Case(case_id=case_id, request=request, contract=contract), contract)


def read_records(manifest: Path) -> list[dict[str, Any]]:
    """The records of a manifest. Raises `DatasetError` with the JSON path for what is none."""
    try:
        raw = strict_json(manifest.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise DatasetError(f"{manifest}: can't be read: {error.strerror}") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise DatasetError(f"{manifest}: is no JSON: {error}") from error
    except DatasetError as error:
        raise DatasetError(f"{manifest}: {error}") from error
    records = raw.get("records") if isinstance(raw, dict) else None
    if not isinstance(records, list) or not records:
        raise DatasetError(f"{manifest}: $.records must be a list that is not empty")
    # What is no object has no field either: the reader of the record says so.
    return [record if isinstance(record, dict) else {} for record in records]


def model_of(record: dict[str, Any]) -> str:
    """The model that a record's output is of."""
    name = record.get("model")
    return name if isinstance(name, str) and name.strip() else UNNAMED
