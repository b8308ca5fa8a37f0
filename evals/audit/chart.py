"""A detection curve as an SVG drawing: share seen against size, with intervals."""

from __future__ import annotations

import math

from editplan.evals.audit.detecting import SEEN_SHARE, Curve
from editplan.evals.report.markup import Attributes, Html, element

WIDTH, HEIGHT = 300, 190
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 12, 34


def curve_chart(curve: Curve) -> Html:
    """One chart; sizes on a logarithmic axis, a dashed line where 80% are seen."""
    points = [point for point in curve.points if point.seen.share is not None]
    if not points:
        return Html("")
    sizes = [point.size for point in points]
    low, high = math.log(min(sizes)), math.log(max(sizes))

    def across(size: float) -> float:
        share = 0.5 if high == low else (math.log(size) - low) / (high - low)
        return LEFT + 10 + share * (WIDTH - LEFT - RIGHT - 20)

    marks = [*_axes(), *(_tick(across(size), _label(curve.kind, size)) for size in sizes)]
    line = " ".join(f"{across(point.size):.1f},{_down(point.seen.share or 0.0):.1f}" for point in points)
    marks.append(element("polyline", {"points": line, "fill": "none", "stroke": "var(--accent)", "stroke-width": 2}))
    for point in points:
        x = across(point.size)
        if point.seen.ci is not None:
            marks.append(_line(x, _down(point.seen.ci[0]), x, _down(point.seen.ci[1]), "var(--accent)"))
        dot: Attributes = {
            "cx": f"{x:.1f}",
            "cy": f"{_down(point.seen.share or 0.0):.1f}",
            "r": 3.5,
            "fill": "var(--accent)",
        }
        marks.append(element("circle", dot))
    size: Attributes = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": WIDTH, "height": HEIGHT, "role": "img"}
    drawing = element("svg", {**size, "aria-label": f"share of damage seen by size, {curve.kind}"}, *marks)
    return element("figure", {}, drawing, element("figcaption", {}, curve.kind))


def _axes() -> list[Html]:
    parts = [
        _line(LEFT, _down(0), WIDTH - RIGHT, _down(0), "var(--faint)"),
        _line(LEFT, _down(0), LEFT, _down(1), "var(--faint)"),
        _line(LEFT, _down(SEEN_SHARE), WIDTH - RIGHT, _down(SEEN_SHARE), "var(--partly)", dashed=True),
    ]
    for share in (0.0, 0.5, SEEN_SHARE, 1.0):
        place: Attributes = {"x": LEFT - 6, "y": f"{_down(share) + 4:.1f}", "text-anchor": "end", "font-size": 11}
        parts.append(element("text", {**place, "fill": "var(--faint)"}, f"{100 * share:.0f}%"))
    return parts


def _tick(x: float, label: str) -> Html:
    place: Attributes = {
        "x": f"{x:.1f}",
        "y": HEIGHT - 14,
        "text-anchor": "middle",
        "font-size": 11,
        "fill": "var(--faint)",
    }
    return element("text", place, label)


def _label(kind: str, size: float) -> str:
    return f"{size:g}" if kind == "tint" else f"{100 * size:g}%"


def _down(share: float) -> float:
    return TOP + (1.0 - share) * (HEIGHT - TOP - BOTTOM)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, *, dashed: bool = False) -> Html:
    ends = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    return element("line", {**ends, "stroke": colour, "stroke-dasharray": "4 3" if dashed else None})
