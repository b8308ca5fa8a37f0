"""Audit tasks on a user's own pictures: one harmless edit that was asked for, and damage planted beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from editplan.errors import ConfigError, ImageError
from editplan.evals.audit.damage import KINDS, Planted, plant, shifted, tinted
from editplan.evals.audit.noops import NOOPS
from editplan.evals.audit.tasks import AtomTruth, AuditTask, true_score
from editplan.evals.checkers.regions import UnionRegion, box_region
from editplan.evals.checkers.specs import ColourAt, SimilarOutside, UnchangedOutside
from editplan.evals.contracts import Atom, Contract, CriterionGroup
from editplan.evals.judging import JudgeTask
from editplan.evals.verdicts import Verdict
from editplan.images import load_bytes
from editplan.pixels.masks import Mask, mask_box
from editplan.records import Box, Part
from editplan.store import ImageStore

Picture = NDArray[np.uint8]

SIZES = (0.01, 0.02, 0.04, 0.08, 0.16)
"""Sides of damaged patches as shares of the picture's shorter side."""
TINTS = (3.0, 6.0, 12.0)
"""Mean CIE76 of the casts."""
SHIFTS = (0.01, 0.02, 0.05)
"""Shares of the picture's shorter side."""
CHANGE_DELTA_E = 12.0
PASS_BLOB, FAIL_BLOB = 0.00005, 0.0002
"""A connected change beyond coding noise, as a share of the picture: about 12 and 50 pixels of 512 x 512. Chosen on
eight photographs so that JPEG and WebP at quality 88 to 92 raise hardly an alarm."""
GRID = 3
LEAST_SIDE_PX = 96
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")
_ROWS, _COLUMNS = ("upper", "middle", "lower"), ("left", "centre", "right")
_MARK = ("magenta", (214, 0, 158))


@dataclass(frozen=True, eq=False)
class Ground:
    """A picture with the place of its edit and its protected cells."""

    name: str
    picture: Picture
    cells: dict[str, Mask]
    """Protected cells by name."""
    mark: tuple[int, int, int, int]
    """Pixel box of the square that was asked for."""

    @property
    def short_px(self) -> int:
        """The picture's shorter side."""
        return int(min(self.picture.shape[:2]))

    def edited(self, picture: Picture) -> Picture:
        """The picture with the edit that was asked for."""
        x1, y1, x2, y2 = self.mark
        done = picture.copy()
        done[y1:y2, x1:x2] = _MARK[1]
        return done


def find_pictures(folder: Path) -> tuple[Path, ...]:
    """The pictures of a folder, in order. Raises `ConfigError` where there are none."""
    if not folder.is_dir():
        raise ConfigError(f"{folder} is no folder: give one with pictures")
    found = tuple(path for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES)
    if not found:
        raise ConfigError(f"{folder} holds no picture ({', '.join(SUFFIXES)})")
    return found


def picture_tasks(name: str, source: object, images: ImageStore, seed: int) -> Iterator[AuditTask]:
    """All tasks of one picture (a path, bytes, a PIL image or an array): damages, global changes, no-ops.

    A damage that would not show anywhere on this picture makes no task. Raises `ImageError` for what is no picture or
    is smaller than 96 px.
    """
    media, _, _ = images.add(load_bytes(source, name=name), name=name)
    ground = _ground(name, np.array(images[media.sha256].array()), Random(f"{seed} {name}"))
    maker = _Maker(ground, images)
    for kind in KINDS:
        for size in SIZES:
            rng = Random(f"{seed} {name} {kind} {size}")
            cells = rng.sample(sorted(ground.cells), len(ground.cells))
            side_px = round(size * ground.short_px)
            tries = (plant(ground.picture, kind, side_px, ground.cells[cell], rng) for cell in cells)
            planted = next((each for each in tries if each is not None), None)
            if planted is not None:
                yield maker.damaged(kind, size, planted)
    for delta_e in TINTS:
        after = tinted(ground.picture, delta_e, Random(f"{seed} {name} tint {delta_e}"))
        yield maker.changed_all("tint", delta_e, after, "light")
    for share in SHIFTS:
        rng = Random(f"{seed} {name} shift {share}")
        step = max(3, round(share * ground.short_px))
        after = shifted(ground.edited(ground.picture), rng.choice(((step, 0), (-step, 0), (0, step), (0, -step))))
        yield maker.changed_all("shift", share, after, "framing", edited=True)
    for name_of, make in NOOPS.items():
        after = make(ground.edited(ground.picture), Random(f"{seed} {name} {name_of}"))
        yield maker.task(name_of, None, (ground.picture, after), {})


def _ground(name: str, picture: Picture, rng: Random) -> Ground:
    height, width = picture.shape[:2]
    if min(height, width) < LEAST_SIDE_PX:
        raise ImageError(
            f"{name} is {width} × {height}: an audit needs pictures of at least {LEAST_SIDE_PX} px a side"
        )
    edited = rng.randrange(GRID * GRID)
    cells: dict[str, Mask] = {}
    mark = (0, 0, 0, 0)
    for number in range(GRID * GRID):
        row, column = divmod(number, GRID)
        y1, y2 = round(row * height / GRID), round((row + 1) * height / GRID)
        x1, x2 = round(column * width / GRID), round((column + 1) * width / GRID)
        if number == edited:
            side = min(y2 - y1, x2 - x1) // 3
            x, y = (x1 + x2) // 2, (y1 + y2) // 2
            mark = (x - side // 2, y - side // 2, x - side // 2 + side, y - side // 2 + side)
            continue
        cell = np.zeros((height, width), dtype=bool)
        # A band between the cells belongs to none: what lies in one can't spill into its neighbour.
        cell[y1 + 4 : y2 - 4, x1 + 4 : x2 - 4] = True
        cells[f"{_ROWS[row]} {_COLUMNS[column]}"] = cell
    return Ground(name, picture, cells, mark)


@dataclass(frozen=True, eq=False)
class _Maker:
    """Makes the tasks of one picture."""

    ground: Ground
    images: ImageStore

    @cached_property
    def contract(self) -> tuple[Contract, str]:
        """What was asked for and what must stay, and the goal; equal for all tasks of the picture."""
        return _contract(self.ground)

    def damaged(self, kind: str, size: float, planted: Planted) -> AuditTask:
        """A task with one damaged patch."""
        broken = {name for name, cell in self.ground.cells.items() if (planted.changed & cell).any()}
        pair = (planted.before, self.ground.edited(planted.after))
        return self.task(kind, size, pair, {_atom_id(name): "fail" for name in broken})

    def changed_all(self, kind: str, size: float, after: Picture, atom: str, *, edited: bool = False) -> AuditTask:
        """A task with one change to the whole picture; what it makes of the single cells is left open."""
        after = after if edited else self.ground.edited(after)
        return self.task(kind, size, (self.ground.picture, after), {atom: "fail"}, cells_known=False)

    def task(
        self,
        kind: str,
        size: float | None,
        pair: tuple[Picture, Picture],
        broken: dict[str, Verdict],
        *,
        cells_known: bool = True,
    ) -> AuditTask:
        """A task with its truth: every atom that isn't broken holds."""
        contract, goal = self.contract
        truth, known = [], {}
        for group, atom in contract.atoms():
            known[atom.id] = broken.get(atom.id, "pass")
            if cells_known or atom.id in broken or not atom.id.startswith("cell_"):
                held = AtomTruth(id=atom.id, role=group.role, property=group.property, verdict=known[atom.id])
                truth.append(held)
        before, after = (self.images.add_array(np.ascontiguousarray(image)) for image in pair)
        return AuditTask(
            part="pictures",
            unit=self.ground.name,
            kind=kind,
            size=size,
            damaged=bool(broken),
            truth=tuple(truth),
            score=true_score(contract, known),
            task=JudgeTask(source=(Part(media=before),), output=after, goal=goal, contract=contract),
        )


def _contract(ground: Ground) -> tuple[Contract, str]:
    """One square was asked for; every other ninth, the light and the framing must stay."""
    height, width = ground.picture.shape[:2]
    x1, y1, x2, y2 = ground.mark
    box = (x1 / width, y1 / height, x2 / width, y2 / height)
    middle = f"{50 * (box[0] + box[2]):.0f}% from the left and {50 * (box[1] + box[3]):.0f}% from the top"
    goal = (
        f"Paint a filled {_MARK[0]} square with sides of {x2 - x1} px whose middle is {middle}. "
        "Keep everything else exactly as it is."
    )
    colour = "#{:02x}{:02x}{:02x}".format(*_MARK[1])
    place = box_region(box)
    mark = Atom(
        id="square",
        question_en=f"Is there a filled {_MARK[0]} square, its middle {middle}?",
        pass_criteria="The square is there, filled evenly.",
        fail_criteria="There is no such square.",
        check=ColourAt(region=place, colour=colour, tolerance=18.0, pass_share=0.9),
    )
    cells = tuple(_cell_atom(name, cell) for name, cell in ground.cells.items())
    # Coding costs structure and edges too: for colour and light only the colour difference counts.
    light = Atom(
        id="light",
        question_en="Are colours and light of the whole picture those of the source, without a cast?",
        pass_criteria="Beside the square, colours and light are as in the source.",
        fail_criteria="The whole picture has another tint, brightness or contrast.",
        check=SimilarOutside(
            region=place,
            pass_delta_e=2.5,
            fail_delta_e=4.5,
            pass_ssim=0.0,
            fail_ssim=0.0,
            pass_edges=1.0,
            fail_edges=1.0,
        ),
    )
    framing = Atom(
        id="framing",
        question_en="Is the framing that of the source, nothing moved, scaled or cut as a whole?",
        pass_criteria="Everything stands where it stood; a pixel more or less doesn't count.",
        fail_criteria="The whole picture is shifted, scaled or cropped.",
    )
    groups = (
        CriterionGroup(role="required", property="semantic_accuracy", criterion_group_id="edit", atoms=(mark,)),
        CriterionGroup(role="protected", property="semantic_accuracy", criterion_group_id="content", atoms=cells),
        CriterionGroup(
            role="protected", property="relational_accuracy", criterion_group_id="frame", atoms=(framing,)
        ),
        CriterionGroup(role="protected", property="visual_quality", criterion_group_id="light", atoms=(light,)),
    )
    return Contract(instruction=goal, criterion_groups=groups, editable=place), goal


def _cell_atom(name: str, cell: Mask) -> Atom:
    found, (height, width) = mask_box(cell), cell.shape
    assert found is not None, "cells have pixels"
    box = (found[0] / width, found[1] / height, found[2] / width, found[3] / height)
    return Atom(
        id=_atom_id(name),
        question_en=f"Is the {name} ninth of the picture as in the source?",
        pass_criteria="Nothing in it is gone, added, moved, recoloured, blurred or written differently.",
        partial_criteria="A small part of it is changed.",
        fail_criteria="Something in it is changed.",
        check=UnchangedOutside(
            region=_beside(box), margin_px=0, tolerance=CHANGE_DELTA_E, pass_blob=PASS_BLOB, fail_blob=FAIL_BLOB
        ),
    )


def _beside(box: Box) -> UnionRegion:
    """Everything but a box."""
    x1, y1, x2, y2 = box
    sides = ((0.0, 0.0, 1.0, y1), (0.0, y2, 1.0, 1.0), (0.0, y1, x1, y2), (x2, y1, 1.0, y2))
    return UnionRegion(parts=tuple(box_region(side) for side in sides if side[0] < side[2] and side[1] < side[3]))


def _atom_id(name: str) -> str:
    return f"cell_{name.replace(' ', '_')}"
