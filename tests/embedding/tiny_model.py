"""A model of six words and three dimensions, for cases that the real one never shows.

An ONNX file is a protocol buffer: numbered fields, nested. The graph is one ``Gather`` that looks
each piece up in a table, so that the engine has to pool by itself.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

FLOAT, INT64 = 1, 7
WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "red", "green", "blue"]
COLOURS = [(0, 0, 0), (1, 1, 1), (0, 0, 0), (1, 0, 1), (9, 0, 0), (0, 9, 0), (0, 0, 9)]


def field(number: int, content: bytes | str | int) -> bytes:
    """Return a field of a protocol buffer."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    raw = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(raw)) + raw


def varint(value: int) -> bytes:
    """Return a number, seven bits to a byte, lowest first."""
    low, high = value & 127, value >> 7
    return bytes([low | 128]) + varint(high) if high else bytes([low])


def tensor(name: str, kind: int, *sizes: str | int) -> bytes:
    """Return the description of an input or output."""
    shape = b"".join(field(1, field(1 if isinstance(size, int) else 2, size)) for size in sizes)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def graph(
    table: Sequence[Sequence[float]], pieces: str = "input_ids", output: str = "states"
) -> bytes:
    """Return an ONNX file that maps tokens to rows of ``table``."""
    rows, columns = len(table), len(table[0])
    numbers = struct.pack(f"<{rows * columns}f", *(number for row in table for number in row))
    node = field(1, "table") + field(1, pieces) + field(2, output) + field(4, "Gather")
    stored = field(1, rows) + field(1, columns) + field(2, FLOAT) + field(8, "table")
    stored += field(9, numbers)
    content = field(1, node) + field(2, "tiny") + field(5, stored)
    content += field(11, tensor(pieces, INT64, "batch", "length"))
    content += field(12, tensor(output, FLOAT, "batch", "length", columns))
    return field(1, 8) + field(8, field(2, 17)) + field(7, content)


def tokenizer() -> str:
    """Return a ``tokenizer.json`` with a few words, between two special tokens."""
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    special = {
        word: {"id": word, "ids": [vocabulary[word]], "tokens": [word]}
        for word in ("[CLS]", "[SEP]")
    }
    first, text, last = (
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
    )
    return json.dumps(
        {
            "version": "1.0",
            "added_tokens": [],
            "normalizer": None,
            "pre_tokenizer": {"type": "Whitespace"},
            "post_processor": {
                "type": "TemplateProcessing",
                "single": [first, text, last],
                "pair": [first, text, last],
                "special_tokens": special,
            },
            "decoder": None,
            "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
        }
    )


def write(
    folder: Path,
    *,
    table: Sequence[Sequence[float]] = COLOURS,
    pieces: str = "input_ids",
    pooling: str | Sequence[str] = "mean",
    output: str = "states",
    config: Mapping[str, object] | None = None,
    prompts: Mapping[str, object] | None = None,
    **described: object,
) -> Path:
    """Write the model to ``folder``.

    ``config`` is added to the description of its pooling, ``prompts`` is that of the whole model,
    and ``described`` goes to ``sentence_bert_config.json``.
    """
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "model.onnx").write_bytes(graph(table, pieces, output))
    (folder / "tokenizer.json").write_text(tokenizer())
    steps = [("Transformer", ""), ("Pooling", "1_Pooling")]
    put(folder, "modules.json", [step(kind, path) for kind, path in steps])
    mode = {"pooling_mode": pooling, **(config or {})}
    put(folder, "1_Pooling/config.json", mode)
    put(folder, "sentence_bert_config.json", described)
    put(folder, "config_sentence_transformers.json", prompts or {})
    return folder


def step(kind: str, path: str) -> dict[str, str]:
    """Return a step for ``modules.json``."""
    return {"type": f"sentence_transformers.models.{kind}", "path": path}


def put(folder: Path, name: str, content: object) -> None:
    """Write a file of the model."""
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(content))


def add_layer(folder: Path, rows: Sequence[Sequence[float]], **described: object) -> None:
    """Add a dense layer with the weights ``rows`` after pooling."""
    known = json.loads((folder / "modules.json").read_text())
    put(folder, "modules.json", [*known, step("Dense", "2_Dense")])
    sizes = {"out_features": len(rows), "in_features": len(rows[0])}
    identity = {"activation_function": "torch.nn.modules.linear.Identity", "bias": False}
    put(folder, "2_Dense/config.json", {**sizes, **identity, **described})
    numbers = struct.pack(f"<{len(rows) * len(rows[0])}f", *(n for row in rows for n in row))
    shape = {"dtype": "F32", "shape": [len(rows), len(rows[0])], "data_offsets": [0, len(numbers)]}
    header = json.dumps({"__metadata__": {}, "linear.weight": shape}).encode()
    whole = len(header).to_bytes(8, "little") + header + numbers
    (folder / "2_Dense" / "model.safetensors").write_bytes(whole)
