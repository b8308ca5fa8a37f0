"""Tiny pipelines of every class, with random weights, built in code and saved to a folder once a session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HIDDEN = 16
LETTERS = [chr(code) for code in range(33, 127)]


@pytest.fixture(scope="session")
def folder_of(torchvision_operators: None, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """`folder_of("Flux2Pipeline")` is a folder that `save_pretrained` wrote."""
    made: dict[str, Path] = {}

    def folder(name: str) -> Path:
        if name not in made:
            import torch

            torch.manual_seed(0)
            made[name] = tmp_path_factory.mktemp("models") / name
            BUILDERS[name]().save_pretrained(made[name])
        return made[name]

    return folder


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pipelines' fixed sizes of about a megapixel brought down: what is under test is not their speed."""
    from diffusers.pipelines.flux import pipeline_flux_kontext as kontext
    from diffusers.pipelines.qwenimage import pipeline_qwenimage_edit as single
    from diffusers.pipelines.qwenimage import pipeline_qwenimage_edit_plus as plus

    sized = single.calculate_dimensions
    monkeypatch.setattr(single, "calculate_dimensions", lambda area, ratio: sized(64 * 64, ratio))
    monkeypatch.setattr(plus, "VAE_IMAGE_SIZE", 64 * 64)
    monkeypatch.setattr(plus, "CONDITION_IMAGE_SIZE", 64 * 64)
    monkeypatch.setattr(kontext, "PREFERRED_KONTEXT_RESOLUTIONS", [(64, 96), (64, 64), (96, 64)])


def _vocabulary(*special: str) -> dict[str, int]:
    return {token: place for place, token in enumerate([*special, *LETTERS, "Ġ", "Ċ"])}


def _qwen_tokenizer(*more: str) -> Any:
    from transformers import Qwen2Tokenizer

    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>"]
    pads = ["<|image_pad|>", "<|video_pad|>"]
    tokenizer = Qwen2Tokenizer(vocab=_vocabulary(*special, *pads, *more), merges=[], model_max_length=2048)
    tokenizer.add_special_tokens({"additional_special_tokens": [*special[1:], *pads, *more]})
    tokenizer.chat_template = (
        "{% for m in messages %}<|im_start|>{{ m.role }}\n"
        "{% if m.content is string %}{{ m.content }}{% else %}{{ m.content[0].text }}{% endif %}<|im_end|>\n"
        "{% endfor %}"
    )
    return tokenizer


def _scheduler() -> Any:
    from diffusers import FlowMatchEulerDiscreteScheduler

    return FlowMatchEulerDiscreteScheduler(use_dynamic_shifting=True)


def _qwen_text(tokenizer: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": HIDDEN,
        "intermediate_size": HIDDEN,
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [1, 1, 2]},
        "max_position_embeddings": 8192,
    }


def _qwen_parts() -> dict[str, Any]:
    from diffusers import AutoencoderKLQwenImage, QwenImageTransformer2DModel
    from transformers import (
        Qwen2_5_VLConfig,
        Qwen2_5_VLForConditionalGeneration,
        Qwen2VLImageProcessor,
        Qwen2VLProcessor,
    )
    from transformers import Qwen2VLVideoProcessor as VideoProcessor

    tokenizer = _qwen_tokenizer()
    ids = tokenizer.convert_tokens_to_ids
    config = Qwen2_5_VLConfig(
        text_config=_qwen_text(tokenizer),
        vision_config={
            "depth": 1,
            "hidden_size": HIDDEN,
            "intermediate_size": HIDDEN,
            "num_heads": 2,
            "out_hidden_size": HIDDEN,
            "fullatt_block_indexes": [0],
        },
        image_token_id=ids("<|image_pad|>"),
        video_token_id=ids("<|video_pad|>"),
        vision_start_token_id=ids("<|vision_start|>"),
        vision_end_token_id=ids("<|vision_end|>"),
    )
    return {
        "scheduler": _scheduler(),
        "vae": AutoencoderKLQwenImage(
            base_dim=4, z_dim=16, dim_mult=[1, 1, 1, 1], num_res_blocks=1, temperal_downsample=[False, True, True]
        ),
        "text_encoder": Qwen2_5_VLForConditionalGeneration(config).eval(),
        "tokenizer": tokenizer,
        "processor": Qwen2VLProcessor(
            image_processor=Qwen2VLImageProcessor(), tokenizer=tokenizer, video_processor=VideoProcessor()
        ),
        "transformer": QwenImageTransformer2DModel(
            in_channels=64,
            out_channels=16,
            num_layers=1,
            attention_head_dim=16,
            num_attention_heads=2,
            joint_attention_dim=HIDDEN,
            axes_dims_rope=(4, 6, 6),
        ),
    }


def _qwen_edit() -> Any:
    from diffusers import QwenImageEditPipeline

    return QwenImageEditPipeline(**_qwen_parts())


def _qwen_edit_plus() -> Any:
    from diffusers import QwenImageEditPlusPipeline

    return QwenImageEditPlusPipeline(**_qwen_parts())


def _flux_kontext() -> Any:
    from diffusers import AutoencoderKL, FluxKontextPipeline, FluxTransformer2DModel
    from transformers import ByT5Tokenizer, CLIPTextConfig, CLIPTextModel, CLIPTokenizer, T5Config, T5EncoderModel

    clip = CLIPTokenizer(
        vocab=_vocabulary("<|startoftext|>", "<|endoftext|>", *(f"{letter}</w>" for letter in LETTERS)),
        merges=[],
        model_max_length=77,
    )
    return FluxKontextPipeline(
        scheduler=_scheduler(),
        vae=AutoencoderKL(
            block_out_channels=(4, 4, 4, 4),
            down_block_types=("DownEncoderBlock2D",) * 4,
            up_block_types=("UpDecoderBlock2D",) * 4,
            layers_per_block=1,
            latent_channels=4,
            norm_num_groups=2,
            use_quant_conv=False,
            use_post_quant_conv=False,
            shift_factor=0.0,
            scaling_factor=1.0,
        ),
        text_encoder=CLIPTextModel(
            CLIPTextConfig(
                vocab_size=len(clip),
                hidden_size=HIDDEN,
                intermediate_size=HIDDEN,
                num_hidden_layers=1,
                num_attention_heads=2,
                projection_dim=HIDDEN,
                bos_token_id=0,
                eos_token_id=1,
                pad_token_id=1,
            )
        ).eval(),
        tokenizer=clip,
        text_encoder_2=T5EncoderModel(_t5(T5Config)).eval(),
        tokenizer_2=ByT5Tokenizer(),
        transformer=FluxTransformer2DModel(
            in_channels=16,
            num_layers=1,
            num_single_layers=1,
            attention_head_dim=16,
            num_attention_heads=2,
            joint_attention_dim=HIDDEN,
            pooled_projection_dim=HIDDEN,
            guidance_embeds=True,
            axes_dims_rope=(4, 6, 6),
        ),
    )


def _t5(kind: Any) -> Any:
    return kind(vocab_size=384, d_model=HIDDEN, d_kv=8, d_ff=HIDDEN, num_layers=1, num_heads=2)


def _flux2_parts() -> tuple[dict[str, Any], dict[str, Any]]:
    from diffusers import AutoencoderKLFlux2

    return {
        "scheduler": _scheduler(),
        "vae": AutoencoderKLFlux2(
            block_out_channels=(4, 4, 4, 4), layers_per_block=1, latent_channels=4, norm_num_groups=2
        ),
    }, {
        "in_channels": 16,
        "num_layers": 1,
        "num_single_layers": 1,
        "attention_head_dim": 16,
        "num_attention_heads": 2,
        "joint_attention_dim": 3 * HIDDEN,
        "axes_dims_rope": (4, 4, 4, 4),
    }


def _flux2() -> Any:
    from diffusers import Flux2Pipeline, Flux2Transformer2DModel
    from transformers import (
        Mistral3Config,
        Mistral3ForConditionalGeneration,
        PixtralImageProcessor,
        PixtralProcessor,
    )

    parts, sizes = _flux2_parts()
    tokenizer = _qwen_tokenizer("[IMG]", "[IMG_BREAK]", "[IMG_END]")
    text = {
        "model_type": "mistral",
        "vocab_size": len(tokenizer),
        "hidden_size": HIDDEN,
        "intermediate_size": HIDDEN,
        "num_hidden_layers": 31,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "head_dim": 8,
    }
    vision = {
        "model_type": "pixtral",
        "hidden_size": HIDDEN,
        "intermediate_size": HIDDEN,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "head_dim": 8,
    }
    config = Mistral3Config(
        text_config=text, vision_config=vision, image_token_index=tokenizer.convert_tokens_to_ids("[IMG]")
    )
    return Flux2Pipeline(
        **parts,
        text_encoder=Mistral3ForConditionalGeneration(config).eval(),
        tokenizer=PixtralProcessor(
            image_processor=PixtralImageProcessor(), tokenizer=tokenizer, chat_template=tokenizer.chat_template
        ),
        transformer=Flux2Transformer2DModel(**sizes),
    )


def _flux2_klein() -> Any:
    from diffusers import Flux2KleinPipeline, Flux2Transformer2DModel
    from transformers import Qwen3Config, Qwen3ForCausalLM

    parts, sizes = _flux2_parts()
    tokenizer = _qwen_tokenizer()
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=HIDDEN,
        intermediate_size=HIDDEN,
        num_hidden_layers=28,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=8,
        bos_token_id=None,
        eos_token_id=None,
    )
    return Flux2KleinPipeline(
        **parts,
        text_encoder=Qwen3ForCausalLM(config).eval(),
        tokenizer=tokenizer,
        transformer=Flux2Transformer2DModel(**sizes, guidance_embeds=False),
        is_distilled=True,
    )


def _hunyuan_video() -> Any:
    from diffusers import (
        AutoencoderKLHunyuanVideo15,
        ClassifierFreeGuidance,
        FlowMatchEulerDiscreteScheduler,
        HunyuanVideo15ImageToVideoPipeline,
        HunyuanVideo15Transformer3DModel,
    )
    from transformers import (
        ByT5Tokenizer,
        Qwen2_5_VLTextConfig,
        Qwen2_5_VLTextModel,
        SiglipImageProcessor,
        SiglipVisionConfig,
        SiglipVisionModel,
        T5Config,
        T5EncoderModel,
    )

    tokenizer = _qwen_tokenizer()
    siglip = SiglipVisionConfig(
        hidden_size=HIDDEN,
        intermediate_size=HIDDEN,
        num_hidden_layers=1,
        num_attention_heads=2,
        image_size=32,
        patch_size=16,
    )
    return HunyuanVideo15ImageToVideoPipeline(
        text_encoder=Qwen2_5_VLTextModel(Qwen2_5_VLTextConfig(**_qwen_text(tokenizer))).eval(),
        tokenizer=tokenizer,
        transformer=HunyuanVideo15Transformer3DModel(
            in_channels=9,
            out_channels=4,
            num_attention_heads=2,
            attention_head_dim=16,
            num_layers=1,
            num_refiner_layers=1,
            text_embed_dim=HIDDEN,
            text_embed_2_dim=HIDDEN,
            image_embed_dim=HIDDEN,
            rope_axes_dim=(4, 6, 6),
            target_size=64,
        ),
        vae=AutoencoderKLHunyuanVideo15(latent_channels=4, block_out_channels=(8, 8, 8, 8, 8), layers_per_block=1),
        scheduler=FlowMatchEulerDiscreteScheduler(),
        text_encoder_2=T5EncoderModel(_t5(T5Config)).eval(),
        tokenizer_2=ByT5Tokenizer(),
        guider=ClassifierFreeGuidance(guidance_scale=6.0),
        image_encoder=SiglipVisionModel(siglip).eval(),
        feature_extractor=SiglipImageProcessor(size={"height": 32, "width": 32}),
    )


def _wan_video() -> Any:
    from diffusers import (
        AutoencoderKLWan,
        UniPCMultistepScheduler,
        WanImageToVideoPipeline,
        WanTransformer3DModel,
    )
    from transformers import (
        ByT5Tokenizer,
        CLIPImageProcessor,
        CLIPVisionConfig,
        CLIPVisionModel,
        UMT5Config,
        UMT5EncoderModel,
    )

    vision = CLIPVisionConfig(
        hidden_size=HIDDEN,
        intermediate_size=HIDDEN,
        projection_dim=HIDDEN,
        num_hidden_layers=2,
        num_attention_heads=2,
        image_size=32,
        patch_size=16,
    )
    return WanImageToVideoPipeline(
        tokenizer=ByT5Tokenizer(),
        text_encoder=UMT5EncoderModel(_t5(UMT5Config)).eval(),
        vae=AutoencoderKLWan(
            base_dim=4, z_dim=16, dim_mult=[1, 1, 1, 1], num_res_blocks=1, temperal_downsample=[False, True, True]
        ),
        scheduler=UniPCMultistepScheduler(prediction_type="flow_prediction", use_flow_sigmas=True, flow_shift=3.0),
        image_processor=CLIPImageProcessor(size={"height": 32, "width": 32}, crop_size={"height": 32, "width": 32}),
        image_encoder=CLIPVisionModel(vision).eval(),
        transformer=WanTransformer3DModel(
            num_attention_heads=2,
            attention_head_dim=12,
            in_channels=36,
            out_channels=16,
            text_dim=HIDDEN,
            freq_dim=32,
            ffn_dim=32,
            num_layers=1,
            cross_attn_norm=True,
            image_dim=HIDDEN,
            rope_max_seq_len=64,
        ),
    )


BUILDERS: dict[str, Callable[[], Any]] = {
    "QwenImageEditPipeline": _qwen_edit,
    "QwenImageEditPlusPipeline": _qwen_edit_plus,
    "FluxKontextPipeline": _flux_kontext,
    "Flux2Pipeline": _flux2,
    "Flux2KleinPipeline": _flux2_klein,
    "HunyuanVideo15ImageToVideoPipeline": _hunyuan_video,
    "WanImageToVideoPipeline": _wan_video,
}
