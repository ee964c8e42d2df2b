"""Answers of a served vault while its index is incomplete."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from notesearch.config import Settings
from notesearch.errors import ModelError, PageMissingError, VaultMissingError
from notesearch.index import live_index
from notesearch.index.live_index import Freshness
from notesearch.library import NoteLibrary
from notesearch.results import NOTHING_CLOSE, SearchResult
from notesearch.serving.mcp_tools import Quotation, outline_text, related_text
from notesearch.serving.parameters import Filters, OutlineArguments, ReadArguments, RelatedArguments
from notesearch.serving.served_vaults import ServedVault, ServedVaults
from notesearch.status import LIVE
from notesearch.wire import ReadPage, related_response
from tests.folders import write

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder


@contextmanager
def _served(vault: Path, settings: Settings) -> Iterator[ServedVaults]:
    with NoteLibrary.open(vault, settings=settings) as library:
        yield ServedVaults({"notes": ServedVault(library)})


def _search(served: ServedVaults, query: str) -> SearchResult:
    return served.search(query, Filters(), limit=5, per_note=2, mode="hybrid")


def _read(
    served: ServedVaults,
    path: str,
    section: str | None = None,
    continuation: str | None = None,
    size: int = 24_000,
) -> ReadPage:
    given = ReadArguments(path=path, section=section, continuation=continuation)
    return served.read(given, size)


def test_a_long_outline_comes_in_pages(vault: Path, words_only: Settings) -> None:
    write(vault, {"long.md": "".join(f"# H{n}\n\nword\n\n" for n in range(600))})
    with NoteLibrary.open(vault, settings=words_only) as library:
        library.refresh()
        served = ServedVaults({"notes": ServedVault(library)})
        pages = [served.sections(OutlineArguments(path="long.md"))]
        while pages[-1].continuation:
            assert f"continuation={pages[-1].continuation}" in outline_text(pages[-1], Quotation())
            pages.append(
                served.sections(
                    OutlineArguments(path="long.md", continuation=pages[-1].continuation)
                )
            )
        assert all(len(outline_text(one, Quotation())) < 16_000 for one in pages)
        assert {(one.total, one.page_word_count) for one in pages} == {(600, 600)}
        listed = [entry.section for one in pages for entry in one.sections]
        assert listed == [f"H{n}" for n in range(600)]
        with pytest.raises(PageMissingError, match="Ask again without one"):
            served.sections(OutlineArguments(path="long.md", continuation="-1"))


def test_a_part_of_a_note_comes_with_the_definitions_of_its_links(
    vault: Path, words_only: Settings
) -> None:
    write(vault, {"a.md": "# One\n\nSee [the plan][p].\n\n# Two\n\nNo link.\n\n[p]: https://a.b\n"})
    with NoteLibrary.open(vault, settings=words_only) as library:
        library.refresh()
        served = ServedVaults({"notes": ServedVault(library)})
        one = _read(served, "a.md", "One")
        assert one.text.split("\n\n")[1:] == ["See [the plan][p].", "[p]: https://a.b"]
        assert (one.line, one.end_line) == (1, 4)
        assert _read(served, "a.md:3-3").text == "See [the plan][p].\n\n[p]: https://a.b"
        assert _read(served, "a.md", "Two").text.count("[p]:") == 1
        pages = [_read(served, "a.md", "One", size=30)]
        while pages[-1].continuation:
            pages.append(_read(served, "a.md", "One", pages[-1].continuation, size=30))
        assert "".join(page.text for page in pages) == one.text
        assert (pages[-1].line, pages[-1].end_line) <= (4, 4)


def test_only_a_whole_note_comes_with_its_properties(vault: Path, words_only: Settings) -> None:
    write(vault, {"a.md": "---\nby: ['Ann, Jr.', Bo]\n---\nOne.\n\nTwo.\n"})
    with NoteLibrary.open(vault, settings=words_only) as library:
        library.refresh()
        served = ServedVaults({"notes": ServedVault(library)})
        assert _read(served, "a.md").properties == {"by": ["Ann, Jr.", "Bo"]}
        assert _read(served, "a.md:4-6").properties == {}


def test_related_sections_wait_for_vectors(
    vault: Path, embedder: "Embedder", monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, {"river.md": "Reeds at the water.\n", "pond.md": "Rushes at the water.\n"})
    with NoteLibrary.open(vault, embedder=embedder) as library:
        library.refresh()
        served = ServedVaults({"notes": ServedVault(library)})
        assert served.related(RelatedArguments(path="river.md"))
        embed = embedder.embed_passages
        may_embed = threading.Event()
        monkeypatch.setattr(
            embedder, "embed_passages", lambda texts: may_embed.wait(30) and embed(texts)
        )
        write(vault, {"lake.md": "Water lilies.\n"})
        served.reindex()
        with pytest.raises(ModelError, match="Search by meaning is not ready yet"):
            served.related(RelatedArguments(path="lake.md"))
        may_embed.set()


@pytest.mark.parametrize(
    ("pond", "is_near"),
    [("Rushes at the water.\n", True), ("Stones lie at the edge of a road.\n", False)],
)
def test_related_sections_say_that_nothing_is_close(
    vault: Path, embedder: "Embedder", pond: str, *, is_near: bool
) -> None:
    write(vault, {"river.md": "Reeds grow at the water.\n", "pond.md": pond})
    with NoteLibrary.open(vault, embedder=embedder) as library:
        library.refresh()
        found = ServedVaults({"notes": ServedVault(library)}).related(
            RelatedArguments(path="river.md")
        )
        answer = related_response(found)
        assert [one.path for one in answer.sections] == ["pond.md"]
        assert answer.remarks == ([] if is_near else [NOTHING_CLOSE])
        assert (NOTHING_CLOSE in related_text(found, answer.remarks, Quotation())) is not is_near


def test_changes_are_found_after_another_process_stopped_indexing(vault: Path) -> None:
    settings = Settings(meaning=False)
    write(vault, {"river.md": "Reeds at the water.\n"})
    with NoteLibrary.open(vault, settings=settings) as keeper:
        assert keeper.watch().freshness.wait(20)
        with _served(vault, settings) as served:
            assert _search(served, "reeds").sections
            assert served.reindex().elsewhere
            keeper.close()
            write(vault, {"lake.md": "Lilies on the water.\n"})
            assert _search(served, "lilies").sections


def test_changes_are_found_while_another_process_indexes(vault: Path) -> None:
    settings = Settings(meaning=False)
    write(vault, {"river.md": "Reeds at the water.\n"})
    with NoteLibrary.open(vault, settings=settings) as keeper:
        assert keeper.watch().freshness.wait(20)
        with _served(vault, settings) as served:
            assert served.reindex().elsewhere
            for word in ("lilies", "newts", "herons"):
                write(vault, {f"{word}.md": f"{word} on the water.\n"})
                assert _search(served, word).sections
            (vault / "newts.md").unlink()
            assert not _search(served, "newts").sections
            for word in ("toads", "minnows", "otters"):  # the third is held back
                write(vault, {"pond.md": f"{word} in the water.\n"})
                assert _search(served, word).sections


def test_a_stuck_other_process_is_mentioned(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("notesearch.serving.served_vaults._OTHER_PROCESS_WAIT_S", 0.1)
    settings = Settings(meaning=False)
    write(vault, {"river.md": "Reeds at the water.\n"})
    with NoteLibrary.open(vault, settings=settings) as keeper:
        keeper.refresh()
        with keeper._index.writing() as indexer:
            indexer.writer.set_watching(LIVE)
            with _served(vault, settings) as served:
                write(vault, {"lake.md": "Lilies on the water.\n"})
                nothing = _search(served, "lilies")
                (remark,) = served.remarks(nothing, Filters())
                assert remark.startswith("Notes saved in the last seconds may be missing")
                assert served.remarks(_search(served, "reeds"), Filters()) == []


def test_an_index_that_is_behind_is_mentioned_if_nothing_was_found(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, {"river.md": "Reeds at the water.\n"})
    with _served(vault, Settings(meaning=False)) as served:
        nothing, found = _search(served, "lilies"), _search(served, "reeds")
        while served.stats().state == "indexing":
            continue
        assert served.remarks(nothing, Filters()) == []
        monkeypatch.setattr(Freshness, "wait", lambda *_: False)  # a note takes long to be read
        (remark,) = served.remarks(nothing, Filters())
        assert remark.startswith("Notes saved in the last seconds may be missing")
        assert served.remarks(found, Filters()) == []


@pytest.mark.parametrize("replaced", [False, True], ids=["gone", "another folder"])
def test_a_missing_folder_is_mentioned_before_the_watcher_notices(
    vault: Path, words_only: Settings, replaced: bool
) -> None:
    write(vault, {"a.md": "heron", "b.md": "otter"})
    with NoteLibrary.open(vault, settings=words_only) as library:
        library.refresh()
        served = ServedVaults({"notes": ServedVault(library)})
        (_without_model,) = served.remarks(_search(served, "heron"), Filters())
        vault.rename(vault.with_name("away"))
        if replaced:
            vault.mkdir()
        _, remark = served.remarks(_search(served, "heron"), Filters())
        assert remark.startswith(
            "The index cannot be updated, so notes may have changed. The notes"
        )


def test_a_folder_that_is_back_is_searched_at_once(
    vault: Path, words_only: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent was told for five seconds more that its folder is missing."""
    monkeypatch.setattr(live_index, "_CHECK_S", 600)
    write(vault, {"a.md": "heron"})
    with _served(vault, words_only) as served:
        assert _search(served, "heron").sections
        away = vault.rename(vault.with_name("away"))
        write(away, {"b.md": "otter"})
        with pytest.raises(VaultMissingError):
            served.reindex()
        away.rename(vault)
        found = _search(served, "otter")
        assert found.sections
        assert "missing" not in " ".join(served.remarks(found, Filters()))


def test_an_index_that_somebody_deletes_is_made_again_at_once(
    vault: Path, words_only: Settings
) -> None:
    write(vault, {"a.md": "heron"})
    with _served(vault, words_only) as served:
        assert _search(served, "heron").sections
        (library,) = (one.library for one in served._vaults.values())
        for file in Path(library.status().index_path).parent.glob("*.sqlite*"):
            file.unlink()
        assert _search(served, "heron").sections


def test_the_average_counts_overlap_in_both_passages(vault: Path, embedder: "Embedder") -> None:
    sentences = " ".join(f"Sentence {n} tells of a river with reeds." for n in range(60))
    write(vault, {"river.md": sentences, "none.md": ""})
    with NoteLibrary.open(vault, embedder=embedder) as library:
        served = ServedVaults({"notes": ServedVault(library)})
        served.reindex()
        stats = served.stats()
        assert (stats.words, stats.passages) == (480, 3)
        assert stats.average_passage_words == 181  # of 184, 176 and 184 words
