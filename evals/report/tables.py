"""The tables of a report, made from the summary alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from editplan.evals.report.figures import (
    DASH,
    counts,
    headline,
    interval,
    matching,
    money,
    number,
    p_value,
    signed,
)
from editplan.evals.report.markup import Html, element, joined, table

Summary = dict[str, Any]


def arms(summary: Summary) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Condition, editor and figures of every arm, in the experiment's order."""
    for condition, editors in summary["conditions"].items():
        for editor, figures in editors.items():
            yield condition, editor, figures


def headline_table(summary: Summary) -> Html:
    """One row an arm: score with interval, R and D, statuses, calls a run."""
    head = ["condition", "editor", f"{summary['metric']} (95% CI)", "R", "D", "abstained", "n", "ended"]
    rows = [
        [
            condition,
            editor,
            headline(arm["score"]),
            number(arm["required"]),
            number(arm["damage"]),
            _share(arm["judged"]["abstained"]),
            f"{arm['score']['n']} of {summary['n_cases']}",
            counts(arm["statuses"]),
        ]
        for condition, editor, arm in arms(summary)
    ]
    return table(head, rows, numbers_from=2)


def published_tables(summary: Summary) -> Html:
    """The benchmark's own tables, where it has any."""
    return joined(
        element(
            "details",
            {"open": True},
            element("summary", {}, each["title"]),
            table(each["columns"], each["rows"]),
        )
        for each in summary["published"]
    )


def comparison_table(summary: Summary) -> Html:
    """Paired differences: declared ones first, exploratory ones marked."""
    head = ["a − b", "editor", "difference (95% CI)", "p", "p (Holm)", "wins / ties / losses", "n", "calls", ""]
    rows = [
        [
            f"{row['a']} − {row['b']}",
            row["editor"],
            f"{signed(row['delta'])} {interval(row['ci'])}",
            p_value(row["p"]),
            p_value(row["p_holm"]),
            f"{row['wins']} / {row['ties']} / {row['losses']}",
            str(row["n"]),
            matching(row),
            "exploratory" if row["exploratory"] else "primary" if row["primary"] else "declared",
        ]
        for row in summary["comparisons"]
    ]
    return table(head, rows, numbers_from=2)


def group_tables(summary: Summary) -> Html:
    """The headline by regime and by each column of the suite."""
    columns = {"regime": "by_regime"}
    parts = [_group_table(summary, title, lambda arm, field=field: arm[field]) for title, field in columns.items()]
    named = dict.fromkeys(column for _, _, arm in arms(summary) for column in arm["by_group"])
    parts += [
        _group_table(summary, column, lambda arm, column=column: arm["by_group"].get(column, {})) for column in named
    ]
    return element("div", {"class": "groups"}, *(part for part in parts if part))


def attribution_table(summary: Summary) -> Html:
    """What the outputs realise, each line adding up to its N; nothing where nobody can tell."""
    found = summary["attribution"]
    if found is None:
        return Html("")
    kinds = list(dict.fromkeys(kind for arm in found["arms"] for kind in arm["realised"]))
    rows = []
    for arm in found["arms"]:
        cells = [str(arm["realised"].get(kind, 0)) for kind in kinds]
        rows.append([arm["condition"], arm["editor"], "", *cells, str(arm["n"])])
        for stated, realised in arm["by_plan"].items():
            if stated != "no_plan":
                cells = [str(realised.get(kind, 0)) for kind in kinds]
                rows.append(["", "", f"plan {stated}", *cells, str(sum(realised.values()))])
    title = "What the outputs realise" + ("" if found["kind"] == "enumerated" else " (an estimate by the oracle arm)")
    head = ["condition", "editor", "", *(kind.replace("_", " ") for kind in kinds), "N"]
    return joined([element("h3", {}, title), table(head, rows, numbers_from=3)])


def _group_table(summary: Summary, title: str, read: Any) -> Html:
    values = dict.fromkeys(value for _, _, arm in arms(summary) for value in read(arm))
    if not values:
        return Html("")
    head = [title, "n", *(_arm_name(summary, condition, editor) for condition, editor, _ in arms(summary))]
    rows = []
    for value in values:
        scores = [read(arm).get(value) for _, _, arm in arms(summary)]
        sizes = max((score["n"] for score in scores if score), default=0)
        rows.append([value, str(sizes), *(headline(score) if score else DASH for score in scores)])
    return element("div", {}, element("h3", {}, f"By {title}"), table(head, rows))


def _arm_name(summary: Summary, condition: str, editor: str) -> str:
    return condition if len(summary["conditions"][condition]) == 1 else f"{condition} · {editor}"


def cost_table(summary: Summary) -> Html:
    """Calls of each arm: the matching vector a run, and totals."""
    head = ["condition", "editor", "agent calls a run", "generations a run", "vision calls a run"]
    head += ["words of instruction", "wire attempts", "tokens in", "tokens out", "image pixels", "cost", "seconds"]
    rows = [
        [
            condition,
            editor,
            *(number(arm["vector"][name], 2) for name in ("agent", "generations", "vision", "instruction_words")),
            *(f"{arm['calls'][name]:,}" for name in ("wire_attempts", "tokens_in", "tokens_out", "image_pixels")),
            money(arm["calls"]["cost_usd"]),
            number(arm["calls"]["seconds"], 1),
        ]
        for condition, editor, arm in arms(summary)
    ]
    return table(head, rows, numbers_from=2)


def diagnostics_table(summary: Summary) -> Html:
    """The six diagnostics of each arm over its judged outcomes; nothing where the metric has none."""
    cells = dict.fromkeys(cell for _, _, arm in arms(summary) for cell in arm["diagnostics"])
    if not cells:
        return Html("")
    rows = [
        [condition, editor, *(number(arm["diagnostics"].get(cell)) for cell in cells), counts(arm["judged"]["gate"])]
        for condition, editor, arm in arms(summary)
    ]
    head = ["condition", "editor", *cells, "gate"]
    return joined([element("h3", {}, "Diagnostics"), table(head, rows, numbers_from=2)])


def invalid_table(summary: Summary) -> Html:
    """Items of the suite that can't be run; they are listed and never scored."""
    rows = [[case["case_id"], case["error"]] for case in summary["invalid_cases"]]
    if not rows:
        return Html("")
    return joined([element("h3", {}, "Items that can't be run"), table(["case", "error"], rows, numbers_from=2)])


def _share(value: float | None) -> str:
    return DASH if value is None else f"{100 * value:.1f}%"
