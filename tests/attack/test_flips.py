"""Random damage to the index file causes no traceback and no wrong answer, and can be repaired.

A failure names its seed. ``make attack`` tries 200 damages, the suite one of each kind.
"""

import random
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from notesearch.config import Settings, resources
from notesearch.embedding.embedder import piece_embedding
from notesearch.errors import NotesearchError
from notesearch.library import NoteLibrary
from notesearch.results import Mode, SectionResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from notesearch.embedding.embedder import Embedder

pytestmark = pytest.mark.timeout(900)

PAGE = 4096

Damage = Callable[[bytearray, random.Random], None]

FOLDERS, NOTE = ("garden", "kitchen", "meetings"), "garden/Tomatoes.md"
QUERIES = (
    "tomato", "bread dough", "sleep", "packing list", "budget of the kitchen", "garden in spring",
    "meeting notes", "how do I sharpen a knife", "what to do against slugs", "recipe with beans",
)  # fmt: skip
"""Each is asked by words, by meaning and by both."""


def flip(content: bytearray, at: random.Random) -> None:
    content[at.randrange(len(content))] ^= 1 << at.randrange(8)


def zero_a_sector(content: bytearray, at: random.Random) -> None:
    start = at.randrange(len(content) // 512) * 512
    content[start : start + 512] = bytes(512)


def zero_a_page(content: bytearray, at: random.Random) -> None:
    start = at.randrange(len(content) // PAGE) * PAGE
    content[start : start + PAGE] = bytes(PAGE)


def overwrite(content: bytearray, at: random.Random) -> None:
    start = at.randrange(len(content))
    content[start : start + 40] = at.randbytes(min(40, len(content) - start))


def exchange(content: bytearray, at: random.Random) -> None:
    pages = at.sample(range(1, len(content) // PAGE), 2)
    one, other = (slice(page * PAGE, (page + 1) * PAGE) for page in pages)
    content[one], content[other] = content[other], content[one]


KINDS = (flip, zero_a_sector, zero_a_page, overwrite, flip, flip, flip, flip, flip)
"""The kind of damage by its seed, modulo nine: six of nine are flips."""

TIMES, EXCHANGES, PARTS = 200, 60, 8


class Remembering:
    """The real model, which computes the vectors of each text, and of its word pieces, once."""

    def __init__(self, model: "Embedder") -> None:
        self._model = model
        self._known: dict[str, NDArray[np.float32]] = {}
        self._pieces: dict[str, NDArray[np.float32]] = {}

    def __getattr__(self, name: str) -> object:
        return getattr(self._model, name)

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known |= dict(zip(new, self._model.embed_passages(new), strict=True))
        return np.stack([self._known[text] for text in texts])

    def embed_pieces(self, texts: Sequence[str]) -> "list[NDArray[np.float32]]":
        new = [text for text in dict.fromkeys(texts) if text not in self._pieces]
        embed = piece_embedding(self._model)
        if new and embed:
            self._pieces |= dict(zip(new, embed(new), strict=True))
        return [self._pieces[text] for text in texts]


Answers = Mapping[str, object]


def answers(library: NoteLibrary) -> Answers:
    """Return the answers to all requests by their names; an answer may be a ``NotesearchError``."""
    asked: dict[str, Callable[[], object]] = {}
    for query in QUERIES:
        for mode in Mode:
            asked[f"{mode} {query}"] = partial(searched, library, query, mode)
    asked |= {"sections": lambda: library.sections(NOTE), "read": lambda: library.read(NOTE)}
    asked["related"] = lambda: found(library.related(NOTE))
    return {name: answered(ask) for name, ask in asked.items()}


def answered(ask: Callable[[], object]) -> object:
    try:
        return ask()
    except NotesearchError as error:
        return error


def searched(library: NoteLibrary, query: str, mode: Mode) -> object:
    return found(library.search(query, mode=mode, limit=20).sections)


def found(sections: Iterable[SectionResult]) -> object:
    return [(one.path, one.section_path, one.line, round(one.score, 3)) for one in sections]


class Damaged:
    """An index of some sample notes, of which tests make damaged copies."""

    def __init__(self, folder: Path, model: "Embedder") -> None:
        self.folder, self.model = folder, Remembering(model)
        for part in FOLDERS:
            shutil.copytree(resources() / "sample-vault" / part, folder / "notes" / part)
        with self.library("whole") as library:
            library.refresh()
            self.expected = answers(library)
            index = Path(library.status().index_path)
        self.name, self.whole = index.relative_to(folder / "whole"), index.read_bytes()
        assert not any(isinstance(answer, Exception) for answer in self.expected.values())

    def library(self, home: str) -> NoteLibrary:
        return NoteLibrary.open(
            self.folder / "notes",
            home=self.folder / home,
            settings=Settings(),
            embedder=self.model,  # type: ignore[arg-type]  # it passes on what it does not know
        )

    def with_damage(self, content: bytes, home: str) -> NoteLibrary:
        shutil.rmtree(self.folder / home, ignore_errors=True)
        index = self.folder / home / self.name
        index.parent.mkdir(parents=True)
        index.write_bytes(content)
        return self.library(home)


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory, embedder: "Embedder") -> Damaged:
    return Damaged(tmp_path_factory.mktemp("damaged"), embedder)


def assert_survives(damaged: Damaged, seed: int, kind: Damage) -> None:
    content = bytearray(damaged.whole)
    kind(content, random.Random(seed))
    told = f"seed {seed}: {kind.__name__}"
    with damaged.with_damage(bytes(content), "asked") as library:
        got = answers(library)
        changed = {name for name in got if got[name] != damaged.expected[name]}
        wrong = [name for name in changed if not isinstance(got[name], Exception)]
        assert kind is exchange or wrong == [], told
    with damaged.with_damage(bytes(content), "checked") as library:
        if changed:
            assert library.check().problems, told
        assert library.repair().problems == (), told
        assert answers(library) == damaged.expected, told


@pytest.mark.fault(
    "K3",
    row="K3, K7",
    fault="Flipped bits, overwritten bytes, zeroed sectors; pages that change places",
    tries="200 and 60",
    outcome="No traceback; doctor repairs what changes an answer",
)
def test_k03_a_damage_of_each_kind(damaged: Damaged) -> None:
    for seed, kind in enumerate(KINDS[:4]):
        assert_survives(damaged, seed, kind)


@pytest.mark.attack
@pytest.mark.fault("K3")
@pytest.mark.parametrize("part", range(PARTS))
def test_k03_more_damages(damaged: Damaged, part: int) -> None:
    for seed in range(part, TIMES, PARTS):
        assert_survives(damaged, seed, KINDS[seed % len(KINDS)])


@pytest.mark.attack
@pytest.mark.fault("K7")
@pytest.mark.parametrize("part", range(PARTS))
def test_k07_exchanged_pages(damaged: Damaged, part: int) -> None:
    for seed in range(part, EXCHANGES, PARTS):
        assert_survives(damaged, seed, exchange)
