"""Loaded pipelines: one of a kind in a process, each in a thread of its own, one generation at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from editplan.editors.diffusers_folder import ModelFolder
from editplan.errors import Cancelled, ConfigError, Rejected
from editplan.records import Record

Made = TypeVar("Made")

DENOISERS = ("transformer", "transformer_2")


class PlacementOptions(Record):
    """Spec keys on where and how a pipeline is loaded."""

    device: str = "auto"
    """auto = cuda, else mps, else cpu; or a torch device such as cuda:1."""
    dtype: Literal["auto", "bfloat16", "float16", "float32"] = "auto"
    """auto = bfloat16 on cuda, float32 elsewhere."""
    offload: Literal["none", "model", "sequential"] = "none"
    """Keeps on the device only the component (model) or the layer (sequential) at work; slower, same pictures."""


class Placement(Record):
    """What makes a loaded pipeline another one."""

    folder: Path
    pipeline: str
    fingerprint: str
    device: str
    dtype: str
    offload: str = "none"


def place(folder: ModelFolder, options: PlacementOptions) -> Placement:
    """Settles `auto`. Imports torch. Raises `ConfigError` for a device that this torch doesn't know or have."""
    import torch

    device = options.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        kind = torch.device(device).type
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise ConfigError(f"device={device} can't be used ({_first_line(error)}): try device=cpu") from error
    dtype = options.dtype if options.dtype != "auto" else ("bfloat16" if kind == "cuda" else "float32")
    return Placement(
        folder=folder.path,
        pipeline=folder.pipeline,
        fingerprint=folder.fingerprint,
        device=device,
        dtype=dtype,
        offload=options.offload,
    )


class LocalPipeline:
    """A pipeline that is loaded at its first use, and its one thread."""

    def __init__(self, placement: Placement) -> None:
        self.placement = placement
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="editplan-diffusers")
        self._loaded: Any = None

    async def run(self, work: Callable[[Any], Made]) -> Made:
        """`work(pipeline)` in the pipeline's thread, after those that came before.

        A cancelled caller stops the generation at its next denoising step.
        Raises `Rejected` for a folder that can't be loaded or a call that the pipeline refuses.
        """
        stop = threading.Event()
        future = self._thread.submit(self._work, work, stop)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            stop.set()
            raise

    def _work(self, work: Callable[[Any], Made], stop: threading.Event) -> Made:
        _check(stop)
        if self._loaded is None:
            self._loaded = load(self.placement)
        pipeline = self._loaded
        with _stoppable(pipeline, stop):
            try:
                return work(pipeline)
            except (RuntimeError, ValueError) as error:
                raise Rejected(f"{self.placement.pipeline}: {_first_line(error)}") from error
            finally:
                pipeline.maybe_free_model_hooks()


_PIPELINES: dict[Placement, LocalPipeline] = {}
_LOCK = threading.Lock()


def pipeline_at(placement: Placement) -> LocalPipeline:
    """The process's one pipeline of this folder, device and dtype; kept until the process ends."""
    with _LOCK:
        return _PIPELINES.setdefault(placement, LocalPipeline(placement))


def load(placement: Placement) -> Any:
    """Loads a pipeline from its folder, without a look at any network. Raises `Rejected` with what is missing."""
    import diffusers
    import torch

    kind = getattr(diffusers, placement.pipeline, None)
    if kind is None:
        raise Rejected(f"diffusers {diffusers.__version__} has no {placement.pipeline}: upgrade it")
    try:
        pipeline = kind.from_pretrained(
            placement.folder, dtype=getattr(torch, placement.dtype), local_files_only=True
        )
        _move(pipeline, placement)
    except (OSError, ImportError, ValueError, RuntimeError) as error:
        raise Rejected(f"{placement.folder} can't be loaded: {_first_line(error)}") from error
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def _move(pipeline: Any, placement: Placement) -> None:
    if placement.offload == "model":
        pipeline.enable_model_cpu_offload(device=placement.device)
    elif placement.offload == "sequential":
        pipeline.enable_sequential_cpu_offload(device=placement.device)
    else:
        pipeline.to(placement.device)


def generator(seed: int | None) -> Any:
    """A generator on the CPU, so that a seed draws the same noise on every device."""
    import torch

    return torch.Generator("cpu").manual_seed(seed or 0)


@contextmanager
def _stoppable(pipeline: Any, stop: threading.Event) -> Iterator[None]:
    """Inside it a set `stop` ends the generation when its denoiser is called next.

    The pipelines' own `_interrupt` is cleared as a call begins and still decodes an image that nobody wants.
    """

    def look(module: Any, inputs: Any) -> None:
        _check(stop)

    modules = [module for name in DENOISERS if (module := getattr(pipeline, name, None)) is not None]
    hooks = [module.register_forward_pre_hook(look) for module in modules]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _check(stop: threading.Event) -> None:
    if stop.is_set():
        raise Cancelled("the generation was cancelled")


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:300]}" if lines else type(error).__name__
