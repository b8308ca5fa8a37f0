"""References joined by commas and "and" become one."""

from __future__ import annotations

from dataclasses import replace

from editplan.editors.raster.phrases import Chunk, Plain, Selection


def joined(chunks: list[Chunk]) -> list[Chunk]:
    """Fold "the red circle, the star and the ring" into one reference."""
    found: list[Chunk] = []
    index = 0
    while index < len(chunks):
        chunk = chunks[index]
        if isinstance(chunk, Selection) and _joinable(chunk):
            end = index + 1
            while (after := _next_joined(chunks, end)) is not None:
                further = chunks[after]
                assert isinstance(further, Selection)
                chunk = replace(chunk, also=(*chunk.also, further), text=f"{chunk.text} and {further.text}")
                end = after + 1
            index = end - 1
        found.append(chunk)
        index += 1
    return found


def _next_joined(chunks: list[Chunk], start: int) -> int | None:
    """The place of the next reference of a list that goes on at `start`."""
    place = start
    while place < len(chunks) and isinstance(word := chunks[place], Plain) and word.word in (",", "and"):
        place += 1
    if place == start or place >= len(chunks):
        return None
    chunk = chunks[place]
    return place if isinstance(chunk, Selection) and _joinable(chunk) else None


def _joinable(chunk: Selection) -> bool:
    blocked = chunk.new or chunk.outlined or chunk.content or chunk.pronoun or chunk.others
    return not blocked and bool(chunk.colour or chunk.kind or chunk.place or chunk.rgb)
