"""The share of a query that the model understands: meaning counts for that much."""

from typing import TYPE_CHECKING

import pytest

from notesearch.search.meaning_retrieval import understood_share

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("where the spare keys are", 1.0, 1.0),
        ("kubernetes pods", 1.0, 1.0),
        ("café", 1.0, 1.0),
        ("", 1.0, 1.0),
        ("42 !", 0.0, 0.0),
        ("!", 1.0, 1.0),
        ("half-life 337 days", 0.5, 0.7),  # all numbers are alike to a model
        # scripts that the model does not know
        ("算法", 0.0, 0.0),
        ("привет мир", 0.0, 0.0),
        ("ภาษาไทย", 0.0, 0.0),
        ("人々の話", 0.0, 0.0),  # 々 has no piece, and hides の
        ("Dijkstra 算法", 0.7, 0.9),
        ("用Dijkstra", 0.8, 0.95),
        # names in code
        ("fetch_user_by_id", 0.0, 0.0),
        ("std::vector", 0.0, 0.0),
        ("useState", 0.0, 0.0),
        ("main()", 0.0, 0.0),
        ("v-model of a component", 1.0, 1.0),
        ("write fetch_user", 0.3, 0.45),
    ],
)
def test_understood(embedder: "Embedder", text: str, least: float, most: float) -> None:
    assert least <= understood_share(text, embedder.count_tokens) <= most


def in_pairs(text: str) -> int:
    """Count pieces as a model of Chinese and Japanese does: two letters each in common words."""
    common = set("我们可以使用这个方法今日は会議で説明していますインターネット怎么解决")
    return (
        sum(1 if letter not in common else 0 for letter in text)
        + sum(letter in common for letter in text) // 2
    )


@pytest.mark.parametrize(
    "text",
    [
        "怎么解决",
        "最短路",
        "線分木とは",
        "テスト用",
        "カビ",
        "コーヒー豆の挽き方",
        "第3章",
        "2024年の計画",
    ],
)
def test_a_rare_word_in_a_script_that_the_model_learned_is_understood(text: str) -> None:
    assert understood_share(text, in_pairs) == 1.0


def in_syllables(text: str) -> int:
    """Count pieces as a multilingual model does for rare words of Korean and Hindi."""
    return sum(1 for letter in text if letter.isalpha())


@pytest.mark.parametrize("text", ["화초", "잎이 변색", "पकाएँ"])
def test_a_syllable_is_several_letters(embedder: "Embedder", text: str) -> None:
    assert understood_share(text, in_syllables) == 1.0
    assert understood_share(text, embedder.count_tokens) == 0.0, (
        "the built-in model reads single letters"
    )


@pytest.mark.parametrize("text", ["最短路/ab", "用C11的方法", "会議の3ab"])
def test_scripts_without_spaces_end_a_name_in_code(text: str) -> None:
    assert understood_share(text, in_pairs) > 0.5


def test_another_script_without_spaces_is_not_understood_because_of_it() -> None:
    assert understood_share("ภาษาไทย", in_pairs) == 0.0
