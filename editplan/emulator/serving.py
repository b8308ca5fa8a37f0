"""Runs the emulator in the foreground."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path

from editplan.emulator.brains import Brain
from editplan.emulator.faults import FaultPlan, load_faults
from editplan.errors import ConfigError

KEEP_ALIVE_S = 75
"""Longer than clients keep idle connections: else a request can meet a connection that is just being closed."""


def serve(
    *,
    port: int = 8799,
    faults: Path | None = None,
    latency_s: float = 0.0,
    canned: bool = False,
    on_start: Callable[[str], None] = lambda _: None,
) -> None:
    """Serves on 127.0.0.1 until it is interrupted; `on_start` is told the base URL.

    Raises `ConfigError` for a wrong faults file, a port that is taken, and where the extra is not installed.
    """
    plan = FaultPlan() if faults is None else load_faults(faults)
    try:
        import uvicorn

        from editplan.emulator.server import Emulator, application

        app = application(Emulator(Brain(canned=canned), plan, latency_s))
    except ImportError as error:
        raise ConfigError(f"the emulator needs {error.name}: pip install 'editplan[emulate]'") from error
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    with listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", port))
        except OSError as error:
            raise ConfigError(f"port {port} can't be used ({error.strerror}): give another --port") from error
        listening.listen(2048)
        on_start(f"http://127.0.0.1:{listening.getsockname()[1]}")
        config = uvicorn.Config(
            app, log_level="warning", lifespan="off", access_log=False, timeout_keep_alive=KEEP_ALIVE_S
        )
        asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
