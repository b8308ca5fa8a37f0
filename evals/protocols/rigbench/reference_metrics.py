"""Similarity to the ground truth: DINOv2 and CLIP cosines, LPIPS, FID (arXiv 2609.02864, section 3.3).

Nothing is downloaded: the user names the files, and what is missing is an error before the run.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from editplan.errors import ConfigError
from editplan.evals.protocols.rigbench.frechet import frechet_distance
from editplan.evals.protocols.rigbench.lpips import Lpips
from editplan.records import Record

_IMAGENET = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
_CLIP = ((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711))
_DINO_RESIZE_PX, _CROP_PX = 256, 224


class ReferenceWeights(Record):
    """Where the weights lie; a metric without its files isn't computed."""

    dinov2: Path | None = None
    """Folder of `facebook/dinov2-base` in the transformers layout."""
    clip: Path | None = None
    """Folder of `openai/clip-vit-base-patch32` in the transformers layout."""
    alexnet: Path | None = None
    """torchvision's `alexnet-owt-*.pth`."""
    lpips: Path | None = None
    """LPIPS v0.1 `alex.pth`."""
    inception: Path | None = None
    """TorchScript `inception-2015-12-05.pt`: uint8 images of shape (n, 3, H, W) to 2,048 features each."""


class PairMetrics(Record):
    """One output against its ground truth; None where there are no weights."""

    dinov2_cosine: float | None
    clip_cosine: float | None
    lpips: float | None


class ReferenceMetrics:
    """The loaded metrics."""

    def __init__(self, weights: ReferenceWeights) -> None:
        """Load all named weights. Raises `ConfigError` if one is missing or torch isn't installed."""
        _check(weights)
        self._torch = _module("torch")
        self._dino = _pretrained("AutoModel", weights.dinov2)
        self._clip = _pretrained("CLIPVisionModelWithProjection", weights.clip)
        self._lpips = None
        if weights.alexnet is not None and weights.lpips is not None:
            self._lpips = Lpips(self._torch, weights.alexnet, weights.lpips)
        self._inception: Any = None
        if weights.inception is not None:
            self._inception = self._torch.jit.load(str(weights.inception), map_location="cpu").eval()

    def pair(self, output: Image.Image, truth: Image.Image) -> PairMetrics:
        """Compare one output with its ground truth.

        LPIPS compares at the truth's size; the paper doesn't say how it treats other sizes.
        """
        images = (output.convert("RGB"), truth.convert("RGB"))
        return PairMetrics(
            dinov2_cosine=self._cosine(*map(self._dino_features, images)) if self._dino else None,
            clip_cosine=self._cosine(*map(self._clip_features, images)) if self._clip else None,
            lpips=self._distance(*images) if self._lpips else None,
        )

    def fid(self, outputs: Iterable[Image.Image], truths: Iterable[Image.Image]) -> float | None:
        """FID of all outputs against all ground truths; None without Inception weights."""
        if self._inception is None:
            return None
        features = [np.concatenate([self._inception_features(image) for image in side]) for side in (outputs, truths)]
        return frechet_distance(*features)

    def _dino_features(self, image: Image.Image) -> Any:
        pixels = self._prepared(image, _DINO_RESIZE_PX, _CROP_PX, _IMAGENET)
        with self._torch.no_grad():
            return self._dino(pixel_values=pixels).last_hidden_state[0, 0]

    def _clip_features(self, image: Image.Image) -> Any:
        side = int(self._clip.config.image_size)
        with self._torch.no_grad():
            return self._clip(pixel_values=self._prepared(image, side, side, _CLIP)).image_embeds[0]

    def _inception_features(self, image: Image.Image) -> Any:
        pixels = self._torch.from_numpy(np.array(image.convert("RGB"))).permute(2, 0, 1)[None]
        with self._torch.no_grad():
            return self._inception(pixels, return_features=True).double().numpy()

    def _distance(self, output: Image.Image, truth: Image.Image) -> float:
        resized = output.resize(truth.size, Image.Resampling.BICUBIC)
        centred = ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))
        one, other = (self._tensor(image, centred) for image in (resized, truth))
        return float(self._lpips(one, other)) if self._lpips else 0.0

    def _cosine(self, one: Any, other: Any) -> float:
        return float(self._torch.nn.functional.cosine_similarity(one, other, dim=0))

    def _prepared(self, image: Image.Image, resize_px: int, crop_px: int, scale: Any) -> Any:
        """Shorter side to `resize_px`, centre crop, normalised: what both models were trained on."""
        factor = resize_px / min(image.size)
        size = (max(crop_px, round(image.width * factor)), max(crop_px, round(image.height * factor)))
        resized = image.resize(size, Image.Resampling.BICUBIC)
        left, top = (size[0] - crop_px) // 2, (size[1] - crop_px) // 2
        return self._tensor(resized.crop((left, top, left + crop_px, top + crop_px)), scale)

    def _tensor(self, image: Image.Image, scale: Any) -> Any:
        mean, deviation = (np.asarray(values, dtype=np.float32) for values in scale)
        pixels = (np.asarray(image, dtype=np.float32) / 255.0 - mean) / deviation
        return self._torch.from_numpy(pixels.transpose(2, 0, 1)[None].copy())


def _check(weights: ReferenceWeights) -> None:
    paths = {name: path for name in ReferenceWeights.model_fields if (path := getattr(weights, name)) is not None}
    if not paths:
        raise ConfigError(f"no weights given; name at least one of {', '.join(ReferenceWeights.model_fields)}")
    for name, path in paths.items():
        if not path.exists():
            raise ConfigError(f"{name}: no weights at {path}; download them yourself and give their path")
        if name in ("dinov2", "clip") and not (path / "config.json").is_file():
            raise ConfigError(f"{name}: {path} must be a folder with config.json and its weights")
    if (weights.alexnet is None) != (weights.lpips is None):
        raise ConfigError("LPIPS needs both files: alexnet (the backbone) and lpips (the linear layers)")


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ConfigError(f"reference metrics need {name}: pip install 'editplan[metrics]'") from error


def _pretrained(kind: str, folder: Path | None) -> Any:
    if folder is None:
        return None
    return getattr(_module("transformers"), kind).from_pretrained(folder, local_files_only=True).eval()
