"""`editplan emulate`: a loopback server in the providers' wire formats, to rehearse a run without a key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def emulate(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8799,
    faults: Annotated[Path | None, typer.Option(help="A faults file (TOML); see docs/emulator.md.")] = None,
    latency_ms: Annotated[float, typer.Option(min=0.0, help="Waited before each answer.")] = 0.0,
    canned: Annotated[bool, typer.Option("--canned", help="Fixed answers instead of the embedded models'.")] = False,
) -> None:
    """Serve OpenAI, Gemini and ComfyUI wire formats on this machine, answered by the embedded models."""
    from editplan.emulator.serving import serve

    serve(port=port, faults=faults, latency_s=latency_ms / 1000.0, canned=canned, on_start=_told)


def _told(url: str) -> None:
    from editplan.cli.console import say

    say(f"serving on {url}; GET {url}/_stats tells what arrived; Ctrl-C ends it")
    for spec in (
        f"openai:any@{url}/v1 (any key in OPENAI_API_KEY; as an editor with ?size=auto)",
        f"google:any@{url} (any key in GEMINI_API_KEY)",
        f"compatible:any@{url}/v1",
        f"comfyui:workflow.json@{url}",
    ):
        say(f"  {spec}")
