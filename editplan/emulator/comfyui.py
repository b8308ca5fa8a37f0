"""ComfyUI's wire format: upload, prompt, history, queue, view; a workflow's text and images feed the editor."""

from __future__ import annotations

import asyncio
import hashlib
import json
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from editplan.emulator.brains import Picture
from editplan.emulator.faults import FaultKind
from editplan.emulator.spoil import spoilt_picture
from editplan.errors import CallFailure

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from editplan.emulator.server import Emulator


@dataclass
class Server:
    """Uploaded files, running and finished prompts."""

    emulator: Emulator
    uploads: dict[str, bytes] = field(default_factory=dict)
    history: dict[str, dict[str, Any]] = field(default_factory=dict)
    outputs: dict[str, bytes] = field(default_factory=dict)
    running: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    async def upload(self, request: Request) -> Response:
        from starlette.datastructures import UploadFile
        from starlette.responses import JSONResponse

        async with request.form() as form:
            file = form["image"]
            assert isinstance(file, UploadFile), "the client sends a file"
            data = await file.read()
        stem, _, ending = (file.filename or "image.png").rpartition(".")
        # Like the real server, it may store a file under another name than asked.
        name = f"{stem}-{hashlib.sha256(data).hexdigest()[:6]}.{ending}"
        self.uploads[name] = data
        return JSONResponse({"name": name, "subfolder": "", "type": "input"})

    async def queue_prompt(self, body: bytes, fault: FaultKind | None) -> Response:
        from starlette.responses import JSONResponse

        asked = json.loads(body)
        prompt_id = str(asked.get("prompt_id") or uuid.uuid4())
        errors = self._node_errors(asked["prompt"])
        if errors or fault is FaultKind.MODERATION:
            errors = errors or {"1": {"errors": [{"message": "emulated", "details": "node error"}]}}
            problem = {"type": "prompt_outputs_failed_validation", "message": "Prompt outputs failed validation"}
            return JSONResponse({"error": problem, "node_errors": errors}, status_code=400)
        self.running[prompt_id] = asyncio.create_task(self._run(prompt_id, asked["prompt"], fault))
        return JSONResponse({"prompt_id": prompt_id, "number": len(self.history), "node_errors": {}})

    def _node_errors(self, graph: dict[str, Any]) -> dict[str, Any]:
        missing = {
            node_id: node["inputs"]["image"]
            for node_id, node in graph.items()
            if node["class_type"] == "LoadImage" and node["inputs"].get("image") not in self.uploads
        }
        return {
            node_id: {"errors": [{"message": "Value not in list", "details": f"image: {name}"}]}
            for node_id, name in missing.items()
        }

    async def _run(self, prompt_id: str, graph: dict[str, Any], fault: FaultKind | None) -> None:
        pictures = [
            Picture(self.uploads[node["inputs"]["image"]], f"Image {place}")
            for place, node in enumerate(
                (node for _, node in sorted(graph.items()) if node["class_type"] == "LoadImage"), start=1
            )
        ]
        text = next(str(node["inputs"]["text"]) for node in graph.values() if "text" in node["inputs"])
        entry: dict[str, Any] = {"status": {"status_str": "success", "completed": True}, "outputs": {}}
        try:
            png = await self.emulator.brain.edit(text, pictures)
        except CallFailure as error:
            said = {"node_id": "4", "node_type": "Edit", "exception_message": str(error)}
            entry["status"] = {"status_str": "error", "messages": [["execution_error", said]]}
        else:
            if fault not in (FaultKind.NO_IMAGE, FaultKind.NULL_IMAGE, FaultKind.EMPTY_DATA, FaultKind.TEXT_ONLY):
                name = f"{prompt_id}.png"
                self.outputs[name] = spoilt_picture(png, fault)[0]
                entry["outputs"] = {"9": {"images": [{"filename": name, "subfolder": "", "type": "output"}]}}
        self.history[prompt_id] = entry
        self.running.pop(prompt_id, None)

    async def view(self, request: Request) -> Response:
        from starlette.responses import Response

        data = self.outputs.get(request.query_params.get("filename", ""))
        return Response(data or b"", status_code=200 if data else 404, media_type="image/png")


def routes(emulator: Emulator) -> list[Route]:
    """`/upload/image`, `/prompt`, `/history/<id>`, `/queue`, `/view`; only `/prompt` counts and meets faults."""
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    server = Server(emulator)

    async def prompt(request: Request) -> Response:
        return await emulator.handle("comfyui", request, lambda r, body, fault: server.queue_prompt(body, fault))

    async def history(request: Request) -> Response:
        prompt_id = request.path_params["prompt_id"]
        entry = server.history.get(prompt_id)
        return JSONResponse({prompt_id: entry} if entry else {})

    async def queue(request: Request) -> Response:
        running = [[place, prompt_id] for place, prompt_id in enumerate(server.running)]
        return JSONResponse({"queue_running": running, "queue_pending": []})

    return [
        Route("/upload/image", server.upload, methods=["POST"]),
        Route("/prompt", prompt, methods=["POST"]),
        Route("/history/{prompt_id}", history),
        Route("/queue", queue),
        Route("/view", server.view),
    ]
