"""Converts the cosines of any model into the range of the built-in model.

The weights and limits of the search were chosen with the built-in model. It gives a query and an
unrelated passage a cosine of about 0.1. Other models, such as the E5 family, give them 0.8; without
conversion, everything would be near, and a search for nonsense would have results.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HEADINGS = 40
_NARROWEST = 0.01


@dataclass(frozen=True, slots=True)
class CosineRange:
    """The cosines that a model usually gives to unrelated (``distant``) and ``near`` texts."""

    distant: float
    near: float

    def converted(self, cosine: float, other: Self) -> float:
        """Return the cosine in the range ``other`` that corresponds to ``cosine`` in this one."""
        width = max(self.near - self.distant, _NARROWEST)
        share = (cosine - self.distant) / width
        return min(1.0, other.distant + share * (other.near - other.distant))

    def moved(self, by: float) -> "CosineRange":
        """Return the range with both ends moved."""
        return CosineRange(self.distant + by, self.near + by)


@dataclass(frozen=True, slots=True)
class CosineRanges:
    """The ranges of a model in one vault.

    Attributes:
        queries: Cosines of queries with passages, measured with headings as queries. ``distant`` is
            the median with passages of other sections, ``near`` the median of each heading's best
            cosine with its own section.
        paths: The same with heading paths in place of passages. Two short texts are nearer to each
            other than a short and a long one; with some models, much nearer.
        pairs: Cosines of two passages: the median and the ninth decile.
        english: How much lower the cosines of English queries are, if the notes are in another
            language.
    """

    queries: CosineRange
    paths: CosineRange
    pairs: CosineRange
    english: float = 0.0

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the ranges from the text that ``to_text`` made."""
        stored = json.loads(text)
        english = stored.pop("english", 0.0)
        ranges = {name: CosineRange(**ends) for name, ends in stored.items()}
        return cls(**ranges, english=english)

    def to_text(self) -> str:
        """Return the ranges as text for the index."""
        return json.dumps(asdict(self))

    def for_english(self) -> "CosineRanges":
        """Return the ranges for English queries to notes in another language."""
        queries, paths = (each.moved(-self.english) for each in (self.queries, self.paths))
        return replace(self, queries=queries, paths=paths, english=0.0)

    def of_query(self, cosine: float) -> float:
        """Convert the ``cosine`` of a query and a passage to the built-in model's range."""
        return cosine if self is USUAL else self.queries.converted(cosine, USUAL.queries)

    def of_path(self, cosine: float) -> float:
        """Convert the ``cosine`` of a query and a heading path to the built-in model's range."""
        return cosine if self is USUAL else self.paths.converted(cosine, USUAL.paths)

    def of_pair(self, cosine: float) -> float:
        """Convert the ``cosine`` of two passages, by one model, to the built-in model's range."""
        return cosine if self is USUAL else self.pairs.converted(cosine, USUAL.pairs)


USUAL = CosineRanges(
    queries=CosineRange(0.11, 0.45), paths=CosineRange(0.1, 0.58), pairs=CosineRange(0.165, 0.355)
)
"""The ranges of the built-in model in vaults about many things."""

BESIDE = CosineRanges(
    queries=CosineRange(0.805, 0.885),
    paths=CosineRange(0.845, 0.92),
    pairs=CosineRange(0.82, 0.855),
    english=0.04,
)
"""The ranges of the model beside the built-in one (multilingual-e5-small) until it has enough
vectors to measure them."""


@dataclass(frozen=True, slots=True)
class RangeSample:
    """Passages by which the cosines of a model are measured.

    Attributes:
        passages: For each passage: heading and id of its section, and the int8 vector.
        paths: The heading path of each section, by its id.
    """

    model: str
    vectors: int
    passages: Sequence[tuple[str, int, bytes]]
    paths: Mapping[int, str]

    @property
    def digest(self) -> str:
        """A digest of all that is measured; equal for equal notes, whatever their ids are."""
        first: dict[int, int] = {}
        rows = ((h, first.setdefault(id_, len(first)), vector) for h, id_, vector in self.passages)
        return blake2b(repr(list(rows)).encode(), digest_size=8).hexdigest()

    @property
    def headings(self) -> dict[str, int]:
        """Some headings, each with the id of a section that has it."""
        named = {heading: section for heading, section, _ in self.passages if heading.strip()}
        return dict(list(named.items())[:_HEADINGS])

    @property
    def heading_paths(self) -> list[str]:
        """The heading paths of the sections that have ``headings``, in the same order."""
        return [self.paths[section] for section in self.headings.values()]

    def measure(
        self,
        queries: "NDArray[np.float32]",
        of_paths: "NDArray[np.float32]",
        english: "NDArray[np.float32]",
    ) -> CosineRanges:
        """Return the ranges of the model from its unit vectors.

        Args:
            queries: Vectors of ``headings`` as queries, shape (headings, dimensions).
            of_paths: The cosine of each with each of ``heading_paths``, shape (headings,
                headings).
            english: Vectors of English queries, shape (n, dimensions).
        """
        import numpy as np

        whole = np.stack([np.frombuffer(row, np.int8) for *_, row in self.passages])
        unit = whole / np.linalg.norm(whole.astype(np.float32), axis=1, keepdims=True)
        sections = np.array([section for _, section, _ in self.passages])
        is_own = np.array([sections == section for section in self.headings.values()])
        cosines = queries @ unit.T
        pairs = (unit @ unit.T)[np.triu_indices(len(unit), 1)]
        own = np.where(is_own, cosines, -1).max(axis=1)
        texts = np.array(self.heading_paths)
        others = of_paths[texts[:, None] != texts]
        own_paths = of_paths.diagonal()
        distant = float(np.median(cosines[~is_own]))
        return CosineRanges(
            queries=CosineRange(distant, float(np.median(own))),
            paths=CosineRange(float(np.median(others)), float(np.median(own_paths))),
            pairs=CosineRange(*map(float, np.quantile(pairs, [0.5, 0.9]))),
            english=max(0.0, distant - float(np.median(english @ unit.T))),
        )


def ranges_key(fingerprint: str) -> str:
    """Return the key of a model's ranges in the table ``meta``."""
    return f"ranges {fingerprint}"
