"""A planner looks at a drawing's rendering; the editor gets its source."""

from __future__ import annotations

from editplan.calls.journal import Journal
from editplan.calls.layer import Calls
from editplan.planner.conditions.registry import resolve_condition
from editplan.planner.deps import Deps
from editplan.planner.run import run_condition, session_of
from editplan.planner.views import RENDERED_NOTE
from editplan.protocols import Images
from editplan.records import Ask, Capabilities, Edited, EditJob, EditRequest, Part, Reply, Status
from editplan.store import ImageStore

DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="20" height="20" fill="#f00"/></svg>'
)


class Looking:
    """Keeps what it is shown, and answers in free words."""

    id = "test:looking"

    def __init__(self) -> None:
        self.seen: list[tuple[str, int]] = []

    async def ask(self, ask: Ask, images: Images) -> Reply:
        for part in ask.parts:
            assert images[part.media.sha256].array()[5, 5].tolist() == [255, 0, 0]
            self.seen.append((part.media.kind, part.media.width))
        return Reply(text='{"thoughts": "t", "instruction": "Make the square blue."}')


class Rewriting:
    """Takes a drawing's source and gives it back in blue."""

    id = "test:rewriting"
    capabilities = Capabilities(media="svg")

    async def edit(self, job: EditJob, images: Images) -> Edited:
        assert job.parts[0].media.kind == "svg"
        text = images[job.parts[0].media.sha256].png().decode().replace("#f00", "#00f")
        return Edited(media=(images.add_svg(text, width=40, height=20),))


async def test_a_rewrite_of_a_drawing_sees_pixels_and_edits_source() -> None:
    images, journal, looking = ImageStore(), Journal(), Looking()
    condition = resolve_condition("generic_rewrite")
    part = Part(media=images.add_svg(DRAWING, width=40, height=20))
    request = EditRequest(case_id="c", parts=(part,), goal="Make the square blue.")
    session = session_of(Calls(journal, images), condition, case_id="c")
    outcome = await run_condition(condition, request, Deps(session=session, planner=looking, editor=Rewriting()))
    journal.close()
    assert outcome.status is Status.OK, outcome.notes
    assert looking.seen == [("png", 1024), ("png", 1024)]
    assert outcome.media is not None
    assert outcome.media.kind == "svg"
    assert RENDERED_NOTE in outcome.notes
