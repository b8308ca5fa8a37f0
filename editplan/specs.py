"""Model spec strings: `provider:model[@base_url][?key=value&...]`.

The provider reaches up to the first `:`, options follow the last `?`, the base URL follows the last `@` that
a scheme follows; the rest is the model, without escapes (`qwen3-vl:8b`, `google/gemini-2.5-flash:free`).
"""

from __future__ import annotations

import re
from typing import TypeVar
from urllib.parse import parse_qsl, urlencode

from pydantic import ValidationError

from editplan.errors import SpecError
from editplan.records.base import Record
from editplan.secrets import masked

_BASE_URL = re.compile(r"@(?=[a-zA-Z][a-zA-Z0-9+.-]*://)")
_CREDENTIALS = re.compile(r"://[^/@]*:[^/@]*@")
_OPTIONS = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*=[^?]*$")

Options = TypeVar("Options", bound=Record)


class ModelSpec(Record):
    """A parsed spec; `str()` gives its canonical text, options in order of their keys."""

    provider: str
    model: str = ""
    base_url: str | None = None
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        text = self.provider + (f":{self.model}" if self.model else "")
        text += f"@{self.base_url}" if self.base_url else ""
        return text + (f"?{urlencode(sorted(self.options), safe='/:,')}" if self.options else "")


def parse_spec(text: str) -> ModelSpec:
    """Parses a spec. Raises `SpecError` with what is wrong."""
    head, options = _split_options(text.strip())
    base_url = None
    places = list(_BASE_URL.finditer(head))
    if places:
        head, base_url = head[: places[-1].start()], head[places[-1].end() :]
    provider, _, model = head.partition(":")
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", provider):
        raise SpecError(
            f"spec {masked(text)!r}: {provider!r} is no provider name; "
            "the form is provider:model[@base_url][?key=value&...]"
        )
    if base_url and _CREDENTIALS.search(base_url):
        raise SpecError(
            f"spec for {provider}: a password in the base URL would be written into runs; use the environment"
        )
    keys = [key for key, _ in options]
    repeated = sorted({key for key in keys if keys.count(key) > 1})
    if repeated:
        raise SpecError(f"spec {masked(text)!r}: option {repeated[0]!r} is given twice")
    return ModelSpec(provider=provider, model=model, base_url=base_url, options=tuple(sorted(options)))


def _split_options(text: str) -> tuple[str, list[tuple[str, str]]]:
    head, mark, tail = text.rpartition("?")
    if not mark:
        return text, []
    pairs = tail.split("&") if tail else []
    for pair in pairs:
        if not _OPTIONS.match(pair):
            raise SpecError(f"spec {masked(text)!r}: {pair!r} is no key=value")
    return head, parse_qsl(tail, keep_blank_values=True)


def read_options(spec: ModelSpec, kind: type[Options]) -> Options:
    """The spec's options as a record of `kind`. An unknown key is an error that lists the known ones."""
    given = dict(spec.options)
    known = sorted(kind.model_fields)
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise SpecError(
            f"spec {masked(str(spec))!r}: unknown option {unknown[0]!r}; "
            f"{spec.provider} knows: {', '.join(known) or 'none'}"
        )
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        raise SpecError(
            f"spec {masked(str(spec))!r}: option {'.'.join(map(str, first['loc']))}: {first['msg']}"
        ) from error
