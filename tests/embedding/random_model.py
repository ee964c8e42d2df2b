"""Small transformers with random weights, written by the real libraries."""

import json
import warnings
from pathlib import Path

import torch
import transformers

from notesearch.embedding.torch_engine import import_library
from tests.embedding.tiny_model import put, step

SIZE = 16
import_library()  # without progress bars and their thread
WORDS = [
    "red",
    "green",
    "blue",
    "otter",
    "beaver",
    "swim",
    "build",
    "a",
    "the",
    "##s",
    "query",
    ":",
]
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]


def write(
    folder: Path,
    *,
    pooling: dict[str, object] | None = None,
    prompts: dict[str, object] | None = None,
    graph: bool = True,
    seed: int = 0,
    size: int = SIZE,
) -> Path:
    """Write a model of two layers to ``folder``, with an ONNX file if ``graph``."""
    torch.manual_seed(seed)
    made = transformers.BertModel(_config(size)).eval()
    made.save_pretrained(folder)
    write_tokenizer(folder)
    steps = [step("Transformer", ""), step("Pooling", "1_Pooling")]
    put(folder, "modules.json", [{"idx": i, "name": str(i), **one} for i, one in enumerate(steps)])
    put(folder, "1_Pooling/config.json", {"word_embedding_dimension": size, **(pooling or {})})
    put(folder, "sentence_bert_config.json", {"max_seq_length": 24, "do_lower_case": False})
    put(folder, "config_sentence_transformers.json", {"prompts": {}, **(prompts or {})})
    if graph:
        write_graph(made, folder / "onnx" / "model.onnx", "last_hidden_state")
    return folder


def write_reranker(folder: Path, *, graph: bool = True) -> Path:
    """Write a reranker."""
    torch.manual_seed(7)
    config = _config(SIZE)
    config.num_labels = 1
    made = transformers.BertForSequenceClassification(config).eval()
    made.save_pretrained(folder)
    write_tokenizer(folder)
    if graph:
        write_graph(made, folder / "onnx" / "model.onnx", "logits", "token_type_ids")
    return folder


def add_dense(folder: Path, outputs: int) -> None:
    """Add a dense layer with random weights after pooling, as the library saves it."""
    from sentence_transformers.sentence_transformer.modules import Dense

    torch.manual_seed(3)
    known = json.loads((folder / "modules.json").read_text())
    more = {"idx": len(known), "name": str(len(known)), **step("Dense", "2_Dense")}
    put(folder, "modules.json", [*known, more])
    (folder / "2_Dense").mkdir()
    Dense(SIZE, outputs).save(str(folder / "2_Dense"))


def _config(size: int) -> "transformers.BertConfig":
    return transformers.BertConfig(
        vocab_size=len(VOCABULARY), hidden_size=size, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=3 * size, max_position_embeddings=40, attn_implementation="eager",
    )  # fmt: skip


def write_tokenizer(folder: Path) -> None:
    """Write a tokenizer with a few words."""
    tokenizer = transformers.BertTokenizerFast(
        vocab={word: number for number, word in enumerate(VOCABULARY)}, model_max_length=40
    )
    tokenizer.save_pretrained(folder)


def write_graph(model: "torch.nn.Module", file: Path, output: str, *more: str) -> None:
    """Write ``model`` as a float ONNX file, with ``more`` inputs besides the usual two."""
    import torch

    inputs = ("input_ids", "attention_mask", *more)

    class Named(torch.nn.Module):  # type: ignore[misc, unused-ignore]
        """The model, with its inputs in a fixed order and only one output."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *given: "torch.Tensor") -> "torch.Tensor":
            return self.model(**dict(zip(inputs, given, strict=True)))[output]

    tokens = torch.arange(24).reshape(2, 12) % len(VOCABULARY)
    mask = torch.ones_like(tokens)
    mask[1, 8:] = 0
    axes = {name: {0: "batch", 1: "length"} for name in inputs}
    file.parent.mkdir(exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Named().eval(),
            (tokens, mask, torch.zeros_like(tokens))[: len(inputs)],
            str(file),
            dynamo=False,
            opset_version=17,
            input_names=list(inputs),
            output_names=[output],
            dynamic_axes={**axes, output: {0: "batch"}},
        )
