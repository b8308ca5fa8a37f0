"""Segmentation checks, and the segmenter: SAM or SAM 2 through transformers, asked with a box."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.checkers.findings import Finding, graded, unmeasured
from editplan.evals.checkers.instruments import Picture, Segmenter
from editplan.evals.checkers.model_specs import SegmentAt, SegmentKept
from editplan.evals.checkers.pair import Pair
from editplan.evals.checkers.shapes import iou
from editplan.evals.checkers.weights import fingerprint, need_folder, need_package
from editplan.pixels.geometry import PixelBox
from editplan.pixels.masks import Mask, mask_box

LEAST_CONFIDENCE = 0.5
"""A mask of which the segmenter itself expects a worse fit than this decides nothing."""
LEAST_SOURCE_IOU = 0.6
"""How well the segment of the source must fit the region, for the segmenter to be a witness of that thing."""

_KINDS = {
    "sam": ("SamModel", "SamProcessor"),
    "sam_hq": ("SamHQModel", "SamHQProcessor"),
    "sam2": ("Sam2Model", "Sam2Processor"),
    "sam2_video": ("Sam2Model", "Sam2Processor"),
}
"""Classes by `model_type`; published SAM 2 folders name the video model and hold the image model too."""


def check_segment_kept(spec: SegmentKept, pair: Pair, segmenter: Segmenter) -> Finding:
    """Overlap of the thing's segments in source and output."""
    region = pair.mask(spec.region)
    box = mask_box(region)
    if box is None:
        return unmeasured("the region is empty")
    before, sure_before = segmenter.segment(pair.before, box)
    fit = iou(before, region)
    if fit < LEAST_SOURCE_IOU or sure_before < LEAST_CONFIDENCE:
        return unmeasured("the segmenter doesn't find the thing in the source", source_iou=fit)
    after, confidence = segmenter.segment(pair.after, box)
    overlap = iou(before, after)
    return _graded(pair, after, overlap, confidence, (spec.pass_iou, spec.partial_iou), segmenter)


def check_segment_at(spec: SegmentAt, pair: Pair, segmenter: Segmenter) -> Finding:
    """Overlap of the segment in the shape's box with the shape."""
    shape = pair.mask(spec.shape)
    box = mask_box(shape)
    if box is None:
        return unmeasured("the shape is empty")
    found, confidence = segmenter.segment(pair.after, box)
    return _graded(pair, found, iou(found, shape), confidence, (spec.pass_iou, spec.partial_iou), segmenter)


def _graded(
    pair: Pair, found: Mask, overlap: float, confidence: float, marks: tuple[float, float], segmenter: Segmenter
) -> Finding:
    evidence: dict[str, float | int | str | bool] = {
        "iou": overlap,
        "confidence": confidence,
        "segment_px": int(found.sum()),
        "segmenter": segmenter.id,
    }
    if confidence < LEAST_CONFIDENCE:
        return unmeasured("the segmenter isn't sure of its mask", **evidence)
    return Finding(
        verdict=graded(overlap, *marks),
        reason=f"the segment overlaps by {overlap:.2f}",
        evidence=evidence,
        box=pair.box(found),
    )


class TransformersSegmenter:
    """SAM or SAM 2 in a folder of the transformers layout."""

    def __init__(self, folder: Path) -> None:
        """Raises `ConfigError` where the folder holds no such model or the extra is missing."""
        need_folder(folder, "segmenter")
        kind = _model_type(folder)
        if kind not in _KINDS:
            raise ConfigError(f"segmenter: {folder} is a {kind!r} model; known: {', '.join(_KINDS)}")
        self._torch = need_package("torch", "vision")
        transformers = need_package("transformers", "vision")
        model, processor = _KINDS[kind]
        try:
            self._processor = getattr(transformers, processor).from_pretrained(folder, local_files_only=True)
            loaded = getattr(transformers, model).from_pretrained(folder, local_files_only=True)
        except (OSError, ValueError, ImportError, RuntimeError, AttributeError) as error:
            raise ConfigError(f"segmenter: {folder} can't be loaded as {model}: {error}") from error
        self._model = loaded.eval()
        self.id = f"{kind}:{folder.name}@{fingerprint(folder)}"
        self._lock = threading.Lock()

    def segment(self, picture: Picture, box: PixelBox) -> tuple[Mask, float]:
        """See `Segmenter`; the mask with the best expected fit."""
        corners = [[[float(edge) for edge in box]]]
        with self._lock, self._torch.no_grad():
            inputs = self._processor(images=picture, input_boxes=corners, return_tensors="pt")
            outputs = self._model(**inputs, multimask_output=False)
            masks = self._masks(outputs, inputs)
        scores = np.asarray(outputs.iou_scores[0, 0].float().numpy())
        best = int(scores.argmax())
        mask = np.asarray(masks[0][0][best].numpy()).astype(bool)
        return mask, float(np.clip(scores[best], 0.0, 1.0))

    def _masks(self, outputs: Any, inputs: Any) -> Any:
        """The masks at the picture's own size; SAM 2's processor needs no size of the scaled picture."""
        sizes = [inputs["original_sizes"]]
        if "reshaped_input_sizes" in inputs:
            sizes.append(inputs["reshaped_input_sizes"])
        return self._processor.post_process_masks(outputs.pred_masks.cpu(), *sizes)


def _model_type(folder: Path) -> str:
    try:
        return str(json.loads((folder / "config.json").read_text(encoding="utf-8")).get("model_type", ""))
    except (OSError, ValueError, AttributeError) as error:
        raise ConfigError(f"segmenter: {folder / 'config.json'} can't be read: {error}") from error
