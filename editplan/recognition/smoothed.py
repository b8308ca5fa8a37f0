"""Flat colours of antialiased, resampled or noisy pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from editplan.pixels.components import FlatColours, Labels, Picture, Rgb

_MIN_SHARE = 4e-5
"""Smallest share of the picture's pixels that makes a flat colour."""
_MAX_COLOURS = 40
_BLEND = 40
"""Largest channel distance from the segment between two colours at which a pixel still counts as their blend; scaling
overshoots."""
_CLOSE = 8
_PLAIN_SHARE = 0.75
"""In a picture of flat shapes this share of the flat pixels lies within `_CLOSE` levels of its palette colour."""
_MIN_COVER = 0.5
"""A picture with a smaller share of flat pixels is a photograph."""


def tolerant_colours(picture: Picture, tolerance: int) -> FlatColours | None:
    """Index pixels by the flat colours of a picture whose edges are blurred; None for a photograph.

    A pixel is flat where its 3 x 3 neighbourhood varies by at most `tolerance` in every channel. Flat colours are
    clustered; every other pixel takes the nearest flat colour that occurs within three pixels of it, or, where thin
    lines leave no flat pixel, the nearest of all.
    """
    import cv2

    kernel = np.ones((3, 3), np.uint8)
    spread = cv2.dilate(picture, kernel).astype(np.int16) - cv2.erode(picture, kernel)
    flat = np.asarray((spread <= tolerance).all(axis=2))
    if flat.mean() < _MIN_COVER:
        return None
    palette = _clusters(picture[flat], tolerance, picture.shape[0] * picture.shape[1])
    if palette is None or not _plain(picture[flat], palette):
        return None
    palette = palette + _thin_colours(picture, flat, palette, tolerance)
    labels = _assigned(picture, flat, palette, tolerance)
    counts = np.bincount(labels.ravel(), minlength=len(palette))
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(order.size, dtype=np.int32)
    rank[order] = np.arange(order.size)
    return FlatColours(tuple(palette[i] for i in order), rank[labels].astype(np.int32))


def has_blends(flat: FlatColours) -> bool:
    """Whether some exact colours are only the blurred edges between others: thin everywhere, and in between."""
    import cv2

    solid: list[Rgb] = []
    thin: list[Rgb] = []
    for label, rgb in enumerate(flat.palette):
        member = (flat.labels == label).astype(np.uint8)
        (solid if cv2.erode(member, np.ones((2, 2), np.uint8), borderValue=0).any() else thin).append(rgb)
    return len(solid) > 1 and any(_is_blend(rgb, solid) for rgb in thin)


def _clusters(pixels: Picture, tolerance: int, total: int) -> list[Rgb] | None:
    """The flat colours, most frequent first: greedy, each takes what lies within the tolerance."""
    packed = pixels.astype(np.int32) @ np.array([65536, 256, 1], dtype=np.int32)
    values, counts = np.unique(packed, return_counts=True)
    colours = np.stack([values >> 16, (values >> 8) & 255, values & 255], axis=1)
    left = counts.astype(np.int64)
    palette: list[Rgb] = []
    covered = 0
    floor = max(6, _MIN_SHARE * total)
    while len(palette) < _MAX_COLOURS:
        best = int(left.argmax())
        if left[best] == 0:
            break
        near = (np.abs(colours - colours[best]) <= tolerance).all(axis=1)
        mass = int(left[near].sum())
        if mass >= floor:
            red, green, blue = (int(v) for v in colours[best])
            palette.append((red, green, blue))
            covered += mass
        left[near] = 0
    return palette if covered >= 0.8 * packed.size else None


def _plain(pixels: Picture, palette: list[Rgb]) -> bool:
    """Whether flat pixels lie close around the palette, and not all over their clusters as in a photograph."""
    some = pixels[:: max(1, len(pixels) // 20000)].astype(np.int16)
    gaps = np.stack([np.abs(some - np.array(colour, dtype=np.int16)).max(axis=1) for colour in palette])
    return bool((gaps.min(axis=0) <= _CLOSE).mean() >= _PLAIN_SHARE)


def _thin_colours(picture: Picture, flat: NDArray[np.bool_], palette: list[Rgb], tolerance: int) -> list[Rgb]:
    """Colours of lines too thin for a flat neighbourhood: frequent, and no blend of two flat colours."""
    rest = picture[~flat]
    packed = rest.astype(np.int32) @ np.array([65536, 256, 1], dtype=np.int32)
    values, counts = np.unique(packed, return_counts=True)
    order = np.argsort(-counts)[:60]
    found: list[Rgb] = []
    for index in order:
        if counts[index] < 24:
            break
        rgb = (int(values[index]) >> 16, (int(values[index]) >> 8) & 255, int(values[index]) & 255)
        known = palette + found
        if min(max(abs(a - b) for a, b in zip(rgb, k, strict=True)) for k in known) <= 2 * tolerance:
            continue
        if not _is_blend(rgb, known):
            found.append(rgb)
    return found


def _is_blend(rgb: Rgb, palette: list[Rgb]) -> bool:
    """Whether a colour lies near the segment between two palette colours."""
    colours = np.array(palette, dtype=np.float64)
    point = np.array(rgb, dtype=np.float64)
    start, end = colours[:, None], colours[None]
    way = end - start
    length = np.maximum((way**2).sum(axis=2), 1)
    along = np.clip(((point - start) * way).sum(axis=2) / length, 0, 1)
    gap = np.sqrt(((start + along[..., None] * way - point) ** 2).sum(axis=2))
    return bool(gap.min() < 12)


def _assigned(picture: Picture, flat: NDArray[np.bool_], palette: list[Rgb], tolerance: int) -> Labels:
    """Every pixel's palette index.

    A flat pixel takes the nearest colour. Another one takes the nearest of the colours that are flat within three
    pixels of it, unless its own colour is in the palette and is no blend of two of those (a thin line).
    """
    import cv2

    colours = np.array(palette, dtype=np.int16)
    gaps = np.stack([np.abs(picture.astype(np.int16) - colour).max(axis=2) for colour in colours])
    nearest = gaps.argmin(axis=0).astype(np.int32)
    reach = np.ones((7, 7), np.uint8)
    close = [cv2.dilate((flat & (nearest == n)).astype(np.uint8), reach)[~flat] > 0 for n in range(len(palette))]
    present = np.stack(close)
    edge = picture[~flat]
    own = gaps[:, ~flat]
    choice = np.where(present, own, own + 1000).argmin(axis=0)
    thin = (own.min(axis=0) <= tolerance) & ~_local_blend(edge, palette, present)
    labels: Labels = nearest
    labels[~flat] = np.where(thin, own.argmin(axis=0), choice)
    return labels


def _local_blend(edge: Picture, palette: list[Rgb], present: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which pixels (n x 3) lie near a segment between two palette colours that are both present (palette x n)."""
    found = np.zeros(len(edge), dtype=bool)
    points = edge.astype(np.float32)
    colours = np.array(palette, dtype=np.float32)
    for first in range(len(palette)):
        for second in range(first + 1, len(palette)):
            both = np.flatnonzero(present[first] & present[second] & ~found)
            if not both.size:
                continue
            way = colours[second] - colours[first]
            offset = points[both] - colours[first]
            along = np.clip(offset @ way / max(float(way @ way), 1.0), 0, 1)
            gap = np.abs(offset - along[:, None] * way).max(axis=1)
            found[both[gap < _BLEND]] = True
    return found
