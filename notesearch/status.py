"""The state of an index, the progress of indexing, and the results of updates and checks."""

from dataclasses import dataclass
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
