import numpy as np
import pytest
from PIL import Image

from editplan.editors import resolve
from editplan.errors import Refused, SpecError, Unsupported
from editplan.records import EditJob, Part
from editplan.store import ImageStore
from editplan.testing.conformance import check_editor


def _job(board, instruction: str) -> tuple[EditJob, ImageStore]:
    import io

    blob = io.BytesIO()
    Image.fromarray(board.source).save(blob, format="PNG")
    store = ImageStore()
    media, _, _ = store.add(blob.getvalue())
    return EditJob(parts=(Part(media=media, role="canvas"),), instruction=instruction), store


@pytest.mark.parametrize("spec", ["embedded:raster", "embedded:raster?unparsed=refuse"])
async def test_it_passes_the_conformance_suite(spec: str) -> None:
    await check_editor(resolve(spec))


async def test_the_edited_picture_is_in_the_store(board) -> None:
    job, store = _job(board, "Remove the yellow star.")
    edited = await resolve("embedded:raster").edit(job, store)
    assert np.array_equal(store[edited.media[0].sha256].array(), board.without("yellow star"))


async def test_a_refusal_names_the_clause_and_its_category(board) -> None:
    job, store = _job(board, "Remove the largest shape.")
    with pytest.raises(Refused, match="largest") as caught:
        await resolve("embedded:raster?unparsed=refuse").edit(job, store)
    assert (caught.value.category, caught.value.stage) == ("unparsed", "input")


async def test_further_pictures_are_left_aside_with_a_note(board) -> None:
    job, store = _job(board, "Remove the star.")
    alone = await resolve("embedded:raster").edit(job, store)
    several = await resolve("embedded:raster").edit(job.model_copy(update={"parts": job.parts * 3}), store)
    assert several.media == alone.media
    assert any("2 more were not looked at" in note for note in several.notes)


async def test_a_job_without_a_picture_is_outside_its_set(board) -> None:
    job, store = _job(board, "Remove the star.")
    with pytest.raises(Unsupported, match="no picture"):
        await resolve("embedded:raster").edit(job.model_copy(update={"parts": ()}), store)


@pytest.mark.parametrize("spec", ["embedded:vector", "embedded:raster?unparsed=guess", "embedded:raster?mode=x"])
def test_a_wrong_spec_is_an_error(spec: str) -> None:
    with pytest.raises(SpecError):
        resolve(spec)
