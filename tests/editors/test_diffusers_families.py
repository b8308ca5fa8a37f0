"""Local pipelines without torch: which class a folder holds, sizes, the wording of a call, and error messages."""

from __future__ import annotations

import json
from pathlib import Path

import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.editors import known_providers, resolve
from editplan.editors.diffusers_families import (
    FAMILIES,
    DiffusersOptions,
    Settings,
    arguments,
    images_taken,
    prepared,
    settings_for,
)
from editplan.editors.diffusers_folder import ModelFolder, read_folder, require_extra
from editplan.editors.diffusers_sizes import (
    KONTEXT_SIZES,
    SizeLaw,
    asked_size,
    flux2_size,
    parse_size,
    size_for,
)
from editplan.errors import ConfigError, SpecError, Unsupported

SIDES = st.integers(min_value=1, max_value=6000)


def folder_with(
    path: Path, class_name: str, *, weights: bytes = b"1234", guidance_embeds: bool | None = None, **more: object
) -> Path:
    (path / "transformer").mkdir(parents=True)
    (path / "model_index.json").write_text(json.dumps({"_class_name": class_name, **more}))
    (path / "transformer" / "diffusion_pytorch_model.safetensors").write_bytes(weights)
    config = {} if guidance_embeds is None else {"guidance_embeds": guidance_embeds}
    (path / "transformer" / "config.json").write_text(json.dumps(config))
    return path


def read(path: Path) -> ModelFolder:
    return read_folder(str(path), tuple(FAMILIES))


def test_providers_are_known() -> None:
    assert {"diffusers", "diffusers-video", "video"} <= set(known_providers())


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_the_index_chooses_the_class(tmp_path: Path, name: str) -> None:
    assert read(folder_with(tmp_path / "model", name)).pipeline == name


def test_an_unknown_class_lists_the_known_ones(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "model", "StableDiffusionPipeline")
    with pytest.raises(ConfigError, match="StableDiffusionPipeline; known here: Flux2KleinPipeline, Flux2Pipeline"):
        resolve(f"diffusers:{folder}")


@pytest.mark.parametrize("provider", ["diffusers", "diffusers-video"])
def test_a_missing_folder_is_an_error_before_the_run(tmp_path: Path, provider: str) -> None:
    with pytest.raises(ConfigError, match=r"there is no model folder .*nothing is downloaded"):
        resolve(f"{provider}:{tmp_path / 'absent'}")


def test_a_hub_name_is_no_folder() -> None:
    with pytest.raises(ConfigError, match="hf download"):
        resolve("diffusers:Qwen/Qwen-Image-Edit-2511")


def test_a_folder_without_an_index_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no model_index.json"):
        resolve(f"diffusers:{tmp_path}")


@pytest.mark.parametrize("content", ["{", "[]", ""])
def test_a_damaged_index_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "model_index.json").write_text(content)
    with pytest.raises(ConfigError, match=r"model_index.json"):
        resolve(f"diffusers:{tmp_path}")


def test_a_missing_extra_says_how_to_get_it() -> None:
    with pytest.raises(ConfigError, match=r"need absent_one, absent_two, .* pip install 'editplan\[local\]'"):
        require_extra(("json", "absent_one", "absent_two"))


def test_the_fingerprint_follows_content_and_not_place(tmp_path: Path) -> None:
    one = read(folder_with(tmp_path / "a" / "model", "Flux2Pipeline"))
    moved = read(folder_with(tmp_path / "b" / "model", "Flux2Pipeline"))
    larger = read(folder_with(tmp_path / "c" / "model", "Flux2Pipeline", weights=b"12345"))
    other = read(folder_with(tmp_path / "d" / "model", "Flux2Pipeline", guidance_embeds=True))
    assert one.model == moved.model
    assert len({one.fingerprint, larger.fingerprint, other.fingerprint}) == 3


def test_hidden_files_are_no_content(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "model", "Flux2Pipeline")
    before = read(folder)
    (folder / ".cache").mkdir()
    (folder / ".cache" / "part.safetensors").write_bytes(b"1")
    assert read(folder) == before


def test_a_key_that_the_class_lacks_lists_its_keys(tmp_path: Path) -> None:
    folder = read(folder_with(tmp_path / "model", "Flux2Pipeline"))
    with pytest.raises(SpecError, match="Flux2Pipeline takes no true_cfg; it takes: steps, guidance"):
        settings_for(folder, DiffusersOptions(true_cfg=4.0))


def test_a_negative_prompt_without_guidance_is_an_error(tmp_path: Path) -> None:
    folder = read(folder_with(tmp_path / "model", "FluxKontextPipeline"))
    with pytest.raises(SpecError, match="only with true_cfg over 1"):
        settings_for(folder, DiffusersOptions(negative_prompt="blurred"))
    assert (
        settings_for(folder, DiffusersOptions(negative_prompt="blurred", true_cfg=2.0)).negative_prompt == "blurred"
    )


def test_guidance_that_would_be_ignored_is_an_error(tmp_path: Path) -> None:
    plain = read(folder_with(tmp_path / "a", "QwenImageEditPlusPipeline", guidance_embeds=False))
    distilled = read(folder_with(tmp_path / "b", "QwenImageEditPlusPipeline", guidance_embeds=True))
    with pytest.raises(SpecError, match="would ignore guidance"):
        settings_for(plain, DiffusersOptions(guidance=1.0))
    assert settings_for(distilled, DiffusersOptions(guidance=1.0)).guidance == 1.0


def test_a_distilled_folder_takes_few_steps_unless_told_otherwise(tmp_path: Path) -> None:
    quick = read(folder_with(tmp_path / "a", "Flux2KleinPipeline", is_distilled=True))
    slow = read(folder_with(tmp_path / "b", "Flux2KleinPipeline", is_distilled=False))
    assert settings_for(quick, DiffusersOptions()) == Settings(steps=4, guidance=1.0)
    assert settings_for(quick, DiffusersOptions(steps=8)).steps == 8
    assert settings_for(slow, DiffusersOptions()) == Settings(steps=50, guidance=4.0)


def test_a_list_is_no_set_of_references_where_it_would_be_a_batch() -> None:
    assert images_taken(FAMILIES["FluxKontextPipeline"], DiffusersOptions()) == 1
    assert images_taken(FAMILIES["QwenImageEditPlusPipeline"], DiffusersOptions(max_images=6)) == 6
    with pytest.raises(SpecError, match="edits one image"):
        images_taken(FAMILIES["FluxKontextPipeline"], DiffusersOptions(max_images=2))


@pytest.mark.parametrize(
    ("law", "canvas", "size"),
    [
        (SizeLaw.QWEN, (1000, 1000), (1024, 1024)),
        (SizeLaw.QWEN, (150, 100), (1248, 832)),
        (SizeLaw.QWEN, (1080, 1920), (768, 1376)),
        (SizeLaw.KONTEXT, (50, 50), (1024, 1024)),
        (SizeLaw.KONTEXT, (1920, 1080), (1392, 752)),
        (SizeLaw.KONTEXT, (10, 1000), (672, 1568)),
        (SizeLaw.FLUX2, (512, 512), (512, 512)),
        (SizeLaw.FLUX2, (2048, 1024), (1440, 720)),
        (SizeLaw.FLUX2, (64, 48), (80, 64)),
        (SizeLaw.FLUX2, (150, 100), (144, 96)),
    ],
)
def test_each_class_has_its_size_law(law: SizeLaw, canvas: tuple[int, int], size: tuple[int, int]) -> None:
    assert size_for(law, canvas) == size


@given(SIDES, SIDES)
def test_a_qwen_size_is_about_a_megapixel_in_the_canvas_shape(width: int, height: int) -> None:
    made = size_for(SizeLaw.QWEN, (width, height))
    assert made[0] % 32 == made[1] % 32 == 0
    if max(width, height) <= 4 * min(width, height):
        assert 0.93 < made[0] * made[1] / 1024**2 < 1.07
        assert abs(made[0] / made[1] / (width / height) - 1) < 0.07


@given(SIDES, SIDES)
def test_a_kontext_size_is_a_trained_one_and_turns_with_the_canvas(width: int, height: int) -> None:
    assert size_for(SizeLaw.KONTEXT, (width, height)) in KONTEXT_SIZES
    if width != height:
        made = size_for(SizeLaw.KONTEXT, (width, height))
        assert made == (1024, 1024) or (made[0] > made[1]) == (width > height)


@given(SIDES, SIDES)
def test_a_flux2_size_is_taken_whole(width: int, height: int) -> None:
    if max(width, height) > 8 * min(width, height):
        with pytest.raises(Unsupported, match="8:1"):
            flux2_size((width, height))
        return
    made = flux2_size((width, height))
    assert made[0] % 16 == made[1] % 16 == 0
    assert min(made) >= 64
    assert made[0] * made[1] <= 1024 * 1024
    assert flux2_size(made) == made


def test_flux2_gets_pictures_that_it_does_not_crop() -> None:
    family = FAMILIES["Flux2Pipeline"]
    assert prepared(family, PIL.Image.new("RGB", (150, 100))).size == (144, 96)
    exact = PIL.Image.new("RGB", (160, 96))
    assert prepared(family, exact) is exact
    untouched = PIL.Image.new("RGB", (151, 99))
    assert prepared(FAMILIES["QwenImageEditPipeline"], untouched) is untouched


def test_a_qwen_call_has_the_canvas_size_and_the_blank_negative_prompt(tmp_path: Path) -> None:
    family = FAMILIES["QwenImageEditPlusPipeline"]
    pictures = [PIL.Image.new("RGB", (96, 64)), PIL.Image.new("RGB", (64, 160))]
    call = arguments(family, family.settings, pictures, "Do it.", (1248, 832))
    assert call == {
        "image": pictures,
        "prompt": "Do it.",
        "width": 1248,
        "height": 832,
        "num_inference_steps": 40,
        "true_cfg_scale": 4.0,
        "negative_prompt": " ",
    }


def test_no_negative_prompt_goes_out_where_guidance_is_off() -> None:
    family = FAMILIES["QwenImageEditPlusPipeline"]
    settings = family.settings.model_copy(update={"true_cfg": 1.0})
    call = arguments(family, settings, [PIL.Image.new("RGB", (96, 64))], "Do it.", (64, 64))
    assert call["negative_prompt"] is None


def test_a_kontext_call_holds_its_size_against_rescaling() -> None:
    family = FAMILIES["FluxKontextPipeline"]
    for width, height in KONTEXT_SIZES:
        call = arguments(family, family.settings, [PIL.Image.new("RGB", (9, 9))], "Do it.", (width, height))
        assert isinstance(call["image"], PIL.Image.Image)
        rescaled = [round((call["max_area"] * ratio) ** 0.5) for ratio in (width / height, height / width)]
        assert [side // 16 * 16 for side in rescaled] == [width, height]


def test_a_flux2_call_switches_the_prompt_rewriter_off() -> None:
    family = FAMILIES["Flux2Pipeline"]
    call = arguments(family, family.settings, [PIL.Image.new("RGB", (64, 64))], "Do it.", (64, 64))
    assert call["caption_upsample_temperature"] is None
    assert "true_cfg_scale" not in call


def test_a_wanted_size_is_cut_to_what_can_be_made() -> None:
    assert asked_size((1000, 1023)) == (992, 1008)
    assert asked_size((3, 3)) == (16, 16)


def test_the_size_key() -> None:
    assert parse_size("source") is None
    assert parse_size("1024x768") == (1024, 768)
    with pytest.raises(SpecError, match="multiples of 16"):
        parse_size("1000x768")
    with pytest.raises(SpecError, match="give source"):
        parse_size("large")
