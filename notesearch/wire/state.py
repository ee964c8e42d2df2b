"""The state of a vault as programs are told it, and why there is no answer."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class UnreadNote:
    """A note that could not be indexed, or only with a remark, and why."""

    path: str
    reason: str
    searched: bool


@dataclass(frozen=True, slots=True)
class VaultStats:
    """What is in the vault, and how far its index is.

    Attributes:
        state: ``current``, ``indexing``, ``embedding`` or ``not indexed yet``.
        problem: What stands in the way, in a sentence; empty when nothing does.
        average_passage_words: The mean of the passages, of 250 at most.
        pending: Passages that are not found by meaning yet.
        last_scan: When folder and index were last compared, in ISO 8601; empty for never.
        watching: How changes are noticed.
        unread: At most fifty of them; ``unread_count`` counts all.
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


@dataclass(frozen=True, slots=True)
class Reindexed:
    """What a comparison of the whole folder did.

    Attributes:
        finished: It is over; else it goes on.
        elsewhere: Another notesearch keeps the index, and compares by itself.
    """

    finished: bool
    elsewhere: bool = False
    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    notes: int = 0
    pending: int = 0

    @property
    def sentence(self) -> str:
        """What a person is told."""
        counts = {
            "added": self.added, "changed": self.changed, "moved": self.moved,
            "removed": self.removed,
        }  # fmt: skip
        done = ", ".join(f"{count:,} {verb}" for verb, count in counts.items() if count)
        told = f"{done or 'Nothing had changed'}. {self.notes:,} notes are indexed."
        if self.elsewhere:
            told = f"Another notesearch keeps this index. {self.notes:,} notes are indexed."
        if not self.finished:
            told += " The comparison goes on."
        if self.pending:
            told += f" {self.pending:,} passages are not found by meaning yet."
        return told


@dataclass(frozen=True, slots=True)
class Health:
    """That the program answers."""

    status: str
    version: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why there is no answer: for programs, and in a sentence."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Instead of an answer."""

    error: Reason
