"""The server: counts what reaches it, meets faults, and leaves the answer to the wire formats."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from editplan.emulator.brains import Brain
from editplan.emulator.faults import Fault, FaultKind, FaultPlan

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

Answer = Callable[["Request", bytes, FaultKind | None], Awaitable["Response"]]


@dataclass
class Seen:
    """One request that reached the server."""

    id: str
    """Endpoint and call number; the answer carries it as its request id."""
    endpoint: str
    digest: str
    fault: str | None = None
    answered: bool = False


@dataclass
class Emulator:
    """State shared by the routes."""

    brain: Brain = field(default_factory=Brain)
    faults: FaultPlan = field(default_factory=FaultPlan)
    latency_s: float = 0.0
    seen: list[Seen] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    async def handle(self, endpoint: str, request: Request, answer: Answer) -> Response:
        """Counts a request, lets it meet its fault, or answers it."""
        body = await request.body()
        self.counts[endpoint] += 1
        fault = self.faults.for_call(endpoint, self.counts[endpoint])
        request.state.request_id = f"{endpoint}-{self.counts[endpoint]}"
        seen = Seen(request.state.request_id, endpoint, _digest(request, body), fault.kind if fault else None)
        self.seen.append(seen)
        if self.latency_s:
            await asyncio.sleep(self.latency_s)
        broken = await _transport_fault(fault, request, endpoint)
        if broken is not None:
            return broken
        response = await answer(request, body, fault.kind if fault else None)
        seen.answered = response.status_code == 200
        response.headers["x-request-id"] = seen.id
        if fault is not None and fault.kind is FaultKind.TRUNCATED_BODY:
            response.headers["content-length"] = str(len(response.body) + 1000)
        return response

    def stats(self) -> dict[str, Any]:
        """What reached the server: counts an endpoint, and each request with its digest in order."""
        return {
            "requests": dict(self.counts),
            "answered": dict(Counter(each.endpoint for each in self.seen if each.answered)),
            "faults": dict(Counter(each.fault for each in self.seen if each.fault)),
            "log": [
                {
                    "id": each.id,
                    "endpoint": each.endpoint,
                    "digest": each.digest,
                    "fault": each.fault,
                    "answered": each.answered,
                }
                for each in self.seen
            ],
        }


def _digest(request: Request, body: bytes) -> str:
    # A multipart boundary is random: it is no part of what was asked.
    boundary = request.headers.get("content-type", "").partition("boundary=")[2].strip('"')
    clean = body.replace(boundary.encode(), b"") if boundary else body
    return hashlib.sha256(request.url.path.encode() + b"\n" + clean).hexdigest()[:24]


async def _transport_fault(fault: Fault | None, request: Request, endpoint: str) -> Response | None:
    from starlette.responses import HTMLResponse, Response

    if fault is None:
        return None
    kind = fault.kind
    if kind is FaultKind.RATE_LIMIT:
        headers = {"retry-after": fault.retry_after} if fault.retry_after and endpoint != "gemini" else {}
        return _error(endpoint, 429, "slow down", headers, retry_after=fault.retry_after)
    if kind in _STATUSES:
        return _error(endpoint, _STATUSES[kind], f"emulated {kind}", {})
    if kind is FaultKind.HTML:
        return HTMLResponse("<html><body>Bad gateway, but with status 200</body></html>")
    if kind is FaultKind.EMPTY_BODY:
        return Response(b"", media_type="application/json")
    if kind is FaultKind.RESET:
        _abort(request)
        return Response(b"")
    if kind is FaultKind.STALL:
        await asyncio.sleep(fault.seconds)
    return None


_STATUSES = {
    FaultKind.SERVER_ERROR: 500,
    FaultKind.UNAVAILABLE: 503,
    FaultKind.BAD_REQUEST: 400,
    FaultKind.UNAUTHORISED: 401,
}
_GOOGLE_NAMES = {429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 400: "INVALID_ARGUMENT"}


def _error(
    endpoint: str, status: int, message: str, headers: dict[str, str], *, retry_after: str | None = None
) -> Response:
    from starlette.responses import JSONResponse

    if endpoint != "gemini":
        body: dict[str, Any] = {"error": {"message": message, "type": "emulated", "code": None}}
        return JSONResponse(body, status_code=status, headers=headers)
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{retry_after}s"}]
    error = {"code": status, "message": message, "status": _GOOGLE_NAMES.get(status, "UNKNOWN")}
    return JSONResponse({"error": {**error, **({"details": details} if retry_after else {})}}, status_code=status)


def _abort(request: Request) -> None:
    """Cuts the connection: uvicorn's request cycle holds the transport."""
    cycle = getattr(request.receive, "__self__", None)
    transport = getattr(cycle, "transport", None)
    if transport is not None:
        transport.abort()


def application(emulator: Emulator) -> Starlette:
    """The ASGI application: `/v1` (OpenAI), `/v1beta` and `/v1` models (Gemini), ComfyUI at the root, `/_stats`."""
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    from editplan.emulator import comfyui, gemini, openai

    async def stats(request: Request) -> Response:
        return JSONResponse(emulator.stats())

    routes = [
        Route("/_stats", stats),
        *openai.routes(emulator),
        *gemini.routes(emulator),
        *comfyui.routes(emulator),
    ]
    return Starlette(routes=routes)


class Running:
    """A server in a thread of this process, for tests and rehearsals; a context manager that gives its base URL."""

    def __init__(self, emulator: Emulator, *, port: int = 0) -> None:
        import uvicorn

        config = uvicorn.Config(
            application(emulator),
            host="127.0.0.1",
            port=port,
            log_level="critical",
            lifespan="off",
            access_log=False,
            timeout_keep_alive=75,
        )
        self.emulator = emulator
        self._server = uvicorn.Server(config)
        self._thread: Any = None

    def __enter__(self) -> str:
        import threading
        import time

        self._thread = threading.Thread(target=self._run, name="emulator", daemon=True)
        self._thread.start()
        deadline = time.monotonic() + 10.0
        while not self._server.started and time.monotonic() < deadline:
            time.sleep(0.01)
        sockets = self._server.servers[0].sockets if self._server.started else ()
        return f"http://127.0.0.1:{sockets[0].getsockname()[1]}"

    def _run(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(self._server.serve())

    def __exit__(self, *exception: object) -> None:
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(timeout=10.0)
