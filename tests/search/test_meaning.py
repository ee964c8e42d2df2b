"""Searching by meaning and by both, with the model that comes with the program."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray

from notesearch.config import Settings
from notesearch.library import NoteLibrary
from notesearch.results import Mode, SectionResult
from tests.faults.quick_model import QuickModel
from tests.folders import write
from tests.indexed import indexed

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

VAULT = {
    "travel/japan.md": """# Trip to Japan

## Kyoto

We walked to the market before nine, when the stalls open and breakfast is still warm.

## Getting there

The plane leaves at noon. Check in two hours before, and keep the passports at hand.
""",
    "health.md": """# Health

## Sleep

No screens after ten, a dark and cool room, and no coffee after lunch.

## Back pain

Stretch each morning; the physiotherapist showed three exercises.
""",
    "garden.md": """# Garden

## Tomatoes

Water them in the morning, never on the leaves. Feed every other week.

## Compost

Turn it once a month. No meat, no citrus peel.
""",
    "work.md": "# Work\n\n## Deploying\n\nRun the migrations first, then restart the servers.\n",
}


@pytest.fixture(scope="module")
def library(
    tmp_path_factory: pytest.TempPathFactory, embedder: "Embedder"
) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("meaning"), VAULT, embedder) as library:
        yield library


def first(library: NoteLibrary, query: str, mode: str = "hybrid") -> SectionResult:
    return library.search(query, mode=mode).sections[0]


@pytest.mark.parametrize(
    ("query", "section"),
    [
        ("how do I fall asleep faster", "Sleep"),
        ("insomnia", "Sleep"),
        ("aching spine", "Back pain"),
        ("airport flight departure", "Getting there"),
        ("rotting kitchen waste", "Compost"),
        ("restart machines after an update", "Deploying"),
    ],
)
@pytest.mark.parametrize("mode", ["meaning", "hybrid"])
def test_other_words_of_the_same_meaning_find_it(
    library: NoteLibrary, query: str, section: str, mode: str
) -> None:
    assert first(library, query, mode).section == section


def test_the_words_of_a_faint_memory_are_still_compared(library: NoteLibrary) -> None:
    found = first(library, "smelly heap of kitchen leftovers")
    (pieces,) = [signal.value for signal in found.signals if signal.name == "pieces"]
    assert found.section == "Compost"
    assert 0.1 < pieces < 0.3


def test_a_section_that_shows_a_word_is_not_related(library: NoteLibrary) -> None:
    found = library.search("tomatoes", per_note=9).sections
    (parent,) = [section for section in found if section.section == "Garden"]
    assert (parent.why.fields, parent.why.words_rank) == ((), None)
    assert [parent.snippet.text[slice(*mark)] for mark in parent.snippet.marks] == ["Tomatoes"]
    assert not parent.by_meaning_alone


def test_words_help_if_several_sections_are_hardly_near(library: NoteLibrary) -> None:
    assert first(library, "breakfast at food stalls").section == "Kyoto"


def test_a_section_found_by_meaning_alone_is_related(library: NoteLibrary) -> None:
    found = first(library, "insomnia")
    assert found.by_meaning_alone
    assert found.why.words_rank is None
    assert found.why.meaning_rank is not None
    assert found.why.fields == ()
    assert found.snippet.marks == ()
    assert found.snippet.text.startswith("No screens after ten")
    answer = library.search("insomnia")
    assert (answer.meaning, answer.missing) == (True, ("insomnia",))


def test_a_section_without_its_vectors_is_judged_by_its_words(
    tmp_path: Path, embedder: "Embedder"
) -> None:
    with indexed(tmp_path, VAULT, embedder) as library:
        write(tmp_path / "vault", {"todo.md": "# Todo\n\nBuy boat varnish.\n"})
        library.refresh(patience=0)
        answer = library.search("boat varnish")
        (found,) = answer.sections
        assert (found.path, found.why.meaning_rank, answer.meaning) == ("todo.md", None, True)
        assert found.percent > 60
        assert not answer.weak_sentence


def test_a_section_with_every_word_is_never_weak(tmp_path: Path, embedder: "Embedder") -> None:
    """The answer once said that nothing close was found: a rare word has no near meaning."""
    evening = "Der Abend war lang, und die Gäste erzählten von Bergen, vom Wetter und vom Zug. "
    diary = f"# Tagebuch\n\n## Juni\n\n{evening * 7}Dann gab es Süßes. {evening * 7}\n"
    with indexed(tmp_path, {**VAULT, "diary.md": diary}, embedder) as library:
        for query, is_weak in {"suesses": False, "suesses zzqx vvbn": True}.items():
            answer = library.search(query)
            best = answer.sections[0]
            assert (best.section, bool(answer.weak_sentence)) == ("Juni", is_weak), best.percent


def test_a_heading_without_text_ranks_below_its_subsections(library: NoteLibrary) -> None:
    result = library.search("insomnia", per_note=9)
    by_rank = {section.section: section.why.meaning_rank for section in result.sections}
    assert by_rank["Health"] == 1  # it was embedded with what stands below it
    assert next(iter(by_rank)) == "Sleep"


def test_words_alone_do_not_find_it(library: NoteLibrary) -> None:
    result = library.search("insomnia", mode="words")
    assert (result.sections, result.meaning, result.missing) == ((), False, ("insomnia",))


def test_a_section_with_all_words_ranks_above_related_ones(library: NoteLibrary) -> None:
    found = first(library, "restart")
    assert (found.section, found.why.words_rank) == ("Deploying", 1)
    for query in ("coffee", "passports", "citrus peel", "physiotherapist exercises"):
        assert not first(library, query).by_meaning_alone


def test_an_exact_name_comes_first_in_both_modes(library: NoteLibrary) -> None:
    assert first(library, "garden").section == "Garden"
    assert first(library, "Compost").section == "Compost"


def test_exclusions_apply_to_meaning_too(library: NoteLibrary) -> None:
    def sections(query: str) -> list[str]:
        return [section.section for section in library.search(query).sections]

    assert "Sleep" in sections("insomnia")
    assert "Sleep" not in sections("insomnia -coffee")
    assert "Sleep" not in sections("insomnia -health")  # the note's title
    assert "Sleep" in sections("insomnia -tea")


@pytest.mark.parametrize("query", ["", " ", "?!", "…", "🍜", "\0", "\ud800", "a" * 100_000])
@pytest.mark.parametrize("mode", list(Mode))
def test_any_string_is_a_query(library: NoteLibrary, query: str, mode: Mode) -> None:
    result = library.search(query, mode=mode)
    assert result.mode is mode


def test_nonsense_finds_nothing(library: NoteLibrary) -> None:
    assert library.search("quantum chromodynamics lattice gauge", mode="meaning").total <= 2


def test_a_note_about_several_things_is_found_by_meaning(
    tmp_path: Path, embedder: "Embedder"
) -> None:
    papers = """need: a will!! guardians = Jo's sister Hanna? ask her first
life ins: Royal 250k each to 2041
passports: Ida 11/26, Noah 03/29, us 2031
deeds: red folder, top of wardrobe
pension: Nest, 5 % + 7 %
"""
    with indexed(tmp_path, {"papers.md": papers}, embedder) as library:
        result = library.search("who takes the kids if something happens to us", mode="meaning")
    assert [section.path for section in result.sections] == ["papers.md"]


@pytest.mark.parametrize(
    ("query", "found"),
    [("vet", ["vet.md"]), ("vet phone", ["vet.md", "doctor.md"])],
    ids=["with every word", "with one of two words"],
)
def test_distant_sections_are_left_out_beside_one_with_every_word(
    tmp_path: Path, embedder: "Embedder", query: str, found: list[str]
) -> None:
    notes = {
        "vet.md": "vet: Dr Lind, Mon to Fri until 6\n",
        "doctor.md": "doctor: Dr Okafor, ring before 9\n",
        "passports.md": "passports: Ida 11/26, Noah 03/29\n",
    }
    with indexed(tmp_path, notes, embedder) as library:
        assert [section.path for section in library.search(query).sections] == found


def test_the_result_shows_the_nearest_passage(
    vault: Path, home: Path, embedder: "Embedder"
) -> None:
    boring = "The committee met on Monday and again on Tuesday to agree on the minutes. " * 30
    whales = "Three whales swam below our boat, and dolphins jumped out of the sea. " * 9
    write(vault, {"long.md": f"# Minutes\n\n{boring}\n\n{whales}\n\n{boring}"})
    with NoteLibrary.open(vault, home=home, embedder=embedder) as library:
        library.refresh()
        found = first(library, "sea animals", "meaning")
    assert found.total_chunks > 2
    assert 0 < found.chunk_index < found.total_chunks
    assert "whales" in found.passage
    assert found.snippet.text.removeprefix("… ")[:30] in found.passage


def test_words_answer_while_vectors_are_being_made(
    vault: Path, home: Path, embedder: "Embedder", words_only: Settings
) -> None:
    write(vault, VAULT)
    with NoteLibrary.open(vault, home=home, settings=words_only) as library:
        library.refresh()
    with NoteLibrary.open(vault, home=home, embedder=embedder) as library:
        result = library.search("restart insomnia")
        assert not result.meaning
        assert result.sections[0].section == "Deploying"
        library.refresh()
        assert library.search("insomnia").meaning


def test_threads_search_at_the_same_time(library: NoteLibrary) -> None:
    alone = {query: library.search(query).sections for query in ("insomnia", "market", "compost")}
    answers: list[bool] = []

    def search_often(query: str) -> None:
        answers.extend(library.search(query).sections == alone[query] for _ in range(10))

    threads = [threading.Thread(target=search_often, args=(query,)) for query in alone]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 30


def test_another_model_does_not_search_the_old_vectors(
    vault: Path, home: Path, embedder: "Embedder"
) -> None:
    write(vault, VAULT)
    with NoteLibrary.open(vault, home=home, embedder=embedder) as library:
        library.refresh()

    class Other:
        fingerprint = "another"
        dimensions = embedder.dimensions
        window = embedder.window
        count_tokens = staticmethod(embedder.count_tokens)
        embed_passages = staticmethod(embedder.embed_passages)
        embed_query = staticmethod(embedder.embed_query)

    with NoteLibrary.open(vault, home=home, embedder=Other()) as library:
        assert library.search("insomnia").meaning, "of the model that made them"
        assert library.refresh().embedded > 0
        assert library.search("insomnia").meaning


DIARY = """
We met at nine and drank coffee on the terrace. Anna told us about the new office, which has
large windows and a kitchen. Peter will order chairs, and somebody has to measure the doors.
{} Then we spoke about the summer party, the music, and who could bring a grill. The
budget is small this year, so everybody brings a salad. We agreed to meet again in two weeks.
"""


def test_one_sentence_in_a_long_passage_is_found(tmp_path: Path, embedder: "Embedder") -> None:
    """The vector of the passage is a mean, in which that sentence hardly counts."""
    notes = {
        "march.md": DIARY.format("The boiler leaks again, so the plumber comes on Thursday."),
        "april.md": DIARY.format("The bicycle shed gets a new roof before the rain comes back."),
        "may.md": DIARY.format("The printer needs ink, and the scanner has lost its driver."),
    }
    write(tmp_path / "vault", notes)
    home = tmp_path / "home"
    with NoteLibrary.open(tmp_path / "vault", home=home, embedder=embedder) as library:
        library.refresh()
        asked = {
            "meeting about leaking pipes": "march",
            "meeting about a roof for bikes": "april",
        }
        for text, note in asked.items():
            found = library.search(text).sections
            near = {s.title: signal.value for s in found for signal in s.signals[-1:]}
            assert found[0].title == note, near
            assert max(near, key=near.__getitem__) == note, near


class Near(QuickModel):
    """A model by which every text is nearer to a query than to other texts."""

    fingerprint = "near"

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors that have a part in common."""
        own = super().embed_passages(texts) + 0.6 * self.embed_query("")
        return np.asarray(own / np.linalg.norm(own, axis=1, keepdims=True), dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the common part for every query."""
        return super().embed_query("" if text == "bad weather" else text)


def test_meaning_alone_ranks_three_hundred_passages(tmp_path: Path) -> None:
    text = "".join(f"## Day {n}\n\nIt rained {n} drops.\n\n" for n in range(350))
    write(tmp_path / "vault", {"diary.md": text})
    with NoteLibrary.open(tmp_path / "vault", home=tmp_path / "home", embedder=Near()) as library:
        library.refresh()
        assert library.search("bad weather", mode="meaning").total == 300


def test_sections_that_wait_for_their_vectors_keep_their_place(
    tmp_path: Path, embedder: "Embedder"
) -> None:
    """They stood below every section with a vector until the whole folder was embedded."""
    earlier = {"shop.md": "# Roses\n\n## In spring\n\nThe shop has roses again, cut and in pots.\n"}
    with indexed(tmp_path, earlier, embedder) as library:
        later = "# Garden\n\n## Hedges\n\nWe cut back the roses every spring, above a bud.\n"
        write(library.vault, {"garden.md": later})
        library.refresh(patience=0.0)
        assert library.status().pending
        found = library.search("cut back roses spring").sections
        assert [section.section for section in found][:2] == ["Hedges", "In spring"]
