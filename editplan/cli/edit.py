"""`editplan edit IMAGE...`: plan an edit and make it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from editplan.cli.run import AsJson
from editplan.cli.wishes import (
    EMBEDDED_EDITOR,
    Condition,
    Deadline,
    Editor,
    FinishIt,
    MaxCost,
    Native,
    Prices,
    ResendUnknown,
    box_of,
    finish_of,
    policy_of,
)

if TYPE_CHECKING:
    from editplan.planner.result import EditResult

Images = Annotated[list[Path], typer.Argument(help="One or more pictures, in the order that the goal names them.")]
Goal = Annotated[str, typer.Option(help="What the edited picture must show.")]
Planner = Annotated[str, typer.Option(help="A vision model: provider:model[@base_url][?key=value&...].")]


def edit(
    images: Images,
    goal: Goal,
    planner: Planner = "embedded",
    editor: Editor = EMBEDDED_EDITOR,
    condition: Condition = "plan",
    out: Annotated[Path | None, typer.Option(help="The output picture [default: <image>.edited.png].")] = None,
    mask: Annotated[Path | None, typer.Option(help="A picture, white where the edit may be.")] = None,
    region: Annotated[str | None, typer.Option(help="x1,y1,x2,y2 in 0..1: where the edit may be.")] = None,
    finish: FinishIt = False,
    native: Native = False,
    deadline: Deadline = None,
    max_cost: MaxCost = None,
    prices: Prices = None,
    run_dir: Annotated[
        Path | None, typer.Option(help="Keeps calls and images, so that nothing is paid twice.")
    ] = None,
    resend_unknown: ResendUnknown = False,
    review: Annotated[bool, typer.Option("--review", help="Stop before the generation; see `resume`.")] = False,
    as_json: AsJson = False,
) -> None:
    """Plan an edit and make it with one call to the editor."""
    from editplan import EditAgent
    from editplan.cli.console import print_json, say

    target = out or images[0].with_name(f"{images[0].stem}.edited.png")
    _check_target(target, images)
    policy = policy_of(prices, resend_unknown=resend_unknown)
    if review:
        from editplan.cli.resume import pause, wish_of

        given = [deadline, max_cost, region, native or None]
        wish = wish_of(images, goal, mask, (planner, editor, condition), finish=finish, target=target, other=given)
        pause(wish, run_dir, policy, as_json=as_json)
        return
    with EditAgent(planner=planner, editor=editor, condition=condition, run_dir=run_dir, policy=policy) as agent:
        result = agent.edit(
            [str(image) for image in images],
            goal=goal,
            mask=None if mask is None else str(mask),
            region=box_of(region),
            finish=finish_of(finish, native) or None,
            deadline_s=deadline,
            max_cost_usd=max_cost,
        )
    outcome = result.outcome
    saved = outcome.media is not None
    if saved:
        result.save(target)
    if as_json:
        print_json(_document(result, target if saved else None, images[0].stem))
    else:
        print(f"{outcome.status.value}: {target if saved else outcome.text or 'no output'}")
        print(f"instruction: {outcome.instruction or '-'}")
        for note in result.notes:
            say(f"note: {note}")
    raise typer.Exit(1 if outcome.status.is_fault else 0)


def _check_target(path: Path, sources: list[Path]) -> None:
    """Fails before anything is paid for where the output could not be written, or would replace a source."""
    import os

    import PIL.Image

    from editplan.errors import ConfigError, StoreError

    PIL.Image.init()
    if path.suffix.lower() not in PIL.Image.EXTENSION:
        raise ConfigError(
            f"--out {path}: {path.suffix or 'no ending'} is no picture format; give a name such as out.png"
        )
    if path.is_dir():
        raise ConfigError(f"--out {path} is a folder: give the name of a picture in it")
    if any(path.resolve() == source.resolve() for source in sources):
        raise ConfigError(f"--out {path} is the source itself: give another name")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        writable = os.access(path if path.exists() else path.parent, os.W_OK)
        if not path.exists():
            path.touch()
            path.unlink()
    except OSError as error:
        raise StoreError(f"{path} can't be written ({error.strerror}): give another --out") from error
    if not writable:
        raise StoreError(f"{path} can't be written: give another --out")


def _document(result: EditResult, output: Path | None, uid: str) -> dict[str, Any]:
    from editplan.planner.formats import write_plan

    outcome, preservation = result.outcome, result.preservation
    return {
        "status": outcome.status.value,
        "output": str(output) if output else None,
        "instruction": outcome.instruction,
        "plan": write_plan(outcome.plan, uid) if outcome.plan else None,
        "calls": outcome.calls.model_dump(mode="json")["calls"],
        "notes": list(result.notes),
        **({"preservation": preservation.model_dump(mode="json")} if preservation else {}),
    }
