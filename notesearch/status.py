"""What is told of an index: its state, its progress, what a refresh did, what a check found."""

from dataclasses import dataclass
from enum import StrEnum

from notesearch.sentences import NO_SENTENCE, Sentence

LIVE = "live"
"""How changes are noticed where the system tells of each, soon after it."""


class Phase(StrEnum):
    """What the indexer is doing."""

    SCAN = "scan"
    WORDS = "words"
    MEANING = "meaning"
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the indexer is: ``done`` of ``total`` notes (passages while ``MEANING``)."""

    phase: Phase
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Unread:
    """A note that could not be indexed, and why.

    Attributes:
        remark: It is searched all the same, and the reason only worth knowing.
    """

    path: str
    reason: Sentence
    remark: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What a refresh did.

    Attributes:
        added, changed, moved, removed: Paths.
        embedded: Passages that had to be embedded.
        unread: Notes that could not be read, or only with a remark.
        seconds: How long it took.
        elsewhere: Another process indexed; what it did is not known.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    embedded: int = 0
    unread: tuple[Unread, ...] = ()
    seconds: float = 0.0
    elsewhere: bool = False

    def __bool__(self) -> bool:
        done = self.added or self.changed or self.moved or self.removed or self.embedded
        return bool(done or self.elsewhere)


class Part(StrEnum):
    """Where a check of the index found something wrong; a repair cannot mend the ``PROGRAM``."""

    FILE = "file"
    WORDS = "words"
    SECTIONS = "sections"
    VECTORS = "vectors"
    FOLDER = "folder"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with the index."""

    part: Part
    text: Sentence


@dataclass(frozen=True, slots=True)
class Checkup:
    """What a check of the index found.

    Attributes:
        index_path: The index file that was checked.
        problems: What is wrong now; empty when all is well.
        repaired: What was done about problems found before, each a sentence.
        set_aside: Files of an earlier, damaged index that are kept beside.
        remarks: What is not wrong but worth knowing, each a sentence.
    """

    index_path: str
    problems: tuple[Problem, ...] = ()
    repaired: tuple[Sentence, ...] = ()
    set_aside: tuple[str, ...] = ()
    remarks: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelVectors:
    """The vectors that an index has of one model.

    Attributes:
        name: What the settings call the model.
        fingerprint: Names this very model.
        searched: They are searched now; else they are kept for when it is chosen again.
        vectors: How many there are.
        size: Their bytes.
    """

    name: str
    fingerprint: str
    searched: bool
    vectors: int
    size: int


@dataclass(frozen=True, slots=True)
class Status:
    """The state of the index.

    Attributes:
        vault: Absolute path of the folder.
        vault_missing: The folder is not there now; the index shows what was last known.
        notes, sections, passages, words: Counts.
        pending: Passages that wait for their vector.
        unread: Notes that could not be read, or only with a remark.
        index_path: The index file.
        index_bytes: Its size with its write-ahead log.
        note_bytes: Size of all notes.
        model: Name of the embedding model.
        engine: What runs it, or would, and on which device; empty where nothing can.
        former_model: The model that is searched until ``model`` has all its vectors; else empty.
        meaning: Meaning can answer (a model is there and at least one vector is).
        meaning_problem: Why meaning is off, in a sentence; empty when it is not.
        last_scan: When folder and index were last compared, seconds since the epoch; 0 never.
        rebuilt: Why the previous index file was set aside, in a sentence; empty when it was not.
        watching: How changes are noticed: ``live`` or ``comparing every n s``; empty while no
            process keeps the index in line with the folder.
        index_remark: What is worth knowing of where the index lies, in a sentence, or empty.
        folders: The folders at the top that hold notes, by name.
    """

    vault: str
    vault_missing: bool
    notes: int
    sections: int
    passages: int
    words: int
    pending: int
    unread: tuple[Unread, ...]
    index_path: str
    index_bytes: int
    note_bytes: int
    model: str
    meaning: bool
    meaning_problem: Sentence = NO_SENTENCE
    last_scan: float = 0.0
    rebuilt: Sentence = NO_SENTENCE
    watching: str = ""
    index_remark: Sentence = NO_SENTENCE
    folders: tuple[str, ...] = ()
    engine: str = ""
    former_model: str = ""
