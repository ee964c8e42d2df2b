"""Makes an ONNX file of a model that PyTorch runs, so that it starts at once and runs quicker."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

_OPSET = 17


def write_graph(model: "torch.nn.Module", file: Path, output: str, vocabulary: int) -> None:
    """Write a transformer as a plain ONNX graph.

    Args:
        model: Takes word pieces, their mask and kinds.
        file: To be written.
        output: Which of its outputs the graph gives, by name.
        vocabulary: How many word pieces it knows.
    """
    import torch

    class Named(torch.nn.Module):  # type: ignore[misc, unused-ignore]
        """The model with its inputs in order and one output."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(
            self, input_ids: "torch.Tensor", attention_mask: "torch.Tensor"
        ) -> "torch.Tensor":
            return self.model(input_ids=input_ids, attention_mask=attention_mask)[output]

    pieces = torch.arange(24).reshape(2, 12) % vocabulary
    mask = torch.ones_like(pieces)
    mask[1, 8:] = 0
    names = ["input_ids", "attention_mask"]
    axes = {name: {0: "batch", 1: "length"} for name in names}
    with warnings.catch_warnings():
        # Fusing attention and counting on fixed names need this exporter, not the newer one.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Named().eval(), (pieces, mask), str(file), dynamo=False, opset_version=_OPSET,
            input_names=names, output_names=[output],
            dynamic_axes={**axes, output: {0: "batch"}},
        )  # fmt: skip
