"""A sentence of the index is found in the rendered text."""

import pytest

from notesearch.markdown.render.source_place import find_sentence


@pytest.mark.parametrize(
    ("sentence", "text", "span"),
    [
        ("Warm soup helps.", "Head\nWarm\nsoup helps. Then", (5, 21)),
        ("so (it) is", "is so it is, so (it) is", (3, 11)),
        ("gone", "text", None),
        ("", "text", None),
        ("!?", "text", None),
        ("a+b", "an a+b", (3, 6)),
    ],
)
def test_a_sentence_is_found_whatever_its_punctuation(
    sentence: str, text: str, span: tuple[int, int] | None
) -> None:
    assert find_sentence(sentence, text) == span
