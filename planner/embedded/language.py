"""The sentence on what stays, in the language of the goal where that is known."""

from __future__ import annotations

import re

from editplan.planner.embedded.wording import KEEP_ALL

_SCRIPTS = (
    (re.compile(r"[\u3040-\u30ff]"), "それ以外はすべてそのままにしてください。"),
    (re.compile(r"[\uac00-\ud7af]"), "나머지는 모두 그대로 두세요."),
    (re.compile(r"[\u4e00-\u9fff]"), "其他一切保持不变。"),
    (re.compile(r"[\u0400-\u04ff]"), "Всё остальное оставь без изменений."),
    (re.compile(r"[\u0600-\u06ff]"), "اترك كل شيء آخر كما هو."),
)
_WORDS = (
    ("der die das den dem ein eine einen und mit bitte nicht auf entferne", "Alles andere bleibt unverändert."),
    ("le la les un une des et avec dans sur supprime retire", "Tout le reste reste inchangé."),
    ("el la los las una unos y con en quita elimina cambia", "Todo lo demás queda igual."),
    ("il lo gli una e con nel rimuovi togli", "Tutto il resto rimane invariato."),
    ("o os as um uma e com no na remova retire", "Todo o resto permanece igual."),
)
"""Frequent words of a language, and the sentence."""
_ENGLISH = "the a an of to in on and with is are it that this make all by"


def keep_sentence(goal: str) -> str:
    """ "Keep everything else exactly as it is." in the goal's language; in English where none is recognised."""
    for script, text in _SCRIPTS:
        if script.search(goal):
            return text
    tokens = re.findall(r"[^\W\d_]+", goal.lower())
    english = _hits(tokens, _ENGLISH)
    hits, text = max(((_hits(tokens, words), text) for words, text in _WORDS), key=lambda pair: pair[0])
    return text if hits >= 2 and hits > english else KEEP_ALL


def _hits(tokens: list[str], words: str) -> int:
    known = set(words.split())
    return sum(token in known for token in tokens)
