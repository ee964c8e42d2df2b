"""The state of a vault and errors, as JSON."""

from dataclasses import dataclass, field

from notesearch.sentences import counted


@dataclass(frozen=True, slots=True)
class UnreadNote:
    """A note that could not be read, or only with a remark; ``searched`` tells which."""

    path: str
    reason: str
    searched: bool


@dataclass(frozen=True, slots=True)
class VaultStats:
    """What the vault contains, and the state of its index.

    Attributes:
        state: ``current``, ``indexing`` or ``embedding``.
        problem: What prevents indexing or search by meaning, as a sentence; empty if nothing does.
        average_passage_words: The mean of 250 passages at most.
        pending: Passages that search by meaning cannot find yet.
        last_scan: When folder and index were last compared, in ISO 8601; empty for never.
        watching: How changes are noticed.
        unread: Fifty of the notes that could not be read; ``unread_count`` counts all.
        name: The name of the vault, if the server has several.
    """

    vault: str
    state: str
    problem: str
    notes: int
    sections: int
    passages: int
    words: int
    average_passage_words: int
    pending: int
    meaning: bool
    model: str
    last_scan: str
    watching: str
    index_bytes: int
    unread_count: int
    unread: list[UnreadNote] = field(default_factory=list)
    name: str = ""


@dataclass(frozen=True, slots=True)
class VaultTotals(VaultStats):
    """The same of the vaults of a server: their sums, and each if there are several."""

    vaults: list[VaultStats] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReindexResponse:
    """What a comparison of the whole folder with the index changed.

    Attributes:
        finished: The comparison is done; otherwise it continues.
        elsewhere: Another notesearch maintains the index.
        rebuilt: The index was set aside and made again.
    """

    finished: bool
    elsewhere: bool = False
    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    notes: int = 0
    pending: int = 0
    rebuilt: bool = False

    @property
    def sentence(self) -> str:
        """The same for people."""
        counts = {
            "added": self.added,
            "changed": self.changed,
            "moved": self.moved,
            "removed": self.removed,
        }
        done = ", ".join(f"{count:,} {verb}" for verb, count in counts.items() if count)
        if self.elsewhere:
            done = "Another notesearch maintains this index"
        done += "; the index was made again" * self.rebuilt
        sentence = f"{done or 'Nothing has changed'}. "
        sentence += f"{counted(self.notes, 'note')} {'is' if self.notes == 1 else 'are'} indexed."
        if not self.finished:
            sentence += " The comparison continues."
        if self.pending:
            sentence += f" Search by meaning cannot find {counted(self.pending, 'passage')} yet."
        return sentence


@dataclass(frozen=True, slots=True)
class Health:
    """The server answers."""

    status: str
    version: str


@dataclass(frozen=True, slots=True)
class ErrorDetail:
    """Why there is no answer.

    Attributes:
        kind: ``not_found``, ``not_ready``, ``wrong_parameters``, ``not_served`` or ``refused``.
        message: A sentence.
        code: The code of an error of the library, such as ``note_gone``; otherwise empty.
    """

    kind: str
    message: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """What comes instead of an answer."""

    error: ErrorDetail
