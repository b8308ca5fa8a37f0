"""`editplan study RUN`: the intervention study T, D, H, O, and what each output realises."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from editplan.cli.run import AsJson, RunsDir

if TYPE_CHECKING:
    from editplan.evals.attributing import RunAttribution
    from editplan.evals.comparison.study import Study


def study(
    name: Annotated[str, typer.Argument(metavar="RUN", help="A run directory, or its name.")],
    runs_dir: RunsDir = Path("runs"),
    judge: Annotated[str | None, typer.Option(help="One of the run's judges [default: its first].")] = None,
    pass_mark: Annotated[float | None, typer.Option(help="The score from which a case counts as passed.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell where a model fails: answer in words, direct edit, own answer as instruction, oracle."""
    from editplan.cli.compare import chosen_judge
    from editplan.cli.console import print_json
    from editplan.errors import ConfigError
    from editplan.evals.comparison.study import study_run
    from editplan.evals.run import load_run
    from editplan.evals.session import run_folder

    run = load_run(run_folder(name, runs_dir))
    found = study_run(run, chosen_judge(judge, run.judges), pass_mark)
    if not found:
        raise ConfigError(
            f"{name} holds no intervention study: it needs direct, and text_thinking:raw or oracle:raw "
            "(text_answer for the integration gap, describe for the cascade)"
        )
    if as_json:
        print_json([each.model_dump(mode="json") for each in found])
        return
    for each in found:
        print_study(each)


def print_study(found: Study) -> None:
    """The study of one editor on stdout."""
    from editplan.cli.tables import rich_table, shown
    from editplan.evals.report.figures import interval, number, p_value, signed

    rows = [
        [letter, found.conditions[letter], number(it.mean), interval((it.ci.lo, it.ci.hi)), "", str(it.n)]
        for letter, it in found.means.items()
    ]
    for letter, effect in (("O - D", found.oracle_minus_direct), ("H - D", found.thinking_minus_direct)):
        if effect is not None:
            ci = interval((effect.ci.lo, effect.ci.hi))
            rows.append([letter, "", signed(effect.delta), ci, p_value(effect.p), str(effect.n)])
    head = ["", "condition", "mean", "95% CI", "p", "n"]
    shown(rich_table(f"Interventions with {found.editor}", head, rows, numbers_from=2))
    gap = found.gap
    if gap is not None:
        floor = "not known (one replicate)" if gap.noise_floor is None else f"{100 * gap.noise_floor:.1f}%"
        above = gap.above_floor
        beyond = f"; above it {signed(above.delta)} {interval((above.ci.lo, above.ci.hi))}" if above else ""
        shown(
            f"integration gap (T and O pass, D fails, at {found.pass_mark:g}): {100 * gap.share:.1f}% "
            f"{interval((gap.ci.lo, gap.ci.hi))} of {gap.n}; noise floor {floor}{beyond}"
        )
    if found.cascade is not None:
        steps = ", ".join(f"{it.name} {number(it.rate)} ({it.passed}/{it.reached})" for it in found.cascade.stages)
        shown(f"cascade: {steps}; bottleneck {found.cascade.bottleneck or '-'}")


def print_attribution(found: RunAttribution) -> None:
    """What the outputs realise on stdout; each line adds up to the arm's N."""
    from editplan.cli.tables import rich_table, shown

    kinds = list(dict.fromkeys(kind for arm in found.arms for kind in arm.realised))
    rows = []
    for arm in found.arms:
        name = f"{arm.condition} ({arm.editor})"
        rows.append([name, *(str(arm.realised.get(kind, 0)) for kind in kinds), str(arm.n)])
        if set(arm.by_plan) - {"no_plan"}:
            for stated, counts in arm.by_plan.items():
                cells = [str(counts.get(kind, 0)) for kind in kinds]
                rows.append([f"  plan {stated}", *cells, str(sum(counts.values()))])
    enumerated = found.kind == "enumerated"
    title = "Attribution by pixels" if enumerated else "Attribution by the oracle arm: an estimate"
    shown(rich_table(title, ["arm", *(kind.replace("_", " ") for kind in kinds), "N"], rows))
