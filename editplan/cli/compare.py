"""`editplan compare RUN`: what a run says about the differences between its arms."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from editplan.cli.run import AsJson, RunsDir

if TYPE_CHECKING:
    from editplan.evals.comparison.document import RunComparison
    from editplan.evals.comparison.pairs import PairComparison


def compare(
    name: Annotated[str, typer.Argument(metavar="RUN", help="A run directory, or its name.")],
    runs_dir: RunsDir = Path("runs"),
    judge: Annotated[str | None, typer.Option(help="One of the run's judges [default: its first].")] = None,
    pass_mark: Annotated[float | None, typer.Option(help="The score from which a case counts as passed.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the arms of a run: matching of calls, paired differences, groups, bounds."""
    from editplan.cli.console import print_json
    from editplan.evals.attributing import attribution_of
    from editplan.evals.comparison.document import compare_run
    from editplan.evals.comparison.study import study_run
    from editplan.evals.run import load_run
    from editplan.evals.session import run_folder

    run = load_run(run_folder(name, runs_dir))
    chosen = chosen_judge(judge, run.judges)
    found = compare_run(run, chosen, pass_mark)
    study = study_run(run, chosen, pass_mark)
    attribution = attribution_of(run, chosen, pass_mark)
    if as_json:
        document = found.model_dump(mode="json")
        for pair, written in zip(found.pairs, document["pairs"], strict=True):
            written["matching"] = pair.matching
        document["study"] = [each.model_dump(mode="json") for each in study]
        document["attribution"] = attribution.model_dump(mode="json") if attribution else None
        print_json(document)
        return
    print_comparison(found)
    from editplan.cli.study import print_attribution, print_study

    for each in study:
        print_study(each)
    if attribution is not None:
        print_attribution(attribution)


def chosen_judge(judge: str | None, judges: tuple[str, ...]) -> str:
    """The named judge of a run, or its first. Raises `ConfigError` for one that it does not have."""
    from editplan.errors import ConfigError

    if judge is None:
        return judges[0]
    if judge not in judges:
        raise ConfigError(f"the run has no judge {judge!r}; it has: {', '.join(judges)}")
    return judge


def print_comparison(found: RunComparison) -> None:
    """The comparison as tables on stdout."""
    from editplan.cli.tables import shown

    if found.same_family:
        shown(f"{found.judge} judges plans of its own model family: its gains may flatter.")
    for difference in found.settings:
        shown(f"NOT ALIKE: {difference.words}.")
    shown(_headlines(found))
    shown(_vectors(found))
    for pair in found.pairs:
        if not pair.matched.fully:
            shown(f"{_name(pair)} is not matched: {pair.matching}.")
    shown(_passes(found))
    shown(_bounds(found))
    for pair in found.pairs:
        if pair.details is not None:
            shown(_groups(pair))
            if pair.details.sweep:
                shown(_sweep(pair))
            _print_difficulty(pair)
    _print_contrasts(found)


def _ci(estimate: Any) -> str:
    from editplan.evals.report.figures import interval

    return interval((estimate.ci.lo, estimate.ci.hi))


def _name(pair: PairComparison) -> str:
    return f"{pair.a} - {pair.b} ({pair.editor})"


def _headlines(found: RunComparison) -> Any:
    from editplan.cli.tables import rich_table
    from editplan.evals.report.figures import DASH, p_value, signed

    rows = []
    for pair in found.pairs:
        gain = pair.difference
        cells = [DASH] * 5
        if gain is not None:
            counts = f"{gain.wins} / {gain.ties} / {gain.losses}"
            cells = [f"{signed(gain.delta)} {_ci(gain)}", p_value(gain.p), p_value(pair.p_holm), counts, str(gain.n)]
        rows.append([_name(pair), *cells, "matched" if pair.matched.fully else "not matched", pair.standing])
    head = ["a - b", "difference (95% CI)", "p", "p (Holm)", "wins / ties / losses", "n", "calls", ""]
    return rich_table(f"{found.name}: paired differences of {found.metric}, judge {found.judge}", head, rows)


def _vectors(found: RunComparison) -> Any:
    from editplan.cli.tables import rich_table
    from editplan.evals.report.figures import number

    parts = ("agent", "generations", "vision", "image_pixels", "tokens_out", "instruction_words")
    rows = []
    for pair in found.pairs:
        for side, condition in (("a", pair.a), ("b", pair.b)):
            vector = pair.vectors[side]
            total = vector["agent"] + vector["generations"]
            digits = {"agent": 2, "generations": 2, "vision": 2}
            cells = [number(vector[part], digits.get(part, 0)) for part in parts]
            rows.append([_name(pair) if side == "a" else "", condition, *cells[:2], number(total, 2), *cells[2:]])
    head = ["a - b", "arm", "agent", "generations", "total", "vision", "image pixels", "tokens out", "words"]
    return rich_table("Matching vector: mean answered calls a run, and what stands beside them", head, rows)


def _passes(found: RunComparison) -> Any:
    from editplan.cli.tables import rich_table
    from editplan.evals.report.figures import p_value

    rows = [
        [_name(pair), str(it.both), str(it.only_a), str(it.only_b), str(it.neither), p_value(it.p)]
        for pair in found.pairs
        if (it := pair.passed) is not None
    ]
    mark = found.pairs[0].pass_mark if found.pairs else 1.0
    head = ["a - b", "both", "only a", "only b", "neither", "p (McNemar)"]
    return rich_table(f"Passed: {found.metric} of at least {mark:g}", head, rows)


def _bounds(found: RunComparison) -> Any:
    from editplan.cli.tables import rich_table
    from editplan.evals.report.figures import interval

    rows = [
        [_name(pair), str(it.n), str(it.missing), interval(it.absence), str(it.abstained), interval(it.abstention)]
        for pair in found.pairs
        if (it := pair.bounds) is not None
    ]
    head = ["a - b", "cases", "missing", "difference within", "undecided atoms", "and within, these included"]
    return rich_table("Bounds without assumptions", head, rows)


def _groups(pair: PairComparison) -> Any:
    from editplan.cli.tables import rich_table
    from editplan.evals.report.figures import p_value, signed

    assert pair.details is not None, "only detailed pairs have groups"
    rows = [
        [f"{column}: {group}", signed(it.delta), _ci(it), p_value(it.p), str(it.n)]
        for column, groups in pair.details.groups.items()
        for group, it in groups.items()
    ]
    rows += [
        [
            f"{it.column}: {it.group} - {it.base}",
            signed(it.contrast.delta),
            _ci(it.contrast),
            p_value(it.contrast.p),
            f"{it.contrast.n_group} - {it.contrast.n_base}",
        ]
        for it in pair.details.interactions
    ]
    return rich_table(f"{_name(pair)} by group, then interactions", ["group", "gain", "95% CI", "p", "n"], rows)


def _sweep(pair: PairComparison) -> Any:
    from editplan.cli.tables import rich_table
    from editplan.evals.report.figures import p_value, signed

    assert pair.details is not None, "only detailed pairs have a sweep"
    rows = [
        [f"{it.damage_weight:g}", signed(it.gain.delta), _ci(it.gain), p_value(it.gain.p)]
        for it in pair.details.sweep
    ]
    head = ["lambda", "gain", "95% CI", "p"]
    return rich_table(f"{_name(pair)} under each weight of damage (0.5 is the published one)", head, rows)


def _print_difficulty(pair: PairComparison) -> None:
    from editplan.cli.tables import shown
    from editplan.evals.report.figures import number, signed

    trend = pair.details.difficulty if pair.details else None
    if trend is None:
        return
    slope = f"{signed(trend.slope)} {_ci(trend)}" if trend.ci else "not defined"
    thirds = ", ".join(f"{name} {signed(it.mean)}" for name, it in trend.by_third.items())
    shown(
        f"{_name(pair)}: gain per unit of difficulty {slope}, r {number(trend.correlation)}, n {trend.n}; {thirds}. "
        "Difficulty is measured on a direct replicate that is not in the gain."
    )


def _print_contrasts(found: RunComparison) -> None:
    from editplan.cli.tables import rich_table, shown
    from editplan.evals.report.figures import p_value, signed

    named = [
        (f"{each.a} - {each.b}, pooled over {len(each.editors)} editors", each.difference) for each in found.pooled
    ]
    named += [(f"{it.a} - {it.b}: {it.editor} - {it.other}", it.difference) for it in found.editor_contrasts]
    rows = [[name, signed(it.delta), _ci(it), p_value(it.p), str(it.n)] for name, it in named]
    if rows:
        shown(rich_table("Over editors", ["gain", "mean", "95% CI", "p", "n"], rows))
    gaps = [
        [
            f"{it.condition} ({it.editor})",
            f"{it.gap.regime} - {it.gap.base}",
            signed(it.gap.raw),
            signed(it.gap.adjusted),
            _ci(it.gap),
        ]
        for it in found.regime_gaps
    ]
    if gaps:
        head = ["arm", "regimes", "raw", "adjusted for domains", "95% CI"]
        shown(rich_table("Regime gaps of the score", head, gaps))
