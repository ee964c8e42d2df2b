"""Folders of made-up notes of any size, shaped and worded as real notes are.

Each note has the structure of a real one (headings, lists, code, links), but other words: those of
a few real notes, which are its topic; those of all real notes; and rare words, whose number grows
with the folder as in any language (Heaps' law). So posting lists are as long as for real notes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks import vaults

_WORD = re.compile(r"[A-Za-z]{2,}")
_HEADING = re.compile(r"^(?=#{1,3} )", re.MULTILINE)
_OF_TOPIC, _RARE = 0.55, 0.04
"""Shares of a note's words: words of its topic, and rare words."""

_TOPIC_NOTES = 3
_RARE_WORDS = 3_000_000
_SYLLABLES = ("ka ro mi ten lu sar bo ne vi dor ash el um pre tan gli hos ur fen qua "
              "zet pol ind wex jun yam cru dob eri off gan hil").split()  # fmt: skip
_A_FOLDER = 150


@dataclass(frozen=True, slots=True)
class _Template:
    """A real note cut at its words; ``fixed`` are the texts before, between and after them."""

    fixed: tuple[str, ...]
    words: NDArray[np.object_]


def notes(seed: int, sources: Sequence[str]) -> Iterator[str]:
    """Yield notes without end; the same seed and sources make the same notes."""
    chance = np.random.default_rng(seed)
    templates = [_template(text) for text in sources]
    everything = np.concatenate([template.words for template in templates])
    while True:
        template = templates[chance.integers(len(templates))]
        count = len(template.words)
        topic = np.concatenate(
            [templates[i].words for i in chance.integers(len(templates), size=_TOPIC_NOTES)]
        )
        words = everything[chance.integers(len(everything), size=count)]
        kind = chance.random(count)
        if len(topic):
            of_topic = kind < _OF_TOPIC
            words[of_topic] = topic[chance.integers(len(topic), size=int(of_topic.sum()))]
        rare = kind > 1 - _RARE
        ranks = np.exp(chance.random(int(rare.sum())) * np.log(_RARE_WORDS)).astype(np.int64)
        words[rare] = [_spelled(int(rank)) for rank in ranks]
        pieces = [*template.fixed]
        woven = [""] * (2 * count + 1)
        woven[::2], woven[1::2] = pieces, list(words)
        yield "".join(woven)


def fill(folder: Path, megabytes: float, portion: int = 0) -> Path:
    """Fill ``folder`` with ``megabytes`` of notes, if that is not done yet; return the folder.

    Each note has the structure of a real note; with ``portion``, of about that many characters of
    a real note.
    """
    done = folder / ".made"
    if not done.exists():
        real = [
            file.read_text("utf-8", "replace")
            for vault in vaults.english()
            for file in sorted(vault.rglob("*.md"))
        ]
        sources = [part for text in real for part in _parts(text, portion)] if portion else real
        written = 0
        for number, text in enumerate(notes(int(megabytes), sources)):
            file = folder / f"{number // _A_FOLDER:04}" / f"note {number}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            written += len(text.encode())
            if written >= megabytes * 1e6:
                break
        done.touch()
    return folder


def _parts(text: str, size: int) -> Iterator[str]:
    """Cut a note at its headings into parts of about ``size`` characters."""
    part = ""
    for section in _HEADING.split(text):
        part += section
        if len(part) >= size:
            yield part
            part = ""
    if part:
        yield part


def _template(text: str) -> _Template:
    words = np.array(_WORD.findall(text), dtype=object)
    return _Template(tuple(_WORD.split(text)), words)


def _spelled(rank: int) -> str:
    """Return the made-up word of this rank; rarer words are longer."""
    spelled = []
    while rank:
        rank, digit = divmod(rank, len(_SYLLABLES))
        spelled.append(_SYLLABLES[digit])
    return "".join(spelled)
