"""Image pipelines of every class, tiny and random, from a folder to an edited picture."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

from editplan.cli import main
from editplan.editors import resolve
from editplan.editors.diffusers_folder import read_folder
from editplan.editors.diffusers_runtime import DENOISERS, LocalPipeline, PlacementOptions, pipeline_at, place
from editplan.editors.diffusers_sizes import KONTEXT_SIZES
from editplan.errors import Rejected
from editplan.records import Edited, EditJob, Part, PartRole
from editplan.store import ImageStore
from editplan.testing import check_editor

pytestmark = pytest.mark.local

Folders = Callable[[str], Path]
SMALL_AND_QUICK = "steps=2&size=96x64"


def spec_of(folder: Path, options: str = SMALL_AND_QUICK) -> str:
    return f"diffusers:{folder}?{options}"


def picture(width: int = 96, height: int = 64) -> PIL.Image.Image:
    made = PIL.Image.new("RGB", (width, height), (255, 255, 255))
    made.paste((255, 0, 0), (width // 4, height // 4, width // 2, height // 2))
    return made


def job_of(store: ImageStore, *pictures: PIL.Image.Image, seed: int = 7) -> EditJob:
    roles = (PartRole.CANVAS, *(PartRole.REFERENCE for _ in pictures[1:]))
    parts = tuple(Part(media=store.add_picture(each), role=role) for each, role in zip(pictures, roles, strict=True))
    return EditJob(parts=parts, instruction='Paint the square "blue".', seed=seed)


def size_of(edited: Edited) -> tuple[int, int]:
    return edited.media[0].width, edited.media[0].height


def pipeline_of(folder: Path) -> LocalPipeline:
    known = (json.loads((folder / "model_index.json").read_text())["_class_name"],)
    return pipeline_at(place(read_folder(str(folder), known), PlacementOptions()))


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("QwenImageEditPipeline", (1248, 832)),
        ("QwenImageEditPlusPipeline", (1248, 832)),
        ("FluxKontextPipeline", (1248, 832)),
        ("Flux2Pipeline", (144, 96)),
        ("Flux2KleinPipeline", (144, 96)),
    ],
)
def test_the_command_line_edits_at_the_models_own_size(
    folder_of: Folders,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    size: tuple[int, int],
) -> None:
    source, out = tmp_path / "source.png", tmp_path / "edited.png"
    picture(150, 100).save(source)
    words = ["editplan", "edit", str(source), "--goal", "Paint the square blue.", "--condition", "direct", "--json"]
    monkeypatch.setattr(sys, "argv", [*words, "--out", str(out), "--editor", spec_of(folder_of(name), "steps=1")])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    document = json.loads(capsys.readouterr().out)
    assert document["status"] == "ok"
    assert document["calls"][0]["wire_attempts"] == 1
    with PIL.Image.open(out) as edited:
        assert edited.size == size


@pytest.mark.parametrize(
    "name",
    [
        "QwenImageEditPipeline",
        "QwenImageEditPlusPipeline",
        "FluxKontextPipeline",
        "Flux2Pipeline",
        "Flux2KleinPipeline",
    ],
)
async def test_a_class_passes_the_conformance_suite(folder_of: Folders, small: None, name: str) -> None:
    editor = resolve(spec_of(folder_of(name)))
    edited = await check_editor(editor)
    assert size_of(edited) == (96, 64)
    assert edited.model.startswith(f"{name}#")


async def test_equal_seeds_give_equal_pictures_and_other_seeds_others(folder_of: Folders) -> None:
    editor = resolve(spec_of(folder_of("Flux2KleinPipeline")))
    store = ImageStore()
    made = [(await editor.edit(job_of(store, picture(), seed=seed), store)).media[0] for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


async def test_the_last_image_does_not_set_the_size(folder_of: Folders, small: None) -> None:
    editor = resolve(spec_of(folder_of("QwenImageEditPlusPipeline"), "steps=1"))
    store = ImageStore()
    edited = await editor.edit(job_of(store, picture(96, 64), picture(64, 160)), store)
    assert size_of(edited) == (1248, 832)


async def test_several_references_reach_flux2(folder_of: Folders) -> None:
    editor = resolve(spec_of(folder_of("Flux2KleinPipeline")))
    store = ImageStore()
    one = await editor.edit(job_of(store, picture()), store)
    three = await editor.edit(job_of(store, picture(), picture(70, 90), picture(300, 64)), store)
    assert one.media != three.media
    assert size_of(one) == size_of(three)


async def test_guidance_acts_because_a_negative_prompt_goes_along(folder_of: Folders, small: None) -> None:
    folder = folder_of("QwenImageEditPlusPipeline")
    counted = {}
    for options in ("true_cfg=4", "true_cfg=1"):
        calls = await denoisings(resolve(spec_of(folder, f"{SMALL_AND_QUICK}&{options}")), folder)
        counted[options] = calls
    assert counted == {"true_cfg=4": 4, "true_cfg=1": 2}


async def denoisings(editor: Any, folder: Path) -> int:
    """How often the denoiser runs in one generation."""
    calls = 0

    def count(module: Any, inputs: Any) -> None:
        nonlocal calls
        calls += 1

    hook = await pipeline_of(folder).run(lambda pipeline: pipeline.transformer.register_forward_pre_hook(count))
    store = ImageStore()
    try:
        await editor.edit(job_of(store, picture()), store)
    finally:
        hook.remove()
    return calls


async def test_equal_places_share_one_pipeline_that_works_on_one_job_at_a_time(folder_of: Folders) -> None:
    folder = folder_of("Flux2KleinPipeline")
    first, second = pipeline_of(folder), pipeline_of(folder)
    assert first is second
    active, most, threads = 0, 0, set()

    def work(pipeline: Any) -> int:
        nonlocal active, most
        active += 1
        most = max(most, active)
        threads.add(threading.get_ident())
        time.sleep(0.02)
        active -= 1
        return id(pipeline)

    loaded = await asyncio.gather(*(first.run(work) for _ in range(4)))
    assert len(set(loaded)) == 1
    assert most == 1
    assert threads != {threading.get_ident()}
    assert len(threads) == 1


async def test_a_cancelled_edit_stops_at_its_next_step(folder_of: Folders) -> None:
    folder = folder_of("Flux2KleinPipeline")
    editor = resolve(spec_of(folder, "steps=5000&size=96x64"))
    store = ImageStore()
    task = asyncio.create_task(editor.edit(job_of(store, picture()), store))
    await asyncio.sleep(2.0)
    task.cancel()
    began = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        await task
    quick = resolve(spec_of(folder))
    await quick.edit(job_of(store, picture()), store)
    assert time.monotonic() - began < 30.0
    hooks = await pipeline_of(folder).run(lambda pipeline: len(pipeline.transformer._forward_pre_hooks))
    assert hooks == 1, "only the hook of this very call is left"


async def test_a_folder_without_its_weights_is_rejected_by_name(folder_of: Folders, tmp_path: Path) -> None:
    folder = tmp_path / "holed"
    shutil.copytree(folder_of("Flux2KleinPipeline"), folder)
    for weights in (folder / "transformer").glob("*.safetensors"):
        weights.unlink()
    store = ImageStore()
    with pytest.raises(Rejected, match="holed can't be loaded"):
        await resolve(spec_of(folder)).edit(job_of(store, picture()), store)


async def test_a_call_that_the_pipeline_refuses_is_rejected_with_its_words(folder_of: Folders) -> None:
    with pytest.raises(Rejected, match="Flux2KleinPipeline: ValueError: Provide either"):
        await pipeline_of(folder_of("Flux2KleinPipeline")).run(lambda pipeline: pipeline(prompt=None))


async def test_the_manifest_names_class_content_parameters_and_libraries(folder_of: Folders) -> None:
    editor: Any = resolve(spec_of(folder_of("Flux2Pipeline")))
    manifest = editor.manifest()
    assert manifest["pipeline"] == "Flux2Pipeline"
    assert manifest["provider_rewriting"] == {"caption_upsample_temperature": None}
    assert (manifest["steps"], manifest["guidance"], manifest["size"]) == (2, 4.0, "96x64")
    assert (manifest["device"], manifest["dtype"]) == ("cpu", "float32")
    assert all(manifest["libraries"].values())


async def test_a_dtype_is_used_and_named(folder_of: Folders) -> None:
    import torch

    folder = folder_of("Flux2KleinPipeline")
    editor: Any = resolve(spec_of(folder, f"{SMALL_AND_QUICK}&dtype=bfloat16"))
    store = ImageStore()
    await editor.edit(job_of(store, picture()), store)
    used = await pipeline_at(editor._placement).run(lambda pipeline: pipeline.transformer.dtype)
    assert used is torch.bfloat16
    assert "dtype=bfloat16" in editor.id
    assert editor.id != resolve(spec_of(folder)).id


def test_a_device_that_is_not_there_is_a_clear_error(folder_of: Folders) -> None:
    from editplan.errors import ConfigError

    with pytest.raises(ConfigError, match="device=cuda:9 can't be used"):
        resolve(spec_of(folder_of("Flux2KleinPipeline"), "device=cuda:9"))


def test_the_table_of_kontext_sizes_is_the_pipelines() -> None:
    from diffusers.pipelines.flux.pipeline_flux_kontext import PREFERRED_KONTEXT_RESOLUTIONS

    assert set(KONTEXT_SIZES) == set(PREFERRED_KONTEXT_RESOLUTIONS)


def test_denoisers_are_found_under_these_names(folder_of: Folders) -> None:
    index = json.loads((folder_of("WanImageToVideoPipeline") / "model_index.json").read_text())
    assert set(DENOISERS) <= set(index)
