"""The state of an index, the progress of indexing, and the results of updates and checks."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from notesearch.messages import NO_SENTENCE, Sentence

LIVE = "live"
"""The value of ``Status.watching`` while the operating system reports every change."""


class Phase(StrEnum):
    """What the indexer is doing: compare the folder, read notes, embed passages, or nothing."""

    SCAN = "scan"
    WORDS = "words"
    MEANING = "meaning"
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Progress:
    """The indexer's progress: ``done`` of ``total`` notes, or of texts in ``Phase.MEANING``."""

    phase: Phase
    done: int = 0
    total: int = 0


def joint_progress(parts: Iterable[Progress]) -> Progress:
    """Return the progress of several indexers as one: of those that are in the earliest phase."""
    parts = tuple(parts)
    for phase in (Phase.WORDS, Phase.MEANING, Phase.SCAN):
        same = [part for part in parts if part.phase is phase]
        if same:
            return Progress(phase, sum(part.done for part in same), sum(p.total for p in same))
    return Progress(Phase.IDLE)


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read, or has a remark.

    Attributes:
        reason: Why it could not be read, or the remark.
        remark: Whether the file is searched nevertheless, and ``reason`` is only a remark.
    """

    path: str
    reason: Sentence
    remark: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What an update of the index did.

    Attributes:
        added, changed, moved, removed: The paths of the notes to which this happened.
        moved_from: The former path of each note in ``moved``.
        elsewhere: Whether another process updated the index, so that the changes are unknown.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    moved_from: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    embedded: int = 0
    unread: tuple[Unread, ...] = ()
    seconds: float = 0.0
    elsewhere: bool = False

    def __bool__(self) -> bool:
        done = self.added or self.changed or self.moved or self.removed or self.embedded
        return bool(done or self.elsewhere)


class Part(StrEnum):
    """What a fault affects: a part of the index, its folder, or the program itself.

    A repair cannot fix the program.
    """

    FILE = "file"
    VECTORS = "vectors"
    FOLDER = "folder"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault in the index."""

    part: Part
    text: Sentence


@dataclass(frozen=True, slots=True)
class Checkup:
    """The result of a check of the index.

    Attributes:
        set_aside: The files of earlier, damaged indexes, which were renamed and kept.
    """

    index_path: str
    problems: tuple[Problem, ...] = ()
    repaired: tuple[Sentence, ...] = ()
    set_aside: tuple[str, ...] = ()
    remarks: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelVectors:
    """The vectors of one model in an index; ``searched`` says whether search uses them."""

    name: str
    fingerprint: str
    searched: bool
    vectors: int
    size: int


@dataclass(frozen=True, slots=True)
class LanguageShare:
    """A language, as ISO 639-1 code, and its share of the text, 0 to 1."""

    language: str
    share: float


@dataclass(frozen=True, slots=True)
class Status:
    """The state of the index.

    Attributes:
        vault_missing: Whether the folder does not exist now, so that the index shows its last
            state.
        notes, sections, passages, words: How many of them the index has.
        pending: The number of passages that wait for a vector.
        unread: The notes that could not be read, or that have a remark.
        engine: The engine that runs the model, and its device; empty until the model is loaded.
        former_model: The model that is used until ``model`` has all its vectors; otherwise empty.
        meaning: Whether search by meaning works: there is a model and at least one vector.
        meaning_problem: Why search by meaning does not work with ``model``; empty if it does.
        last_scan: When folder and index were last compared, in seconds since the epoch; 0 for
            never.
        rebuilt: Why the former index file was replaced; empty if it was not.
        watching: How changes are noticed: ``live`` or ``comparing every n s``; empty if no process
            watches the folder.
        languages: The languages of the notes, the most frequent first. Notes whose language is not
            known are left out.
    """

    vault: str
    model: str
    vault_missing: bool = False
    notes: int = 0
    sections: int = 0
    passages: int = 0
    words: int = 0
    pending: int = 0
    unread: tuple[Unread, ...] = ()
    index_path: str = ""
    index_bytes: int = 0
    note_bytes: int = 0
    meaning: bool = False
    meaning_problem: Sentence = NO_SENTENCE
    last_scan: float = 0.0
    rebuilt: Sentence = NO_SENTENCE
    watching: str = ""
    index_remark: Sentence = NO_SENTENCE
    folders: tuple[str, ...] = ()
    engine: str = ""
    former_model: str = ""
    languages: tuple[LanguageShare, ...] = ()

    @property
    def awaits_vectors(self) -> bool:
        """Whether some passages wait for vectors, so that meaning may not find them yet."""
        return self.pending > 0 and not self.meaning_problem


_COUNTS = ("notes", "sections", "passages", "words", "pending", "index_bytes", "note_bytes")


def total(statuses: Mapping[str, Status], *, complete: bool) -> Status:
    """Return the states of several indexes as one; ``complete`` says that each vault has one."""
    each = tuple(statuses.values())
    first = next((status for status in each if status.meaning_problem), each[0])
    counts = {name: sum(getattr(status, name) for status in each) for name in _COUNTS}
    watching = [status.watching for status in each]  # “live” is shorter than “comparing every …”
    shares = defaultdict[str, float](float)
    for status in each:
        for language in status.languages:
            shares[language.language] += language.share * status.words / (counts["words"] or 1)
    return replace(
        first,
        **counts,
        vault=", ".join(status.vault for status in each),
        vault_missing=all(status.vault_missing for status in each),
        unread=tuple(
            replace(note, path=f"{name}/{note.path}")
            for name, status in statuses.items()
            for note in status.unread
        ),
        meaning=any(status.meaning for status in each),
        last_scan=min(status.last_scan for status in each) if complete else 0.0,
        watching=max(watching, key=len) if all(watching) else "",
        rebuilt=next((status.rebuilt for status in each if status.rebuilt), NO_SENTENCE),
        former_model=next((status.former_model for status in each if status.former_model), ""),
        folders=(),
        languages=tuple(
            LanguageShare(name, share)
            for name, share in sorted(shares.items(), key=lambda pair: -pair[1])
        ),
    )
