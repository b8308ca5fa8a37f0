"""The emulator as a judge: a small program that compares pictures and answers in the form that is asked for.

It measures two things, how alike the last picture is to the one it is compared with and whether they are the same,
and says so in its reasons. Its scores rehearse the machinery; they tell nothing about edits.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KEEPS = re.compile(
    r"\b(still|keep|keeps|kept|remain|remains|unchanged|same|preserv\w*|intact|nothing else|no other|as before)\b",
    re.IGNORECASE,
)
_SIDE_PX = 64
_CHANGED = 12.0
"""Mean difference of a pixel's channels from which it counts as changed."""


class Shown(Protocol):
    """A picture of the question with its label."""

    @property
    def data(self) -> bytes: ...

    @property
    def label(self) -> str: ...


def judged(task: str, text: str, pictures: Sequence[Shown]) -> str | None:
    """The answer to a judge's question, or None for a task that is none."""
    for prefix, answer in _ANSWERS.items():
        if task.startswith(prefix):
            return answer(task, text, pictures)
    return None


def likeness(one: bytes, other: bytes) -> tuple[float, float]:
    """How alike two pictures are, 0..1, and the share of pixels that differ, both at 64 × 64 px."""
    import numpy as np

    first, second = _small(one), _small(other)
    apart = np.abs(first - second).mean(axis=2)
    return float(1.0 - apart.mean() / 255.0), float((apart > _CHANGED).mean())


def _small(data: bytes) -> NDArray[np.float64]:
    import numpy as np
    import PIL.Image

    with PIL.Image.open(io.BytesIO(data)) as picture:
        return np.asarray(picture.convert("RGB").resize((_SIDE_PX, _SIDE_PX)), np.float64)


def _compared(pictures: Sequence[Shown]) -> tuple[float, float]:
    """The output against the first picture, or against nothing where it is alone."""
    output = next((each for each in pictures if "edited" in each.label.lower()), pictures[-1] if pictures else None)
    before = next((each for each in pictures if each is not output), None)
    return (1.0, 0.0) if before is None or output is None else likeness(before.data, output.data)


def _contract(task: str, text: str, pictures: Sequence[Shown]) -> str:
    missing = _block(text, "missing")
    key = "Disputed statements" if task == "judge_reconcile" else "Statements" if "strict" in task else "Atoms"
    atoms = _json_after(text, key)
    if missing is not None:
        atoms = [atom for atom in atoms if atom["id"] in missing.split()]
    alike, changed = _compared(pictures)
    results = [_atom(atom, changed) for atom in atoms]
    if task == "judge_reconcile":
        return json.dumps({"atomic_results": results}, ensure_ascii=False)
    gate = {
        "reason": f"likeness {alike:.3f} to the source",
        "visual_evidence": "whole picture",
        "status": "pass" if pictures else "abstain",
        "confidence": 0.5,
    }
    reply = {"quality_gate": gate, "atomic_results": results, "failure_summary": "", "overall_reason": "by pixels"}
    return json.dumps(reply, ensure_ascii=False)


def _atom(atom: dict[str, Any], changed: float) -> dict[str, Any]:
    """Statements about what stays pass where little changed; the others pass where anything did."""
    stays = bool(_KEEPS.search(f"{atom.get('question', '')} {atom.get('pass_criteria', '')}"))
    if stays:
        verdict = "pass" if changed < 0.4 else "partial" if changed < 0.8 else "fail"
    else:
        verdict = "pass" if changed > 0.0 else "fail"
    return {
        "id": atom["id"],
        "reason": f"{changed:.1%} of the pixels differ from the source",
        "visual_evidence": "whole picture",
        "verdict": verdict,
        "confidence": 0.5,
    }


def _rigbench(task: str, text: str, pictures: Sequence[Shown]) -> str:
    if task == "rigbench_text_answer" or task == "rigbench_description":
        said = _block(text, "answer") or _block(text, "description") or ""
        return _last_line({"reason": f"{len(said.split())} words", "correctness": 2 if said.split() else 0})
    right = next((each for each in pictures if "right answer" in each.label.lower()), None)
    alike, changed = likeness(right.data, pictures[-1].data) if right is not None else (0.0, 1.0)
    scores = {
        "visual_quality": 4,
        "structural_alignment": round(5 * alike * 2) / 2,
        "reasoning_correctness": round(5 * (1.0 - changed) * 2) / 2,
    }
    return _last_line({"observations": f"likeness {alike:.3f} to the right answer", **scores})


def _wiseedit(task: str, text: str, pictures: Sequence[Shown]) -> str:
    alike, changed = _compared(pictures)
    metric = task.split("_")[1]
    marks = {"dp": 1 + round(9 * alike), "vq": 8, "if": 7 if changed else 1}
    mark = marks.get(metric, 6 if changed else 2)
    return _last_line({"reason": f"likeness {alike:.3f}, {changed:.1%} changed", "score": mark})


def _risebench(task: str, text: str, pictures: Sequence[Shown]) -> str:
    alike, changed = _compared(pictures)
    if "logical" in task:
        mark = int(alike > 0.9)
    elif "plausibility" in task:
        mark = 4
    else:
        mark = 1 + round(4 * alike)
    return f"The pictures are {alike:.3f} alike; {changed:.1%} of the pixels differ.\n\nFinal Score: {mark}"


def _criteria(task: str, text: str, pictures: Sequence[Shown]) -> str:
    alike, changed = _compared(pictures)
    return _last_line({"reason": f"{changed:.1%} of the pixels differ", "score": round(10 * alike) if changed else 0})


def _svg(task: str, text: str, pictures: Sequence[Shown]) -> str:
    """The drawing as it came: a repair that repairs nothing and harms nothing."""
    start, end = text.find("<svg", max(text.find("Corrupted SVG:"), 0)), text.rfind("</svg>")
    return text[start : end + len("</svg>")] if 0 <= start < end else "<svg xmlns='http://www.w3.org/2000/svg'/>"


def _last_line(answer: dict[str, Any]) -> str:
    return f"Measured by pixels.\n\n{json.dumps(answer, ensure_ascii=False)}"


def _block(text: str, name: str) -> str | None:
    found = re.findall(rf"<{name}>\n?(.*?)\n?</{name}>", text, re.DOTALL)
    return found[-1] if found else None


def _json_after(text: str, heading: str) -> list[dict[str, Any]]:
    """The JSON list behind the line that begins with a heading."""
    place = re.search(rf"^{heading}[^\n]*:\n\n", text, re.MULTILINE)
    if place is None:
        return []
    value, _ = json.JSONDecoder().raw_decode(text, place.end())
    return [item for item in value if isinstance(item, dict) and "id" in item]


_ANSWERS: dict[str, Callable[[str, str, Sequence[Shown]], str]] = {
    "judge_criteria": _criteria,
    "judge_": _contract,
    "rigbench_": _rigbench,
    "wiseedit_": _wiseedit,
    "risebench_": _risebench,
    "svg_edit": _svg,
}
"""By the beginning of the task's name; the first that fits answers."""
