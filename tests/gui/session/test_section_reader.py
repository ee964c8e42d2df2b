"""Sections are read, rendered and marked for the preview, in the reading thread, on real notes."""

from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytestqt.qtbot import QtBot

from notesearch.config import Settings, resources
from notesearch.gui.preview.document import PreviewContent, parse_html
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.session import section_reader
from notesearch.gui.session.section_reader import (
    PreviewAnswer,
    PreviewRequest,
    SectionReader,
)
from notesearch.gui.widgets.theme import LIGHT
from notesearch.library import NoteLibrary
from notesearch.markdown.render import render
from notesearch.markdown.render.formulas import FormulaPainter
from notesearch.results import Scope, SectionText, Why
from tests.folders import write
from tests.gui.preview_contents import content_of, marked
from tests.gui.sample_results import section

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

TRIP = "travel/Trip to Japan.md"
FOOD = PreviewRequest(section(TRIP, "Kyoto > Food", line=9), TRIP, 9, Scope.SECTION, "food")


@pytest.fixture
def reader(library: NoteLibrary, drawings: DrawingProcess) -> SectionReader:
    return SectionReader(library, drawings, lambda _: False)


def answer(reader: SectionReader, **changes: object) -> PreviewAnswer:
    """Return the last and best answer to a request."""
    *_, last = reader.answers(replace(FOOD, **changes))  # type: ignore[arg-type]
    return last


def content(reader: SectionReader, **changes: object) -> PreviewContent:
    found = answer(reader, **changes)
    assert found.content is not None, found.problem
    return found.content


def test_a_section_is_read_rendered_and_marked(reader: SectionReader) -> None:
    found = content(reader)
    assert found.text.section_path == ("Kyoto", "Food")
    assert "still warm" in found.html
    assert "Rain until noon" not in found.html
    assert found.modified > 0
    assert [link.heading for link in found.outline][:3] == ["Trip to Japan", "Kyoto", "Food"]
    assert marked(found) == ["Food", "food"]
    assert found.complete


def test_a_link_to_a_block_points_it_out(
    tmp_path: Path, words_only: Settings, drawings: DrawingProcess
) -> None:
    filler = "\n\n".join(f"Paragraph {n} of many." for n in range(60))
    blocks = f"# Far\n\n{filler}\n\nThe *place* that is meant. ^here\n\nAfter it.\n"
    write(tmp_path, {"vault/far.md": blocks, "vault/near.md": "# Near\n\nSee [[far#^here]].\n"})
    with NoteLibrary.open(tmp_path / "vault", home=tmp_path, settings=words_only) as library:
        library.refresh()
        reader = SectionReader(library, drawings, lambda _: False)
        result = section("near.md", "Near", line=1)
        asked = PreviewRequest(result, "near.md", 1, Scope.SECTION, "many", "far#%5Ehere")
        *_, last = reader.answers(asked)
    assert last.content is not None
    assert last.content.target is not None
    start, end = last.content.target
    text = parse_html(last.content.html).toPlainText()
    assert text[start:end] == "The place that is meant."


def test_a_wider_scope_reads_more(reader: SectionReader) -> None:
    parent, note = content(reader, scope=Scope.PARENT), content(reader, scope=Scope.NOTE)
    assert "Rain until noon" in parent.html
    assert "Shoes" not in parent.html
    assert "Shoes" in note.html
    assert parent.is_result_pointed_out
    assert not content(reader).is_result_pointed_out


@pytest.mark.parametrize(
    ("link", "heading"),
    [
        ("%23Packing", "Packing"),
        ("Recipes", "Recipes"),
        ("Recipes%23Dashi", "Dashi"),
        ("Recipes.md%23Dashi", "Dashi"),
        ("../kitchen/Recipes.md", "Recipes"),
        ("Japan%20budget%23Meals", "Meals"),
        ("Trip%20to%20Japan%23Kyoto%23Day%203", "Day 3"),
        ("Recipes%23No%20such%20heading", "Recipes"),
    ],
)
def test_links_lead_to_their_section(reader: SectionReader, link: str, heading: str) -> None:
    assert content(reader, link=link).text.heading == heading


@pytest.mark.parametrize("link", ["No%20such%20note", "../../outside", "%2Fetc%2Fpasswd"])
def test_links_to_nothing_are_a_problem(reader: SectionReader, link: str) -> None:
    found = answer(reader, link=link)
    assert found.content is None
    assert found.problem


def test_a_missing_note_is_a_problem(reader: SectionReader, notes: Path) -> None:
    (notes / TRIP).unlink()
    found = answer(reader)
    assert found.content is None
    assert found.note_missing
    assert "moved or deleted" in found.problem


def test_the_nearest_sentence_follows_the_section(
    notes: Path, embedder: "Embedder", drawings: DrawingProcess
) -> None:
    (notes / "Tea.md").write_text("# Afternoon\n\nThe kettle sang. The dog needs a walk at dusk.\n")
    query = "take puppy outdoors in the evening"
    with NoteLibrary.open(notes, embedder=embedder) as library:
        library.refresh()
        found = next(s for s in library.search(query).sections if s.path == "Tea.md")
        result = replace(found, why=Why(None, 1))
        assert result.by_meaning_alone
        request = PreviewRequest(result, "Tea.md", 1, Scope.SECTION, query, passage=found.passage)
        reader = SectionReader(library, drawings, lambda _: False)
        first, second = (answer.content for answer in reader.answers(request))
        (again,) = (answer.content for answer in reader.answers(request))
    assert first is not None
    assert second is not None
    assert first.nearest is None
    assert second.nearest is not None
    start, end = second.nearest
    text = parse_html(second.html).toPlainText()
    assert text[start:end] == "The dog needs a walk at dusk."
    assert again == second, "the tint does not flicker when the section is read again"


def test_a_whole_note_includes_its_properties(reader: SectionReader, notes: Path) -> None:
    file = notes / TRIP
    front = "---\ntags: [asia, spring]\nwith: <b>Ann</b>\n---\n"
    file.write_text(front + file.read_text("utf-8"), "utf-8")
    note = content(reader, scope=Scope.NOTE)
    assert '<td class="key">tags</td><td>asia, spring</td>' in note.html
    assert "&lt;b&gt;Ann" in note.html
    assert "asia" not in content(reader, scope=Scope.SECTION).html


def test_a_link_may_be_defined_in_another_section(reader: SectionReader, notes: Path) -> None:
    write(notes, {TRIP: "# A\n\nOf [oak][].\n\n# B\n\n[oak]: https://example.org\n"})
    shown = content(reader, line=1)
    assert '<a href="https://example.org">oak</a>' in shown.html
    assert "example" not in shown.text.text


def test_slow_formulas_follow_the_text(reader: SectionReader, notes: Path) -> None:
    formulas = " and ".join(f"$\\frac{{a_{{{n}}}}}{{b}}$" for n in range(12))
    path = "kitchen/Recipes.md"
    (notes / path).write_text(f"# Recipes\n\n{formulas}\n", "utf-8")
    request = PreviewRequest(section(path, "Recipes"), path, 1, Scope.SECTION, "and")
    first, second = (answer.content for answer in reader.answers(request))
    assert first is not None
    assert second is not None
    assert first.html.count("math:") < second.html.count("math:") == 12
    assert (first.complete, second.complete) == (False, True)
    assert len(second.marks) == 11


def test_all_of_the_text_comes_before_slow_formulas(
    reader: SectionReader, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of formulas take a minute; below the first ones, there was nothing to read."""
    formulas = "\n\n".join(f"$\\frac{{g_{{{n}}}}}{{h^{{{n}}}}}$" for n in range(200))
    path = "kitchen/Recipes.md"
    (notes / path).write_text(f"# Recipes\n\n{formulas}\n\nThe end.\n", "utf-8")
    request = PreviewRequest(section(path, "R"), path, 1, Scope.SECTION, "", visible_lines=10)
    monkeypatch.setattr(section_reader, "_FORMULA_SECONDS", (0.11, inf))
    shown = [answer.content for answer in reader.answers(request)]
    assert [one is not None and "The end." in one.html for one in shown] == [False, True, True]
    assert [one is not None and one.complete for one in shown] == [False, False, True]


def test_drawing_formulas_ends_when_a_newer_request_arrives(
    library: NoteLibrary, notes: Path, drawings: DrawingProcess
) -> None:
    FormulaPainter(60).draw("x", display=False)  # loads the library
    formulas = " and ".join(f"$\\frac{{c_{{{n}}}}}{{d^{{{n}}}}}$" for n in range(60))
    path = "kitchen/Recipes.md"
    (notes / path).write_text(f"# Recipes\n\n{formulas}\n", "utf-8")
    request = PreviewRequest(section(path, "Recipes"), path, 1, Scope.SECTION, "")
    asked: list[PreviewRequest] = []

    def is_replaced(request: PreviewRequest) -> bool:
        asked.append(request)
        return len(asked) > 30

    answers = list(SectionReader(library, drawings, is_replaced).answers(request))
    assert len(answers) == 1
    assert len(asked) == 31, "no further formula was drawn"


def test_a_complete_section_stays_complete_while_the_user_types(
    reader: SectionReader, notes: Path
) -> None:
    """It is read in parts again, but the first part must not replace what is on screen."""
    path = "kitchen/Recipes.md"
    (notes / path).write_text("# Recipes\n\n" + "Words of a paragraph.\n\n" * 1_000, "utf-8")
    request = PreviewRequest(section(path, "R"), path, 1, Scope.NOTE, "words", visible_lines=40)
    shown = [answer.content for answer in reader.answers(request)]
    assert [one is not None and one.complete for one in shown] == [False, True]
    narrower = replace(request, query="paragraph", image_width=100)
    shown = [answer.content for answer in reader.answers(narrower)]
    assert [one is not None and one.complete for one in shown] == [True, True]
    assert shown[0] == shown[1]
    assert shown[0] is not None
    assert set(marked(shown[0])) == {"paragraph"}
    (notes / path).write_text("# Recipes\n\n" + "Other words.\n\n" * 1_000, "utf-8")
    first = next(iter(reader.answers(narrower))).content
    assert first is not None
    assert not first.complete, "the text changed"


def test_the_first_look_at_a_note_reaches_below_the_selected_section(
    reader: SectionReader, notes: Path
) -> None:
    path = "kitchen/Recipes.md"
    words = "Words of a paragraph.\n\n"
    (notes / path).write_text(f"{words * 400}# Found\n\n{words * 600}", "utf-8")
    result = section(path, "Found", line=801)
    request = PreviewRequest(result, path, 801, Scope.NOTE, "", visible_lines=40)
    first = next(iter(reader.answers(request))).content
    assert first is not None
    assert not first.complete
    assert 120 < first.html.partition("Found")[2].count("Words") < 200


def test_the_rest_of_a_long_section_is_skipped_for_a_newer_request(
    library: NoteLibrary, notes: Path, drawings: DrawingProcess
) -> None:
    """Rendering it takes a second or so. The user has gone on and must not wait for it."""
    path = "kitchen/Recipes.md"
    (notes / path).write_text("# Recipes\n\n" + "Words of a paragraph.\n\n" * 1_000, "utf-8")
    request = PreviewRequest(section(path, "R"), path, 1, Scope.NOTE, "", visible_lines=40)
    reader = SectionReader(library, drawings, lambda _: True)
    (only,) = reader.answers(request)
    assert only.content is not None
    assert not only.content.complete


def test_the_thread_finds_marks_in_the_text_that_the_preview_shows(qtbot: QtBot) -> None:
    """Marks are positions in the document, so that both documents need the same text."""
    pane = PreviewPane(LIGHT)
    qtbot.addWidget(pane)
    for file in sorted((resources() / "sample-vault").rglob("*.md")):
        text = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, file.read_text("utf-8"))
        shown = content_of(text, render(text.text))
        pane.show_content(shown)
        assert pane.browser.toPlainText() == parse_html(shown.html).toPlainText(), file.name


PART = "Rain on the river all day. " * 40
DIARY = "\n\n".join(
    ["# Diary", "A year by the river.", *(f"## Day {n}\n\n{PART}" for n in range(1, 8))]
).replace("# Day 5\n\n", "# Day 5\n\nAn otter by the jetty, and `boats`.\n\n")


class TestALongSection:
    """Of a section with more than 800 words, its own text and the best subsection are shown."""

    @pytest.fixture
    def diary(self, notes: Path, library: NoteLibrary) -> NoteLibrary:
        write(notes, {"Diary.md": DIARY})
        library.refresh()
        return library

    def shown(self, reader: SectionReader, query: str) -> PreviewContent:
        request = PreviewRequest(
            section("Diary.md", "Diary", line=1), "Diary.md", 1, Scope.SECTION, query
        )
        *_, last = reader.answers(request)
        assert last.content is not None
        return last.content

    def pane(self, qtbot: QtBot, reader: SectionReader, query: str) -> PreviewPane:
        pane = PreviewPane(LIGHT)
        qtbot.addWidget(pane)
        pane.show_content(self.shown(reader, query))
        return pane

    @pytest.mark.parametrize(
        ("query", "best"), [("otter", "Day 5"), ("day 3", "Day 3"), ("", ""), ("sashimi", "")]
    )
    def test_the_best_subsection_is_below_its_own_text(
        self, diary: NoteLibrary, reader: SectionReader, query: str, best: str
    ) -> None:
        content = self.shown(reader, query)
        text = parse_html(content.html).toPlainText()
        own, _, links = text.partition("In this section")
        assert own.startswith("Diary\nA year by the river.\n")
        assert [line for line in own.splitlines() if line.startswith("Day")] == [best] * bool(best)
        days = {line[:5] for line in links.splitlines() if line.startswith("Day")}
        assert days == {f"Day {number}" for number in range(1, 8)} - {best}
        assert content.text.text.strip() == "# Diary\n\nA year by the river."

    def test_a_subsection_that_is_only_a_heading_is_not_the_best(
        self, notes: Path, library: NoteLibrary, reader: SectionReader
    ) -> None:
        long = "We saw one from the boat. " * 200
        write(notes, {"Diary.md": f"# Diary\n\n## Otters\n\n### In May\n\n{long}\n"})
        library.refresh()
        best = self.shown(reader, "otters").best
        assert best is not None
        assert best.heading == "In May"

    def test_its_matches_lead_to_their_lines(
        self, qtbot: QtBot, diary: NoteLibrary, reader: SectionReader
    ) -> None:
        pane = self.pane(qtbot, reader, "otter boats river")
        lines = DIARY.splitlines()
        for word in ("otter", "boats", "year"):
            at = pane.browser.document().find(word).selectionStart()
            place = pane.browser.place_in_source(at)
            assert place is not None
            assert lines[place[0] - 1][place[1] - 1 :].startswith(word)

    def test_a_match_in_the_list_of_subsections_leads_to_that_subsection(
        self, qtbot: QtBot, diary: NoteLibrary, reader: SectionReader
    ) -> None:
        pane = self.pane(qtbot, reader, "day")
        lines = DIARY.splitlines()
        heading = pane.browser.document().find("Day 6")
        while heading.charFormat().anchorHref() == "":
            heading = pane.browser.document().find("Day 6", heading)
        place = pane.browser.place_in_source(heading.selectionStart())
        assert place is not None
        assert lines[place[0] - 1] == "## Day 6"
