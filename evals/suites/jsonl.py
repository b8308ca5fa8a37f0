"""The suite `jsonl:<file>`: a benchmark of the user's own, one JSON object a line.

Fields: `image` (or `images`), `goal`, and one of `contract` (a path or an object), `rubric` (text or an object) and
`reference` (a path); optional `id`, `mask`, `output`, `language`, `regime`, `domain`, `difficulty`, `provenance`,
`scene_group`, `groups`, `answer` (for `oracle`) and `hint` (for `knowledge_hint`). Paths are relative to the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from editplan.errors import DatasetError, EditplanError
from editplan.evals.cases import Case, InvalidCase, Rubric
from editplan.evals.contracts import Contract, load_contract
from editplan.evals.protocols.preflight import existing
from editplan.evals.suites.lines import Line, read_lines, text_field
from editplan.planner.hints import KnowledgeHint, OracleSpec
from editplan.records import EditRequest, Media, Part, PartRole, Record
from editplan.store import ImageStore

METRICS = {"contract": "solvescore", "reference": "mean_iou", "rubric": "rubric"}
"""The headline of a file by what its lines are judged by."""
_LABELS = ("regime", "domain", "difficulty", "provenance", "scene_group", "groups")
_FIELDS = frozenset(
    {"id", "image", "images", "goal", "mask", "output", "language", "answer", "hint", *METRICS, *_LABELS}
)

Checked = TypeVar("Checked", bound=Record)


class JsonlSuite:
    """The items of one file; all are judged by the same kind of thing."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def id(self) -> str:
        """The spec."""
        return f"jsonl:{self.path}"

    @cached_property
    def metric(self) -> str:
        """By the first line that says what it is judged by. Raises `DatasetError` where none does."""
        for line in read_lines(self.path):
            for field, metric in METRICS.items():
                if line.fields.get(field) is not None:
                    return metric
        raise DatasetError(f"{self.path}: no line has one of {', '.join(METRICS)}; nothing could be judged")

    def cases(self, images: ImageStore) -> Iterator[Case | InvalidCase]:
        """The items in the file's order; a faulty line becomes an `InvalidCase`."""
        seen: dict[str, int] = {}
        for line in read_lines(self.path):
            name = line.name
            try:
                name = _case_id(line, seen)
                yield self._case(name, line.fields, images)
            except EditplanError as error:
                yield InvalidCase(case_id=name, error=f"{self.path.name}, {line.name}: {error}")

    def _case(self, case_id: str, fields: dict[str, Any], images: ImageStore) -> Case:
        judged_by = [field for field in METRICS if fields.get(field) is not None]
        if len(judged_by) != 1:
            found = " and ".join(judged_by) or "none of them"
            raise DatasetError(f"exactly one of {', '.join(METRICS)} is expected; found {found}")
        if METRICS[judged_by[0]] != self.metric:
            raise DatasetError(f"is judged by a {judged_by[0]}, but the file's first item by another kind; split it")
        raw = {
            "case_id": case_id,
            "request": self._request(case_id, fields, images),
            **{name: fields[name] for name in _LABELS if fields.get(name) is not None},
            judged_by[0]: self._criterion(judged_by[0], case_id, fields, images),
            "oracle": OracleSpec(final_state=text_field(fields, "answer")) if "answer" in fields else None,
            "hint": KnowledgeHint(text=text_field(fields, "hint")) if "hint" in fields else None,
        }
        return _validated(Case, raw)

    def _request(self, case_id: str, fields: dict[str, Any], images: ImageStore) -> EditRequest:
        paths = fields.get("images", fields.get("image"))
        paths = [paths] if isinstance(paths, str) else paths
        if not isinstance(paths, list) or not paths or ("image" in fields) == ("images" in fields):
            raise DatasetError("$.image (a path) or $.images (a list of paths) is expected, and not both")
        media = [self._picture(path, images) for path in paths]
        roles = [PartRole.CANVAS, *[PartRole.REFERENCE] * (len(media) - 1)]
        raw = {
            "case_id": case_id,
            "goal": text_field(fields, "goal"),
            "parts": tuple(Part(media=each, role=role) for each, role in zip(media, roles, strict=True)),
            "mask": self._picture(fields["mask"], images) if fields.get("mask") else None,
            **{name: fields[name] for name in ("output", "language") if fields.get(name) is not None},
        }
        return _validated(EditRequest, raw)

    def _criterion(
        self, kind: str, case_id: str, fields: dict[str, Any], images: ImageStore
    ) -> Contract | Rubric | Media:
        value = fields[kind]
        if kind == "reference":
            return self._picture(value, images)
        if kind == "rubric":
            raw = {"criteria": value} if isinstance(value, str) else value
            if not isinstance(raw, dict):
                raise DatasetError(f"$.rubric is {value!r}; text or an object is expected")
            return _validated(Rubric, {"protocol": "jsonl", **raw})
        if isinstance(value, dict):
            return load_contract(value, name=f"contract of {case_id}")
        return load_contract(existing(self.path.parent, text_field(fields, "contract")))

    def _picture(self, path: object, images: ImageStore) -> Media:
        if not isinstance(path, str):
            raise DatasetError(f"an image path is {path!r}; text is expected")
        file = existing(self.path.parent, path)
        return images.add(file.read_bytes(), name=str(file))[0]


def _case_id(line: Line, seen: dict[str, int]) -> str:
    """The item's id, by default its line number. Raises `DatasetError` for an unusable line."""
    if line.fault:
        raise DatasetError(line.fault)
    unknown = sorted(set(line.fields) - _FIELDS)
    if unknown:
        raise DatasetError(f"unknown field $.{unknown[0]}; known: {', '.join(sorted(_FIELDS))}")
    case_id = text_field(line.fields, "id") if "id" in line.fields else f"{line.number:04d}"
    if case_id in seen:
        raise DatasetError(f"id {case_id!r} was given in line {seen[case_id]} already")
    seen[case_id] = line.number
    return case_id


def _validated(kind: type[Checked], raw: dict[str, Any]) -> Checked:
    try:
        return kind.model_validate(raw)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise DatasetError(f"$.{'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error
