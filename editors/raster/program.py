"""`carry_out`: one instruction on one picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from editplan.editors.raster.board import Board, Unclear
from editplan.editors.raster.clauses import read_clauses
from editplan.editors.raster.layers import stack_of
from editplan.editors.raster.operations import arrange, crop, draw, paint, transform
from editplan.editors.raster.phrases import (
    Amount,
    Clause,
    Colour,
    Direction,
    Layer,
    Place,
    Plain,
    Selection,
    Verb,
)
from editplan.editors.raster.slots import Slots
from editplan.recognition.finder import find_scene
from editplan.recognition.scene import Picture

Unparsed = Literal["refuse", "literal"]

_OPERATIONS: dict[str, Callable[[Slots, Board], None]] = {
    "remove": arrange.remove,
    "move": arrange.move,
    "copy": arrange.copy,
    "swap": arrange.swap,
    "recolour": paint.recolour,
    "border": paint.border,
    "blend": paint.blend,
    "gradient": paint.gradient,
    "invert": paint.invert,
    "grayscale": paint.grayscale,
    "convert": paint.convert,
    "add_value": paint.add_value,
    "subtract_value": paint.subtract_value,
    "draw": draw.draw,
    "write": draw.write,
    "mark": draw.mark,
    "crop": crop.crop,
    "rotate": transform.rotate,
    "reflect": transform.reflect,
    "scale": transform.scale,
    "shear": transform.shear,
}
_DENIALS = frozenset(["do", "don't", "without", "never", "no", "nothing", "let", "restore", "show", "reveal", "not"])
_STAYING = frozenset(["stay", "stays", "remain", "remains", "unchanged", "alone"])
_REST = frozenset(["else", "other", "others", "rest", "nothing", "everything", "unchanged"])


@dataclass(frozen=True, eq=False)
class Refusal:
    """Why an instruction was not carried out."""

    clause: str
    reason: str
    category: str
    """ "unparsed": the words; "ungrounded": what they mean in the picture."""


@dataclass(frozen=True, eq=False)
class Result:
    """The edited picture, or None with the refusal."""

    image: Picture | None
    notes: tuple[str, ...]
    refusal: Refusal | None = None


def carry_out(source: Picture, instruction: str, *, unparsed: Unparsed) -> Result:
    """Edit an H x W x 3 uint8 RGB picture as an instruction says.

    References mean the source picture; clauses are carried out in order. With "refuse", a clause that can't be parsed
    or grounded refuses the whole instruction. With
    "literal", a clause does what its understood words say to the best match, with
    a note; it is refused only where nothing could be carried out.
    """
    scene = find_scene(source)
    board = Board(scene, stack_of(scene, source), unparsed == "literal")
    done, failures = 0, list[Refusal]()
    clauses = _merged(read_clauses(instruction))
    for clause in clauses:
        _kept(clause, board)
    for clause in clauses:
        try:
            done += _carry(clause, board)
        except Unclear as unclear:
            failure = Refusal(clause.text, unclear.reason, unclear.category)
            if unparsed == "refuse":
                return Result(None, tuple(board.notes), failure)
            failures.append(failure)
            board.note(f"left out '{clause.text}': {unclear.reason}")
    if not done:
        first = failures[0] if failures else Refusal(instruction, "it asks for no change that is known", "unparsed")
        return Result(None, tuple(board.notes), first)
    return Result(board.stack.rendered(), tuple(board.notes))


def _carry(clause: Clause, board: Board) -> int:
    """Carry out one clause; 1 where it asked for a change, 0 where it says what stays."""
    slots = Slots(clause)
    if _idle(clause, slots, board):
        return 0
    if _layering(clause, slots, board):
        return 0
    verb = _verb(slots)
    if verb is None:
        raise Unclear(f"'{clause.text}' has no verb that this editor knows", "unparsed")
    if verb.operation == "keep":
        _only(slots, board)
        return 1
    _OPERATIONS[verb.operation](slots, board)
    left = slots.leftover()
    if left:
        words = ", ".join(f"'{word}'" for word in left)
        if not board.literal:
            raise Unclear(f"in '{clause.text}', {words} was not understood", "unparsed")
        board.note(f"left out {words} of '{clause.text}'")
    return 1


def _verb(slots: Slots) -> Verb | None:
    """The clause's operation: the first verb that has one; "should be" with a colour recolours."""
    found = slots.take(Verb, lambda v: v.operation in _OPERATIONS or v.operation == "keep")
    if found is not None and found.operation == "recolour":
        better = slots.take(Verb, lambda v: v.operation in ("grayscale", "remove"))
        return better or found
    if found is not None and found.word == "add" and slots.has("channel channels brightness"):
        return Verb("add_value", found.word)
    if found is None and slots.has("should must shall will") and slots.every(Colour):
        return Verb("recolour", "be")
    return found


def _idle(clause: Clause, slots: Slots, board: Board) -> bool:
    """Clauses that say what stays, where a shape is cut off, or how to answer."""
    words = [chunk.word for chunk in clause.chunks if isinstance(chunk, Plain | Verb)]
    first = next((chunk for chunk in clause.chunks if isinstance(chunk, Verb)), None)
    if first is not None and first.operation in ("clip", "output"):
        return True
    if (
        first is not None
        and first.word == "fill"
        and any(_is_ground(c) for c in clause.chunks)
        and not _coloured(clause)
    ):
        return True
    selections = [chunk for chunk in clause.chunks if isinstance(chunk, Selection)]
    if not _preserves(words, first, clause):
        return _introduces(words)
    if not selections and not {"position", "positions", "anything"} & set(words):
        raise Unclear(f"'{clause.text}' doesn't say what stays", "unparsed")
    board.last_shapes = _kept(clause, board) or board.last_shapes
    return True


def _preserves(words: list[str], first: Verb | None, clause: Clause) -> bool:
    """Whether a clause only says what stays."""
    opening = [word for word in words[:3] if word not in (",", "please", "and", "the")]
    if opening[:1] and opening[0] in _DENIALS:
        return True
    if first is not None and first.operation == "keep":
        return not any(isinstance(c, Selection) and "only" in c.text.split() for c in clause.chunks)
    acting = first is not None and first.operation in _OPERATIONS and first.operation != "copy"
    if acting or _coloured(clause):
        return False
    denied_copy = first is not None and first.operation == "copy" and "not" in words
    return denied_copy or (bool(_STAYING & set(words)) and (first is None or first.operation != "copy"))


def _introduces(words: list[str]) -> bool:
    """ "Do the following:", "Make these changes:"."""
    return bool({"following", "changes", "edits", "steps"} & set(words)) and bool(
        {"do", "make", "apply", "follow"} & set(words)
    )


def _kept(clause: Clause, board: Board) -> list[int]:
    """The shapes that a clause wants kept; plural references of other clauses leave them out."""
    first = next((chunk for chunk in clause.chunks if isinstance(chunk, Verb)), None)
    words = [chunk.word for chunk in clause.chunks if isinstance(chunk, Plain | Verb)]
    if not _preserves(words, first, clause):
        return []
    found: set[int] = set()
    for chunk in clause.chunks:
        if not isinstance(chunk, Selection) or chunk.outlined or chunk.pronoun or chunk.others or chunk.content:
            continue
        if (chunk.colour or chunk.kind or chunk.place or chunk.rgb) and not _REST & set(chunk.text.split()):
            found |= set(board.matching(chunk))
    board.kept |= found
    return sorted(found)


def _is_ground(chunk: object) -> bool:
    return isinstance(chunk, Selection) and chunk.content == "background" and not chunk.outlined


def _coloured(clause: Clause) -> bool:
    return any(isinstance(chunk, Colour) for chunk in clause.chunks)


def _only(slots: Slots, board: Board) -> None:
    """ "Keep only the rings": everything else goes."""
    target = slots.target()
    kept = board.shapes(replace(target, every=True)) if target.every else board.shapes(target)
    for index in range(len(board.scene.shapes)):
        if index not in kept and index in board.stack.of_shape:
            board.stack.drop(board.stack.of_shape.pop(index))
    board.last_shapes = kept
    board.only = True


def _layering(clause: Clause, slots: Slots, board: Board) -> bool:
    """ "Place it underneath any existing shapes": changes where the last figure lies."""
    order = slots.every(Layer)
    if len(order) != 1 or any(isinstance(c, Place | Amount | Direction | Colour) for c in clause.chunks):
        return False
    verbs = [c for c in clause.chunks if isinstance(c, Verb) and c.operation != "move"]
    named = [c for c in clause.chunks if isinstance(c, Selection) and (c.colour or c.kind or c.outlined)]
    if verbs or named or not board.last_layers:
        return False
    for layer in board.last_layers:
        board.stack.reorder(layer, order[0][1].order)
    return True


def _merged(clauses: list[Clause]) -> list[Clause]:
    """Fold clauses that only narrow the one before into it."""
    found: list[Clause] = []
    for clause in clauses:
        content = _restriction(clause)
        if content and found and _narrow(found[-1], content):
            continue
        if found and _tail(clause):
            continue
        found.append(clause)
    return found


def _restriction(clause: Clause) -> str:
    """ "Recolor only non-background pixels" names the content of the clause before; "keep background pixels" its
    opposite."""
    first = next((chunk for chunk in clause.chunks if isinstance(chunk, Verb)), None)
    contents = [
        c.content for c in clause.chunks if isinstance(c, Selection) and c.content in ("background", "foreground")
    ]
    outlined = any(isinstance(c, Selection) and c.outlined and c.content for c in clause.chunks)
    if first is None or len(contents) != 1 or _coloured(clause) or outlined:
        return ""
    if first.operation == "keep" and "pixels" in clause.text.lower():
        return "foreground" if contents[0] == "background" else "background"
    if first.operation == "recolour" and "only" in clause.text.lower().split():
        return contents[0]
    return ""


def _narrow(clause: Clause, content: str) -> bool:
    for index, chunk in enumerate(clause.chunks):
        if isinstance(chunk, Selection) and chunk.outlined:
            clause.chunks[index] = replace(chunk, content=content)
            return True
    return False


def _tail(clause: Clause) -> bool:
    """ "Scale to fill the canvas using nearest-neighbor interpolation" belongs to a crop."""
    words = {chunk.word for chunk in clause.chunks if isinstance(chunk, Plain | Verb)}
    whole = any(isinstance(chunk, Selection) and chunk.content == "picture" for chunk in clause.chunks)
    return bool({"scale", "resize", "stretch"} & words) and whole and "fill" in words
