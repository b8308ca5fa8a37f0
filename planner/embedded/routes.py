"""Finds a way between two places around walls, as a polyline that keeps off them."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from editplan.pixels.geometry import PixelBox, Point

Mask = NDArray[np.bool_]
_STRIDE = 4
"""Pixels of the picture per step of the search."""
_NEIGHBOURS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def route(walls: Mask, inside: PixelBox, start: Point, end: Point, clearance: float) -> list[Point] | None:
    """Corner points of a way from `start` to `end` inside a box; None where walls part them.

    The way prefers the middle of corridors and stays `clearance` pixels off every wall. Dijkstra's algorithm on every
    fourth pixel, then straightening (Douglas and Peucker) with a check that no straight piece comes near a wall.
    """
    distance = _wall_distance(walls, inside)
    free = distance >= clearance
    path = _search(free, distance, start, end)
    if path is None:
        return None
    return _straightened([start, *path, end], distance, clearance)


def _wall_distance(walls: Mask, inside: PixelBox) -> NDArray[np.float32]:
    import cv2

    blocked = np.ones(walls.shape, dtype=bool)
    x1, y1, x2, y2 = inside
    blocked[y1:y2, x1:x2] = walls[y1:y2, x1:x2]
    return np.asarray(cv2.distanceTransform((~blocked).astype(np.uint8), cv2.DIST_L2, 5), dtype=np.float32)


def _search(free: Mask, distance: NDArray[np.float32], start: Point, end: Point) -> list[Point] | None:
    """Grid points from start to end; a step costs more the nearer it is to a wall."""
    grid = free[::_STRIDE, ::_STRIDE]
    cost = 1 + 60 / np.maximum(distance[::_STRIDE, ::_STRIDE], 1.0)
    first, last = _node(start, grid.shape), _node(end, grid.shape)
    best = {first: 0.0}
    before: dict[tuple[int, int], tuple[int, int]] = {}
    queue = [(0.0, first)]
    while queue:
        spent, node = heapq.heappop(queue)
        if node == last:
            break
        if spent > best[node]:
            continue
        for dy, dx in _NEIGHBOURS:
            following = (node[0] + dy, node[1] + dx)
            if not (0 <= following[0] < grid.shape[0] and 0 <= following[1] < grid.shape[1]) or not grid[following]:
                continue
            total = spent + float(cost[following])
            if total < best.get(following, math.inf):
                best[following], before[following] = total, node
                heapq.heappush(queue, (total, following))
    if last not in best:
        return None
    nodes = [last]
    while nodes[-1] != first:
        nodes.append(before[nodes[-1]])
    return [(float(x * _STRIDE), float(y * _STRIDE)) for y, x in reversed(nodes)]


def _node(point: Point, shape: tuple[int, ...]) -> tuple[int, int]:
    return min(shape[0] - 1, round(point[1] / _STRIDE)), min(shape[1] - 1, round(point[0] / _STRIDE))


def _straightened(path: Sequence[Point], distance: NDArray[np.float32], clearance: float) -> list[Point]:
    """Few of the points, with straight pieces that keep off the walls: always the farthest that can be reached."""
    corners, here = [path[0]], 0
    while here < len(path) - 1:
        there = len(path) - 1
        while there > here + 1 and not _clear(path[here], path[there], distance, clearance):
            there -= 1
        corners.append(path[there])
        here = there
    return corners


def _clear(a: Point, b: Point, distance: NDArray[np.float32], clearance: float) -> bool:
    count = max(2, int(math.hypot(b[0] - a[0], b[1] - a[1])))
    xs = np.clip(np.rint(np.linspace(a[0], b[0], count)).astype(int), 0, distance.shape[1] - 1)
    ys = np.clip(np.rint(np.linspace(a[1], b[1], count)).astype(int), 0, distance.shape[0] - 1)
    return bool(distance[ys, xs].min() >= clearance)
