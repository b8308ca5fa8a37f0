"""Weights on disk: their identity, and the packages and files that loading them needs."""

from __future__ import annotations

import hashlib
from importlib import import_module
from pathlib import Path
from typing import Any

from editplan.errors import ConfigError

_CHUNK = 1 << 20
_WEIGHTS = ("*.safetensors", "*.bin", "config.json", "preprocessor_config.json", "processor_config.json")


def need_package(name: str, extra: str) -> Any:
    """The package. Raises `ConfigError` that names the extra where it isn't installed."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ConfigError(f"{name} can't be imported ({error}): pip install 'editplan[{extra}]'") from error


def fingerprint(path: Path) -> str:
    """The first 12 hex digits of a SHA-256 over a weights file, or over config and weights of a folder."""
    files = [path] if path.is_file() else sorted({file for each in _WEIGHTS for file in path.glob(each)})
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode())
        with file.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()[:12]


def need_folder(path: Path, what: str) -> Path:
    """A folder in the transformers layout. Raises `ConfigError` where it isn't one."""
    if not (path / "config.json").is_file():
        raise ConfigError(f"{what}: {path} has no config.json; give a folder in the transformers layout")
    if not any(True for pattern in ("*.safetensors", "*.bin") for _ in path.glob(pattern)):
        raise ConfigError(f"{what}: {path} has no weights (*.safetensors or *.bin) beside its config.json")
    return path
