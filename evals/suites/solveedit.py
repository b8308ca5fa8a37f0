"""The suite `solveedit:<manifest.jsonl>`: records for the conditions, and contracts beside them for the evaluator.

A manifest line holds `uid`, `case_id`, `input_image` and `instruction`, as published; the contract of a case lies at
`contracts/<case id or its slug>.json` beside the manifest and is found by case id, so that no line has to name it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from editplan.errors import DatasetError, EditplanError
from editplan.evals.cases import Case, InvalidCase, Regime
from editplan.evals.contracts import Contract, load_contract
from editplan.evals.protocols.preflight import existing
from editplan.evals.suites.lines import Line, read_lines, text_field
from editplan.evals.suites.names import file_slug
from editplan.planner.forbidden import forbidden_keys
from editplan.planner.hints import OracleSpec
from editplan.records import EditRequest, Part, Record
from editplan.store import ImageStore

PROFILE_REGIME = "dependency_regime"
_REGIMES = get_args(Regime)


class SolveEditOptions(Record):
    """Options of `solveedit:...`."""

    contracts: str = "contracts"
    """Folder of the contracts, relative to the manifest."""


class SolveEditSuite:
    """A dataset in SolveEdit's published layout."""

    metric = "solvescore"

    def __init__(self, manifest: Path, options: SolveEditOptions | None = None) -> None:
        self.manifest = manifest
        self.options = options or SolveEditOptions()
        if not manifest.is_file():
            raise DatasetError(f"{manifest}: no such file; solveedit:<manifest.jsonl> takes the manifest's path")

    @property
    def id(self) -> str:
        """The spec."""
        folder = self.options.contracts
        return f"solveedit:{self.manifest}" + (f"?contracts={folder}" if folder != "contracts" else "")

    def cases(self, images: ImageStore) -> Iterator[Case | InvalidCase]:
        """The items in the manifest's order; a faulty line or contract becomes an `InvalidCase`."""
        seen: dict[str, int] = {}
        for line in read_lines(self.manifest):
            yield self._item(line, seen, images)

    def _item(self, line: Line, seen: dict[str, int], images: ImageStore) -> Case | InvalidCase:
        where = f"{self.manifest.name}, {line.name}"
        name = line.name
        try:
            _check(line)
            case_id = text_field(line.fields, "case_id")
            if case_id in seen:
                raise DatasetError(f"case id {case_id!r} was given in line {seen[case_id]} already")
            seen[case_id] = line.number
            name = case_id
            return self._case(case_id, line.fields, images)
        except EditplanError as error:
            return InvalidCase(case_id=name, error=f"{where}: {error}")

    def _case(self, case_id: str, fields: Mapping[str, Any], images: ImageStore) -> Case:
        text_field(fields, "uid")
        path = existing(self.manifest.parent, text_field(fields, "input_image"))
        goal = text_field(fields, "instruction")
        contract = self._contract(case_id)
        media, _, _ = images.add(path.read_bytes(), name=str(path))
        language = fields.get("language", "")
        request = EditRequest(
            case_id=case_id,
            parts=(Part(media=media),),
            goal=goal,
            language=language if isinstance(language, str) else "",
        )
        return with_profile(Case(case_id=case_id, request=request, contract=contract), contract)

    def _contract(self, case_id: str) -> Contract:
        """The contract of a case. Raises `DatasetError` where there is none, or one of another case."""
        folder = self.manifest.parent / self.options.contracts
        names = [f"{file_slug(case_id)}.json"]
        if Path(case_id).name == case_id:
            names.append(f"{case_id}.json")
        path = next((folder / name for name in names if (folder / name).is_file()), None)
        if path is None:
            raise DatasetError(f"no contract for case {case_id!r}: {' or '.join(names)} is expected in {folder}")
        contract = load_contract(path)
        if contract.case_id and contract.case_id != case_id:
            raise DatasetError(f"{path}: $.case_id is {contract.case_id!r}, but the manifest's is {case_id!r}")
        return contract


def _check(line: Line) -> None:
    """Raises `DatasetError` for a line that is no record, or that carries a field of the evaluation."""
    if line.fault:
        raise DatasetError(line.fault)
    leaked = forbidden_keys(line.fields)
    if leaked:
        shown = ", ".join(leaked[:3])
        raise DatasetError(f"{shown}: what belongs to the evaluation may not stand in a record for a condition")


def with_profile(case: Case, contract: Contract) -> Case:
    """The case with what the contract's `reasoning_profile` says about it."""
    profile = contract.reasoning_profile
    regime = profile.get(PROFILE_REGIME)
    state = contract.intended_final_state or contract.manual_facts.intended_final_state
    groups = profile.get("groups")
    texts = {
        field: str(profile[field])
        for field in ("domain", "difficulty", "provenance", "scene_group")
        if isinstance(profile.get(field), str)
    }
    return case.model_copy(
        update={
            **texts,
            "regime": regime if regime in _REGIMES else None,
            "oracle": _oracle(profile.get("oracle"), state),
            "groups": {str(key): str(value) for key, value in groups.items()} if isinstance(groups, dict) else {},
        }
    )


def _oracle(raw: object, state: str) -> OracleSpec | None:
    """Our own answer in words where the profile has it, else the intended final state."""
    if isinstance(raw, dict):
        try:
            return OracleSpec.model_validate(raw)
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            raise DatasetError(
                f"contract: $.reasoning_profile.oracle.{'.'.join(map(str, fault['loc']))}: {fault['msg']}"
            ) from error
    return OracleSpec(final_state=state) if state.strip() else None
