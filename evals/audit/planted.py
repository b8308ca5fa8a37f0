"""A judge with known faults, to audit the audit: it knows the truth and errs at given rates."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from editplan.evals.audit.tasks import AuditTask, true_score
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.verdicts import AtomVerdict, Verdict
from editplan.protocols import Images


class PlantedJudge:
    """Calls everything right but misses an output's faults at one rate and invents one at another.

    What it says of an output depends on the output and the seed alone, not on the order of asking.
    """

    def __init__(
        self, tasks: Iterable[AuditTask], miss_rate: float, *, false_alarm_rate: float = 0.0, seed: int = 0
    ) -> None:
        self.id = f"planted?false_alarm_rate={false_alarm_rate}&miss_rate={miss_rate}&seed={seed}"
        self.miss_rate = miss_rate
        self.false_alarm_rate = false_alarm_rate
        self._seed = seed
        self._known = {_shown(task.task): task for task in tasks}

    async def judge(self, task: JudgeTask, images: Images) -> Verdicts:
        """See `editplan.evals.judging.Judge`. A task that it doesn't know is a `KeyError`."""
        known = self._known[_shown(task)]
        rng = Random(f"{self._seed} {known.task_id}")
        blind, nervous = rng.random() < self.miss_rate, rng.random() < self.false_alarm_rate
        verdicts: dict[str, Verdict] = {each.id: each.verdict for each in known.truth}
        if blind:
            verdicts = dict.fromkeys(verdicts, "pass")
        protected = [each.id for each in known.truth if each.role == "protected"]
        if nervous and protected:
            verdicts[rng.choice(protected)] = "fail"
        assert task.contract is not None, "audit tasks have contracts"
        return Verdicts(
            status="scored",
            score=true_score(task.contract, verdicts),
            gate="pass",
            atoms=tuple(AtomVerdict(id=atom, verdict=verdict) for atom, verdict in verdicts.items()),
        )


def _shown(task: JudgeTask) -> tuple[str, str, str]:
    """What tells two tasks apart: source, output and goal."""
    return task.source[0].media.sha256, task.output.sha256 if task.output else "", task.goal
