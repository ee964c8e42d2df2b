"""How many word pieces of a model's window are left for a passage."""

from notesearch.embedding.folder import ModelFolder
from notesearch.embedding.pieces import Pieces

LONGEST = 512
"""Even where a model reads thousands: a passage should be about one thing."""

SPECIAL = 2
"""Pieces that whoever cuts passages leaves free in any case."""


def passage_window(folder: ModelFolder, pieces: Pieces) -> int:
    """Return the window for passages: no more than fits beside the prompt, so that none is cut."""
    prompt = pieces.count(folder.passage_prompt) if folder.passage_prompt else 0
    return min(folder.window, LONGEST) - prompt - max(0, pieces.special - SPECIAL)
