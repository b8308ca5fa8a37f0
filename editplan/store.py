"""The content-addressed image store, on disk or in memory."""

from __future__ import annotations

import io
import os
import threading
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

from editplan.errors import ImageError, StoreError
from editplan.images import MAX_PIXELS, canonicalise, encode_png, sha256_hex, sniff
from editplan.records.media import Media

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

_DECODED_BYTES = 256 * 2**20


class StoredImage:
    """One image of a store; decoded on demand and shared through the store's cache."""

    def __init__(self, store: ImageStore, media: Media) -> None:
        self._store = store
        self.media = media

    def png(self) -> bytes:
        """The canonical file."""
        return self._store.read(self.media.sha256)

    def array(self) -> NDArray[np.uint8]:
        """RGB, uint8, height × width × 3, read-only."""
        return self._store.decoded(self.media)

    def pil(self) -> Image:
        """RGB."""
        import PIL.Image

        return PIL.Image.fromarray(self.array())


class ImageStore:
    """Maps sha256 → image. With a folder, files lie at `<folder>/ab/<sha256>.<ext>` and are durable once added."""

    def __init__(self, folder: Path | None = None, *, max_pixels: int = MAX_PIXELS) -> None:
        self.folder = folder
        self.max_pixels = max_pixels
        self._bytes: dict[str, bytes] = {}
        self._media: dict[str, Media] = {}
        self._cache: OrderedDict[str, NDArray[np.uint8]] = OrderedDict()
        self._cached_bytes = 0
        self._lock = threading.Lock()
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(
                    f"can't write images to {folder}: {error.strerror}: choose another folder"
                ) from error

    def add(self, data: bytes, *, name: str = "image") -> tuple[Media, str, tuple[str, ...]]:
        """Keeps `data` as it came and its canonical PNG; see `Images.add`."""
        canonical = canonicalise(data, name=name, max_pixels=self.max_pixels)
        raw = sha256_hex(data)
        media = self.add_picture(canonical.image)
        if raw != media.sha256:
            self._write(raw, sniff(data) or "bin", data)
        return media, raw, canonical.notes

    def add_picture(self, picture: Image) -> Media:
        """Keeps a decoded picture as canonical PNG."""
        png = encode_png(picture if picture.mode == "RGB" else picture.convert("RGB"))
        media = Media(sha256=sha256_hex(png), width=picture.width, height=picture.height)
        self._write(media.sha256, "png", png)
        with self._lock:
            self._media[media.sha256] = media
        return media

    def add_array(self, pixels: NDArray[np.uint8]) -> Media:
        """Keeps an RGB array, uint8, H × W × 3."""
        import PIL.Image

        return self.add_picture(PIL.Image.fromarray(pixels))

    def add_svg(self, text: str, *, width: int, height: int) -> Media:
        """Keeps a drawing's source text; it is not parsed here."""
        data = text.encode("utf-8")
        media = Media(sha256=sha256_hex(data), kind="svg", width=width, height=height)
        self._write(media.sha256, "svg", data)
        with self._lock:
            self._media[media.sha256] = media
        return media

    def path(self, sha256: str) -> Path | None:
        """Where an image lies on disk; None in memory or if it is not there."""
        if self.folder is None:
            return None
        folder = self.folder / sha256[:2]
        png = folder / f"{sha256}.png"
        return png if png.exists() else next(iter(sorted(folder.glob(f"{sha256}.*"))), None)

    def read(self, sha256: str) -> bytes:
        """The stored bytes. Raises `StoreError` where there are none or they changed."""
        if sha256 in self._bytes:
            return self._bytes[sha256]
        path = self.path(sha256)
        if path is None:
            raise StoreError(f"image {sha256[:12]} is not in the store {self.folder or '(memory)'}")
        data = path.read_bytes()
        if sha256_hex(data) != sha256:
            raise StoreError(f"{path} was changed after it was stored: delete it and run again")
        return data

    def decoded(self, media: Media) -> NDArray[np.uint8]:
        """RGB pixels, read-only, through a cache bounded in bytes."""
        import numpy as np
        import PIL.Image

        with self._lock:
            if media.sha256 in self._cache:
                self._cache.move_to_end(media.sha256)
                return self._cache[media.sha256]
        if media.kind != "png":
            raise ImageError(f"image {media.sha256[:12]} is a drawing ({media.kind}): render it first")
        pixels = np.asarray(PIL.Image.open(io.BytesIO(self.read(media.sha256))).convert("RGB"))
        pixels.setflags(write=False)
        with self._lock:
            self._cache[media.sha256] = pixels
            self._cached_bytes += pixels.nbytes
            while self._cached_bytes > _DECODED_BYTES and len(self._cache) > 1:
                self._cached_bytes -= self._cache.popitem(last=False)[1].nbytes
        return pixels

    def __contains__(self, sha256: object) -> bool:
        return isinstance(sha256, str) and (sha256 in self._bytes or self.path(sha256) is not None)

    def __getitem__(self, sha256: str) -> StoredImage:
        with self._lock:
            media = self._media.get(sha256)
        return StoredImage(self, media or self._look(sha256))

    def _look(self, sha256: str) -> Media:
        import PIL.Image

        data = self.read(sha256)
        path = self.path(sha256)
        if sniff(data) == "svg" or (path is not None and path.suffix == ".svg"):
            media = _drawing(sha256, data)
        else:
            width, height = PIL.Image.open(io.BytesIO(data)).size
            media = Media(sha256=sha256, width=width, height=height)
        with self._lock:
            self._media[sha256] = media
        return media

    def _write(self, sha256: str, extension: str, data: bytes) -> None:
        if self.folder is None:
            self._bytes[sha256] = data
            return
        path = self.folder / sha256[:2] / f"{sha256}.{extension}"
        if path.exists():
            return
        partial = path.parent / f".{path.name}.{os.getpid()}-{threading.get_ident()}.part"
        try:
            path.parent.mkdir(exist_ok=True)
            with partial.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        except OSError as error:
            raise StoreError(f"can't write {path}: {error.strerror}: free space or choose another folder") from error


def _drawing(sha256: str, data: bytes) -> Media:
    """A drawing that another session stored; 1 × 1 px where its text gives no size."""
    from editplan.svg_source import drawing_size, parse

    root, _ = parse(data.decode("utf-8", "replace"))
    width, height = (1.0, 1.0) if root is None else drawing_size(root)
    return Media(sha256=sha256, kind="svg", width=max(1, round(width)), height=max(1, round(height)))
