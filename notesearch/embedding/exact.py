"""Has PyTorch compute what stands between the products of a graph as ONNX Runtime computes it.

A value that is rounded to eight bits falls on one side or the other by its last bit; from there
on two engines part. So everything in front of a rounding is done here in the same order, with the
same fused steps and the same coefficients: those of ONNX Runtime 1.31's kernels for x86 processors.
``docs/decisions/model-quantisation.md`` tells what came of it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

    Fused = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]

_LOG2_E = 1.44269504088896341
_LN_2_HIGH, _LN_2_LOW = 6.93145752e-1, 1.42860677e-6
_WHOLE = 12582912.0
"""Added to a small number, it leaves no digits behind the point."""

_LEAST_EXPONENT = -88.3762626647949
_EXP = (1.3780594e-3, 8.3731245e-3, 4.1669536e-2, 1.6666472e-1, 4.9999985e-1, 1.0, 1.0)
_EXP_IN_ERF = (1.38319808e-3, 8.37550033e-3, 4.16689515e-2, 1.66664466e-1, 4.99999851e-1, 1.0, 1.0)
_ERF_NEAR = (
    -5.99104969e-4, 4.99339588e-3, -2.67667342e-2, 1.12818025e-1, -3.76124859e-1, 1.28379151e-1,
)  # fmt: skip
_ERF_FAR = (
    1.7294893e-5, -3.8320868e-4, 3.88393435e-3, -2.42545605e-2, 1.06777847e-1, 6.34846687e-1,
    1.28717512e-1,
)  # fmt: skip
_NEAR, _FARTHEST = 0.921875, 3.925
_ROW_LANES = 8


@dataclass(frozen=True, slots=True)
class Exact:
    """The steps of a transformer between its products.

    Attributes:
        fused: What makes ``a * b + c`` with a single rounding.
        lanes: How many sums the processor keeps at once where it adds up a row of a softmax.
        scales_twice: The graph scales queries and keys each by a root; ONNX Runtime makes one
            factor of both, which is nearly the scale.
    """

    fused: "Fused"
    lanes: int
    scales_twice: bool

    def gelu(self, x: "torch.Tensor") -> "torch.Tensor":
        """Return the values multiplied by how much of a normal distribution lies below each."""
        return x * 0.5 * (self._erf(x * math.sqrt(0.5)) + 1)

    def layer_norm(
        self, x: "torch.Tensor", weight: "torch.Tensor", bias: "torch.Tensor", floor: float
    ) -> "torch.Tensor":
        """Return each row with the mean 0 and the variance 1, then scaled and moved."""
        import torch

        mean = _wide(x).mean(-1, keepdim=True).to(x.dtype)
        apart = x - mean
        rows = torch.nn.functional.pad(apart, (0, -x.shape[-1] % _ROW_LANES))
        sums = torch.zeros_like(rows[..., :_ROW_LANES])
        for part in rows.split(_ROW_LANES, -1):
            sums = self.fused(part, part, sums)
        while sums.shape[-1] > 1:
            half = sums.shape[-1] // 2
            sums = sums[..., :half] + sums[..., half:]
        spread = 1 / _wide(sums / x.shape[-1] + floor).sqrt().to(x.dtype)
        return self.fused(apart * spread, weight.expand_as(x), bias.expand_as(x))

    def softmax(self, x: "torch.Tensor") -> "torch.Tensor":
        """Return the shares of each row, which add up to 1."""
        import torch

        made = self._exp((x - x.amax(-1, keepdim=True)).clamp(min=_LEAST_EXPONENT), _EXP)
        rows = torch.nn.functional.pad(made, (0, -x.shape[-1] % self.lanes))
        sums = torch.zeros_like(rows[..., : self.lanes])
        for part in rows.split(self.lanes, -1):
            sums = sums + part
        if self.lanes > 8:
            sums = sums[..., :8] + sums[..., 8:]
        for _ in range(2):
            sums = sums[..., 0::2] + sums[..., 1::2]
        return made * (1 / sums.sum(-1, keepdim=True))

    def matmul(self, a: "torch.Tensor", b: "torch.Tensor") -> "torch.Tensor":
        """Return the product of matrices, added up in order."""
        made = a.new_zeros((*a.shape[:-1], b.shape[-1]))
        for column, row in zip(a.unbind(-1), b.contiguous().unbind(-2), strict=True):
            made = self.fused(column.unsqueeze(-1), row.unsqueeze(-2), made)
        return made

    def attention(
        self,
        query: "torch.Tensor",
        key: "torch.Tensor",
        value: "torch.Tensor",
        mask: "torch.Tensor | None",
        scale: float,
    ) -> "torch.Tensor":
        """Return the values of each row, mixed by how well their keys fit its query."""
        import torch

        factor = query.new_tensor(scale)
        if self.scales_twice:
            factor = query.new_tensor(math.sqrt(scale)) ** 2
        near = self.matmul(query, key.mT) * factor
        if mask is not None and mask.dtype == torch.bool:
            near = near.masked_fill(~mask, torch.finfo(near.dtype).min)
        elif mask is not None:
            near = near + mask
        return self.matmul(self.softmax(near), value)

    def _exp(self, x: "torch.Tensor", coefficients: Sequence[float]) -> "torch.Tensor":
        import torch

        times = self.fused(x, x.new_tensor(_LOG2_E), torch.full_like(x, _WHOLE)) - _WHOLE
        rest = self.fused(times, x.new_tensor(-_LN_2_HIGH), x)
        rest = self.fused(times, x.new_tensor(-_LN_2_LOW), rest)
        power = (times.clamp(min=-126).int() + 127) << 23
        return self._polynomial(rest, coefficients) * power.view(torch.float32)

    def _erf(self, x: "torch.Tensor") -> "torch.Tensor":
        import torch

        size = x.abs().clamp(max=_FARTHEST)
        near = self.fused(self._polynomial(size * size, _ERF_NEAR), size, size)
        far = self.fused(self._polynomial(size, _ERF_FAR), size, size)
        far = 1 - self._exp((-far).clamp(min=_LEAST_EXPONENT), _EXP_IN_ERF)
        return torch.where(size > _NEAR, far, near).copysign(x)

    def _polynomial(self, x: "torch.Tensor", coefficients: Sequence[float]) -> "torch.Tensor":
        import torch

        made = torch.full_like(x, coefficients[0])
        for coefficient in coefficients[1:]:
            made = self.fused(made, x, torch.full_like(x, coefficient))
        return made


def steps(device: str, *, scales_twice: bool) -> Exact:
    """Return the steps as ONNX Runtime takes them on this computer's processor."""
    import torch

    lanes = 16 if torch.backends.cpu.get_cpu_capability() == "AVX512" else 8
    return Exact(_fused(device), lanes, scales_twice)


def replace(transformer: Any, device: str, *, scales_twice: bool) -> None:  # noqa: ANN401
    """Have a loaded transformer take the steps between its products as ONNX Runtime does."""
    from torch.overrides import TorchFunctionMode

    theirs = _replaced(steps(device, scales_twice=scales_twice))
    forward = transformer.forward

    class Same(TorchFunctionMode):  # type: ignore[misc, unused-ignore]
        """Takes the calls of PyTorch's own functions."""

        def __torch_function__(
            self,
            called: "Callable[..., object]",
            _types: object,
            given: "tuple[object, ...]" = (),
            named: "dict[str, object] | None" = None,
        ) -> object:
            return theirs.get(called, called)(*given, **(named or {}))

    def run(*given: object, **named: object) -> object:
        with Same():
            return forward(*given, **named)

    transformer.forward = run


def _replaced(exact: Exact) -> "dict[Callable[..., object], Callable[..., object]]":
    """Return what takes the place of PyTorch's functions; what it does not know stays theirs."""
    import torch
    from torch.nn import functional

    def gelu(x: "torch.Tensor", approximate: str = "none") -> object:
        if approximate != "none":
            return functional.gelu(x, approximate=approximate)
        return exact.gelu(x)

    def layer_norm(
        x: "torch.Tensor",
        shape: Sequence[int],
        weight: "torch.Tensor | None" = None,
        bias: "torch.Tensor | None" = None,
        eps: float = 1e-5,
    ) -> object:
        if len(shape) != 1 or weight is None or bias is None:
            return functional.layer_norm(x, shape, weight, bias, eps)
        return exact.layer_norm(x, weight, bias, eps)

    def softmax(
        x: "torch.Tensor",
        dim: int | None = None,
        **named: Any,  # noqa: ANN401 - whatever PyTorch takes
    ) -> object:
        if dim not in {-1, x.dim() - 1} or named.get("dtype") not in {None, x.dtype}:
            return functional.softmax(x, dim, **named)
        return exact.softmax(x)

    def attention(
        query: "torch.Tensor",
        key: "torch.Tensor",
        value: "torch.Tensor",
        attn_mask: "torch.Tensor | None" = None,
        **named: Any,  # noqa: ANN401 - whatever PyTorch takes
    ) -> object:
        if named.get("is_causal") or named.get("enable_gqa"):
            return functional.scaled_dot_product_attention(query, key, value, attn_mask, **named)
        scale = named.get("scale") or query.shape[-1] ** -0.5
        return exact.attention(query, key, value, attn_mask, scale)

    return {
        functional.gelu: gelu,
        functional.layer_norm: layer_norm,
        functional.softmax: softmax,
        functional.scaled_dot_product_attention: attention,
        torch.matmul: exact.matmul,
    }


def _fused(device: str) -> "Fused":
    """Return the quickest way in which a device multiplies and adds with a single rounding."""
    import torch

    some = torch.full((37, 2), 1 + 2**-12, device=device)
    less = torch.full_like(some, -1 - 2**-11)
    if all(
        (torch.addcmul(c, a, a) != 0).all() for a, c in ((some, less), (some[:, 0], less[:, 0]))
    ):
        return lambda a, b, c: torch.addcmul(c, a, b)
    if device == "mps":  # it has no longer floats: nearly the same has to do
        return lambda a, b, c: a * b + c
    return lambda a, b, c: (a.double() * b.double() + c.double()).float()


def _wide(x: "torch.Tensor") -> "torch.Tensor":
    """Return the values as longer floats, where a device has longer ones."""
    return x if x.device.type == "mps" else x.double()
