"""Brings the cosines of any model into the range of the built-in one, so that the same limits fit.

With the built-in model two passages of a vault have a cosine of about 0.2, and the limits of the
search were measured with it. With others, such as the E5 family, they have 0.8: everything would be
near, and nonsense would be found.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import apsw

_SAMPLE = 256
"""The number of vectors that are compared with each other."""

_FEWEST = 40
"""Fewer vectors say too little, and a person sees all of a vault that small."""

_HIGH, _NARROW = 0.45, 0.1
"""A greater median or a smaller spread is unlike the built-in model, which has a median of 0.16 to
0.28 and a spread of 0.19 in three vaults."""


@dataclass(frozen=True, slots=True)
class Range:
    """The range of the cosines of pairs of passages in a vault.

    Attributes:
        middle: Their median.
        spread: The distance from the median to the ninth decile.
    """

    middle: float
    spread: float

    def usual(self, cosine: float) -> float:
        """Return the cosine of the built-in model that corresponds to ``cosine``."""
        if self is USUAL:
            return cosine
        return min(1.0, USUAL.middle + (cosine - self.middle) * USUAL.spread / self.spread)


BUILT_IN = "all-MiniLM-L6-v2-8aa54c11092f89cbc765104a5b0f685a"
"""The fingerprint of the built-in model. It always has the usual range, also in a vault about one
thing, whose notes are all near to each other."""

USUAL = Range(0.165, 0.19)
"""The range of the built-in model in a vault about many things."""


def sample(sql: "apsw.Connection", fingerprint: str) -> list[tuple[bytes]]:
    """Return the keys of the vectors that show the range of a model; none if it is known.

    While they stay the same, so does the range. To measure it takes longer than a search.
    """
    if fingerprint == BUILT_IN:
        return []
    query = (  # hashes make a random sample
        "select hash from identity i where exists (select 1 from embedding where id = i.id)"
        " order by hash limit ?"
    )
    return cast("list[tuple[bytes]]", sql.execute(query, (_SAMPLE,)).fetchall())


def range_of(sql: "apsw.Connection", keys: Sequence[tuple[bytes]]) -> Range:
    """Return the range of the vectors in the index; the usual one unless theirs is very different.

    Args:
        sql: The index.
        keys: What ``sample`` returned.
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
