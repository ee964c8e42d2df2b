"""The steps between a model's products, in PyTorch, against ONNX Runtime: the same to the last bit.

ONNX Runtime has other kernels on processors of other makers; there they are nearly the same.
"""

import math
import platform
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.embedding.extra import needs_extra

if TYPE_CHECKING:
    from notesearch.embedding.exact import Exact

pytestmark = needs_extra

LEAST = 1e-37  # of what is nothing beside the rest
TOLERANCE = LEAST if platform.machine() in {"x86_64", "AMD64"} else 1e-4
LENGTHS = (1, 2, 7, 15, 16, 17, 48, 49, 100, 256, 511)
WIDTHS = (8, 16, 96, 384, 768, 1024)

Numbers = NDArray[np.float32]


@pytest.fixture(scope="module")
def exact() -> "Exact":
    from notesearch.embedding.exact import steps

    return steps("cpu", scales_twice=False)


def graph(kind: str, *given: Numbers, domain: str = "", **attributes: object) -> Numbers:
    """Run a graph of one step."""
    import onnxruntime
    from onnx import TensorProto, helper

    names = [f"x{number}" for number in range(len(given))]
    node = helper.make_node(kind, names, ["y"], domain=domain, **attributes)
    values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in (*names, "y")]
    made = helper.make_model(
        helper.make_graph([node], "step", values[:-1], values[-1:]),
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)],
        ir_version=9,
    )
    session = onnxruntime.InferenceSession(
        made.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return np.asarray(session.run(None, dict(zip(names, given, strict=True)))[0])


def numbers(*shape: int, spread: float = 3) -> Numbers:
    return np.random.default_rng(len(shape)).normal(0, spread, shape).astype(np.float32)


def same(step: "Callable[..., object]", theirs: Numbers, *given: Numbers) -> None:
    import torch

    made = np.asarray(step(*(torch.from_numpy(values) for values in given)))
    assert np.abs(made - theirs).max() <= TOLERANCE


def test_gelu(exact: "Exact") -> None:
    """From far below zero to far above; also where its halves meet, at zero, and beyond both."""
    x = np.concatenate([numbers(5000), np.linspace(-7, 7, 4001, dtype=np.float32), numbers(9) * 0])
    same(exact.gelu, graph("Gelu", x, domain="com.microsoft"), x)


@pytest.mark.parametrize("width", WIDTHS)
def test_layer_norm(exact: "Exact", width: int) -> None:
    x, weight, bias = numbers(40, width) + 2, numbers(width), numbers(width)[::-1].copy()
    theirs = graph("LayerNormalization", x, weight, bias, epsilon=1e-12)
    same(lambda a, b, c: exact.layer_norm(a, b, c, 1e-12), theirs, x, weight, bias)


@pytest.mark.parametrize("length", LENGTHS)
def test_softmax(exact: "Exact", length: int) -> None:
    x = numbers(30, length)
    x[0, 0] = -300
    same(exact.softmax, graph("Softmax", x, axis=-1), x)


@pytest.mark.parametrize("length", LENGTHS)
def test_products(exact: "Exact", length: int) -> None:
    """In an attention: of queries and keys, and of shares and values."""
    query, key, value = numbers(length, 32), numbers(32, length), numbers(length, 32)
    same(exact.matmul, graph("MatMul", query, key), query, key)
    shares = graph("Softmax", numbers(length, length), axis=-1)
    same(exact.matmul, graph("MatMul", shares, value), shares, value)


def test_without_fused_steps_longer_numbers_do(
    exact: "Exact", monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a GPU does that rounds twice where a processor rounds once."""
    import torch

    from notesearch.embedding import exact as module

    monkeypatch.setattr(torch, "addcmul", lambda c, a, b: a * b + c)
    other = module.steps("cpu", scales_twice=False)
    x = torch.from_numpy(numbers(20, 384))
    monkeypatch.undo()
    assert torch.equal(other.gelu(x), exact.gelu(x))
    assert torch.equal(other.softmax(x), exact.softmax(x))
    assert torch.equal(other.matmul(x, x.T), exact.matmul(x, x.T))


def test_what_it_does_not_know_is_left_to_pytorch() -> None:
    """A GELU of another form, a norm of several axes, a softmax across, a look ahead forbidden."""
    import torch
    from torch.nn import functional

    from notesearch.embedding import exact as module

    x = torch.from_numpy(numbers(2, 4, 8))

    class Odd:
        def forward(self) -> "list[torch.Tensor]":
            return [
                functional.gelu(x, approximate="tanh"),
                functional.layer_norm(x, (4, 8)),
                functional.softmax(x, 1),
                functional.scaled_dot_product_attention(x, x, x, is_causal=True),
            ]

    odd = Odd()
    theirs = odd.forward()
    module.replace(odd, "cpu", scales_twice=False)
    assert all(torch.equal(*pair) for pair in zip(odd.forward(), theirs, strict=True))


@pytest.mark.parametrize("hides", [None, "flags", "numbers"])
def test_attention(exact: "Exact", hides: str | None) -> None:
    """What is hidden counts for nothing, whichever way it is said."""
    import torch

    query, key, value = (torch.from_numpy(numbers(2, 3, n, 16)) for n in (9, 9, 9))
    shown = torch.arange(9) < 6
    least = torch.finfo(torch.float32).min
    mask = {None: None, "flags": shown, "numbers": torch.where(shown, 0.0, least)}[hides]
    made = exact.attention(query, key, value, mask, 1 / math.sqrt(16))
    seen = 9 if hides is None else 6
    alone = exact.attention(query, key[..., :seen, :], value[..., :seen, :], None, 0.25)
    assert torch.equal(made, alone)
