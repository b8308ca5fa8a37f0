"""All commands under one name."""

from __future__ import annotations

import typer

from editplan.cli.agree import agree
from editplan.cli.batch import batch
from editplan.cli.check import check
from editplan.cli.claim import claim
from editplan.cli.compare import compare
from editplan.cli.contract import contract
from editplan.cli.demo import demo
from editplan.cli.edit import edit
from editplan.cli.emulate import emulate
from editplan.cli.import_ import import_
from editplan.cli.judge_audit import judge_audit
from editplan.cli.models import models
from editplan.cli.plan import plan
from editplan.cli.power import power
from editplan.cli.rate import rate
from editplan.cli.report import report
from editplan.cli.resume import resume
from editplan.cli.run import run
from editplan.cli.score import score
from editplan.cli.simulate import simulate
from editplan.cli.study import study
from editplan.cli.suite import suite

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Plan an image edit, make it with one call to an unchanged editor, and measure whether the planning helped.",
)

COMMANDS = (
    *(demo, edit, resume, plan, batch, run, score, report),
    *(compare, study, claim, power, simulate, agree, rate, check),
    *(models, emulate),
)
for command in COMMANDS:
    app.command()(command)
app.command("import")(import_)
app.command("judge-audit")(judge_audit)
app.add_typer(suite, name="suite")
app.add_typer(contract, name="contract")
