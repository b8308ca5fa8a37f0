"""Recolour figures as a legend in the picture says (RD)."""

from __future__ import annotations

from collections.abc import Sequence

from editplan.evals.contracts import CriterionGroup
from editplan.evals.suites.puzzles.atoms import (
    Claim,
    Kept,
    evenly_painted,
    every,
    group,
    outlined,
    painted,
    protected_groups,
)
from editplan.evals.suites.puzzles.crowd import draw_kinds
from editplan.evals.suites.puzzles.families.recolour import recoloured
from editplan.evals.suites.puzzles.layout import around
from editplan.evals.suites.puzzles.palette import GREY, Paint
from editplan.evals.suites.puzzles.puzzle import Draw, Footprint, Sketch, union_editable
from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Arrow, Figure, Frame, Thing

_WORDINGS = (
    "Recolor the shapes as the legend says.",
    "Apply the legend: give every shape outside it the color that the legend assigns.",
    "Color the shapes outside the box according to the legend in the box.",
    "Use the legend to recolor the shapes of the picture.",
)
Rule = tuple[Figure, Paint]
"""A legend's row: what it shows on the left, and the colour on the right."""


def sketch(draw: Draw) -> Sketch:
    """A framed legend, and figures that it applies to; some scenes hold figures that it doesn't name."""
    by_shape = draw.chance(0.5)
    legend, rules = _legend(draw, by_shape)
    figures, others = _figures(draw, rules, by_shape)
    source = Scene(draw.table.size, draw.palette.ground, (*legend, *figures, *others), draw.grain)
    wanted = [(figure, _answer(figure, rules, by_shape)) for figure in figures]
    solution = recoloured(source, "apply_legend", True, *wanted)
    chain = list(dict.fromkeys(paint for _, paint in rules))
    cycled = {paint: chain[(number + 1) % len(chain)] for number, paint in enumerate(chain)}
    errors: tuple[Footprint, ...] = (
        recoloured(source, "rules_mixed_up", False, *((figure, cycled[paint]) for figure, paint in wanted)),
        recoloured(source, "one_rule_for_all", False, *((figure, chain[0]) for figure, _ in wanted)),
        recoloured(source, "half_done", False, *wanted[: len(wanted) // 2]),
    )
    if others:
        errors += (recoloured(source, "unnamed_ones_too", False, *wanted, *((o, chain[0]) for o in others)),)
    frame = tuple(thing for thing in legend if not isinstance(thing, Figure))
    swatches = tuple(thing for thing in legend if isinstance(thing, Figure))
    kept = (
        Kept("legend_frame_kept", "The legend's frame and arrows are as in the source", frame, "relational_accuracy"),
        Kept("legend_left_kept", "The legend's left column is as in the source", swatches[::2]),
        Kept("legend_right_kept", "The legend's right column is as in the source", swatches[1::2]),
        Kept("unnamed_kept", "Shapes that the legend doesn't name are unchanged", others),
    )
    return Sketch(
        goal=draw.pick(*_WORDINGS),
        state="; ".join(f"the {f.kind} at {source.at(f.centre)} is {paint.name}" for f, paint in wanted) + ".",
        source=source,
        solutions=(solution,),
        errors=errors,
        required=_required(source, wanted),
        protected=protected_groups(source, union_editable((solution,)), kept),
        boxes=tuple(source.box(figure.box) for figure in figures),
    )


def _legend(draw: Draw, by_shape: bool) -> tuple[list[Thing], list[Rule]]:
    """The framed rows, each "this -> that colour", and their rules. Frame first, then left and right by turns."""
    count = draw.by_level(2, 3, 3)
    kinds = draw_kinds(draw, 6)[: count if by_shape else 1] * (1 if by_shape else count)
    paints = draw.rng.sample(draw.palette.paints, min(2 * count, len(draw.palette.paints)))
    side, pitch = draw.rng.randint(34, 40), draw.rng.randint(56, 64)
    width, height = 3 * side + 92, count * pitch + 18
    x, y = draw.table.place(width, height)
    things: list[Thing] = [Frame(around((x, y), width, height), draw.rng.choice((3, 4)), draw.palette.ink)]
    rules, swatches = [], []
    for row in range(count):
        level = y - (count - 1) * pitch // 2 + row * pitch
        left_paint = GREY if by_shape else paints[count + row]
        left = Figure(kinds[row], left_paint, (x - width // 2 + 26 + side // 2, level), side)
        right = Figure("square", paints[row], (x + width // 2 - 26 - side // 2, level), side)
        things.append(Arrow((left.centre[0] + side, level), (right.centre[0] - side, level), 6, draw.palette.ink))
        swatches += [left, right]
        rules.append((left, paints[row]))
    return things + swatches, rules


def _figures(draw: Draw, rules: Sequence[Rule], by_shape: bool) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """Figures that the rules apply to, each rule at least once, and figures that they leave alone."""
    chosen = [rule for rule, _ in rules]
    chosen += draw.rng.choices(chosen, k=draw.by_level(1, 1, 3))
    draw.rng.shuffle(chosen)
    free = [kind for kind in draw_kinds(draw, 6) if kind not in {rule.kind for rule, _ in rules}] or ["star"]
    used = {paint for _, paint in rules} | {rule.paint for rule, _ in rules}
    spare = [paint for paint in draw.palette.paints if paint not in used]
    figures = [_figure(draw, rule.kind if by_shape else draw.rng.choice(free), rule.paint) for rule in chosen]
    others = []
    for _ in range(draw.by_level(0, 2, 3)):
        unnamed = (draw.rng.choice(free), GREY) if by_shape else (draw.rng.choice(free), draw.rng.choice(spare))
        others.append(_figure(draw, *unnamed))
    return tuple(figures), tuple(others)


def _figure(draw: Draw, kind: str, paint: Paint) -> Figure:
    side = draw.rng.randint(*((70, 94), (62, 84), (54, 76))[draw.level])
    return Figure(kind, paint, draw.table.place(side + 4, side + 4), side)


def _answer(figure: Figure, rules: Sequence[Rule], by_shape: bool) -> Paint:
    return next(p for rule, p in rules if (figure.kind == rule.kind if by_shape else figure.paint == rule.paint))


def _required(source: Scene, wanted: Sequence[Rule]) -> tuple[CriterionGroup, ...]:
    masks = [(figure, figure.mask(source.size), paint.name) for figure, paint in wanted]
    each = [
        Claim(
            f"color_{number}",
            f"The {figure.kind} at {source.at(figure.centre)} is {colour}",
            painted(mask, colour),
            "A part of it is.",
        )
        for number, (figure, mask, colour) in enumerate(masks, 1)
    ]
    whole = every([outlined(mask, colour) for _, mask, colour in masks])
    even = every([evenly_painted(mask, colour) for _, mask, colour in masks])
    return (
        group("required", "semantic", "colors", *each),
        group(
            "required",
            "relational",
            "rule",
            Claim("whole_rule", "All of these shapes follow the legend, in their old outlines", whole),
        ),
        group("required", "visual", "fill", Claim("even_fill", "All new fills are even", even, "Slight streaks.")),
    )
