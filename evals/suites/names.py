"""File names for case ids of any kind: readable, safe, and never the same for two ids."""

from __future__ import annotations

import hashlib
import re

_PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
_HASHED = re.compile(r".*-[0-9a-f]{12}")


def file_slug(name: str) -> str:
    """A file name for `name`, without extension; injective, also where capitals don't count.

    A plain lower-case name stays as it is; any other keeps its plain characters and gets 12 digits of its SHA-256.
    """
    if _PLAIN.fullmatch(name) and not _HASHED.fullmatch(name) and ".." not in name and not name.endswith("."):
        return name
    readable = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]
    return f"{readable or 'case'}-{hashlib.sha256(name.encode('utf-8')).hexdigest()[:12]}"
