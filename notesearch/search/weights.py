"""What each signal of the ranking is worth; chosen by measurement (``make quality-choose``)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers that fuse words, meaning and headings into one score.

    Attributes:
        meaning: Share of meaning in the fused score.
        some_words: What the score by words is multiplied by where no section holds them all.
        held: Worth of holding all that was asked, beside how often and where: a share for a share.
        with_all: What the score of a section that holds each of several words is multiplied by.
            Putting all of them first costs one labelled question of a hundred (docs/quality.md).
        heading_path: Worth of title and headings that mean what was asked, times how much nearer
            than ``far_path`` they are, beside meaning.
        far_path: Cosine of a heading path that means nothing of what was asked.
        support: Share of the mean of a note's second to fourth section that its sections get.
        own_heading: Worth of an own heading that says nothing but what was asked.
        whole_path: Worth of all that was asked standing in folder, title and headings.
    """

    meaning: float = 0.4
    some_words: float = 0.5
    held: float = 0.45
    with_all: float = 1.4
    heading_path: float = 2.0
    far_path: float = 0.15
    support: float = 0.4
    own_heading: float = 0.35
    whole_path: float = 0.5


CHOSEN = Weights()
