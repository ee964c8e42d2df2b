"""What cosines of a model mean: brought into one range, so that the same limits fit every model.

The limits below which something is not worth showing were found with the built-in model, where two
passages of a vault have a cosine of about 0.2. Of other models, as of the E5 family, they have 0.8:
all would be near, and nonsense found as well as what was meant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import apsw

_SAMPLE = 256
"""Vectors that are compared with each other."""

_FEWEST = 40
"""Fewer say too little; a vault so small is seen as a whole anyway."""

_HIGH, _NARROW = 0.45, 0.1
"""Middle and spread from where on a model is unlike the built-in one. That has a middle of 0.16 to
0.28 and a spread of 0.19 in three vaults."""


@dataclass(frozen=True, slots=True)
class Range:
    """Where the cosines of the passages of a vault lie.

    Attributes:
        middle: Half of all pairs of passages are nearer.
        spread: How far above it nine of ten pairs end.
    """

    middle: float
    spread: float

    def usual(self, cosine: float) -> float:
        """Return what stands for ``cosine`` in the range of the built-in model."""
        if self is USUAL:
            return cosine
        return min(1.0, USUAL.middle + (cosine - self.middle) * USUAL.spread / self.spread)


BUILT_IN = "all-MiniLM-L6-v2-8aa54c11092f89cbc765104a5b0f685a"
"""Fingerprint of the model whose range is the usual one, also in a vault that says one thing in
many notes, where all of them are near."""

USUAL = Range(0.165, 0.19)
"""Of the built-in model in notes about many things; in a vault about one thing it is higher."""


def sample(sql: "apsw.Connection", fingerprint: str) -> list[tuple[bytes]]:
    """Return the keys of the vectors that tell the range of a model; none where it is known.

    As long as they are the same, so is the range: it takes longer to find than a search does.
    """
    if fingerprint == BUILT_IN:
        return []
    query = (  # a hash is as good as chance
        "select hash from identity i where exists (select 1 from embedding where id = i.id)"
        " order by hash limit ?"
    )
    return cast("list[tuple[bytes]]", sql.execute(query, (_SAMPLE,)).fetchall())


def range_of(sql: "apsw.Connection", keys: Sequence[tuple[bytes]]) -> Range:
    """Return the range of the vectors that are searched; the usual one unless it is far from it.

    Args:
        sql: The index.
        keys: A ``sample`` of them.
    """
    if len(keys) < _FEWEST:
        return USUAL
    import numpy as np

    query = (
        "select vector from identity i cross join embedding e on e.id = i.id"
        " where hash <= ? order by hash"
    )
    rows = cast("list[tuple[bytes]]", sql.execute(query, keys[-1]).fetchall())
    whole = np.frombuffer(b"".join(chain.from_iterable(rows)), np.int8).reshape(len(rows), -1)
    vectors = whole / np.linalg.norm(whole.astype(np.float32), axis=1, keepdims=True)
    cosines = (vectors @ vectors.T)[np.triu_indices(len(rows), 1)]
    middle, high = (float(one) for one in np.quantile(cosines, [0.5, 0.9]))
    if middle <= _HIGH and high - middle >= _NARROW:
        return USUAL
    return Range(middle, max(high - middle, 0.01))
