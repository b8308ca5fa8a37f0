"""Reads an inspection as a model wrote it."""

from __future__ import annotations

from typing import Any

from editplan.planner.reading import Reader, into_source
from editplan.records import Inspection, OpenVariable, VariableSource, VisualQuery

_KEYS = ("unresolved_variables", "visual_queries", "preservation_hypotheses")
_BESIDE = ("schema_version", "uid")


def inspection_keys(*, preservation: bool = True) -> tuple[str, ...]:
    """The keys that an answer must have."""
    return _KEYS if preservation else _KEYS[:2]


def read_inspection(value: dict[str, Any], reader: Reader, *, preservation: bool = True) -> Inspection:
    """The inspection in `value`; what is wrong with it is gathered by `reader`."""
    reader.required(value, inspection_keys(preservation=preservation), "$")
    reader.surplus(value, (*_KEYS, *_BESIDE), "$")
    variables = tuple(
        _variable(each, reader, where)
        for where, each in reader.items(value.get("unresolved_variables"), "$.unresolved_variables")
    )
    queries: list[VisualQuery] = []
    for where, each in reader.items(value.get("visual_queries"), "$.visual_queries"):
        query = _query(each, reader, where, {query.query_id for query in queries})
        queries.extend([query] if query else [])
    hypotheses = reader.texts(value.get("preservation_hypotheses"), "$.preservation_hypotheses")
    return Inspection(
        unresolved_variables=variables,
        visual_queries=tuple(queries),
        preservation_hypotheses=hypotheses if preservation else (),
    )


def _variable(value: dict[str, Any], reader: Reader, where: str) -> OpenVariable:
    reader.required(value, ("name", "question", "required_source"), where)
    reader.surplus(value, ("name", "question", "required_source", "why_unresolved"), where)
    return OpenVariable(
        name=reader.text(value.get("name"), f"{where}.name"),
        question=reader.text(value.get("question"), f"{where}.question"),
        required_source=reader.choice(value.get("required_source"), VariableSource, f"{where}.required_source"),
        why_unresolved=reader.text(value.get("why_unresolved"), f"{where}.why_unresolved"),
    )


def _query(value: dict[str, Any], reader: Reader, where: str, taken: set[str]) -> VisualQuery | None:
    reader.surplus(value, ("query_id", "variable", "image", "bbox", "query"), where)
    image = reader.image(value.get("image"), f"{where}.image")
    box = reader.box(value.get("bbox"), f"{where}.bbox", image) if image else None
    if image is None or box is None:
        reader.note(f"{where}: the crop request is left out")
        return None
    query_id = reader.text(value.get("query_id"), f"{where}.query_id")
    if not query_id or query_id in taken:
        fresh = next(name for number in range(1, 99) if (name := f"q{number}") not in taken)
        reader.note(f"{where}.query_id: {query_id!r} is taken or empty, renumbered {fresh}")
        query_id = fresh
    frame = reader.frames[image - 1]
    return VisualQuery(
        query_id=query_id,
        variable=reader.text(value.get("variable"), f"{where}.variable"),
        image=frame.image,
        bbox=into_source(box, frame),
        query=reader.text(value.get("query"), f"{where}.query"),
    )
