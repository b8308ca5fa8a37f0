"""`comfyui:<workflow.json>@<base_url>`: a ComfyUI workflow in API format with named slots.

A slot is a node's title (`_meta.title`) or an input's value:
`$image`, `$image_2`, ... in a LoadImage node, `$instruction` in a text input, `$seed` in a number input.
"""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from pathlib import Path
from typing import Any

from pydantic import Field

from editplan.editors.answers import kept
from editplan.errors import BadReply, ConfigError, FateUnknown, Rejected, SpecError, Unavailable
from editplan.protocols import Editor, Images
from editplan.records import Capabilities, Edited, EditJob, Record, Usage, digest
from editplan.specs import ModelSpec, read_options
from editplan.wire.failures import from_status, from_transport, retry_after_s, shortened
from editplan.wire.payload import ImageLimits, encode_all
from editplan.wire.replies import json_object

_IMAGE_SLOT = re.compile(r"^\$image(?:_(\d+))?$")


class ComfyOptions(Record):
    """Spec keys of `comfyui:`."""

    output_node: str | None = None
    """Id of the node whose images are the answer; default: the last node that saved one."""
    poll_s: float = Field(default=0.5, gt=0)
    timeout_s: float = Field(default=900.0, gt=0)
    max_side_px: int | None = Field(default=None, ge=64)


class Workflow:
    """A workflow with its slots found."""

    def __init__(self, graph: dict[str, Any]) -> None:
        self.graph = graph
        self.slots: list[tuple[str, str, str]] = []
        for node_id, node in graph.items():
            for name, value in node.get("inputs", {}).items():
                if isinstance(value, str) and (value in {"$instruction", "$seed"} or _IMAGE_SLOT.match(value)):
                    self.slots.append((node_id, name, value))

    @property
    def images(self) -> int:
        """How many images it takes."""
        numbers = [int(match[1] or 1) for _, _, slot in self.slots if (match := _IMAGE_SLOT.match(slot))]
        return max(numbers, default=0)

    def has(self, slot: str) -> bool:
        """Whether some input is this slot."""
        return any(found == slot for _, _, found in self.slots)

    def filled(self, values: dict[str, Any]) -> dict[str, Any]:
        """A copy with every slot replaced."""
        graph: dict[str, Any] = json.loads(json.dumps(self.graph))
        for node_id, name, slot in self.slots:
            graph[node_id]["inputs"][name] = values["$image" if slot == "$image_1" else slot]
        return graph


def load_workflow(path: Path) -> Workflow:
    """Reads a workflow in API format. Raises `ConfigError` for another format or one without `$instruction`."""
    try:
        graph = json.loads(path.read_text("utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise ConfigError(f"workflow {path}: {error}: give a file saved as API format") from error
    nodes = graph.values() if isinstance(graph, dict) else ()
    if not nodes or not all(isinstance(node, dict) and "class_type" in node for node in nodes):
        raise ConfigError(f"workflow {path} isn't in API format: export it with 'Export (API)'")
    workflow = Workflow(graph)
    if not workflow.has("$instruction"):
        raise ConfigError(f"workflow {path} has no input '$instruction': put that text where the prompt goes")
    return workflow


class ComfyEditor:
    """A frozen workflow on a ComfyUI server; upload, queue, wait and view count as one wire attempt."""

    def __init__(self, spec: ModelSpec, options: ComfyOptions, workflow: Workflow) -> None:
        self.id = f"{spec}#{digest(workflow.graph)[:12]}"
        self.endpoint = f"comfyui@{spec.base_url}"
        self.timeout_s = options.timeout_s
        self.capabilities = Capabilities(max_images=workflow.images, seed=workflow.has("$seed"))
        self._base_url = (spec.base_url or "").rstrip("/")
        self._options = options
        self._workflow = workflow

    def manifest(self) -> dict[str, Any]:
        """The workflow itself and all parameters."""
        return {"workflow": self._workflow.graph, **self._options.model_dump(mode="json")}

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """Uploads the images, queues the workflow, waits for it and fetches the picture."""
        import httpx2

        sent = False
        async with httpx2.AsyncClient(base_url=self._base_url, timeout=60.0) as client:
            try:
                values = await self._upload(client, job, images)
                prompt_id = str(uuid.uuid4())
                sent = True
                await self._queue(client, self._workflow.filled(values), prompt_id)
                blob = await self._wait(client, prompt_id)
            except httpx2.TransportError as error:
                failure = from_transport(error)
                raise (failure if sent else Unavailable(str(failure))) from error
        notes = () if self.capabilities.seed else ("unseeded",)
        usage = Usage(images_in=len(job.parts), image_pixels=sum(part.media.pixels for part in job.parts))
        return await kept([blob], job, images, model=self.id, usage=usage, request_id=prompt_id, notes=notes)

    async def _upload(self, client: Any, job: EditJob, images: Images) -> dict[str, Any]:
        values: dict[str, Any] = {"$instruction": job.instruction, "$seed": job.seed or 0}
        limits = ImageLimits(max_side_px=self._options.max_side_px, max_bytes=50_000_000)
        payloads = await encode_all(job.parts, images, limits)
        for number, (part, payload) in enumerate(zip(job.parts, payloads, strict=True), start=1):
            name = f"editplan-{part.media.sha256[:16]}.{payload.mime.rpartition('/')[2]}"
            response = await client.post(
                "/upload/image", files={"image": (name, payload.data, payload.mime)}, data={"overwrite": "true"}
            )
            _raise_for(response)
            stored = json_object(response.content)
            folder = stored.get("subfolder")
            title = f"{folder}/{stored.get('name')}" if folder else str(stored.get("name"))
            values["$image" if number == 1 else f"$image_{number}"] = title
        return values

    async def _queue(self, client: Any, graph: dict[str, Any], prompt_id: str) -> None:
        body = {"prompt": graph, "client_id": f"editplan-{prompt_id}", "prompt_id": prompt_id}
        response = await client.post("/prompt", json=body)
        if response.status_code == 400:
            raise from_status(400, _node_errors(_loose(response.content), graph))
        _raise_for(response)
        answer = json_object(response.content)
        if answer.get("node_errors"):
            raise from_status(400, _node_errors(answer, graph))

    async def _wait(self, client: Any, prompt_id: str) -> bytes:
        while True:
            response = await client.get(f"/history/{prompt_id}")
            _raise_for(response)
            entry = json_object(response.content).get(prompt_id)
            if entry:
                return await self._fetch(client, entry)
            if not await self._queued(client, prompt_id):
                again = await client.get(f"/history/{prompt_id}")
                entry = _loose(again.content).get(prompt_id)
                if not entry:
                    raise FateUnknown(f"the server doesn't know prompt {prompt_id} any more: was it restarted?")
                return await self._fetch(client, entry)
            await asyncio.sleep(self._options.poll_s)

    async def _queued(self, client: Any, prompt_id: str) -> bool:
        response = await client.get("/queue")
        _raise_for(response)
        queue = json_object(response.content)
        entries = [*queue.get("queue_running", ()), *queue.get("queue_pending", ())]
        return any(isinstance(entry, list) and prompt_id in entry[:2] for entry in entries)

    async def _fetch(self, client: Any, entry: dict[str, Any]) -> bytes:
        status = entry.get("status") or {}
        if status.get("status_str") == "error":
            raise Rejected(shortened(_execution_error(status)))
        outputs: dict[str, Any] = entry.get("outputs") or {}
        wanted = self._options.output_node
        if wanted is not None:
            outputs = {wanted: outputs.get(wanted, {})}
        pictures = [
            image for output in outputs.values() for image in output.get("images", ()) if image.get("type") != "temp"
        ] or [image for output in outputs.values() for image in output.get("images", ())]
        if not pictures:
            raise BadReply("the workflow ended without an image: does it save one?", kind="no_image")
        query = {name: pictures[-1].get(name, "") for name in ("filename", "subfolder", "type")}
        response = await client.get("/view", params=query)
        _raise_for(response)
        return bytes(response.content)


def _raise_for(response: Any) -> None:
    if response.status_code >= 400:
        raise from_status(response.status_code, response.text, retry_after=retry_after_s(dict(response.headers)))


def _loose(content: bytes) -> dict[str, Any]:
    try:
        body = json.loads(content)
    except (json.JSONDecodeError, UnicodeDecodeError):
        return {}
    return body if isinstance(body, dict) else {}


def _node_errors(answer: dict[str, Any], graph: dict[str, Any]) -> str:
    problem = answer.get("error")
    words = [str(problem.get("message", problem)) if isinstance(problem, dict) else str(problem or "")]
    for node_id, node in (answer.get("node_errors") or {}).items():
        kind = graph.get(node_id, {}).get("class_type", "?")
        for error in node.get("errors", ()):
            words.append(f"node {node_id} ({kind}): {error.get('message', '')} {error.get('details', '')}".strip())
    return "; ".join(word for word in words if word) or "the workflow was refused"


def _execution_error(status: dict[str, Any]) -> str:
    for message in status.get("messages") or ():
        if isinstance(message, list) and len(message) == 2 and message[0] == "execution_error":
            said = message[1] if isinstance(message[1], dict) else {}
            return f"node {said.get('node_id')} ({said.get('node_type')}) failed: {said.get('exception_message')}"
    return "the workflow failed; the server says no more"


def build(spec: ModelSpec) -> Editor:
    """The editor of a spec `comfyui:<workflow.json>@<base_url>[?key=value]`."""
    if spec.base_url is None:
        raise SpecError(f"spec {str(spec)!r} needs a server: comfyui:{spec.model}@http://localhost:8188")
    return ComfyEditor(spec, read_options(spec, ComfyOptions), load_workflow(Path(spec.model)))
