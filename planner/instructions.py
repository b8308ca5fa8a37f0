"""The one instruction: its length, its closing sentence, and what it may not speak of."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

MAX_WORDS = 180
CLOSING = "Output only the edited image."
CLOSING_NEW = "Output only the new image."
KEEP_REST = "Keep everything else exactly as it is."

_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff]"
)
"""Letters of scripts without spaces: Thai, Lao, Burmese, Khmer, Japanese, Chinese."""
_SENTENCES = re.compile(r"(?<=[.!?。！？…])[\"'”’)]*(?:\s+|(?<=[。！？])|$)")
_ONLY = re.compile(r"\bonly\b|只|仅|僅|のみ|だけ", re.IGNORECASE)
_IMAGE = re.compile(r"\bimages?\b|图|圖|画像", re.IGNORECASE)
_ANALYSIS = re.compile(
    r"\b(?:benchmark|evidence[ _-]ledger|candidate[ _-]transitions?|selected[ _-]transition|self[ _-]contract"
    r"|contrastive challenge|compiled[ _-]instruction|unresolved[ _-]variables?|visual quer(?:y|ies)|rubric"
    r"|ground[ _-]truth|preservation hypothes[ei]s|according to (?:the )?(?:evidence|analysis|plan)"
    r"|(?:claim|transition|candidate|query)[ _-](?:id\b|[a-z]{0,2}\d+\b))",
    re.IGNORECASE,
)


def word_count(text: str) -> int:
    """Words between whitespace; where a script has no spaces, characters / 2 (protocols §1.10.9)."""
    letters = len(_SPACELESS.findall(text))
    return len(_SPACELESS.sub(" ", text).split()) + math.ceil(letters / 2)


def has_closing(text: str) -> bool:
    """Whether the last sentence says that only the image is wanted, in whatever words."""
    sentences = [each for each in _SENTENCES.split(text.strip()) if each.strip()]
    return bool(sentences) and bool(_ONLY.search(sentences[-1])) and bool(_IMAGE.search(sentences[-1]))


def closing(output: str) -> str:
    """Our closing sentence for `EditRequest.output`."""
    return CLOSING_NEW if output == "new" else CLOSING


def with_closing(text: str, output: str = "edit") -> str:
    """The text, ended by the closing sentence unless it has one."""
    return text.strip() if has_closing(text) else f"{as_sentence(text)} {closing(output)}".strip()


def as_sentence(text: str) -> str:
    """The text with a capital letter and a full stop."""
    text = text.strip()
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if re.search(r"[.!?。！？…][\"'”’)]*$", text) else text + "."


def speaks_of_analysis(text: str, ids: Iterable[str] = ()) -> bool:
    """Whether an editor would read of the plan instead of the picture: its terms, or its ids in brackets."""
    marks = "|".join(re.escape(name) for name in ids if re.fullmatch(r"[A-Za-z]+[_-]?\d+", name))
    bracketed = rf"[(\[]\s*(?:{marks})(?:\s*[,;&]\s*(?:{marks}))*\s*[)\]]" if marks else None
    return bool(_ANALYSIS.search(text)) or bool(bracketed and re.search(bracketed, text))
