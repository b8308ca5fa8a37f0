"""`editplan resume RUN CASE`: carry out a reviewer's word on a plan that `editplan edit --review` left."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from editplan.cli.run import AsJson

if TYPE_CHECKING:
    from editplan.calls.layer import CallPolicy
    from editplan.planner.reviewing import PendingReview, ReviewWish, Word

REVIEWS = Path("runs") / "reviews"
"""Where plans wait if no run directory is given."""


def resume(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run directory of `edit --review`.")],
    case: Annotated[str, typer.Argument(metavar="CASE", help="The request's id, as `edit --review` printed it.")],
    approve: Annotated[bool, typer.Option("--approve", help="Make the edit as it is planned.")] = False,
    edit: Annotated[str | None, typer.Option(help="Make the edit with this instruction instead.")] = None,
    reject: Annotated[bool, typer.Option("--reject", help="Make no edit.")] = False,
    reason: Annotated[str, typer.Option(help="Why it is rejected.")] = "",
    out: Annotated[Path | None, typer.Option(help="Another place for the output picture.")] = None,
    as_json: AsJson = False,
) -> None:
    """Approve, change or reject a plan that waits for review; planning calls are not made again."""
    from editplan.cli.console import print_json
    from editplan.planner.reviewing import decide_review

    word = _word(approve=approve, instruction=edit, reject=reject, reason=reason)
    reviewed = asyncio.run(decide_review(run, case, word))
    result = reviewed.result
    assert result is not None, "a decided review has a result"
    saved = None
    if result.outcome.media is not None:
        saved = result.save(out or reviewed.pending.wish.out or f"{case}.png")
    outcome = result.outcome
    if as_json:
        calls = outcome.calls.model_dump(mode="json")["calls"]
        document: dict[str, Any] = {"status": outcome.status.value, "output": str(saved) if saved else None}
        print_json({**document, "instruction": outcome.instruction, "calls": calls, "notes": list(result.notes)})
    else:
        print(f"{outcome.status.value}: {saved or '; '.join(result.notes) or 'no output'}")
        print(f"instruction: {outcome.instruction or '-'}")
    raise typer.Exit(1 if outcome.status.is_fault and not reject else 0)


def _word(*, approve: bool, instruction: str | None, reject: bool, reason: str) -> Word:
    from editplan.errors import ConfigError

    if approve + reject + (instruction is not None) != 1:
        raise ConfigError("give one of --approve, --edit TEXT, --reject")
    if approve:
        return "approve"
    if reject:
        return {"decision": "reject", "reason": reason}
    return {"decision": "edit", "instruction": instruction}


def wish_of(
    images: Sequence[Path],
    goal: str,
    mask: Path | None,
    specs: tuple[str, str, str],
    *,
    finish: bool,
    target: Path,
    other: Sequence[object],
) -> ReviewWish:
    """What `edit --review` is to remember. Raises `ConfigError` for options that end with the planning process."""
    from editplan.errors import ConfigError
    from editplan.finish.settings import Finish
    from editplan.planner.reviewing import ReviewWish

    if any(each is not None for each in other):
        raise ConfigError("--review can't be combined with --deadline, --max-cost, --region or --native")
    planner, editor, condition = specs
    return ReviewWish(
        images=tuple(str(image.resolve()) for image in images),
        goal=goal,
        mask=None if mask is None else str(mask.resolve()),
        planner=planner,
        editor=editor,
        condition=condition,
        finish=Finish() if finish else None,
        out=str(target.resolve()),
    )


def pause(wish: ReviewWish, run_dir: Path | None, policy: CallPolicy, *, as_json: bool) -> None:
    """Plans, prints the plan that waits, and how to go on."""
    from editplan.cli.console import print_json, say
    from editplan.planner.reviewing import begin_review

    folder = run_dir or REVIEWS
    reviewed = asyncio.run(begin_review(wish, folder, policy))
    if reviewed.result is not None:
        outcome = reviewed.result.outcome
        say(f"no plan to review: {outcome.status.value}: {'; '.join(outcome.notes)}")
        raise typer.Exit(1 if outcome.status.is_fault else 0)
    pending = reviewed.pending
    if as_json:
        print_json(_waiting(pending, folder))
        return
    case = pending.request.case_id
    print(f"waiting for review: {case}")
    print(f"instruction: {pending.instruction}")
    print(f"go on with: editplan resume {folder} {case} --approve | --edit TEXT | --reject")


def _waiting(pending: PendingReview, folder: Path) -> dict[str, Any]:
    from editplan.planner.formats import write_plan

    return {
        "status": "waiting_for_review",
        "run": str(folder),
        "case": pending.request.case_id,
        "instruction": pending.instruction,
        "plan": write_plan(pending.plan, Path(pending.wish.images[0]).stem) if pending.plan else None,
    }
