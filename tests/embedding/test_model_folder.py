"""Descriptions in a model's folder, and their effect."""

import contextlib
import json
import os
import platform
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from notesearch.embedding import torch_engine
from notesearch.embedding.embedder import Embedder
from notesearch.embedding.model_folder import ModelFolder, take_place
from notesearch.embedding.model_loader import load_embedder
from notesearch.embedding.reranker import is_reranker
from notesearch.errors import ModelError
from tests.embedding.tiny_model import add_layer, put, step, write

RED, GREEN, START, END = (9, 0, 0), (0, 9, 0), (1, 1, 1), (0, 0, 0)
STATES = np.array([START, RED, RED, GREEN, END], float)
TEXT = "red red green"


def loaded(folder: Path) -> Embedder:
    return load_embedder(str(folder), Path())


def assert_along(made: object, expected: object) -> None:
    """Fail unless ``made`` is ``expected`` scaled to length 1."""
    wanted = np.asarray(expected, float)
    assert np.allclose(np.asarray(made), wanted / np.linalg.norm(wanted), atol=1e-6)


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ("mean", STATES.mean(axis=0)),
        ("cls", START),
        ("max", STATES.max(axis=0)),
        ("mean_sqrt_len_tokens", STATES.sum(axis=0) / 5**0.5),
        ("weightedmean", np.arange(1, 6) @ STATES),
        (["cls", "max"], [*START, *STATES.max(axis=0)]),
    ],
)
def test_token_vectors_are_pooled(
    tmp_path: Path, pooling: str | list[str], expected: object
) -> None:
    tiny = loaded(write(tmp_path / "tiny", pooling=pooling))
    assert_along(tiny.embed_query(TEXT), expected)
    assert tiny.dimensions == len(np.asarray(expected))


def test_pooling_by_the_last_token(tmp_path: Path) -> None:
    table = [(0, 0, 1)] * 2 + [(3, 4, 0)] + [(0, 0, 1)] * 4
    tiny = loaded(write(tmp_path / "tiny", pooling="lasttoken", table=table))
    assert_along(tiny.embed_query(TEXT), (3, 4, 0))


def test_the_pooling_flags_of_older_folders(tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny")
    old = {"pooling_mode_mean_tokens": False, "pooling_mode_cls_token": True}
    put(folder, "1_Pooling/config.json", {**old, "pooling_mode_max_tokens": True})
    assert_along(loaded(folder).embed_query("red"), [1, 1, 1, 9, 1, 1])


def test_the_tokens_of_a_prompt_may_not_count(tmp_path: Path) -> None:
    prompts = {"prompts": {"query": "blue blue ", "document": "green "}}
    counted = loaded(write(tmp_path / "counted", prompts=prompts))
    left_out = loaded(
        write(tmp_path / "left out", prompts=prompts, config={"include_prompt": False})
    )
    assert_along(counted.embed_query("red"), [10, 1, 19])
    assert_along(left_out.embed_query("red"), [9, 0, 0])
    assert_along(left_out.embed_passages(["red"])[0], [9, 0, 0])


@pytest.mark.parametrize(
    ("described", "query", "passage"),
    [
        ({"prompts": {"query": "red ", "passage": "green "}}, "red", "green"),
        ({"prompts": {"query": "red ", "corpus": "green "}}, "red", "green"),
        ({"prompts": {"s": "red "}, "default_prompt_name": "s"}, "red", "red"),
        ({"prompts": {"query": "", "s": "red "}, "default_prompt_name": "s"}, "", "red"),
        ({"prompts": {}, "default_prompt_name": None}, "", ""),
    ],
)
def test_the_names_of_prompts(
    tmp_path: Path, described: dict[str, object], query: str, passage: str
) -> None:
    plain = loaded(write(tmp_path / "plain"))
    tiny = loaded(write(tmp_path / "tiny", prompts=described))
    assert np.array_equal(tiny.embed_query("blue"), plain.embed_query(f"{query} blue"))
    made = tiny.embed_passages(["blue"])[0]
    assert np.array_equal(made, plain.embed_query(f"{passage} blue"))


def test_a_passage_leaves_room_for_its_prompt(tmp_path: Path) -> None:
    prompts = {"prompts": {"document": "green green green "}}
    tiny = loaded(write(tmp_path / "tiny", prompts=prompts, max_seq_length=12))
    assert tiny.window == 9
    room = "red " * (tiny.window - 2)
    whole, cut = tiny.embed_passages([room, f"{room} blue"])
    assert np.array_equal(whole, cut)
    assert not np.array_equal(whole, tiny.embed_passages([f"{room[4:]} blue"])[0])


@pytest.mark.parametrize(
    ("files", "window"),
    [
        ({"sentence_bert_config.json": {"max_seq_length": 40}}, 40),
        ({"config.json": {"max_position_embeddings": 100}}, 100),
        ({"tokenizer_config.json": {"model_max_length": 77}}, 77),
        ({"tokenizer_config.json": {"model_max_length": 10**30}}, 256),
        ({"sentence_bert_config.json": {"max_seq_length": 8192}}, 512),
    ],
)
def test_the_window(tmp_path: Path, files: dict[str, object], window: int) -> None:
    folder = write(tmp_path / "tiny")
    for name, content in files.items():
        put(folder, name, content)
    assert loaded(folder).window == window


def test_truncated_vectors(tmp_path: Path) -> None:
    tiny = loaded(write(tmp_path / "tiny", prompts={"truncate_dim": 2}))
    assert tiny.dimensions == 2
    assert_along(tiny.embed_query("red"), [10, 1])


def test_a_dense_layer(tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny")
    add_layer(folder, [(1, 0, 0), (0, 1, -1)])
    tiny = loaded(folder)
    assert tiny.dimensions == 2
    assert_along(tiny.embed_query("red green"), [10, 9])


def test_a_graph_that_pools_itself(tmp_path: Path) -> None:
    """Of several outputs, the text's own vector is used, whatever the folder describes."""
    pooled = loaded(write(tmp_path / "tiny", output="token_embeddings", pooling="cls"))
    assert_along(pooled.embed_query("red"), START)


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        (["model.onnx", "model_qint8.onnx"], "model_qint8.onnx"),
        (["model.onnx", "model_quantized.onnx"], "model_quantized.onnx"),
        (["model.onnx", "model_O3.onnx"], "model.onnx"),
        (["model.onnx", "model_qint8_arm64.onnx"], "model_qint8_arm64.onnx"),
        (["model.onnx", "model_qint8_avx512_vnni.onnx"], "model_qint8_avx512_vnni.onnx"),
    ],
)
def test_the_fastest_graph_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: list[str], chosen: str
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    folder = write(tmp_path / "tiny")
    (folder / "onnx").mkdir()
    for name in there:
        os.link(folder / "model.onnx", folder / "onnx" / name)
    (folder / "model.onnx").unlink()
    assert ModelFolder.read(folder).graph == folder / "onnx" / chosen


def points_outside(folder: Path) -> None:
    put(folder, "modules.json", [step("Transformer", ""), step("Pooling", "../1_Pooling")])


def points_to_the_root(folder: Path) -> None:
    put(folder, "modules.json", [step("Transformer", "/etc")])


def brings_code(folder: Path) -> None:
    put(folder, "modules.json", [{"type": "sentence_transformers_evil.models.Pooling"}])


def knows_another_step(folder: Path) -> None:
    put(folder, "modules.json", [step("Transformer", ""), step("Router", "1_Router")])


def has_only_a_pickle(folder: Path) -> None:
    (folder / "model.onnx").rename(folder / "pytorch_model.bin")


def has_only_weights(folder: Path) -> None:
    (folder / "model.onnx").rename(folder / "model.safetensors")


def says_other_dimensions(folder: Path) -> None:
    put(folder, "1_Pooling/config.json", {"pooling_mode": "mean", "embedding_dimension": 384})


def has_a_layer_of_another_size(folder: Path) -> None:
    add_layer(folder, [(1, 0, 0, 0)])


def has_a_layer_that_lies(folder: Path) -> None:
    add_layer(folder, [(1, 0, 0)], out_features=7)


def has_a_layer_cut_short(folder: Path) -> None:
    add_layer(folder, [(1, 0, 0)])
    os.truncate(folder / "2_Dense" / "model.safetensors", 90)


def has_a_layer_of_unknown_kind(folder: Path) -> None:
    add_layer(folder, [(1, 0, 0)], activation_function="evil.Run")


def has_a_huge_header(folder: Path) -> None:
    add_layer(folder, [(1, 0, 0)])
    (folder / "2_Dense" / "model.safetensors").write_bytes(b"\xff" * 64)


def has_a_window_of_words(folder: Path) -> None:
    put(folder, "sentence_bert_config.json", {"max_seq_length": "many"})


def has_prompts_of_another_shape(folder: Path) -> None:
    put(folder, "config_sentence_transformers.json", {"prompts": ["query: "]})


@pytest.mark.fault("E3, E4")
@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (points_outside, "refers to a file outside its folder"),
        (points_to_the_root, "refers to a file outside its folder"),
        (brings_code, "sentence_transformers_evil"),
        (knows_another_step, "needs the extra"),
        (has_only_a_pickle, "no safetensors file"),
        (has_only_weights, "needs the extra “notesearch"),
        (says_other_dimensions, "vectors do not have 384 dimensions"),
        (has_a_layer_of_another_size, "vectors of another size"),
        (has_a_layer_that_lies, "sizes of one of its layers"),
        (has_a_layer_cut_short, "damaged"),
        (has_a_layer_of_unknown_kind, r"needs the extra “notesearch\[sentence-transformers\]”"),
        (has_a_huge_header, "damaged"),
        (has_a_window_of_words, "damaged"),
        (has_prompts_of_another_shape, "damaged"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_unusable_folders_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None], told: str
) -> None:
    monkeypatch.setattr(torch_engine, "is_installed", lambda: False)
    folder = write(tmp_path / "tiny")
    damage(folder)
    with pytest.raises(ModelError, match=told) as caught:
        load_embedder(str(folder), Path())
    assert "\n" not in str(caught.value)


OPENED = (
    "model.onnx",
    "model.onnx_data",
    "weights/any name",
    "tokenizer.json",
    "config.json",
    "sentence_bert_config.json",
    "modules.json",
    "1_Pooling/config.json",
    "model.safetensors",
    "model-00001-of-00002.safetensors",
)
"""The names of files that an engine may open."""


def is_a_pipe(file: Path, _: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no pipes in folders here")
    os.mkfifo(file)


def is_a_link_to_a_pipe(file: Path, outside: Path) -> None:
    is_a_pipe(outside / "pipe", outside)
    file.symlink_to(outside / "pipe")


def is_a_device(file: Path, _: Path) -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("there are no devices in folders here")
    file.symlink_to("/dev/zero")


def is_a_link_to_another_model(file: Path, outside: Path) -> None:
    other = write(outside / "other")
    file.symlink_to(other / file.name if (other / file.name).exists() else other / "model.onnx")


@pytest.mark.fault("E3, E4")
@pytest.mark.parametrize("name", OPENED)
@pytest.mark.parametrize(
    "spoilt", [is_a_pipe, is_a_link_to_a_pipe, is_a_device, is_a_link_to_another_model]
)
def test_only_files_in_the_folder_are_opened(
    tmp_path: Path, name: str, spoilt: Callable[[Path, Path], None]
) -> None:
    """ONNX Runtime and PyTorch open any file of the right name, and wait for a pipe for ever."""
    file = write(tmp_path / "tiny") / name
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    outside = tmp_path / "outside"
    outside.mkdir()
    spoilt(file, outside)
    with pytest.raises(ModelError, match=file.name) as caught:
        load_embedder(str(tmp_path / "tiny"), Path())
    assert "\n" not in str(caught.value)


@pytest.mark.fault("E3, E4")
@pytest.mark.parametrize("name", [name for name in OPENED if "safetensors" not in name])
def test_a_folder_in_the_place_of_a_file_is_no_file(tmp_path: Path, name: str) -> None:
    """A folder with a name that the engine does not look for does no harm."""
    file = write(tmp_path / "tiny") / name
    file.unlink(missing_ok=True)
    file.mkdir(parents=True)
    is_needed = name not in {"model.onnx_data", "weights/any name"}
    with pytest.raises(ModelError) if is_needed else contextlib.nullcontext():
        load_embedder(str(tmp_path / "tiny"), Path())


def test_links_as_hugging_face_keeps_them_are_followed(tmp_path: Path) -> None:
    """Its cache has a folder of links for each revision, and one with the files of all."""
    cached = tmp_path / "models--some--tiny"
    write(cached / "blobs")
    revision = cached / "snapshots" / "0f1e"
    revision.mkdir(parents=True)
    for file in (cached / "blobs").rglob("*.*"):
        link = revision / file.relative_to(cached / "blobs")
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(os.path.relpath(file, link.parent))
    (tmp_path / "tiny").symlink_to(revision)
    for folder in (revision, tmp_path / "tiny"):
        assert loaded(folder).dimensions == 3


def test_a_known_model_keeps_its_prompts_under_another_name(tmp_path: Path) -> None:
    """Its card has the known name, and so has the folder above in Hugging Face's cache."""
    known = ModelFolder.read(write(tmp_path / "intfloat--multilingual-e5-small"))
    assert (known.query_prompt, known.passage_prompt) == ("query: ", "passage: ")
    renamed = write(tmp_path / "my model")
    (renamed / "README.md").write_text(
        "---\ntags:\n- mteb\nmodel-index:\n- name: intfloat/multilingual-e5-small\n---\n", "utf-8"
    )
    cached = write(tmp_path / "models--intfloat--multilingual-e5-small" / "snapshots" / "0f1e")
    for folder in (renamed, cached):
        read = ModelFolder.read(folder)
        assert (read.query_prompt, read.fingerprint) == ("query: ", known.fingerprint)
    other = write(tmp_path / "tuned")
    (other / "README.md").write_text("---\nbase_model: intfloat/multilingual-e5-small\n---\n")
    assert ModelFolder.read(other).query_prompt == ""


def test_the_fingerprint_changes_with_the_vectors(tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny")
    seen = {ModelFolder.read(folder).fingerprint}
    changes: list[Callable[[], object]] = [
        lambda: put(folder, "1_Pooling/config.json", {"pooling_mode": "max"}),
        lambda: put(folder, "config_sentence_transformers.json", {"truncate_dim": 2}),
        lambda: add_layer(folder, [(1, 0, 0), (0, 1, 0)]),
        lambda: add_layer(folder, [(1, 0, 0), (0, 0, 1)]),
        lambda: (folder / "model.onnx_data").write_bytes(b"numbers"),
        lambda: (folder / "model.onnx_data").write_bytes(b"Numbers"),
    ]
    for change in changes:
        change()
        seen.add(ModelFolder.read(folder).fingerprint)
    assert len(seen) == len(changes) + 1


WRONG: tuple[object, ...] = (
    -1,
    0,
    1.5,
    float("inf"),
    float("nan"),
    10**400,
    "x",
    True,
    None,
    [],
    [1],
    {},
    {"x": 1},
)
"""Values that a key of a description should not have."""

STEPS = "modules.json"
KEYS = {
    "1_Pooling/config.json": ("pooling_mode", "include_prompt", "embedding_dimension"),
    "2_Dense/config.json": ("activation_function", "in_features", "out_features", "use_residual"),
    "config.json": ("max_position_embeddings", "architectures"),
    "config_sentence_transformers.json": ("prompts", "default_prompt_name", "truncate_dim"),
    STEPS: ("type", "path"),
    "sentence_bert_config.json": ("max_seq_length", "do_lower_case"),
    "tokenizer_config.json": ("model_max_length",),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_value_of_another_kind_is_harmless_or_named(tmp_path: Path, name: str) -> None:
    """The model is used, or one sentence says what is damaged."""
    folder = write(tmp_path / "tiny")
    add_layer(folder, [(1, 0, 0), (0, 1, 0)])
    file = folder / name
    known = json.loads(file.read_text()) if file.exists() else {}
    contents: list[object] = [
        {**known, key: wrong} for key in KEYS[name] for wrong in WRONG if name != STEPS
    ]
    if name == STEPS:
        contents = [
            [*known, {**step("Dense", "2_Dense"), key: w}] for key in KEYS[name] for w in WRONG
        ]
    for content in [*contents, *WRONG]:
        file.write_text(json.dumps(content))
        assert isinstance(is_reranker(folder), bool)
        problem = ""
        try:
            assert np.isfinite(loaded(folder).embed_query(TEXT)).all()
        except ModelError as error:
            problem = str(error)
        assert "\n" not in problem


@pytest.mark.parametrize("former", ["folder", "link", "nothing"])
def test_a_new_model_takes_the_place_of_the_former_one(tmp_path: Path, former: str) -> None:
    """Until the new one is in its place, the former one is kept."""
    target, draft = tmp_path / "model", tmp_path / ".model.new"
    elsewhere = write(tmp_path / "elsewhere")
    if former == "folder":
        write(target)
    elif former == "link":
        target.symlink_to(elsewhere)
    write(draft)
    (draft / "new.txt").write_text("new")
    take_place(draft, target)
    assert (target / "new.txt").read_text() == "new"
    with pytest.raises(FileNotFoundError):
        take_place(draft, target)
    assert (target / "new.txt").read_text() == "new"
    assert (elsewhere / "model.onnx").is_file()
    assert {path.name for path in tmp_path.iterdir()} == {"model", "elsewhere"}
