"""Carries out an experiment's runs: generation, then judging, each run recorded once, in one seeded order."""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from editplan.calls.limits import RunMeter
from editplan.errors import Cancelled, ConfigError, JudgeError, PromptError, StoreError
from editplan.evals.cases import Case
from editplan.evals.executors import Executor, Job
from editplan.evals.experiment import Experiment
from editplan.evals.judging import Judge, JudgeTask, Verdicts
from editplan.evals.rows import RunKey, RunRow, ScoreRow, is_finished, judges_to_ask
from editplan.evals.store import RunStore
from editplan.records import Media, Outcome, Record, Status, canonical_json
from editplan.secrets import masked

_STOPS_THE_RUN = (Cancelled, StoreError, ConfigError, PromptError)
"""Would meet every other run too; never an outcome."""


_FURTHER_PASSES = 3
"""How often a session comes back to runs that ended rate limited."""

_PACE_AFTER = 10
"""Runs of a session after which its pace is told; the first ones pay for imports and connections."""


class Generate(Protocol):
    """Makes one outcome; only what the condition may see of the case reaches it."""

    async def __call__(self, case: Case, key: RunKey) -> Outcome:
        """Every failure of plan, editor or provider is an outcome; a run limit raises `Cancelled`."""
        ...


class Progress(Record):
    """Where a session stands; sent after each run."""

    done: int
    total: int
    faults: int
    """Runs of this session that ended in a fault."""
    cost_usd: float | None
    """Spent in this session."""
    seconds_left: float | None
    """At the pace of this session; None while it is too young to tell."""


@dataclass(frozen=True)
class Hands:
    """What a session works with."""

    generate: Generate
    judges: Mapping[str, Judge]
    meter: RunMeter
    executor: Executor
    on_progress: Callable[[Progress], None] = lambda _: None


def chosen_cases(cases: Iterable[Case], experiment: Experiment) -> tuple[Case, ...]:
    """The first `max_cases` of the seeded order, in the suite's order; all of them where it is None."""
    every = tuple(cases)
    if experiment.max_cases is None:
        return every
    kept = {case.case_id for case in sorted(every, key=lambda case: _rank(experiment, case))[: experiment.max_cases]}
    return tuple(case for case in every if case.case_id in kept)


def _rank(experiment: Experiment, case: Case) -> str:
    return hashlib.sha256(canonical_json([experiment.seed, case.case_id]).encode()).hexdigest()


def keys_in_order(experiment: Experiment, cases: Iterable[Case]) -> Iterator[RunKey]:
    """All runs, interleaved: cases in a seeded order, and the arms of a case in an order of their own.

    So all arms of a case are made at about the same time, and a drifting provider hits them alike.
    """
    ranked = sorted(cases, key=lambda case: _rank(experiment, case))
    for replicate in range(experiment.replicates):
        for case in ranked:
            arms = [(condition, editor) for condition in experiment.conditions for editor in experiment.editors]
            random.Random(canonical_json([experiment.seed, case.case_id, replicate])).shuffle(arms)
            for condition, editor in arms:
                yield RunKey(case_id=case.case_id, condition=condition, editor=editor, replicate=replicate)


def jobs_to_do(
    experiment: Experiment, cases: Iterable[Case], rows: Mapping[RunKey, RunRow], judges: tuple[str, ...]
) -> tuple[Job, ...]:
    """What the records leave to do: missing runs, faults, and outcomes whose judging is missing or failed."""
    jobs = []
    for key in keys_in_order(experiment, cases):
        row = rows.get(key)
        if row is None or not is_finished(row, retry_failed=experiment.retry_failed):
            jobs.append(Job(key=key, earlier=row, judges=judges))
        elif missing := judges_to_ask(row, judges):
            jobs.append(Job(key=key, earlier=row, outcome=row.outcome, judges=missing))
    return tuple(jobs)


class Session:
    """One command's work on a run directory."""

    def __init__(self, store: RunStore, cases: Iterable[Case], hands: Hands) -> None:
        self._store = store
        self._cases = {case.case_id: case for case in cases}
        self._hands = hands
        self._began = time.monotonic()
        self._done = self._before = self._total = self._faults = 0
        self._turned_away: list[Job] = []
        self.stopped: str | None = None
        """Which limit ended the session early, in words; None while none did."""

    async def carry_out(self, jobs: tuple[Job, ...], *, total: int) -> None:
        """Works off `jobs`; `total` counts the finished runs too.

        Runs that were turned away with 429 are made again when the others are done: a storm costs no case.
        A limit ends it early and in order (`stopped`). Raises `StoreError`, `ConfigError` or `PromptError` with
        nothing lost; cancelling it records what was under way as `cancelled`.
        """
        self._total, self._before = total, total - len(jobs)
        for _ in range(1 + _FURTHER_PASSES):
            self._turned_away.clear()
            await self._hands.executor.run(self._until_stopped(jobs), self._work, self._keep)
            jobs = tuple(self._turned_away)
            if not jobs or self.stopped is not None:
                return
            self._done -= len(jobs)
            self._faults -= len(jobs)

    def _until_stopped(self, jobs: Iterable[Job]) -> Iterator[Job]:
        for job in jobs:
            if self.stopped is not None:
                return
            yield job

    async def _work(self, job: Job) -> RunRow | None:
        case = self._cases[job.key.case_id]
        began = time.monotonic()
        try:
            outcome = job.outcome or await self._generate(case, job.key)
            if outcome.status is Status.CANCELLED:
                raise Cancelled("; ".join(outcome.notes) or "a limit of the run is reached")
            return await self._judged(case, job, outcome)
        except Cancelled as stop:
            self.stopped = str(stop)
            return None
        except asyncio.CancelledError:
            if job.earlier is None:
                seconds = time.monotonic() - began
                stopped = Outcome(status=Status.CANCELLED, seconds=seconds, notes=("the session was interrupted",))
                self._store.keep_soon(RunRow(key=job.key, outcome=stopped))
            raise

    async def _generate(self, case: Case, key: RunKey) -> Outcome:
        began = time.monotonic()
        try:
            return await self._hands.generate(case, key)
        except _STOPS_THE_RUN:
            raise
        except Exception:  # noqa: BLE001
            # The one place where a bug in an arm becomes that arm's outcome.
            trace = masked(traceback.format_exc())
            return Outcome(status=Status.INTERNAL_ERROR, seconds=time.monotonic() - began, notes=(trace,))

    async def _judged(self, case: Case, job: Job, outcome: Outcome) -> RunRow:
        """The row of an outcome; a limit that stops the judging leaves it recorded and unjudged."""
        earlier = job.earlier.scores if job.outcome and job.earlier else ()
        kept = [row for row in earlier if row.judge not in job.judges]
        scores: list[ScoreRow] = []
        if outcome.status is not Status.UNSUPPORTED:
            attempts = {(row.judge, row.draft): _next_attempt(row) for row in earlier}
            try:
                for judge in job.judges:
                    scores += [each async for each in self._words_of(judge, case, outcome, attempts)]
            except Cancelled as stop:
                self.stopped = str(stop)
        return RunRow(key=job.key, outcome=outcome, scores=(*kept, *scores))

    async def _words_of(
        self, judge: str, case: Case, outcome: Outcome, attempts: Mapping[tuple[str, int], int]
    ) -> AsyncIterator[ScoreRow]:
        asked = self._hands.judges[judge]
        for draft, output in enumerate((outcome.media, *outcome.drafts)):
            text = outcome.text if draft == 0 else None
            if output is None and text is not None and not _reads_words(asked):
                # An answer in words is no missing image: a judge of images leaves it unmeasured.
                continue
            attempt = attempts.get((judge, draft), 0)
            task = task_of(case, output, text).model_copy(update={"attempt": attempt})
            verdicts = await self._verdicts(asked, task)
            yield ScoreRow(judge=judge, draft=draft, verdicts=verdicts.model_copy(update={"attempt": attempt}))

    async def _verdicts(self, judge: Judge, task: JudgeTask) -> Verdicts:
        if lost := self._lost(task):
            # A picture that was deleted after the run says nothing about the arm that made it.
            return Verdicts(status="judge_error", notes=(lost,))
        try:
            return await judge.judge(task, self._store.images)
        except _STOPS_THE_RUN:
            raise
        except JudgeError as error:
            return Verdicts(status="judge_error", notes=(masked(str(error)),))
        except Exception:  # noqa: BLE001
            # A bug in a judge is a missing measurement and never a number.
            return Verdicts(status="judge_error", notes=(masked(traceback.format_exc()),))

    def _lost(self, task: JudgeTask) -> str:
        """Why a picture of the task can't be read; empty where all can."""
        shown = (*(part.media for part in task.source), task.output, task.reference)
        try:
            for media in shown:
                if media is not None:
                    self._store.images.read(media.sha256)
        except (StoreError, OSError) as error:
            return f"not judged: {error}"
        return ""

    async def _keep(self, job: Job, row: RunRow | None) -> None:
        if row is None:
            return
        await self._store.keep(row, is_new=job.outcome is None)
        self._done += 1
        self._faults += row.outcome.status.is_fault
        if row.outcome.status is Status.RATE_LIMITED:
            self._turned_away.append(job.model_copy(update={"earlier": row, "outcome": None}))
        elapsed, left = time.monotonic() - self._began, self._total - self._before - self._done
        known = self._done >= min(_PACE_AFTER, self._total - self._before)
        self._hands.on_progress(
            Progress(
                done=self._before + self._done,
                total=self._total,
                faults=self._faults,
                cost_usd=self._hands.meter.spent.cost_usd,
                seconds_left=elapsed / self._done * left if known else None,
            )
        )


def _next_attempt(row: ScoreRow) -> int:
    """Only a failed measurement is made again; a verdict that stands is read back under its own number."""
    return row.verdicts.attempt + (row.verdicts.status not in ("scored", "missing_output"))


def _reads_words(judge: Judge) -> bool:
    """Whether a judge may take an answer in words: it says so (`judges_text`), or is a model and decides itself."""
    return bool(getattr(judge, "judges_text", hasattr(judge, "model")))


def task_of(case: Case, output: Media | None, text: str | None) -> JudgeTask:
    """What a judge is given of a case and an output: nothing that tells the arm."""
    return JudgeTask(
        source=case.request.parts,
        output=output,
        text=text,
        goal=case.request.goal,
        contract=case.contract,
        rubric=case.rubric,
        reference=case.reference,
    )
