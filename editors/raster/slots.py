"""The chunks of one clause, as an operation takes them: what no operation takes was not understood."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from editplan.editors.raster.board import Unclear
from editplan.editors.raster.phrases import Chunk, Clause, Colour, Exclusion, Layer, Plain, Selection

C = TypeVar("C")

_IDLE = frozenset(
    [
        ",",
        "and",
        "then",
        "please",
        "the",
        "a",
        "an",
        "it",
        "so",
        "that",
        "which",
        "be",
        "is",
        "are",
        "should",
        "must",
        "shall",
        "will",
        "now",
        "to",
        "of",
        "by",
        "at",
        "with",
        "in",
        "into",
        "on",
        "onto",
        "from",
        "for",
        "as",
        "i",
        "want",
        "you",
        "would",
        "like",
        "need",
        "can",
        "could",
        "we",
    ]
)
"""Words that carry no content of their own."""


class Slots:
    """Access to a clause's chunks by type, each at most once."""

    def __init__(self, clause: Clause) -> None:
        self.clause = clause
        self._left = list(enumerate(clause.chunks))

    def lead(self, index: int) -> str:
        """The word before a chunk, "" at the start or after another kind of chunk."""
        before = self.clause.chunks[index - 1] if index else None
        return before.word if isinstance(before, Plain) else ""

    def every(self, kind: type[C]) -> list[tuple[int, C]]:
        """The untaken chunks of a type, with their places in the clause."""
        return [(index, chunk) for index, chunk in self._left if isinstance(chunk, kind)]

    def take(self, kind: type[C], fits: Callable[[C], bool] = lambda chunk: True, lead: str = "") -> C | None:
        """Take the first chunk of a type that fits; with `lead`, one of these words must stand before it."""
        for index, chunk in self.every(kind):
            if fits(chunk) and (not lead or self.lead(index) in lead.split()):
                self._drop(index)
                return chunk
        return None

    def take_all(self, kind: type[C], fits: Callable[[C], bool] = lambda chunk: True) -> list[C]:
        """Take every chunk of a type that fits."""
        taken = [(index, chunk) for index, chunk in self.every(kind) if fits(chunk)]
        for index, _ in taken:
            self._drop(index)
        return [chunk for _, chunk in taken]

    def need(self, kind: type[C], what: str, fits: Callable[[C], bool] = lambda chunk: True) -> C:
        """Take a chunk that the operation can't do without."""
        chunk = self.take(kind, fits)
        if chunk is None:
            raise Unclear(f"'{self.clause.text}' names no {what}", "unparsed")
        return chunk

    def words(self, words: str) -> list[str]:
        """Take these plain words wherever they stand."""
        wanted = frozenset(words.split())
        return [chunk.word for chunk in self.take_all(Plain, lambda p: p.word in wanted)]

    def has(self, words: str) -> bool:
        """Whether one of these plain words stands in the clause, taken or not."""
        wanted = frozenset(words.split())
        return any(isinstance(chunk, Plain) and chunk.word in wanted for chunk in self.clause.chunks)

    def target(self, what: str = "shape") -> Selection:
        """The reference that the verb is about, with the clause's own exceptions."""
        chunk = self.need(Selection, what, lambda s: not s.new)
        return self.excepting(chunk)

    def excepting(self, selection: Selection) -> Selection:
        """A reference with the exceptions that stand beside it in the clause."""
        from editplan.editors.raster.board import excluding

        return excluding(selection, [chunk.selection for chunk in self.take_all(Exclusion)])

    def colour(self) -> Colour | None:
        """The colour of the clause; a hex value beside a name is the name's."""
        first = self.take(Colour)
        if first is not None and first.rgb is None and first.of is None:
            code = self.take(Colour, lambda c: c.name is None and c.rgb is not None)
            return code or first
        return first

    def order(self) -> str:
        """ "top" or "bottom" among the layers."""
        layer = self.take(Layer)
        return "top" if layer is None else layer.order

    def leftover(self) -> list[str]:
        """What was not understood, in the clause's own words."""
        return [word for _, chunk in self._left if (word := _said(chunk))]

    def _drop(self, index: int) -> None:
        self._left = [(i, chunk) for i, chunk in self._left if i != index]


def _said(chunk: Chunk) -> str:
    if isinstance(chunk, Plain):
        return "" if chunk.word in _IDLE else chunk.word
    text = getattr(chunk, "text", "") or getattr(chunk, "name", "") or getattr(chunk, "word", "")
    return str(text) or type(chunk).__name__.lower()
