"""A reading position in a list of tokens."""

from __future__ import annotations

from editplan.editors.raster.tokens import Kind, Token


class Cursor:
    """Reads tokens from left to right; every `eat` either consumes what it names or leaves the position as it was."""

    def __init__(self, tokens: list[Token], place: int = 0) -> None:
        self.tokens = tokens
        self.place = place

    @property
    def done(self) -> bool:
        return self.place >= len(self.tokens)

    def peek(self, ahead: int = 0) -> Token | None:
        index = self.place + ahead
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    def word(self, ahead: int = 0) -> str:
        """The word at the position, "" where it is no word."""
        token = self.peek(ahead)
        return token.text if token is not None and token.kind is Kind.WORD else ""

    def eat(self, *phrases: str) -> str | None:
        """Consume the longest of some phrases (words separated by spaces), None where none follows."""
        for phrase in sorted(phrases, key=lambda p: -p.count(" ")):
            words = phrase.split()
            if all(self.word(i) == w for i, w in enumerate(words)):
                self.place += len(words)
                return phrase
        return None

    def skip(self, words: frozenset[str]) -> None:
        """Consume any of these words, as many as follow."""
        while self.word() in words:
            self.place += 1

    def kind(self, kind: Kind) -> Token | None:
        """Consume one token of a kind, None where another follows."""
        token = self.peek()
        if token is None or token.kind is not kind:
            return None
        self.place += 1
        return token

    def commas(self) -> None:
        """Consume commas and brackets."""
        while self.kind(Kind.COMMA):
            pass
