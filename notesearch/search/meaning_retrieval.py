"""Retrieval by meaning: embeds the query and finds the passages nearest to it."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby

from notesearch.embedding.embedder import (
    USUALLY_UNRELATED,
    Embedder,
    nearest_pieces,
    piece_embedding,
    unrelated_pieces,
)
from notesearch.markdown.sections.language_detection import section_language
from notesearch.markdown.sections.passage_cutting import text_for_model
from notesearch.results import Mode
from notesearch.search.query_resolution import ResolvedQuery
from notesearch.search.word_retrieval import WordRanking
from notesearch.store.reader import Reader
from notesearch.store.rows import MeaningHit
from notesearch.store.word_cutting import is_single_unspaced

_SIMILAR = 0.15
"""Minimum cosine of a passage that is worth showing. One in six passages of a folder reaches it;
the answer in a short note, in words other than the question's, may not reach 0.2."""

_SIMILAR_BESIDE_ALL = 0.25
"""The minimum if a section has every word of the query: then the answer is probably there, and
distant sections would only make the list longer."""

_SIMILAR_ALONE = 0.31
"""Minimum cosine of the nearest passage if no section has any word of the query. One in six
nonsense queries reaches it. With 0.25, two in five would, and only one more of 1,260 questions
would be answered (docs/quality.md)."""

_RETRIEVED_ALONE = 300
"""Passages to compare by meaning alone: without words, the right ones may be far down."""

_SAME_PIECES = 0.85
"""The nearness of a query's word pieces to a passage (``nearest_pieces``) counts 1 from this number
on, and 0 up to the nearness of unrelated texts. One in twenty of the passages that rank high is
above 0.83. For models other than the built-in one, the number is converted."""

_UNDERSTOOD = 0.2
"""A hybrid search asks the model only if it understands more than this share of the query."""

_MOST_PIECES_PER_LETTER = 0.75
"""The model does not know a word that it cuts into more pieces per letter than this."""

_LETTERS_OF_NUMBER = 8
"""A number counts as a word of so many letters that no model knows. To a model all numbers are
alike, so without this rule sections with other numbers come first (docs/quality.md)."""

_UNSPACED_PHRASES = (
    "我们可以使用这个方法",
    "今日は会議で説明しています",
    "インターネット",
    "วันนี้อากาศดีมาก",
    "ວັນນີ້ອາກາດດີຫຼາຍ",
    "ថ្ងៃនេះអាកាសធាតុល្អណាស់",
    "ဒီနေ့ရာသီဥတုကောင်းတယ်",
)
"""Common words of the scripts without spaces. Every model cuts rare words of these into letters;
only a model that learned the script has longer pieces for common words."""

_IN_CODE = re.compile(r"\w(?:[_.:/\\@#$]+|\(\)\.?)\w|\w\(\)|[a-z][A-Z]|[^\W\d]\d")
"""A name in code: signs inside a word, brackets after it, capitals or digits in it."""

NearPieces = Callable[[Mapping[int, int]], Mapping[int, float]]
"""Takes a passage's number by section id; returns by section id how near the passage is, 0 to 1."""


@dataclass(frozen=True, slots=True)
class MeaningRanking:
    """Sections found by meaning, nearest first; also says how near the sections found by words are.

    Attributes:
        hits: The nearest passage of each section found by meaning.
        others: The nearest passage of each section that only words found.
        paths: The cosine of the query with the heading path of each section, by section id.
        near_notes: Returns the cosines of the query with the centroids of the passages of notes, by
            note id. It reads all these passages.
        near_pieces: Compares the query's word pieces with the pieces of passages; None if the model
            gives no vectors of word pieces.
        understood: The share of the query that the model understands, 0 to 1.
        passages: All passages of the sections in ``hits`` that are near.
        assumed: The similarity to assume of each section found by words that waits for its
            vectors, by section id.
    """

    hits: tuple[MeaningHit, ...] = ()
    others: tuple[MeaningHit, ...] = ()
    paths: Mapping[int, float] = field(default_factory=dict)
    near_notes: Callable[[Iterable[int]], Mapping[int, float]] = lambda _: {}
    near_pieces: NearPieces | None = None
    understood: float = 1.0
    passages: tuple[MeaningHit, ...] = ()
    assumed: Mapping[int, float] = field(default_factory=dict)


def usable(embedder: Embedder | None, reader: Reader) -> Embedder | None:
    """Return ``embedder`` if the index has vectors that it made; else None."""
    is_theirs = embedder is not None and embedder.fingerprint == reader.vectors.model()
    return embedder if is_theirs and reader.vectors.has_any() else None


def retrieve_meaning(
    reader: Reader,
    query: ResolvedQuery,
    words: WordRanking,
    mode: Mode,
    limit: int,
    embedder: Embedder,
) -> MeaningRanking:
    """Rank sections by the cosine of the query with their nearest passage.

    Only the ``limit`` nearest passages count. The result also says how near the sections found by
    ``words`` are. A hybrid search finds nothing here if the model understands too little of the
    query, and leaves out distant passages if its words found nothing. The ``embedder`` must have
    made the vectors of the index.

    Raises:
        SearchCancelledError: The search was cancelled.
    """
    text = query.parsed.plain_text
    if not any(c.isalnum() for c in text):
        return MeaningRanking()
    from notesearch.embedding.embedder import main_model, query_vectors

    vectors = reader.vectors.asked_in(query.parsed.language)
    only_english = vectors.are_only_english()
    model = main_model(embedder, only_english=only_english)
    share = understood_share(text, model.count_tokens)
    if mode is Mode.MEANING:
        limit = max(limit, _RETRIEVED_ALONE)
    elif share <= _UNDERSTOOD:
        return MeaningRanking()
    vector = query_vectors(embedder, text, reader.lexicon.languages(), only_english=only_english)
    found_near = vectors.nearest(vector, limit, query.condition)
    has_all = mode is Mode.HYBRID and bool(words.with_all)
    least = _SIMILAR_BESIDE_ALL if has_all else _SIMILAR
    passages = tuple(hit for hit in found_near if hit.similarity >= least)
    best: dict[int, MeaningHit] = {}
    for hit in passages:
        best.setdefault(hit.section_id, hit)
    hits = tuple(best.values())
    is_alone = mode is Mode.HYBRID and not words.hits
    if is_alone and hits and hits[0].similarity < _SIMILAR_ALONE:
        return MeaningRanking(understood=share)
    pieces = partial(near_pieces, reader, text, embedder)
    by_words = {hit.section_id for hit in words.hits}
    others = tuple(vectors.nearest_of(vector, by_words - best.keys()))
    return MeaningRanking(
        hits=hits,
        others=others,
        paths=vectors.near_paths(vector, by_words | best.keys()),
        near_notes=partial(vectors.near_notes, vector),
        near_pieces=pieces if piece_embedding(model) else None,
        understood=share,
        passages=passages,
        assumed=_assumed(reader, by_words, (*hits, *others)),
    )


def _assumed(reader: Reader, by_words: Set[int], near: Sequence[MeaningHit]) -> dict[int, float]:
    """Return the similarity to assume of those sections ``by_words`` that wait for their vectors.

    It is the highest one that is known of ``by_words``, or of any section in ``near``. With none,
    these sections would stand below all others until the whole folder is embedded.
    """
    known = {hit.section_id: hit.similarity for hit in near}
    waiting = reader.vectors.waiting(by_words - known.keys())
    similarities = [known[id_] for id_ in by_words & known.keys()] or known.values()
    return dict.fromkeys(waiting, max(similarities, default=0.0))


def near_pieces(
    reader: Reader,
    text: str,
    embedder: Embedder,
    numbers: Mapping[int, int],
) -> dict[int, float]:
    """Return how near one passage of each section is to the query, 0 to 1, by section id.

    Each word piece of the query is compared with the nearest piece of the passage. (The vector of a
    whole passage is a mean, in which one of ten sentences hardly counts.) ``numbers`` has the
    number of the passage by section id; the ``embedder`` made the vectors of the index.

    Raises:
        SearchCancelledError: The condition of the snapshot became true.
    """
    from notesearch.embedding.embedder import model_of

    reader.stop_if_cancelled()
    rows = reader.rows.sections(numbers)
    notes = reader.rows.notes({row.note_id for row in rows.values()})
    passages = reader.rows.passages(numbers)
    by_model: dict[Embedder, dict[int, str]] = {}
    for id_, row in rows.items():
        note = notes[row.note_id]
        names = (note.title, *row.path) if row.path != (note.title,) else row.path
        spans = (p.span for p in passages.get(id_, ()) if p.number == numbers[id_])
        passage = row.body[slice(*next(spans, (0, 0)))]
        model = model_of(embedder, section_language(note.language, (passage,)))
        written = f"[{' > '.join(names)}] {text_for_model(passage)}"
        by_model.setdefault(model, {})[id_] = written
    near: dict[int, float] = {}
    for model, texts in by_model.items():
        near |= zip(texts, _near_texts(model, text, tuple(texts.values())), strict=True)
    return near


def _near_texts(embedder: Embedder, text: str, texts: Sequence[str]) -> list[float]:
    """Return how near each of ``texts`` is to the query ``text``, 0 to 1, by their word pieces.

    All are 0 if the model has no vectors of word pieces.
    """
    embed = piece_embedding(embedder)
    if embed is None:
        return [0.0] * len(texts)
    *compared, query = embed([*texts, text])  # the shortest last: it fills the last core
    least = unrelated_pieces(embedder)
    # With another model, the distance of each cosine from 1 differs by about the same factor.
    most = 1.0 - (1.0 - _SAME_PIECES) * (1.0 - least) / (1.0 - USUALLY_UNRELATED)
    nearness = (nearest_pieces(query, pieces) for pieces in compared)
    return [min(max((near - least) / (most - least), 0.0), 1.0) for near in nearness]


def understood_share(text: str, count_tokens: Callable[[str], int]) -> float:
    """Return the share, 0 to 1, of the letters of a query that are in words known to the model.

    A model has a word piece for each frequent word. It splits words of other languages and scripts
    into letters, so that their vectors mean nothing. The vector of a number or of a name in code
    means nothing, either. ``count_tokens`` returns how many word pieces a text has.
    """
    letters = known = 0
    # A script without spaces ends a name in code: 第3章 is not one, nor is 最短路/Dijkstra.
    parts = (part for written in text.split() for part in groupby(written, is_single_unspaced))
    for is_unspaced, characters in parts:
        part = "".join(characters)
        in_code = not is_unspaced and _IN_CODE.search(part) is not None
        for is_alphabetic, run in groupby(part, _is_letter):
            word = "".join(run)
            if is_alphabetic and (is_unspaced or len(word) > 1):
                letters += len(word)
                texts = _phrases_like(word) if is_unspaced else ()
                is_known = any(_is_known(text, count_tokens) for text in texts or (word,))
                known += len(word) * (is_known and not in_code)
    numbers = sum(
        any(map(str.isdecimal, word)) and not any(map(_is_letter, word)) for word in text.split()
    )
    whole = letters + _LETTERS_OF_NUMBER * numbers
    return known / whole if whole else 1.0


def _phrases_like(word: str) -> tuple[str, ...]:
    """Return the common phrases in a script that ``word`` uses."""
    scripts = set(map(_script, word))
    return tuple(phrase for phrase in _UNSPACED_PHRASES if scripts & set(map(_script, phrase)))


def _script(letter: str) -> str:
    """Return the script of ``letter`` as Unicode names it: ``CJK``, ``HIRAGANA``, ``THAI``."""
    return unicodedata.name(letter, "").partition(" ")[0]


def _is_known(word: str, count_tokens: Callable[[str], int]) -> bool:
    pieces = count_tokens(word)
    # A word without any pieces is one unknown token, however long it is.
    # A Korean syllable is two or three letters; models of other languages leave accents out.
    written = unicodedata.normalize("NFD", word)
    letters = sum(unicodedata.category(character) != "Mn" for character in written)
    return pieces <= _MOST_PIECES_PER_LETTER * letters and count_tokens(2 * word) > pieces


def _is_letter(character: str) -> bool:
    """Return whether ``character`` is a letter, or a vowel sign or accent attached to one."""
    return character.isalpha() or unicodedata.category(character)[0] == "M"
