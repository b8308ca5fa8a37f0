"""A local model folder as `save_pretrained` writes it: which pipeline it holds, and a fingerprint of its content."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from editplan.errors import ConfigError
from editplan.images import sha256_hex
from editplan.records import Record, digest

INDEX = "model_index.json"
EXTRA = ("torch", "diffusers", "transformers", "accelerate")
_WEIGHTS = frozenset({".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".gguf"})


class ModelFolder(Record):
    """What is known of a folder before anything of it is loaded."""

    path: Path
    pipeline: str
    """The class that `model_index.json` names."""
    distilled: bool = False
    """The folder says that its model needs few steps and no guidance."""
    embeds_guidance: bool | None = None
    """Whether the transformer has an input for a guidance scale; None where its configuration doesn't say."""
    index_sha256: str
    fingerprint: str
    """Hash of the index, the components' configurations, and the weight files' names and sizes."""

    @property
    def model(self) -> str:
        """Name and fingerprint; the same wherever the folder lies."""
        return f"{self.path.name}#{self.fingerprint[:12]}"


def read_folder(text: str, known: Sequence[str]) -> ModelFolder:
    """Reads the folder that a spec names. Nothing is downloaded, no weights are read.

    Raises `ConfigError` for a missing folder, one without a readable `model_index.json`, or a pipeline class that is
    not among the `known` ones.
    """
    path = Path(text).expanduser()
    if not text or not path.is_dir():
        raise ConfigError(
            f"there is no model folder {text!r}: give a folder that save_pretrained or `hf download <repository> "
            "--local-dir <folder>` wrote; nothing is downloaded here"
        )
    path = path.resolve()
    index, raw = _read_index(path / INDEX)
    pipeline = str(index.get("_class_name", ""))
    if pipeline not in known:
        raise ConfigError(
            f"{path / INDEX} names the pipeline {pipeline or '(none)'}; known here: {', '.join(sorted(known))}"
        )
    return ModelFolder(
        path=path,
        pipeline=pipeline,
        distilled=index.get("is_distilled") is True,
        embeds_guidance=_embeds_guidance(path),
        index_sha256=sha256_hex(raw),
        fingerprint=digest({"index": sha256_hex(raw), "files": _content(path)}),
    )


def _read_index(path: Path) -> tuple[dict[str, Any], bytes]:
    try:
        raw = path.read_bytes()
        index = json.loads(raw)
    except FileNotFoundError as error:
        raise ConfigError(f"{path.parent} has no {INDEX}: give the folder of a whole diffusers pipeline") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} can't be read ({error}): fetch the folder again") from error
    if not isinstance(index, dict):
        raise ConfigError(f"{path} holds no object: fetch the folder again")
    return index, raw


def _embeds_guidance(path: Path) -> bool | None:
    try:
        said = json.loads((path / "transformer" / "config.json").read_bytes())
    except (OSError, ValueError):
        return None
    found = said.get("guidance_embeds") if isinstance(said, dict) else None
    return found if isinstance(found, bool) else None


def _content(path: Path) -> list[list[str | int]]:
    """Weight files by name and size (they are too large to hash), configurations by their hash."""
    found: list[list[str | int]] = []
    for file in sorted(path.rglob("*")):
        name = file.relative_to(path).as_posix()
        if any(part.startswith(".") for part in name.split("/")):
            continue
        if file.suffix in _WEIGHTS:
            found.append([name, file.stat().st_size])
        elif file.suffix == ".json" and "config" in file.name:
            found.append([name, sha256_hex(file.read_bytes())])
    return found


def require_extra(packages: Sequence[str] = EXTRA) -> None:
    """Raises `ConfigError` that names what isn't installed and how to get it."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"local pipelines need {', '.join(missing)}, not installed here: pip install 'editplan[local]'"
        )


def library_versions(packages: Sequence[str] = EXTRA) -> dict[str, str | None]:
    """Installed versions; None for a package that isn't."""
    found: dict[str, str | None] = {}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found
