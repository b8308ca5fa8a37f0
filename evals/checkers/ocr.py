"""Text checks by a trained reader, and the reader: RapidOCR with the weights that its package carries.

Unlike `text_equals`, which compares single glyphs, it reads whole lines in many scripts and typefaces.
"""

from __future__ import annotations

import threading
import unicodedata
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.checkers.findings import Finding, graded, unmeasured
from editplan.evals.checkers.instruments import Line, Picture, TextReader
from editplan.evals.checkers.model_specs import TextKept, TextReads
from editplan.evals.checkers.pair import Pair, lab_distance
from editplan.evals.checkers.weights import need_package
from editplan.pixels.lab import srgb_to_lab
from editplan.pixels.masks import Mask, mask_box

SURE_TO_CONFIRM, SURE_TO_REFUTE = 0.5, 0.8
"""Least confidence with which a reading may count for a text, and against it."""
INK_DELTA_E = 18.0
LEAST_INK_PX = 8
"""With fewer pixels so far from the paper's colour nothing is written at all."""
READ_SIDE_PX = 96
"""Smaller crops are enlarged so far that their shorter side has this length."""
MARGIN = 0.3
"""Paper around a crop, as a share of its shorter side: a detector misses writing that touches the rim."""
LINE_ASPECT = (0.4, 15.0)
"""Width over height of a crop that may be one line, and is read as one where no line was detected."""

ALIKE = str.maketrans({"o": "0", "l": "1", "i": "1", "|": "1"})
"""Signs that print alike; they are compared as one."""


def check_text_reads(spec: TextReads, pair: Pair, reader: TextReader) -> Finding:
    """What the reader reads in the region against the text."""
    area = pair.mask(spec.region)
    crop = _crop(pair.after, area)
    if crop is None:
        return unmeasured("the region is empty")
    text, score = _joined(reader.read(crop))
    evidence: dict[str, float | int | str | bool] = {"read": text, "score": score, "reader": reader.id}
    if not text:
        if _is_blank(crop):
            reason = "nothing is written in the region"
            return Finding(verdict="fail", reason=reason, evidence=evidence, box=pair.box(area))
        return unmeasured("what stands in the region can't be read", **evidence)
    share = agreement(folded(text, spec.match_case), folded(spec.text, spec.match_case))
    evidence["agreement"] = share
    fuzzy = spec.match == "fuzzy"
    verdict = graded(share, spec.pass_share, spec.partial_share) if fuzzy else "pass" if share == 1.0 else "fail"
    if score < (SURE_TO_CONFIRM if verdict == "pass" else SURE_TO_REFUTE):
        return unmeasured("the writing can't be read with certainty", **evidence)
    reason = f"reads {text!r}, should read {spec.text!r}"
    return Finding(verdict=verdict, reason=reason, evidence=evidence, box=pair.box(area))


def check_text_kept(spec: TextKept, pair: Pair, reader: TextReader) -> Finding:
    """What the reader reads in the region of the output against what it reads in the source."""
    area = pair.mask(spec.region)
    before, after = _crop(pair.before, area), _crop(pair.after, area)
    if before is None or after is None:
        return unmeasured("the region is empty")
    wanted, sure_before = _joined(reader.read(before))
    if not wanted or sure_before < SURE_TO_CONFIRM:
        return unmeasured("the source's writing can't be read", read=wanted, score=sure_before)
    text, score = _joined(reader.read(after))
    share = agreement(folded(text, True), folded(wanted, True))
    evidence: dict[str, float | int | str | bool] = {
        "read": text,
        "in_source": wanted,
        "agreement": share,
        "score": score,
        "reader": reader.id,
    }
    # Writing that was legible in the source and isn't any more has not been kept: that is a finding.
    if text and share < spec.pass_share and score < SURE_TO_CONFIRM:
        return unmeasured("the writing can't be read with certainty", **evidence)
    return Finding(
        verdict=graded(share, spec.pass_share, spec.partial_share),
        reason=f"reads {text!r}, in the source {wanted!r}",
        evidence=evidence,
        box=pair.box(area),
    )


def folded(text: str, match_case: bool) -> str:
    """A text as it is compared: one form of each sign (NFKC), no spaces, and without case signs that print alike."""
    joined = "".join(unicodedata.normalize("NFKC", text).split())
    return joined if match_case else joined.casefold().translate(ALIKE)


def agreement(first: str, second: str) -> float:
    """1 - edit distance (Levenshtein 1966) / length of the longer text; 1 for two empty ones."""
    if not first and not second:
        return 1.0
    row = list(range(len(second) + 1))
    for at, sign in enumerate(first, 1):
        above, row[0] = row[0], at
        for place, other in enumerate(second, 1):
            above, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, above + (sign != other))
    return 1.0 - row[-1] / max(len(first), len(second))


class RapidReader:
    """RapidOCR through onnxruntime, with the weights inside its package; loaded when first asked."""

    def __init__(self) -> None:
        """Raises `ConfigError` where the extra or the package's weights are missing."""
        package = need_package("rapidocr", "ocr")
        need_package("onnxruntime", "ocr")
        models = Path(str(package.__file__)).parent / "models"
        self._models = {part: _one_model(models, part.lower()) for part in ("Det", "Cls", "Rec")}
        self.id = f"rapidocr@{version('rapidocr')}:{self._models['Rec'].stem}"
        self._engine: Any = None
        self._lock = threading.Lock()

    def read(self, picture: Picture) -> tuple[Line, ...]:
        """See `TextReader`. Upright writing only."""
        framed, scale, margin = _framed(picture)
        bgr = np.ascontiguousarray(framed[..., ::-1])
        with self._lock:
            found = self._loaded()(bgr, use_cls=False)
            if found.boxes is not None and found.txts:
                boxes = (np.asarray(found.boxes) - margin) / scale
                lines = [
                    Line(text=str(text), score=float(score), box=_box(corners))
                    for text, score, corners in zip(found.txts, found.scores, boxes, strict=True)
                ]
                return tuple(_in_reading_order([line for line in lines if line.text.strip()]))
            height, width = picture.shape[:2]
            if not LINE_ASPECT[0] <= width / height <= LINE_ASPECT[1] or _is_blank(picture):
                return ()
            found = self._loaded()(bgr, use_det=False, use_cls=False, use_rec=True)
        texts, scores = found.txts or (), found.scores or ()
        whole = (0, 0, width, height)
        return tuple(
            Line(text=str(text), score=float(score), box=whole)
            for text, score in zip(texts, scores, strict=True)
            if str(text).strip()
        )

    def _loaded(self) -> Any:
        if self._engine is None:
            params: dict[str, Any] = {f"{part}.model_path": str(path) for part, path in self._models.items()}
            params["Global.log_level"] = "critical"
            # One thread: cases run side by side, and spinning threads of several sessions starve each other.
            params["EngineConfig.onnxruntime.intra_op_num_threads"] = 1
            params["EngineConfig.onnxruntime.inter_op_num_threads"] = 1
            self._engine = need_package("rapidocr", "ocr").RapidOCR(params=params)
        return self._engine


def _one_model(folder: Path, part: str) -> Path:
    """The package's own model of a stage; naming it keeps the package from fetching another."""
    found = sorted(folder.glob(f"*_{part}_*.onnx"))
    if not found:
        raise ConfigError(f"rapidocr: its package holds no {part} model in {folder}: pip install -U 'editplan[ocr]'")
    return found[0]


def _crop(image: Picture, area: Mask) -> Picture | None:
    """The box around a region, with what lies outside the region painted in its paper."""
    box = mask_box(area)
    if box is None:
        return None
    x1, y1, x2, y2 = box
    crop, inside = image[y1:y2, x1:x2].copy(), area[y1:y2, x1:x2]
    if not inside.all():
        crop[~inside] = np.median(crop[inside], axis=0).astype(np.uint8)
    return crop


def _framed(picture: Picture) -> tuple[Picture, float, int]:
    """A picture enlarged for reading with a margin of its paper; with the scale and the margin's width."""
    import cv2

    height, width = picture.shape[:2]
    scale = max(1.0, READ_SIDE_PX / min(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    large = cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC) if scale > 1.0 else picture
    margin = round(MARGIN * min(size))
    paper = tuple(int(level) for level in np.median(picture.reshape(-1, 3), axis=0))
    framed = cv2.copyMakeBorder(large, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=paper)
    return np.asarray(framed, dtype=np.uint8), scale, margin


def _is_blank(crop: Picture) -> bool:
    lab = srgb_to_lab(crop.reshape(-1, 3))
    return int((lab_distance(lab, np.median(lab, axis=0)) > INK_DELTA_E).sum()) < LEAST_INK_PX


def _joined(lines: tuple[Line, ...]) -> tuple[str, float]:
    """All lines as one text, and the least of their confidences."""
    return " ".join(line.text for line in lines), min((line.score for line in lines), default=0.0)


def _box(corners: Any) -> tuple[int, int, int, int]:
    low, high = np.asarray(corners).min(axis=0), np.asarray(corners).max(axis=0)
    return int(low[0]), int(low[1]), int(np.ceil(high[0])), int(np.ceil(high[1]))


def _in_reading_order(lines: list[Line]) -> list[Line]:
    """From top to bottom; pieces whose middles lie within half a height of each other are one row, left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda each: each.box[1] + each.box[3]):
        middle = (line.box[1] + line.box[3]) / 2
        last = rows[-1][0] if rows else None
        if last is not None and middle - (last.box[1] + last.box[3]) / 2 < (last.box[3] - last.box[1]) / 2:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda each: each.box[0])]
