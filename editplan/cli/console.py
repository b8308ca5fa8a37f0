"""What goes to stdout and what to stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from editplan.evals.runner import Progress

_LINE_EVERY_S = 15.0


def say(text: str) -> None:
    """A line for people, on stderr."""
    print(text, file=sys.stderr, flush=True)


def print_json(document: Any) -> None:
    """The one JSON document of a command, on stdout."""
    json.dump(document, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


@contextmanager
def progress(title: str) -> Iterator[Callable[[Progress], None]]:
    """Shows done, total, cost so far and time left on stderr: a bar on a terminal, else a line now and then."""
    if sys.stderr.isatty():
        with _bar(title) as show:
            yield show
    else:
        yield _lines(title)


@contextmanager
def _bar(title: str) -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rest]}"))
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, rest="")

        def show(state: Progress) -> None:
            bar.update(task, completed=state.done, total=state.total, rest=_rest(state))

        yield show


def _lines(title: str) -> Callable[[Progress], None]:
    last = time.monotonic()

    def show(state: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if state.done == state.total or now - last >= _LINE_EVERY_S:
            last = now
            say(f"{title}: {state.done}/{state.total} {_rest(state)}")

    return show


def _rest(state: Progress) -> str:
    parts = [f"{state.faults} faults"] if state.faults else []
    parts += [f"${state.cost_usd:.4f}"] if state.cost_usd else []
    parts += [f"{state.seconds_left:.0f} s left"] if state.seconds_left else []
    return ", ".join(parts)
