"""What the library face gives back: a result with its image, or a plan to be carried out later."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from editplan.errors import ImageError, StoreError
from editplan.images import save_picture
from editplan.protocols import Images
from editplan.records import EditRequest, Ledger, Outcome, Plan, Record, Status

if TYPE_CHECKING:
    from PIL.Image import Image

    from editplan.finish.give_back import GivenBack
    from editplan.finish.settings import Preservation


@dataclass(frozen=True)
class EditResult:
    """How one edit ended; the image is decoded when it is asked for."""

    outcome: Outcome
    images: Images
    given_back: GivenBack | None = None
    """What Finish made of the output, if it was asked to."""

    @property
    def status(self) -> Status:
        """`ok`, or what went wrong."""
        return self.outcome.status

    @property
    def image(self) -> Image | None:
        """The edited image; None where there is none. Finished it has the source's size, alpha, profile and EXIF."""
        return self.raw_image if self.given_back is None else self.given_back.image

    @property
    def preservation(self) -> Preservation | None:
        """What was measured when the output was given back; None without Finish."""
        return None if self.given_back is None else self.given_back.preservation

    @property
    def raw_image(self) -> Image | None:
        """The image as the editor gave it."""
        media = self.outcome.media
        return None if media is None else self.images[media.sha256].pil()

    @property
    def text(self) -> str | None:
        """The answer of a condition that answers in words."""
        return self.outcome.text

    @property
    def instruction(self) -> str | None:
        """What was sent to the editor."""
        return self.outcome.instruction

    @property
    def plan(self) -> Plan | None:
        """The plan that the instruction came from, if the condition makes one."""
        return self.outcome.plan

    @property
    def calls(self) -> Ledger:
        """Every call that was made for it."""
        return self.outcome.calls

    @property
    def notes(self) -> tuple[str, ...]:
        """What was odd on the way."""
        return (*self.outcome.notes, *(self.given_back.notes if self.given_back else ()))

    def save(self, path: Path | str) -> Path:
        """Writes the image, in the format that the suffix names; a finished one with its profile and EXIF.

        JPEG has no alpha: it is laid on white.
        Raises `ImageError` where there is no image or the suffix names no format, `StoreError` where it can't be
        written.
        """
        target, media = Path(path), self.outcome.media
        if media is None:
            why = "; ".join(self.outcome.notes[-1:]) or "no image was made"
            raise ImageError(f"there is no image to save, the edit ended as {self.status}: {why}")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if self.given_back is not None:
                save_picture(self.given_back.image, target)
            elif media.kind == "svg" or target.suffix.lower() == ".png":
                target.write_bytes(self.images[media.sha256].png())
            else:
                self.images[media.sha256].pil().save(target)
        except ValueError as error:
            raise ImageError(f"can't save as {target.name}: {error}: use .png, .jpg or .webp") from error
        except OSError as error:
            raise StoreError(f"can't write {target}: {error.strerror or error}: choose another place") from error
        return target


@dataclass(frozen=True)
class PlannedEdit:
    """A plan and the request that it is for: to be looked at, changed, carried elsewhere, and rendered."""

    request: EditRequest
    outcome: Outcome
    condition: str
    images: Images

    @property
    def status(self) -> Status:
        """`ok`, or why there is no plan."""
        return self.outcome.status

    @property
    def plan(self) -> Plan | None:
        """The plan, if the condition makes one."""
        return self.outcome.plan

    @property
    def instruction(self) -> str | None:
        """What will be sent to the editor."""
        return self.outcome.instruction

    @property
    def calls(self) -> Ledger:
        """The calls made so far."""
        return self.outcome.calls

    def with_instruction(self, instruction: str) -> PlannedEdit:
        """The same plan with an instruction changed by hand; the outcome will say so."""
        if instruction == self.outcome.instruction:
            return self
        notes = (*self.outcome.notes, "the instruction was edited by hand")
        return replace(self, outcome=self.outcome.model_copy(update={"instruction": instruction, "notes": notes}))

    def save(self, folder: Path | str) -> Path:
        """Writes the plan and its source images, for another process or machine. Raises `StoreError`."""
        target = Path(folder)
        kept = _Kept(request=self.request, outcome=self.outcome, condition=self.condition)
        try:
            target.mkdir(parents=True, exist_ok=True)
            for sha256 in _sources(self.request):
                (target / f"{sha256}.png").write_bytes(self.images[sha256].png())
            text = json.dumps(kept.model_dump(mode="json"), indent=1, ensure_ascii=False)
            (target / _NAME).write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise StoreError(f"can't write the plan to {target}: {error.strerror or error}") from error
        return target

    @staticmethod
    def load(folder: Path | str) -> PlannedEdit:
        """Reads what `save` wrote. Raises `StoreError` for what is missing or was changed."""
        from editplan.store import ImageStore

        source, images = Path(folder), ImageStore()
        try:
            kept = _Kept.model_validate_json((source / _NAME).read_text(encoding="utf-8"))
            for sha256 in _sources(kept.request):
                media, _, _ = images.add((source / f"{sha256}.png").read_bytes(), name=f"{sha256[:12]}.png")
                if media.sha256 != sha256:
                    raise StoreError(f"{source / sha256[:12]}.png was changed: its pixels are not the plan's")
        except OSError as error:
            raise StoreError(f"can't read a plan from {source}: {error.strerror or error}") from error
        except ValidationError as error:
            raise StoreError(f"{source / _NAME} is no plan of ours: {error.errors()[0]['msg']}") from error
        return PlannedEdit(kept.request, kept.outcome, kept.condition, images)


_NAME = "planned.json"


class _Kept(Record):
    request: EditRequest
    outcome: Outcome
    condition: str


def _sources(request: EditRequest) -> tuple[str, ...]:
    media = [part.media for part in request.parts] + ([request.mask] if request.mask else [])
    return tuple(dict.fromkeys(each.sha256 for each in media if each.kind == "png"))
