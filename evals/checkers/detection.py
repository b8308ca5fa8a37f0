"""Detection checks, and two detectors: YOLO-family ONNX files, and YOLOS, RT-DETR or DETR through transformers."""

from __future__ import annotations

import ast
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.checkers.findings import Finding, graded, unmeasured
from editplan.evals.checkers.instruments import Detection, Detector, Picture
from editplan.evals.checkers.model_specs import DetectedAt, DetectedCount
from editplan.evals.checkers.pair import Pair
from editplan.evals.checkers.topology import box_iou
from editplan.evals.checkers.weights import fingerprint, need_folder, need_package
from editplan.evals.checkers.yolo import decoded, letterboxed, suppressed
from editplan.pixels.masks import Mask, mask_box

INPUT_SIDE_PX = 640
"""The input side of a model that takes any."""
LEAST_SCORE = 0.05
"""Nothing fainter is ever asked for, so that one run of the model serves all checks of a picture."""


def check_detected_count(spec: DetectedCount, pair: Pair, detector: Detector) -> Finding:
    """Things of the class whose centre lies in the region."""
    area = pair.mask(spec.region)
    seen = [each for each in _of_label(spec, pair, detector) if _centre_in(each, area)]
    sure = sum(each.score >= spec.min_score for each in seen)
    evidence: dict[str, float | int | str | bool] = {
        "counted": sure,
        "uncertain": len(seen) - sure,
        "wanted": spec.count,
        "detector": detector.id,
    }
    if len(seen) > sure and sure <= spec.count <= len(seen):
        return unmeasured(f"faint detections leave the count of {spec.label} open", **evidence)
    return Finding(
        verdict="pass" if sure == spec.count else "fail",
        reason=f"{sure} of {spec.label} detected, {spec.count} are wanted",
        evidence=evidence,
        box=pair.box(area),
    )


def check_detected_at(spec: DetectedAt, pair: Pair, detector: Detector) -> Finding:
    """The best overlap of a detected thing of the class with the region's box."""
    wanted = mask_box(pair.mask(spec.region))
    if wanted is None:
        return unmeasured("the region is empty")
    place = (float(wanted[0]), float(wanted[1]), float(wanted[2]), float(wanted[3]))
    seen = _of_label(spec, pair, detector)
    sure = max((box_iou(each.box, place) for each in seen if each.score >= spec.min_score), default=0.0)
    faint = max((box_iou(each.box, place) for each in seen), default=0.0)
    evidence: dict[str, float | int | str | bool] = {"iou": sure, "faint_iou": faint, "detector": detector.id}
    if sure < spec.pass_iou <= faint:
        return unmeasured(f"{spec.label} is detected there, but faintly", **evidence)
    return Finding(
        verdict=graded(sure, spec.pass_iou, spec.partial_iou),
        reason=f"the best {spec.label} overlaps its place by {sure:.2f}",
        evidence=evidence,
        box=pair.box(pair.mask(spec.region)),
    )


class OnnxDetector:
    """A YOLO-family detector in one ONNX file."""

    def __init__(self, path: Path, labels: Path | None = None) -> None:
        """Raises `ConfigError` where the file is no such detector or its classes aren't known."""
        runtime = need_package("onnxruntime", "vision")
        try:
            self._session = runtime.InferenceSession(str(path), _one_thread(runtime), ["CPUExecutionProvider"])
        except onnx_errors() as error:
            raise ConfigError(f"detector: {path} is no ONNX model that can be loaded: {error}") from error
        self.id = f"onnx-detector:{path.name}@{fingerprint(path)}"
        self.labels = _labels(self._session, path, labels)
        self._input = self._session.get_inputs()[0]
        self._size = _input_size(self._input.shape, path)
        self._seen = _Remembered(self._run)

    def detect(self, picture: Picture, min_score: float) -> tuple[Detection, ...]:
        """See `Detector`."""
        return tuple(each for each in self._seen(picture) if each.score >= min_score)

    def _run(self, picture: Picture) -> tuple[Detection, ...]:
        tensor, placed = letterboxed(picture, *self._size)
        if "float16" in self._input.type:
            tensor = tensor.astype(np.float16)
        outputs = self._session.run(None, {self._input.name: tensor})
        found = suppressed(decoded(outputs, len(self.labels), self._size), LEAST_SCORE)
        boxes = placed.back(found.boxes)
        return tuple(
            Detection(label=self.labels[number], score=float(score), box=_four(box))
            for box, score, number in zip(boxes, found.scores, found.classes, strict=True)
            if 0 <= number < len(self.labels)
        )


class TransformersDetector:
    """YOLOS, RT-DETR, DETR or another detector that transformers' AutoModelForObjectDetection knows."""

    def __init__(self, folder: Path) -> None:
        """Raises `ConfigError` where the folder holds no such model or the extra is missing."""
        need_folder(folder, "detector")
        self._torch = need_package("torch", "vision")
        transformers = need_package("transformers", "vision")
        try:
            self._processor = transformers.AutoImageProcessor.from_pretrained(folder, local_files_only=True)
            model = transformers.AutoModelForObjectDetection.from_pretrained(folder, local_files_only=True)
        except (OSError, ValueError, ImportError, RuntimeError) as error:
            raise ConfigError(f"detector: {folder} can't be loaded for object detection: {error}") from error
        self._model = model.eval()
        names = self._model.config.id2label
        self.labels = tuple(str(names[number]) for number in sorted(names))
        self.id = f"{self._model.config.model_type}:{folder.name}@{fingerprint(folder)}"
        self._seen = _Remembered(self._run)

    def detect(self, picture: Picture, min_score: float) -> tuple[Detection, ...]:
        """See `Detector`."""
        return tuple(each for each in self._seen(picture) if each.score >= min_score)

    def _run(self, picture: Picture) -> tuple[Detection, ...]:
        inputs = self._processor(images=picture, return_tensors="pt")
        with self._torch.no_grad():
            outputs = self._model(**inputs)
        sizes = self._torch.tensor([picture.shape[:2]])
        found = self._processor.post_process_object_detection(outputs, LEAST_SCORE, target_sizes=sizes)[0]
        names = self._model.config.id2label
        seen = [
            Detection(label=str(names[int(number)]), score=float(score), box=_four(box.numpy()))
            for box, score, number in zip(found["boxes"], found["scores"], found["labels"], strict=True)
            if int(number) in names
        ]
        return tuple(sorted(seen, key=lambda each: -each.score))


class _Remembered:
    """Keeps the answer on the last few pictures: the checks of one output ask about the same one."""

    def __init__(self, run: Callable[[Picture], tuple[Detection, ...]]) -> None:
        self._run = run
        self._kept: dict[bytes, tuple[Detection, ...]] = {}
        self._lock = threading.Lock()

    def __call__(self, picture: Picture) -> tuple[Detection, ...]:
        key = picture_key(picture)
        with self._lock:
            if key not in self._kept:
                while len(self._kept) >= 4:
                    del self._kept[next(iter(self._kept))]
                self._kept[key] = self._run(picture)
            return self._kept[key]


def _one_thread(runtime: Any) -> Any:
    """Session options: cases run side by side, so a session keeps to one thread."""
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return options


def onnx_errors() -> tuple[type[Exception], ...]:
    """The exceptions of onnxruntime, which share no base of their own."""
    state = need_package("onnxruntime.capi.onnxruntime_pybind11_state", "vision")
    return tuple(each for each in vars(state).values() if isinstance(each, type) and issubclass(each, Exception))


def picture_key(picture: Picture) -> bytes:
    """A digest of a picture's pixels and shape."""
    import hashlib

    return hashlib.sha256(repr(picture.shape).encode() + np.ascontiguousarray(picture).tobytes()).digest()


def _of_label(spec: DetectedCount | DetectedAt, pair: Pair, detector: Detector) -> list[Detection]:
    least = max(min(spec.unsure_score, spec.min_score), LEAST_SCORE)
    return [each for each in detector.detect(pair.after, least) if each.label == spec.label]


def _centre_in(found: Detection, area: Mask) -> bool:
    x1, y1, x2, y2 = found.box
    row, column = int((y1 + y2) / 2), int((x1 + x2) / 2)
    return bool(area[min(row, area.shape[0] - 1), min(column, area.shape[1] - 1)])


def _four(box: Any) -> tuple[float, float, float, float]:
    x1, y1, x2, y2 = (float(edge) for edge in box)
    return x1, y1, x2, y2


def _labels(session: Any, path: Path, file: Path | None) -> tuple[str, ...]:
    """The user's list of classes, or the one that Ultralytics' exports carry as `names`."""
    if file is not None:
        try:
            lines = file.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"detector_labels: {file} can't be read as a text file: {error}") from error
        found = tuple(line.strip() for line in lines if line.strip())
        if not found:
            raise ConfigError(f"detector_labels: {file} holds no class; write one a line")
        return found
    names = session.get_modelmeta().custom_metadata_map.get("names")
    try:
        table = ast.literal_eval(names) if names else None
    except (ValueError, SyntaxError):
        table = None
    if isinstance(table, dict) and sorted(table) == list(range(len(table))) and table:
        return tuple(str(table[number]) for number in sorted(table))
    raise ConfigError(f"detector: {path} doesn't say which classes it knows: give detector_labels=FILE, one a line")


def _input_size(shape: list[Any], path: Path) -> tuple[int, int]:
    """(width, height) of the input; a free side is 640."""
    if len(shape) != 4 or shape[1] not in (3, "channels", None):
        raise ConfigError(f"detector: the input of {path} has shape {shape}; it must be [1, 3, height, width]")
    height, width = (side if isinstance(side, int) and side > 0 else INPUT_SIDE_PX for side in shape[2:])
    return width, height
