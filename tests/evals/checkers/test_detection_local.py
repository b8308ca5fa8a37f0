"""Detectors and segmenters that really load: a tiny ONNX graph, YOLOS, RT-DETR, SAM and SAM 2 of random weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from editplan.errors import ConfigError
from editplan.evals.checkers.checker import measured
from editplan.evals.checkers.instruments import InstrumentPaths, load_instruments
from editplan.evals.checkers.model_specs import DetectedAt, DetectedCount, SegmentAt, SegmentKept
from editplan.evals.checkers.pair import Pair
from editplan.evals.checkers.regions import box_region

pytestmark = pytest.mark.local

PICTURE = np.full((240, 320, 3), 200, dtype=np.uint8)
PAIR = Pair(PICTURE, PICTURE, (320, 240))
LEFT = box_region((0.0, 0.0, 0.5, 1.0))
NAMES = ["cat", "dog", "cup"]


def write_onnx(path: Path, rows: np.ndarray, names: list[str] | None, side: int = 320) -> Path:
    """A graph that answers `rows` whatever it sees: its input is used, so that it can't be folded away."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    graph = helper.make_graph(
        [
            helper.make_node("ReduceMean", ["images"], ["mean"], keepdims=0),
            helper.make_node("Mul", ["mean", "zero"], ["nothing"]),
            helper.make_node("Add", ["rows", "nothing"], ["output0"]),
        ],
        "tiny",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, side, side])],
        [helper.make_tensor_value_info("output0", TensorProto.FLOAT, list(rows.shape))],
        [numpy_helper.from_array(rows, "rows"), numpy_helper.from_array(np.float32(0.0), "zero")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    if names is not None:
        helper.set_model_props(model, {"names": repr(dict(enumerate(names)))})
    onnx.save(model, str(path))
    return path


def yolo_rows() -> np.ndarray:
    """A dog at (40, 60)..(120, 140) of the 320 x 240 picture, which lies 40 px lower in the letterboxed input."""
    rows = np.zeros((1, 7, 2100), dtype=np.float32)
    for copy in range(3):
        rows[0, :4, 10 + copy] = (80 + copy, 140, 80, 80)
        rows[0, 5, 10 + copy] = 0.9 - 0.1 * copy
    return rows


def test_an_onnx_detector_finds_counts_and_places(tmp_path: Path) -> None:
    instruments = load_instruments(InstrumentPaths(detector=write_onnx(tmp_path / "tiny.onnx", yolo_rows(), NAMES)))
    assert instruments.detector is not None
    (dog,) = instruments.detector.detect(PICTURE, 0.5)
    assert dog.label == "dog"
    np.testing.assert_allclose(dog.box, (40, 60, 120, 140), atol=0.5)
    place = box_region((40 / 320, 60 / 240, 120 / 320, 140 / 240))
    verdicts = {
        "one": measured(DetectedCount(region=LEFT, label="dog", count=1), PAIR, instruments).verdict,
        "two": measured(DetectedCount(region=LEFT, label="dog", count=2), PAIR, instruments).verdict,
        "no cat": measured(DetectedCount(region=LEFT, label="cat", count=0), PAIR, instruments).verdict,
        "there": measured(DetectedAt(region=place, label="dog"), PAIR, instruments).verdict,
        "cup there": measured(DetectedAt(region=place, label="cup"), PAIR, instruments).verdict,
    }
    assert verdicts == {"one": "pass", "two": "fail", "no cat": "pass", "there": "pass", "cup there": "fail"}


def test_a_faint_detection_leaves_a_count_open(tmp_path: Path) -> None:
    rows = yolo_rows() * np.array([1, 1, 1, 1, 0.4, 0.4, 0.4], dtype=np.float32)[None, :, None]
    instruments = load_instruments(InstrumentPaths(detector=write_onnx(tmp_path / "faint.onnx", rows, NAMES)))
    for count, verdict in ((0, "abstain"), (1, "abstain"), (2, "fail")):
        assert measured(DetectedCount(region=LEFT, label="dog", count=count), PAIR, instruments).verdict == verdict


def test_classes_come_from_the_file_or_from_the_user(tmp_path: Path) -> None:
    bare = write_onnx(tmp_path / "bare.onnx", yolo_rows(), None)
    with pytest.raises(ConfigError, match="detector_labels"):
        load_instruments(InstrumentPaths(detector=bare))
    labels = tmp_path / "names.txt"
    labels.write_text("cat\ndog\ncup\n")
    instruments = load_instruments(InstrumentPaths(detector=bare, detector_labels=labels))
    assert instruments.detector is not None
    assert instruments.detector.labels == ("cat", "dog", "cup")
    with pytest.raises(ConfigError, match="which the detector doesn't know"):
        measured(DetectedCount(region=LEFT, label="zebra", count=1), PAIR, instruments)


def test_a_file_that_is_no_model_says_so(tmp_path: Path) -> None:
    (tmp_path / "text.onnx").write_text("hello")
    with pytest.raises(ConfigError, match="no ONNX model"):
        load_instruments(InstrumentPaths(detector=tmp_path / "text.onnx"))


def write_detector(folder: Path, kind: str) -> Path:
    import transformers as hub

    if kind == "yolos":
        config = hub.YolosConfig(
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            image_size=[64, 64],
            num_detection_tokens=5,
            num_labels=3,
        )
        config.id2label = dict(enumerate(NAMES))
        hub.YolosForObjectDetection(config).save_pretrained(folder)
        hub.YolosImageProcessor(size={"shortest_edge": 64, "longest_edge": 96}).save_pretrained(folder)
        return folder
    backbone = hub.RTDetrResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 16, 24, 32],
        depths=[1, 1, 1, 1],
        out_features=["stage2", "stage3", "stage4"],
    )
    config = hub.RTDetrConfig(
        backbone_config=backbone,
        encoder_hidden_dim=32,
        encoder_in_channels=[16, 24, 32],
        encoder_ffn_dim=32,
        encoder_attention_heads=2,
        d_model=32,
        num_queries=10,
        decoder_in_channels=[32, 32, 32],
        decoder_ffn_dim=32,
        decoder_layers=1,
        decoder_attention_heads=2,
        num_denoising=0,
        num_labels=3,
    )
    config.id2label = dict(enumerate(NAMES))
    hub.RTDetrForObjectDetection(config).save_pretrained(folder)
    hub.RTDetrImageProcessor(size={"height": 128, "width": 128}).save_pretrained(folder)
    return folder


@pytest.mark.usefixtures("torchvision_operators")
@pytest.mark.parametrize("kind", ["yolos", "rtdetr"])
def test_a_transformers_detector_runs_from_a_folder(tmp_path: Path, kind: str) -> None:
    detector = load_instruments(InstrumentPaths(detector=write_detector(tmp_path / kind, kind))).detector
    assert detector is not None
    assert set(detector.labels) == set(NAMES)
    for found in detector.detect(PICTURE, 0.0):
        assert found.label in NAMES
        assert 0.0 <= found.score <= 1.0
        assert found.box[0] <= found.box[2]
        assert found.box[2] <= 2 * 320


def write_segmenter(folder: Path, kind: str) -> Path:
    import transformers as hub

    if kind == "sam":
        vision = hub.SamVisionConfig(
            hidden_size=16,
            output_channels=8,
            num_hidden_layers=2,
            num_attention_heads=2,
            image_size=64,
            patch_size=8,
            mlp_dim=16,
            global_attn_indexes=[1],
            window_size=4,
            num_pos_feats=4,
        )
        prompt = hub.SamPromptEncoderConfig(hidden_size=8, image_size=64, patch_size=8, mask_input_channels=4)
        decoder = hub.SamMaskDecoderConfig(
            hidden_size=8, mlp_dim=8, num_hidden_layers=2, num_attention_heads=2, iou_head_hidden_dim=8
        )
        config = hub.SamConfig(vision_config=vision, prompt_encoder_config=prompt, mask_decoder_config=decoder)
        hub.SamModel(config).save_pretrained(folder)
        size = {"size": {"longest_edge": 64}, "pad_size": {"height": 64, "width": 64}}
        mask = {"mask_size": {"longest_edge": 16}, "mask_pad_size": {"height": 16, "width": 16}}
        hub.SamProcessor(hub.SamImageProcessor(**size, **mask)).save_pretrained(folder)
        return folder
    backbone = hub.Sam2HieraDetConfig(
        hidden_size=8,
        num_attention_heads=1,
        blocks_per_stage=[1, 1, 1, 1],
        embed_dim_per_stage=[8, 16, 32, 64],
        num_attention_heads_per_stage=[1, 1, 2, 4],
        window_size_per_stage=[4, 4, 4, 4],
        global_attention_blocks=[],
        window_positional_embedding_background_size=[4, 4],
        image_size=[128, 128],
    )
    vision = hub.Sam2VisionConfig(
        backbone_config=backbone,
        backbone_channel_list=[64, 32, 16, 8],
        backbone_feature_sizes=[[32, 32], [16, 16], [8, 8]],
        fpn_hidden_size=32,
    )
    prompt = hub.Sam2PromptEncoderConfig(hidden_size=32, image_size=128, patch_size=16)
    decoder = hub.Sam2MaskDecoderConfig(
        hidden_size=32, mlp_dim=16, num_attention_heads=2, iou_head_hidden_dim=16, num_hidden_layers=2
    )
    config = hub.Sam2Config(vision_config=vision, prompt_encoder_config=prompt, mask_decoder_config=decoder)
    hub.Sam2Model(config).save_pretrained(folder)
    processor = hub.Sam2ImageProcessor if hasattr(hub, "Sam2ImageProcessor") else hub.Sam2ImageProcessorFast
    hub.Sam2Processor(processor(size={"height": 128, "width": 128})).save_pretrained(folder)
    return folder


@pytest.mark.usefixtures("torchvision_operators")
@pytest.mark.parametrize("kind", ["sam", "sam2"])
def test_a_segmenter_runs_from_a_folder_and_its_doubt_abstains(tmp_path: Path, kind: str) -> None:
    instruments = load_instruments(InstrumentPaths(segmenter=write_segmenter(tmp_path / kind, kind)))
    assert instruments.segmenter is not None
    mask, confidence = instruments.segmenter.segment(PICTURE, (40, 60, 120, 140))
    assert mask.shape == PICTURE.shape[:2]
    assert mask.dtype == bool
    assert 0.0 <= confidence <= 1.0
    for spec in (SegmentAt(shape=LEFT), SegmentKept(region=LEFT)):
        assert measured(spec, PAIR, instruments).verdict in ("fail", "partial", "pass", "abstain")


@pytest.mark.usefixtures("torchvision_operators")
def test_a_folder_of_another_model_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is a 'yolos' model; known: sam"):
        load_instruments(InstrumentPaths(segmenter=write_detector(tmp_path / "yolos", "yolos")))
