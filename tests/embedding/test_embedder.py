"""The nearness of two texts, piece by piece."""

import numpy as np
import pytest

from notesearch.embedding.embedder import nearest_pieces

QUERY = np.eye(2, 3, dtype=np.float32)
"""Two word pieces that have nothing in common."""


def _with_cosines(*cosines: float) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return a piece near each one of the query: these are the two cosines."""
    rest = [(1.0 - cosine**2) ** 0.5 for cosine in cosines]
    return np.array([[cosines[0], 0, rest[0]], [0, cosines[1], rest[1]]], np.float32)


def test_a_text_is_as_near_to_itself_as_can_be() -> None:
    assert nearest_pieces(QUERY, QUERY) == pytest.approx(1.0)


def test_a_piece_that_resembles_nothing_counts_more_than_one_that_has_its_like() -> None:
    every_half = nearest_pieces(QUERY, _with_cosines(0.5, 0.5))
    one_whole = nearest_pieces(QUERY, _with_cosines(0.95, 0.1))
    assert every_half == pytest.approx(0.5)
    assert one_whole < every_half


def test_a_piece_opposite_to_all_others_is_still_compared() -> None:
    assert 0.0 < nearest_pieces(QUERY, -QUERY) < 0.1


def test_a_text_without_pieces_is_near_to_nothing() -> None:
    assert nearest_pieces(QUERY, np.empty((0, 3), np.float32)) == 0.0
