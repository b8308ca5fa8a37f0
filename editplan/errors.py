"""The error tree: one root, one class per boundary that broke.

    EditplanError
    ├── ConfigError            a spec, an experiment file or an argument is wrong
    │   └── SpecError          a model spec string
    ├── ImageError             bytes that are no usable image
    ├── PromptError            a prompt file or its fields
    ├── StoreError             the image store, the journal or a run directory
    ├── DatasetError           a manifest, a contract or a benchmark tree
    ├── BudgetExceeded         a graph or a run would send more than it may
    ├── Cancelled              a limit or the caller stopped the work; it can be resumed
    ├── ModelError             a vision model broke its protocol
    ├── EditorError            an editor broke its protocol
    ├── JudgeError             a judge broke its protocol
    └── CallFailure            one wire attempt that gave no answer
        ├── RateLimited        429, with the provider's own delay where it gave one
        ├── Unavailable        408, 409, 5xx, a connection that broke before the request went out
        ├── FateUnknown        sent, and nobody knows whether it was carried out
        ├── Refused            the provider declined: final, its words are kept
        ├── Rejected           our request is wrong (400, 401, 403, 404, 422): final
        ├── BadReply           an answer that can't be used (HTML with 200, empty data, no image)
        ├── Broken             the adapter itself broke: it raised or returned something else; final
        └── Unsupported        the adapter can't do what the job asks: outside its set, never a zero

A message says what was wrong, where, and what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from editplan.records import CallRecord, Usage


class EditplanError(Exception):
    """Root of all errors that this package raises on purpose."""


class ConfigError(EditplanError):
    """A configuration, an argument or an experiment file is wrong."""


class SpecError(ConfigError):
    """A model spec string is wrong."""


class ImageError(EditplanError):
    """Bytes are no usable image."""


class PromptError(EditplanError):
    """A prompt is missing, changed after release, or its fields don't match."""


class StoreError(EditplanError):
    """The image store, the journal or a run directory can't be used."""


class DatasetError(EditplanError):
    """A manifest, a contract or a benchmark tree is wrong; names file, line and JSON path."""


class BudgetExceeded(EditplanError):
    """A graph or a run would send more calls than it may; nothing was sent."""


class Cancelled(EditplanError):
    """A limit or the caller stopped the work; what was finished is kept."""


class ModelError(EditplanError):
    """A vision model broke its protocol."""


class EditorError(EditplanError):
    """An editor broke its protocol."""


class JudgeError(EditplanError):
    """A judge broke its protocol."""


class CallFailure(EditplanError):
    """One wire attempt that gave no usable answer."""

    record: CallRecord | None = None
    """The ledger line of the call that it ended; set by the call layer."""
    usage: Usage | None = None
    """What the attempt consumed all the same, where the provider says."""


class RateLimited(CallFailure):
    """The endpoint asks for a pause."""

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Unavailable(CallFailure):
    """The endpoint can't answer now, and the request was certainly not carried out (or is free to repeat)."""

    def __init__(self, message: str, *, status: int | None = None, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after_s = retry_after_s


class FateUnknown(CallFailure):
    """The request went out, no answer came: it may have been carried out and billed."""


class Refused(CallFailure):
    """The provider or the editor declined; final."""

    def __init__(self, reason: str, *, category: str | None = None, stage: str = "output") -> None:
        super().__init__(reason)
        self.reason = reason
        self.category = category
        self.stage = stage
        """"input" where the request was declined, "output" where the answer was withheld."""


class Rejected(CallFailure):
    """Our request is wrong: 400, 401, 403, 404, 422; final."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class BadReply(CallFailure):
    """An answer that can't be used; `kind` says why."""

    def __init__(self, message: str, *, kind: str = "no_image") -> None:
        super().__init__(message)
        self.kind = kind
        """"no_image" | "bad_image" | "malformed"."""


class Broken(CallFailure):
    """An adapter broke its protocol: it raised or returned something else; final."""


class Unsupported(CallFailure):
    """The job is outside what this adapter can do."""
