"""Reference metrics from local weights: what is missing is said first, and tiny random weights run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from editplan.errors import ConfigError
from editplan.evals.protocols.rigbench.frechet import frechet_distance
from editplan.evals.protocols.rigbench.reference_metrics import ReferenceMetrics, ReferenceWeights


def test_the_frechet_distance_of_known_gaussians() -> None:
    random = np.random.default_rng(0)
    sample = random.normal(size=(400, 3))
    sample = (sample - sample.mean(axis=0)) @ np.linalg.inv(np.linalg.cholesky(np.cov(sample, rowvar=False))).T
    # Means 3 apart, covariances I and 4 I: 9 + 3 (1 + 4 - 2 * 2).
    assert frechet_distance(sample, 2 * sample + np.array([3.0, 0.0, 0.0])) == pytest.approx(12.0)
    assert frechet_distance(sample, sample) == pytest.approx(0.0, abs=1e-9)


def test_few_images_of_many_features_give_a_real_distance() -> None:
    random = np.random.default_rng(1)
    one, other = random.normal(size=(2, 5, 64))
    assert frechet_distance(one, other) == pytest.approx(frechet_distance(other, one))
    with pytest.raises(ConfigError, match="at least two images"):
        frechet_distance(one[:1], other)


def test_missing_weights_are_named_before_anything_is_loaded(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no weights given"):
        ReferenceMetrics(ReferenceWeights())
    with pytest.raises(ConfigError, match="clip: no weights at"):
        ReferenceMetrics(ReferenceWeights(clip=tmp_path / "absent"))
    with pytest.raises(ConfigError, match=r"must be a folder with config\.json"):
        ReferenceMetrics(ReferenceWeights(dinov2=tmp_path))
    file = tmp_path / "alex.pth"
    file.touch()
    with pytest.raises(ConfigError, match="LPIPS needs both files"):
        ReferenceMetrics(ReferenceWeights(lpips=file))


def noise(seed: int, size: tuple[int, int] = (80, 64)) -> Image.Image:
    pixels = np.random.default_rng(seed).integers(0, 256, (size[1], size[0], 3))
    return Image.fromarray(pixels.astype(np.uint8))


@pytest.mark.local
def test_dino_and_clip_of_tiny_random_weights(tmp_path: Path) -> None:
    transformers: Any = pytest.importorskip("transformers")
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "patch_size": 14}
    transformers.Dinov2Model(transformers.Dinov2Config(**shape, image_size=224)).save_pretrained(tmp_path / "dino")
    vision = transformers.CLIPVisionConfig(
        **{**shape, "patch_size": 16}, intermediate_size=16, image_size=32, projection_dim=8
    )
    transformers.CLIPVisionModelWithProjection(vision).save_pretrained(tmp_path / "clip")
    metrics = ReferenceMetrics(ReferenceWeights(dinov2=tmp_path / "dino", clip=tmp_path / "clip"))
    same, other = metrics.pair(noise(1), noise(1)), metrics.pair(noise(1), noise(2, (200, 40)))
    assert (same.dinov2_cosine, same.clip_cosine) == pytest.approx((1.0, 1.0), abs=1e-5)
    assert other.dinov2_cosine is not None
    assert other.dinov2_cosine < 1.0
    assert same.lpips is None
    assert metrics.fid([noise(1)], [noise(2)]) is None


@pytest.mark.local
def test_lpips_of_random_weights(tmp_path: Path) -> None:
    torch: Any = pytest.importorskip("torch")
    torch.manual_seed(0)
    channels = {"features.0": (3, 64, 11), "features.3": (64, 192, 5), "features.6": (192, 384, 3)}
    channels |= {"features.8": (384, 256, 3), "features.10": (256, 256, 3)}
    backbone = {}
    for name, (before, after, side) in channels.items():
        backbone[f"{name}.weight"] = torch.randn(after, before, side, side) * 0.05
        backbone[f"{name}.bias"] = torch.zeros(after)
    linear = {
        f"lin{index}.model.1.weight": torch.rand(1, after, 1, 1)
        for index, (_, after, _) in enumerate(channels.values())
    }
    torch.save(backbone, tmp_path / "alexnet.pth")
    torch.save(linear, tmp_path / "lpips.pth")
    metrics = ReferenceMetrics(ReferenceWeights(alexnet=tmp_path / "alexnet.pth", lpips=tmp_path / "lpips.pth"))
    assert metrics.pair(noise(1), noise(1)).lpips == 0.0
    far = metrics.pair(noise(1), noise(2)).lpips
    near = metrics.pair(noise(1), Image.blend(noise(1), noise(2), 0.1)).lpips
    assert far is not None
    assert near is not None
    assert 0.0 < near < far
    torch.save({"features.0.weight": backbone["features.0.weight"]}, tmp_path / "alexnet.pth")
    with pytest.raises(ConfigError, match=r"lacks 'features\.0\.bias'"):
        ReferenceMetrics(ReferenceWeights(alexnet=tmp_path / "alexnet.pth", lpips=tmp_path / "lpips.pth"))


@pytest.mark.local
@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")
def test_fid_of_a_scripted_feature_extractor(tmp_path: Path) -> None:
    torch: Any = pytest.importorskip("torch")
    graph = """
    def forward(self, images: Tensor, return_features: bool = False) -> Tensor:
        return images.float().mean(dim=[2, 3])
    """
    module = torch.jit.ScriptModule()
    module.define(graph)
    module.save(str(tmp_path / "inception.pt"))
    metrics = ReferenceMetrics(ReferenceWeights(inception=tmp_path / "inception.pt"))
    images = [noise(seed) for seed in range(4)]
    assert metrics.fid(images, images) == pytest.approx(0.0, abs=1e-6)
    brighter = [image.point(lambda value: min(255, value + 10)) for image in images]
    assert (metrics.fid(images, brighter) or 0) > 10
