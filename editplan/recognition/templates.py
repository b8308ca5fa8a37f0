"""Model figures in a frame that no affine map changes, as polar pictures.

A mask is moved to its centroid and scaled so that its second moments are the identity ("whitened"): every ellipse
becomes the circle of radius 2, every parallelogram one square. What is left is a rotation, which a correlation over
the angle finds. (Moment whitening as in Rothe, Süsse and Voss, "The method of normalization to determine
invariants", PAMI 1996.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from editplan.recognition.scene import Mask

ANGLES = 144
_RADII = 30
_REACH = 3.6
"""Outer radius of the polar picture in whitened units."""

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Frame:
    """The affine map from a mask's pixels to its whitened frame."""

    centre: Array
    to_white: Array
    to_pixels: Array

    def pixels(self, points: Array) -> Array:
        """Whitened points (n x 2) as pixels."""
        return np.asarray(points @ self.to_pixels.T + self.centre)


@dataclass(frozen=True, eq=False)
class Template:
    """One model figure."""

    kind: str
    polar: NDArray[np.float32]
    """RADII x ANGLES occupancy."""
    corners: Array
    """Whitened vertices in order (n x 2); empty for round figures."""
    upward: float
    """Direction of the model's own up in its whitened frame, radians."""
    axis: Array
    """Whitened points that mark its named places: (n x 2)."""


def whitened(mask: Mask) -> Frame:
    """The frame of a mask of at least three pixels."""
    rows, columns = np.nonzero(mask)
    points = np.stack([columns, rows]).astype(np.float64)
    centre = points.mean(axis=1)
    spread = np.cov(points, bias=True) + np.eye(2) / 12
    values, vectors = np.linalg.eigh(spread)
    root = np.sqrt(np.maximum(values, 1 / 12))
    return Frame(centre, (vectors / root) @ vectors.T, (vectors * root) @ vectors.T)


def polar_picture(mask: Mask, frame: Frame) -> NDArray[np.float32]:
    """Occupancy of a mask on the polar grid of its frame."""
    import cv2

    grid = frame.pixels(_grid()).astype(np.float32)
    x, y = grid[:, 0].reshape(_RADII, ANGLES) + 1, grid[:, 1].reshape(_RADII, ANGLES) + 1
    source = cv2.copyMakeBorder(mask.astype(np.float32), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    return np.asarray(cv2.remap(source, x, y, cv2.INTER_LINEAR, borderValue=0), dtype=np.float32)


def best_templates(polar: NDArray[np.float32]) -> list[tuple[float, Template, float]]:
    """(overlap, template, rotation in radians) of every template, best first.

    The rotation turns the template's frame onto the mask's.
    """
    weight = np.sqrt(_radii())[:, None]
    spectrum = np.fft.rfft(polar * weight, axis=1)
    area = float((polar**2 * weight**2).sum())
    found = []
    for template, conjugate, own in _library():
        inner = np.fft.irfft((spectrum * conjugate).sum(axis=0), ANGLES)
        shift = int(inner.argmax())
        shared = float(inner[shift])
        found.append((shared / max(area + own - shared, 1e-9), template, 2 * math.pi * shift / ANGLES))
    return sorted(found, key=lambda item: -item[0])


def turned(points: Array, angle: float) -> Array:
    """Points turned about the origin by `angle` radians (clockwise, as y points down)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    return np.asarray(points @ np.array([[cosine, sine], [-sine, cosine]]))


def _radii() -> NDArray[np.float64]:
    return (np.arange(_RADII) + 0.5) * _REACH / _RADII


@lru_cache(maxsize=1)
def _grid() -> Array:
    angles = 2 * math.pi * np.arange(ANGLES) / ANGLES
    x = _radii()[:, None] * np.cos(angles)
    y = _radii()[:, None] * np.sin(angles)
    return np.stack([x.ravel(), y.ravel()], axis=1)


@lru_cache(maxsize=1)
def _library() -> tuple[tuple[Template, NDArray[np.complex128], float], ...]:
    weight = np.sqrt(_radii())[:, None]
    prepared = []
    for template in _templates():
        conjugate = np.conj(np.fft.rfft(template.polar * weight, axis=1))
        prepared.append((template, conjugate, float((template.polar**2 * weight**2).sum())))
    return tuple(prepared)


_SIDE = 240


def _templates() -> list[Template]:
    found = [
        _drawn("circle", [_regular(90)], corners=False),
        _drawn("square", [_regular(4)]),
        _drawn("triangle", [_regular(3)]),
        _drawn("pentagon", [_regular(5)]),
        _drawn("hexagon", [_regular(6)]),
        _drawn("semicircle", [_arc(180)], corners=False, axis=[(0.0, -1.0), (0.0, 0.0)]),
        _drawn("heart", [_heart()], corners=False, axis=[(0.0, 1.0), (0.0, -0.3)]),
        _drawn("cloud", _cloud(1), corners=False),
        _drawn("cloud", _cloud(-1), corners=False),
        _drawn("crescent", [_crescent(0.35)], corners=False),
        _drawn("crescent", [_crescent(0.6)], corners=False),
    ]
    found += [_drawn("star", [_star(5, ratio)]) for ratio in (0.382, 0.5)]
    found += [_drawn("star", [_star(points, 0.5)]) for points in (4, 6)]
    widths = (0.2, 0.3, 0.4)
    found += [_drawn("cross", [_cross(a, b)]) for a in widths for b in widths if a <= b]
    found += [_drawn("arrow", [_arrow(h, w)], axis=[(1.0, 0.0)]) for h in (0.25, 0.4, 0.55) for w in (0.2, 0.35, 0.5)]
    found += [_drawn("ring", [_regular(90)], corners=False, inner=r) for r in (0.35, 0.5, 0.65, 0.8)]
    return found


def _drawn(
    kind: str,
    figures: list[Array],
    *,
    corners: bool = True,
    axis: list[tuple[float, float]] | None = None,
    inner: float = 0.0,
) -> Template:
    """A template from figures in the unit square [-1, 1]."""
    import cv2

    canvas = np.zeros((3 * _SIDE, 3 * _SIDE), dtype=np.uint8)
    middle = 1.5 * _SIDE
    for figure in figures:
        cv2.fillPoly(canvas, [np.round(figure * _SIDE + middle).astype(np.int32)], 1)
    if inner:
        cv2.circle(canvas, (round(middle), round(middle)), round(inner * _SIDE), 0, -1)
    mask = canvas.astype(bool)
    frame = whitened(mask)

    def white(points: Array) -> Array:
        return np.asarray((points * _SIDE + middle - frame.centre) @ frame.to_white.T)

    up = white(np.array([[0.0, -1.0], [0.0, 0.0]]))
    upward = math.atan2(up[0, 1] - up[1, 1], up[0, 0] - up[1, 0])
    vertices = white(figures[0]) if corners else np.zeros((0, 2))
    return Template(kind, polar_picture(mask, frame), vertices, upward, white(np.array(axis or [(0.0, 0.0)])))


def _regular(count: int) -> Array:
    angles = 2 * math.pi * np.arange(count) / count - math.pi / 2
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _arc(degrees: float) -> Array:
    angles = np.radians(np.linspace(-90 - degrees / 2, -90 + degrees / 2, 90))
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _star(points: int, ratio: float) -> Array:
    star = _regular(2 * points)
    star[1::2] *= ratio
    return star


def _cross(across: float, along: float) -> Array:
    a, b = across, along
    return np.array(
        [(-a, -1), (a, -1), (a, -b), (1, -b), (1, b), (a, b), (a, 1), (-a, 1), (-a, b), (-1, b), (-1, -b), (-a, -b)]
    )


def _arrow(head: float, shaft: float) -> Array:
    neck = 1 - 2 * head
    return np.array([(1, 0), (neck, 1), (neck, shaft), (-1, shaft), (-1, -shaft), (neck, -shaft), (neck, -1)])


def _heart() -> Array:
    """The heart curve 16 sin^3 t, 13 cos t - 5 cos 2t - 2 cos 3t - cos 4t."""
    t = np.linspace(0, 2 * math.pi, 120, endpoint=False)
    x = 16 * np.sin(t) ** 3
    y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    return np.stack([x, -y], axis=1) / 17


def _cloud(side: int) -> list[Array]:
    """Five bumps over a flat base; `side` -1 is the mirror image."""
    round_ = _regular(60)
    bumps = [(-0.65, 0.37, 0.34), (-0.66, 0.0, 0.25), (0.0, -0.25, 0.5), (0.5, 0.22, 0.5), (-0.3, 0.15, 0.5)]
    figures = [round_ * radius + np.array([x, y]) for x, y, radius in bumps]
    figures.append(np.array([(-0.65, 0.1), (0.5, 0.1), (0.5, 0.72), (-0.65, 0.72)]))
    return [figure * np.array([side, 1]) for figure in figures]


def _crescent(offset: float) -> Array:
    outer = np.radians(np.linspace(40, 320, 90))
    reach = math.cos(math.radians(40))
    radius = math.hypot(reach - offset, math.sin(math.radians(40)))
    turn = math.atan2(math.sin(math.radians(40)), reach - offset)
    inner = np.linspace(2 * math.pi - turn, turn, 60)
    first = np.stack([np.cos(outer), np.sin(outer)], axis=1)
    second = np.stack([offset + radius * np.cos(inner), radius * np.sin(inner)], axis=1)
    return np.concatenate([first, second])
