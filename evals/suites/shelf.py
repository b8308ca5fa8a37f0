"""Puts a dataset's pictures into the image store, each once, and remembers which file became which."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from editplan.errors import DatasetError
from editplan.records import Media
from editplan.store import ImageStore


class Shelf:
    """The pictures of one item, by file."""

    def __init__(self, images: ImageStore, root: Path) -> None:
        self.media: dict[Path, Media] = {}
        self._images = images
        self._root = root

    def add(self, path: Path) -> Media:
        """The stored picture. Raises `DatasetError` for a missing file, `ImageError` for one that is no picture."""
        if path not in self.media:
            if not path.is_file():
                name = path.relative_to(self._root) if path.is_relative_to(self._root) else path
                raise DatasetError(f"image {str(name)!r} is not in {self._root}")
            self.media[path] = self._images.add(path.read_bytes(), name=str(path))[0]
        return self.media[path]

    def add_all(self, paths: Iterable[Path]) -> tuple[Media, ...]:
        """The stored pictures, in order."""
        return tuple(self.add(path) for path in paths)
