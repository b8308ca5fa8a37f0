"""Instruments that some checks need beside pixels: a text reader, a detector, a segmenter.

Nothing is downloaded. Weights are paths that the user gives; what is missing is an error before the run
(`require_instruments`), never an abstention in its middle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from editplan.errors import ConfigError
from editplan.evals.checkers.model_specs import (
    DetectedAt,
    DetectedCount,
    SegmentAt,
    SegmentKept,
    TextKept,
    TextReads,
)
from editplan.evals.checkers.specs import AllOf, AnyOf, CheckSpec
from editplan.evals.contracts import Contract
from editplan.pixels.geometry import PixelBox
from editplan.pixels.masks import Mask
from editplan.records import Record

Picture = NDArray[np.uint8]
Instrument = Literal["reader", "detector", "segmenter"]

NEEDS: dict[type, Instrument] = {
    TextReads: "reader",
    TextKept: "reader",
    DetectedCount: "detector",
    DetectedAt: "detector",
    SegmentKept: "segmenter",
    SegmentAt: "segmenter",
}
"""Which instrument a spec can't be decided without."""


class Line(Record):
    """One line of writing as a reader gives it."""

    text: str
    score: float
    """The reader's own confidence, 0..1."""
    box: PixelBox
    """In the picture that was read."""


class Detection(Record):
    """One detected thing."""

    label: str
    score: float
    box: tuple[float, float, float, float]
    """[x1, y1, x2, y2] in pixels of the picture."""


class TextReader(Protocol):
    """Reads the writing in a picture."""

    @property
    def id(self) -> str:
        """Name and version of program and weights."""
        ...

    def read(self, picture: Picture) -> tuple[Line, ...]:
        """All lines of an RGB picture, from top to bottom and left to right."""
        ...


class Detector(Protocol):
    """Finds things of known classes."""

    @property
    def id(self) -> str:
        """Name and version of program and weights."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes that it knows."""
        ...

    def detect(self, picture: Picture, min_score: float) -> tuple[Detection, ...]:
        """Everything it sees in an RGB picture with at least this score, the surest first."""
        ...


class Segmenter(Protocol):
    """Finds the pixels of the thing in a box."""

    @property
    def id(self) -> str:
        """Name and version of program and weights."""
        ...

    def segment(self, picture: Picture, box: PixelBox) -> tuple[Mask, float]:
        """The mask (H x W) of the thing in a box of an RGB picture, and the segmenter's own confidence, 0..1."""
        ...


@dataclass(frozen=True)
class Instruments:
    """The live instruments; one that is None isn't there."""

    reader: TextReader | None = None
    detector: Detector | None = None
    segmenter: Segmenter | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of those that are there."""
        return tuple(each.id for each in (self.reader, self.detector, self.segmenter) if each is not None)


NO_INSTRUMENTS = Instruments()


class InstrumentPaths(Record):
    """Where weights lie, as `checkers?detector=...&segmenter=...` or `[judge_options]` names them."""

    detector: Path | None = None
    """A YOLO-family `.onnx` file, or a folder of YOLOS, RT-DETR or DETR in the transformers layout."""
    detector_labels: Path | None = None
    """A text file with one class a line; for an `.onnx` file that doesn't carry its classes itself."""
    segmenter: Path | None = None
    """A folder of SAM or SAM 2 in the transformers layout."""


def load_instruments(paths: InstrumentPaths) -> Instruments:
    """The reader where `[ocr]` is installed, and the instruments whose weights are named.

    Raises `ConfigError` for weights that are missing or that can't be loaded, and for a missing extra.
    """
    return Instruments(reader=_reader(), detector=_detector(paths), segmenter=_segmenter(paths.segmenter))


def leaves(spec: CheckSpec) -> Iterator[CheckSpec]:
    """The measurements that a combined check is made of."""
    if isinstance(spec, AnyOf | AllOf):
        for part in spec.checks:
            yield from leaves(part)
    else:
        yield spec


def require_instruments(contracts: Iterable[Contract], instruments: Instruments) -> None:
    """Raises `ConfigError` for the first atom whose check can't be decided with these instruments."""
    for contract in contracts:
        for _, atom in contract.atoms():
            for spec in leaves(atom.check) if atom.check is not None else ():
                lack = lacking(spec, instruments)
                if lack:
                    where = (
                        f"case {contract.case_id!r}, atom {atom.id!r}" if contract.case_id else f"atom {atom.id!r}"
                    )
                    raise ConfigError(f"{where}: {spec.kind} {lack}")


def lacking(spec: CheckSpec, instruments: Instruments) -> str:
    """What one measurement lacks, with what to do about it; empty where nothing."""
    need = NEEDS.get(type(spec))
    if need is None:
        return ""
    if getattr(instruments, need) is None:
        return _REMEDIES[need]
    if isinstance(spec, DetectedCount | DetectedAt) and instruments.detector is not None:
        known = instruments.detector.labels
        if spec.label not in known:
            return f"asks for {spec.label!r}, which the detector doesn't know; it knows {_some(known)}"
    return ""


_REMEDIES: dict[Instrument, str] = {
    "reader": "needs a text reader: pip install 'editplan[ocr]'",
    "detector": "needs a detector: name its weights, checkers?detector=/path/to/weights (.onnx or a folder)",
    "segmenter": "needs a segmenter: name its weights, checkers?segmenter=/path/to/folder",
}


def _some(labels: tuple[str, ...]) -> str:
    return ", ".join(labels[:12]) + (f" and {len(labels) - 12} more" if len(labels) > 12 else "")


def _reader() -> TextReader | None:
    if find_spec("rapidocr") is None or find_spec("onnxruntime") is None:
        return None
    from editplan.evals.checkers.ocr import RapidReader

    return RapidReader()


def _detector(paths: InstrumentPaths) -> Detector | None:
    path = paths.detector
    if path is None:
        return None
    if not path.exists():
        raise ConfigError(f"detector: there are no weights at {path}; get them yourself and give their path")
    from editplan.evals.checkers.detection import OnnxDetector, TransformersDetector

    if path.suffix == ".onnx":
        return OnnxDetector(path, paths.detector_labels)
    return TransformersDetector(path)


def _segmenter(path: Path | None) -> Segmenter | None:
    if path is None:
        return None
    if not path.exists():
        raise ConfigError(f"segmenter: there are no weights at {path}; get them yourself and give their path")
    from editplan.evals.checkers.segmentation import TransformersSegmenter

    return TransformersSegmenter(path)
