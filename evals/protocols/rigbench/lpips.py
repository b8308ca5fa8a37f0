"""LPIPS with AlexNet (Zhang et al. 2018, equation 1).

From local weights: torchvision's AlexNet and the linear layers of LPIPS v0.1.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from editplan.errors import ConfigError

_SHIFT, _SCALE = (-0.030, -0.088, -0.188), (0.458, 0.448, 0.450)
_CONVOLUTIONS = (
    # layer in the state dict, stride, padding, pooled before
    ("features.0", 4, 2, False),
    ("features.3", 1, 2, True),
    ("features.6", 1, 1, True),
    ("features.8", 1, 1, False),
    ("features.10", 1, 1, False),
)


class Lpips:
    """The distance of two images of one size; 0 for equal ones."""

    def __init__(self, torch: Any, backbone: Path, linear: Path) -> None:
        self._torch = torch
        layers = [name for name, *_ in _CONVOLUTIONS]
        self._backbone = _state(torch, backbone, [f"{name}.{part}" for name in layers for part in ("weight", "bias")])
        self._linear = _state(torch, linear, [f"lin{index}.model.1.weight" for index in range(len(layers))])

    def __call__(self, one: Any, other: Any) -> float:
        """Distance of two tensors of shape (1, 3, H, W) in -1..1."""
        total = 0.0
        with self._torch.no_grad():
            for index, (left, right) in enumerate(zip(self._taps(one), self._taps(other), strict=True)):
                difference = (_unit(left) - _unit(right)) ** 2
                weighted = (difference * self._linear[f"lin{index}.model.1.weight"]).sum(dim=1)
                total += float(weighted.mean())
        return total

    def _taps(self, image: Any) -> list[Any]:
        functional = self._torch.nn.functional
        shift, scale = (self._torch.tensor(values).view(1, 3, 1, 1) for values in (_SHIFT, _SCALE))
        features, taps = (image - shift) / scale, []
        for name, stride, padding, pooled in _CONVOLUTIONS:
            if pooled:
                features = functional.max_pool2d(features, kernel_size=3, stride=2)
            weight, bias = self._backbone[f"{name}.weight"], self._backbone[f"{name}.bias"]
            features = functional.relu(functional.conv2d(features, weight, bias, stride=stride, padding=padding))
            taps.append(features)
        return taps


def _unit(features: Any) -> Any:
    return features / ((features**2).sum(dim=1, keepdim=True).sqrt() + 1e-10)


def _state(torch: Any, path: Path, names: list[str]) -> dict[str, Any]:
    state = torch.load(path, map_location="cpu", weights_only=True)
    missing = [name for name in names if name not in state]
    if missing:
        raise ConfigError(f"{path} lacks {missing[0]!r} and {len(missing) - 1} more; is it the right weights file?")
    return {name: state[name].float() for name in names}
