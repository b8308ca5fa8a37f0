"""The live handles that a graph is given as its context; nothing of them is ever in its state."""

from __future__ import annotations

from dataclasses import dataclass, field

from editplan.calls.session import CallSession
from editplan.errors import ConfigError
from editplan.planner.hints import KnowledgeHint, OracleSpec
from editplan.planner.options import PlannerOptions
from editplan.prompts.loader import PromptLibrary
from editplan.protocols import Editor, Images, VisionModel


@dataclass(frozen=True)
class Deps:
    """One outcome's handles: its call session, and the models that the condition may call.

    `oracle` and `hint` are what a suite hands to a control on purpose; `run_condition` takes them away from every
    condition that doesn't declare them.
    """

    session: CallSession
    planner: VisionModel | None = None
    editor: Editor | None = None
    prompts: PromptLibrary = field(default_factory=PromptLibrary)
    options: PlannerOptions = field(default_factory=PlannerOptions)
    oracle: OracleSpec | None = None
    hint: KnowledgeHint | None = None

    @property
    def images(self) -> Images:
        """Where the bytes of all images lie."""
        return self.session.images

    def need_planner(self) -> VisionModel:
        """The planner. Raises `ConfigError` where the condition has none."""
        if self.planner is None:
            raise ConfigError("this condition asks a vision model: give planner=")
        return self.planner

    def need_editor(self) -> Editor:
        """The editor. Raises `ConfigError` where the condition has none."""
        if self.editor is None:
            raise ConfigError("this condition makes an image: give editor=")
        return self.editor
