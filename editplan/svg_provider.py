"""`svg:<provider>:<model>...`: puts an SVG editor together from a text model and the packaged prompts.

Editors know neither planner models nor prompts, so the composition stands above them.
"""

from __future__ import annotations

from editplan.errors import SpecError
from editplan.protocols import Editor
from editplan.specs import ModelSpec

_CEILING = "ceiling"


def build(spec: ModelSpec) -> Editor:
    """The SVG editor of a spec such as `svg:openai:gpt-5.6?ceiling=study`; the other options are the model's.

    Raises:
        SpecError: there is no model in the spec, the ceiling is unknown, or the model's own spec is wrong.
    """
    from editplan.editors.svg import SvgEditor
    from editplan.editors.svg_text import TokenCeiling
    from editplan.planner.models import resolve
    from editplan.prompts.loader import PromptLibrary

    provider, colon, model = spec.model.partition(":")
    if not provider:
        raise SpecError("spec svg: names no text model; the form is svg:<provider>:<model>, e.g. svg:openai:gpt-5.6")
    options = dict(spec.options)
    ceiling = options.pop(_CEILING, TokenCeiling.CURRENT.value)
    if ceiling not in TokenCeiling.__members__.values():
        known = ", ".join(TokenCeiling)
        raise SpecError(f"spec svg:{spec.model}: ceiling={ceiling!r} is unknown; there are: {known}")
    inner = ModelSpec(
        provider=provider, model=model if colon else "", base_url=spec.base_url, options=tuple(options.items())
    )
    return SvgEditor(resolve(inner), PromptLibrary(), ceiling=TokenCeiling(ceiling))
