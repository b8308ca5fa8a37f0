"""Reads prompt files: `<task>/v<N>.md`, `string.Template` text with `$name` fields.

A released file never changes: `lock.json` holds the hash of each, and a new wording is a new version.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from string import Template

from editplan.errors import PromptError
from editplan.images import sha256_hex
from editplan.records import Record

log = logging.getLogger("editplan.prompts")

FOLDER = Path(__file__).parent
LOCK = FOLDER / "lock.json"
_VERSION = re.compile(r"v([1-9][0-9]*)\.md")


class Rendered(Record):
    """A prompt with its fields filled in."""

    text: str
    prompt_id: str
    """`<task>/v<N>@<first 12 hex digits of the file's SHA-256>`; `<task>/user@...` for a user's unversioned file."""


class PromptFile(Record):
    """One prompt as it lies on disk."""

    task: str
    version: str
    """"v1", "v2", ... or "user" for a user's `<task>.md`."""
    text: str
    sha256: str

    @property
    def prompt_id(self) -> str:
        """What records keep of it."""
        return f"{self.task}/{self.version}@{self.sha256[:12]}"

    @cached_property
    def fields(self) -> frozenset[str]:
        """The names that must be given."""
        return frozenset(Template(self.text).get_identifiers())

    def render(self, fields: Mapping[str, str]) -> Rendered:
        """Fills the fields in. Raises `PromptError` for a missing or an unused one, or a stray `$`."""
        missing, unused = sorted(self.fields - set(fields)), sorted(set(fields) - self.fields)
        if missing:
            raise PromptError(f"prompt {self.prompt_id} needs the field {missing[0]!r}, which was not given")
        if unused:
            raise PromptError(
                f"prompt {self.prompt_id} has no field {unused[0]!r}: write ${unused[0]} where it belongs"
            )
        try:
            text = Template(self.text).substitute(fields)
        except ValueError as error:
            raise PromptError(f"prompt {self.prompt_id}: {error}: write $$ for a dollar sign") from error
        return Rendered(text=text, prompt_id=self.prompt_id)


class PromptLibrary:
    """The packaged prompts, any of them replaced by a file of the user's: `<task>.md` or `<task>/v<N>.md`."""

    def __init__(self, prompts_dir: Path | str | None = None) -> None:
        self.prompts_dir = None if prompts_dir is None else Path(prompts_dir)
        self._files: dict[tuple[str, int | None], PromptFile] = {}
        if self.prompts_dir is not None:
            _check_folder(self.prompts_dir)

    def get(self, task: str, version: int | None = None) -> PromptFile:
        """The prompt of a task, its highest version unless one is named. Raises `PromptError` if there is none."""
        key = (task, version)
        if key not in self._files:
            self._files[key] = self._find(task, version)
        return self._files[key]

    def render(self, task: str, fields: Mapping[str, str], *, version: int | None = None) -> Rendered:
        """The task's prompt with its fields filled in; see `PromptFile.render`."""
        return self.get(task, version).render(fields)

    def ids(self) -> dict[str, str]:
        """Task → prompt id of every prompt as it would be used now."""
        return {task: self.get(task).prompt_id for task in tasks()}

    def _find(self, task: str, version: int | None) -> PromptFile:
        if self.prompts_dir is not None:
            own = self.prompts_dir / f"{task}.md"
            if own.is_file():
                return _read(own, task, "user")
            if (self.prompts_dir / task).is_dir():
                return _version(self.prompts_dir / task, task, version)
        if not (FOLDER / task).is_dir():
            raise PromptError(f"there is no prompt {task!r}; known: {', '.join(tasks())}")
        return _version(FOLDER / task, task, version)


def tasks() -> tuple[str, ...]:
    """The packaged tasks, in order."""
    return tuple(sorted({path.parent.name for path in FOLDER.glob("*/v*.md")}))


def released() -> dict[str, str]:
    """The lock file: `<task>/v<N>` → SHA-256 of each released prompt."""
    if not LOCK.is_file():
        return {}
    return {str(name): str(value) for name, value in json.loads(LOCK.read_text(encoding="utf-8")).items()}


def present(folder: Path = FOLDER) -> dict[str, str]:
    """`<task>/v<N>` → SHA-256 of each prompt that lies in the folder now."""
    files = sorted(path for path in folder.glob("*/v*.md") if _VERSION.fullmatch(path.name))
    return {f"{path.parent.name}/{path.stem}": sha256_hex(path.read_bytes()) for path in files}


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise PromptError(f"prompts_dir {folder} is no folder: make it, or leave prompts_dir out")
    known = set(tasks())
    for path in sorted(folder.iterdir()):
        name = path.stem if path.suffix == ".md" else path.name
        if (path.suffix == ".md" or path.is_dir()) and name not in known:
            log.warning("%s replaces no packaged prompt; known: %s", path, ", ".join(sorted(known)))


def _version(folder: Path, task: str, version: int | None) -> PromptFile:
    found = {int(hit[1]): path for path in folder.iterdir() if (hit := _VERSION.fullmatch(path.name))}
    wanted = max(found, default=0) if version is None else version
    if wanted not in found:
        names = ", ".join(f"v{number}" for number in sorted(found)) or "none"
        raise PromptError(f"prompt {task!r} has no version v{wanted} in {folder}; there is: {names}")
    return _read(found[wanted], task, f"v{wanted}")


def _read(path: Path, task: str, version: str) -> PromptFile:
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(f"can't read the prompt {path}: {error}: it must be a UTF-8 text file") from error
    if not Template(text).is_valid():
        raise PromptError(f"prompt {path} has a stray dollar sign: write $$ for one, $name for a field")
    return PromptFile(task=task, version=version, text=text.strip() + "\n", sha256=sha256_hex(data))
