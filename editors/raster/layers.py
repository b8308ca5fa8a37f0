"""A picture as a background and layers that can be moved, recoloured and taken away."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from editplan.pixels.geometry import PixelBox
from editplan.recognition.scene import Mask, Picture, Rgb, Scene

Alpha = NDArray[np.float32]

_HALO = 3
"""How far, in pixels, blurred edges reach around a figure."""
_SEEN = 4
"""Channel difference to the clean background from which a pixel belongs to a figure's blurred edge."""


@dataclass(eq=False)
class Layer:
    """Pixels with coverage whose top left corner lies at (x, y); it may reach over the picture's edge."""

    x: int
    y: int
    pixels: Picture
    alpha: Alpha
    """0..1, rows x columns."""

    @property
    def box(self) -> PixelBox:
        rows, columns = self.alpha.shape
        return self.x, self.y, self.x + columns, self.y + rows

    def copy(self) -> Layer:
        return Layer(self.x, self.y, self.pixels.copy(), self.alpha.copy())

    def paint(self, canvas: Picture) -> None:
        """Lay it over a canvas, clipped at the edge."""
        height, width = canvas.shape[:2]
        x1, y1, x2, y2 = self.box
        a, b, c, d = max(0, x1), max(0, y1), min(width, x2), min(height, y2)
        if a >= c or b >= d:
            return
        window = (slice(b - y1, d - y1), slice(a - x1, c - x1))
        alpha, pixels, below = self.alpha[window], self.pixels[window], canvas[b:d, a:c]
        full = alpha >= 1
        below[full] = pixels[full]
        part = (alpha > 0) & ~full
        if part.any():
            share = alpha[part][:, None]
            below[part] = np.round(share * pixels[part] + (1 - share) * below[part]).astype(np.uint8)

    def covered(self, size: tuple[int, int]) -> Mask:
        """The pixels of a (width, height) picture that it covers by half or more."""
        width, height = size
        mask = np.zeros((height, width), dtype=bool)
        x1, y1, x2, y2 = self.box
        a, b, c, d = max(0, x1), max(0, y1), min(width, x2), min(height, y2)
        if a < c and b < d:
            mask[b:d, a:c] = self.alpha[b - y1 : d - y1, a - x1 : c - x1] >= 0.5
        return mask


@dataclass(eq=False)
class Stack:
    """The layers of a scene, bottom first, over its clean background."""

    scene: Scene
    source: Picture
    ground: Picture
    layers: list[Layer]
    of_shape: dict[int, Layer]
    """By the shape's index in the scene; removed shapes are missing."""
    of_outline: list[Layer] = field(default_factory=list)
    start: Picture = field(init=False)

    def __post_init__(self) -> None:
        self.start = self.composed()

    def composed(self) -> Picture:
        """Background and layers painted in order."""
        canvas = self.ground.copy()
        for layer in self.layers:
            layer.paint(canvas)
        return canvas

    def rendered(self) -> Picture:
        """The picture after all changes; a pixel that no change reached is the source's."""
        final = self.composed()
        changed = (final != self.start).any(axis=2)
        result = self.source.copy()
        result[changed] = final[changed]
        return result

    def add(self, layer: Layer, order: str = "top") -> None:
        """Put a layer over or under all others."""
        if order == "bottom":
            self.layers.insert(0, layer)
        else:
            self.layers.append(layer)

    def drop(self, layer: Layer) -> None:
        self.layers = [other for other in self.layers if other is not layer]

    def reorder(self, layer: Layer, order: str) -> None:
        self.drop(layer)
        self.add(layer, order)


def stack_of(scene: Scene, source: Picture) -> Stack:
    """Take a scene apart: shapes below, outlines and what belongs to neither above."""
    ground = scene.background.image.copy()
    if not scene.flat:
        return Stack(scene, source, ground, [], {})
    soft = _clean(ground, scene, source)
    taken = np.zeros((scene.height, scene.width), dtype=bool)
    layers: list[Layer] = []
    of_shape: dict[int, Layer] = {}
    for number, shape in enumerate(scene.shapes):
        layer = _layer(source, ground, shape.box, shape.patch, soft)
        layers.append(layer)
        of_shape[number] = layer
        taken |= shape.mask
    of_outline = [_layer(source, ground, outline.box, outline.stroke, soft) for outline in scene.outlines]
    for outline in scene.outlines:
        taken |= outline.line
    layers += of_outline
    rest = ~scene.background.mask & ~taken
    if rest.any():
        layers.append(Layer(0, 0, source.copy(), rest.astype(np.float32)))
    return Stack(scene, source, ground, layers, of_shape, of_outline)


def flat_layer(mask: Mask, rgb: Rgb) -> Layer:
    """A layer of one colour over a mask of the whole picture."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return Layer(0, 0, np.zeros((1, 1, 3), np.uint8), np.zeros((1, 1), np.float32))
    y1, y2, x1, x2 = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    alpha = mask[y1:y2, x1:x2].astype(np.float32)
    pixels = np.empty((*alpha.shape, 3), dtype=np.uint8)
    pixels[:] = rgb
    return Layer(x1, y1, pixels, alpha)


def pixel_layer(mask: Mask, picture: Picture) -> Layer:
    """A layer of a picture's own pixels over a mask of the whole picture."""
    layer = flat_layer(mask, (0, 0, 0))
    x1, y1, x2, y2 = layer.box
    layer.pixels = picture[y1:y2, x1:x2].copy()
    return layer


def repaint(layer: Layer, old: Rgb, new: Rgb) -> None:
    """Change a layer's colour and keep what differs from its flat colour (noise)."""
    moved = layer.pixels.astype(np.int16) - np.array(old, dtype=np.int16) + np.array(new, dtype=np.int16)
    layer.pixels = np.clip(moved, 0, 255).astype(np.uint8)


def _clean(ground: Picture, scene: Scene, source: Picture) -> bool:
    """Clear blurred edges out of the ground; True where the picture has such edges."""
    import cv2

    colours = [np.array(rgb, dtype=np.int16) for rgb in scene.background.colours]
    colours += [np.array(panel.rgb, dtype=np.int16) for panel in scene.panels]
    if not colours or not scene.background.mask.any():
        return False
    gaps = np.stack([np.abs(source.astype(np.int16) - colour).max(axis=2) for colour in colours])
    odd = scene.background.mask & (gaps.min(axis=0) > _SEEN)
    if not odd.any():
        return False
    kernel = np.ones((2 * _HALO + 1, 2 * _HALO + 1), np.uint8)
    near = cv2.dilate((~scene.background.mask).astype(np.uint8), kernel).astype(bool)
    clear = odd & near
    ground[clear] = np.stack(colours)[gaps.argmin(axis=0)[clear]].astype(np.uint8)
    return True


def _layer(source: Picture, ground: Picture, box: PixelBox, patch: Mask, soft: bool) -> Layer:
    if not soft:
        x1, y1, x2, y2 = box
        return Layer(x1, y1, source[y1:y2, x1:x2].copy(), patch.astype(np.float32))
    return _soft_layer(source, ground, box, patch)


def _soft_layer(source: Picture, ground: Picture, box: PixelBox, patch: Mask) -> Layer:
    """A figure with its blurred rim: full inside, a share of its colour outside."""
    import cv2

    height, width = source.shape[:2]
    x1, y1, x2, y2 = (
        max(0, box[0] - _HALO),
        max(0, box[1] - _HALO),
        min(width, box[2] + _HALO),
        min(height, box[3] + _HALO),
    )
    core = np.zeros((y2 - y1, x2 - x1), dtype=np.uint8)
    core[box[1] - y1 : box[3] - y1, box[0] - x1 : box[2] - x1] = patch
    kernel = np.ones((2 * _HALO + 1, 2 * _HALO + 1), np.uint8)
    rim = cv2.dilate(core, kernel).astype(bool) & (core == 0)
    seen, below = source[y1:y2, x1:x2].astype(np.float32), ground[y1:y2, x1:x2].astype(np.float32)
    inner = cv2.erode(core, np.ones((3, 3), np.uint8)).astype(bool)
    body = np.median(seen[inner if inner.any() else core > 0], axis=0)
    way = body - below
    share = ((seen - below) * way).sum(axis=2) / np.maximum((way**2).sum(axis=2), 1)
    share = np.clip(share, 0, 1)
    seen_rim = rim & (np.abs(seen - below).max(axis=2) > _SEEN)
    edge = seen_rim & (share > 0)
    outer = (core > 0) & ~inner & (share < 0.97)
    alpha = np.where(edge | outer, share, core).astype(np.float32)
    alpha[seen_rim & (share <= 0)] = 1  # resampling overshoots there: the pixel belongs to the figure as it is
    pixels = source[y1:y2, x1:x2].copy()
    pixels[edge | outer] = np.round(body).astype(np.uint8)
    return Layer(x1, y1, pixels, alpha)
