"""Before a published tree is judged: which items are usable, which outputs are missing, extra or doubled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import ConfigDict

from editplan.errors import DatasetError
from editplan.records import Record

T = TypeVar("T")


class ItemFault(Record):
    """One item that can't be used; the others go on."""

    item: str
    where: str
    """File, and line or JSON path where there is one."""
    problem: str

    def __str__(self) -> str:
        return f"{self.where}: item {self.item!r}: {self.problem}"


class Loaded(Record, Generic[T]):
    """The usable items of a dataset, and what is wrong with the rest."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    items: tuple[T, ...]
    faults: tuple[ItemFault, ...] = ()

    def strictly(self) -> tuple[T, ...]:
        """All items, or a `DatasetError` that lists the first faults."""
        if self.faults:
            shown = "\n".join(f"  {fault}" for fault in self.faults[:5])
            more = f"\n  and {len(self.faults) - 5} more" if len(self.faults) > 5 else ""
            raise DatasetError(f"{len(self.faults)} unusable items:\n{shown}{more}")
        return self.items


class OutputFile(Record):
    """The output of one item, in an editor's published tree."""

    item: str
    path: Path


class DoubledOutput(Record):
    """One item with several outputs; the first is the one that is read."""

    item: str
    paths: tuple[Path, ...]


class Preflight(Record):
    """What an outputs tree holds, against what a dataset asks for."""

    root: Path
    n_expected: int
    found: tuple[OutputFile, ...]
    missing: tuple[str, ...] = ()
    extra: tuple[Path, ...] = ()
    """Image files under the root that no item asks for."""
    duplicates: tuple[DoubledOutput, ...] = ()

    @property
    def complete(self) -> bool:
        """True if every item has exactly one output and nothing else lies there."""
        return not (self.missing or self.extra or self.duplicates)

    def summary(self) -> str:
        """One line for people."""
        return (
            f"{len(self.found)} of {self.n_expected} outputs found under {self.root}: "
            f"{len(self.missing)} missing, {len(self.extra)} extra, {len(self.duplicates)} doubled"
        )


IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"})


def preflight(root: Path, candidates: Mapping[str, Sequence[Path]], searched: Iterable[Path]) -> Preflight:
    """Match the files below `searched` with the candidate paths of each item, best first.

    Raises `DatasetError` if `root` is no folder.
    """
    if not root.is_dir():
        raise DatasetError(f"{root}: no such folder; give the folder that holds the model's outputs")
    found, missing, doubled = [], [], []
    claimed: set[Path] = set()
    for item, paths in candidates.items():
        present = tuple(path for path in paths if path.is_file())
        claimed.update(present)
        if not present:
            missing.append(item)
            continue
        found.append(OutputFile(item=item, path=present[0]))
        if len(present) > 1:
            doubled.append(DoubledOutput(item=item, paths=present))
    return Preflight(
        root=root,
        n_expected=len(candidates),
        found=tuple(found),
        missing=tuple(missing),
        extra=tuple(path for path in _images(searched) if path not in claimed),
        duplicates=tuple(doubled),
    )


def _images(folders: Iterable[Path]) -> list[Path]:
    return sorted(
        path
        for folder in folders
        if folder.is_dir()
        for path in folder.rglob("*")
        if path.suffix.lower() in IMAGE_SUFFIXES and path.is_file()
    )


def inside(root: Path, relative: str) -> Path:
    """The file that a dataset's path names.

    Raises `DatasetError` if the path is empty, absolute, or leaves `root`, by `..` or by a link.
    """
    if not relative.strip():
        raise DatasetError("an image path is empty")
    path = root / relative
    if Path(relative).is_absolute() or "\\" in relative or "\0" in relative:
        raise DatasetError(f"image path {relative!r} must be relative to {root}, with forward slashes")
    if not path.resolve().is_relative_to(root.resolve()):
        raise DatasetError(f"image path {relative!r} leaves the dataset folder {root}")
    return path


def existing(root: Path, relative: str) -> Path:
    """As `inside`, and the file is there."""
    path = inside(root, relative)
    if not path.is_file():
        raise DatasetError(f"image {relative!r} is not in {root}")
    return path
