"""Files of other kinds than Markdown, in a vault: indexed, searched, read, listed if unreadable."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from notesearch.config import OTHER_SUFFIXES, Settings
from notesearch.errors import NotANoteError, NoteMissingError
from notesearch.formats import (
    DRAWING_NOTE,
    PDF,
    _readers,
    drawings,
    kind_of,
    markup,
    org,
    to_markdown,
)
from notesearch.index import note_reader
from notesearch.index.note_reader import NoteReader
from notesearch.library import NoteLibrary
from notesearch.markdown.render import render
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.messages import NO_SENTENCE
from notesearch.notes import Feature
from tests.folders import write
from tests.formats.other_files import PRODUCERS, TOPICS, canvases, pdfs, scanned, with_fpdf
from tests.indexed import indexed
from tests.limits import processor_seconds

WORDS = Settings(meaning=False)

CHISELS = "TODO Sharpen the chisels #bench"
ORG = """#+title: Workshop
#+filetags: :tools:

* TODO Sharpen the chisels :bench:
SCHEDULED: <2024-05-01 Wed>
See [[file:Holder.md][the holder]] and *bold* words.
** DONE Oil the plane
#+begin_src sh
sharpen --all
#+end_src
"""
MDX = """---
title: Widgets
---
import Tabs from '@theme/Tabs'

# Widgets

<Tabs value={{a: "hidden"}}>
    Turn the **knob** clockwise.
</Tabs>

{/* whispered */}
"""
TXT = """Shopping
========

Three lemons < five limes, *ripe* ones
and 2 * 3 eggs for snake_case cake
"""
DRAWING = json.dumps(
    {
        "type": "excalidraw",
        "elements": [
            {"type": "frame", "id": "f", "name": "Harbour"},
            {"type": "text", "text": "Boats moor\nat the quay", "frameId": "f", "x": 1, "y": 2},
            {"type": "text", "text": "vanished", "isDeleted": True},
        ],
    }
)
DRAWN_NOTE = """---
excalidraw-plugin: parsed
---
==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu. ⚠==

# Excalidraw Data

## Text Elements
Clouds carry rain ^abcd1234

%%
## Drawing
```compressed-json
N4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA
```
%%
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> Iterator[NoteLibrary]:
    vault = tmp_path_factory.mktemp("vault")
    for name, content in pdfs():
        write(vault, {f"papers/{name}": content})
    write(vault, {f"boards/{name}": text for name, text in canvases()})
    write(
        vault,
        {
            "Holder.md": "# Holder\n\n![[Keeping bees with_fpdf.pdf]] and [[Workshop.org]]\n",
            "Workshop.org": ORG,
            "Widgets.mdx": MDX,
            "Kiln.wiki": "= Kiln =\n:clay:fire:\n== Firing ==\n  * [ ] buy cones zibble\n",
            "Manual.adoc": "= Manual\n:toc: left\n\n== Setup\n\n----\n= plinth\n----\n\n"
            "=== Ports\n\nSee link:x.adoc[the grommet].\n",
            "Cells.qmd": "---\ntitle: Cells\n---\n\n## Film {#sec-film}\n\nAt a quarkish speed.\n",
            "stats/Model.Rmd": "# Model\n\n```{r}\nlmer(zonk)\n```\n\nWe fitted a wobbly line.\n",
            "Shopping.txt": TXT,
            "Harbour.excalidraw": DRAWING,
            "Sky.excalidraw.md": DRAWN_NOTE,
            "bad/locked.pdf": with_fpdf(*TOPICS[0], owner_password="a", user_password="b"),
            "bad/scan.pdf": scanned(),
            "bad/damaged.pdf": b"%PDF-1.7\nnothing more",
            "bad/cut.pdf": with_fpdf(*TOPICS[1])[:400],
            "bad/empty.pdf": b"",
            "bad/broken.canvas": "{",
            "bad/list.canvas": "[1]",
            "bad/deep.canvas": "[" * 200_000,
            "bad/many.excalidraw": '{"elements":[' + "[]," * 1_000_000 + "[]]}",
        },
    )
    with NoteLibrary.open(vault, home=vault.parent / "home", settings=WORDS) as opened:
        opened.refresh()
        yield opened


def found(library: NoteLibrary, query: str) -> list[tuple[str, str]]:
    """Return the path and the breadcrumb of each section found."""
    result = library.search(query, limit=50, per_note=10, mode="words")
    return [(one.path, " > ".join(one.section_path)) for one in result.sections]


@pytest.mark.parametrize("producer", PRODUCERS)
def test_a_pdf_of_each_producer_is_found_by_its_pages(
    library: NoteLibrary, producer: object
) -> None:
    name = getattr(producer, "__name__", "")
    for title, first, second in TOPICS:
        path = f"papers/{title} {name}.pdf"
        if not (library.vault / path).exists():
            continue
        has_outline = producer is with_fpdf
        sections = [("The start", "The rest") if has_outline else ("Page 1", "Page 2")]
        for sentence, section in zip((first, second), sections[0], strict=True):
            assert (path, section) in found(library, f'"{sentence.rstrip(".")}"')
        assert dict(library.note_names())[path] == title
        entries = [one.page for one in library.sections(path) if one.heading in sections[0]]
        assert entries == (["1", "2"] if has_outline else ["", ""]), "the heading of a page is one"
        listed = library.search(f'"{second.rstrip(".")}"', mode="words").sections
        assert {one.page for one in listed if one.path == path} == {"2" if has_outline else ""}
        shown = [library.read(path, section) for section in sections[0]]
        assert second in shown[1].text.replace("  \n", " ")
        assert [section.page for section in shown] == ["1", "2"]
        assert library.links("Holder.md").link_position(f"{path}#page=2") == (path, shown[1].line)


def test_all_thirty_pdfs_and_twenty_canvases_are_there(library: NoteLibrary) -> None:
    paths = [path for path, _ in library.note_names()]
    assert sum(path.startswith("papers/") for path in paths) == 30
    assert sum(path.startswith("boards/") for path in paths) == 20


def test_a_pdf_dates_and_describes_itself(library: NoteLibrary) -> None:
    path = "papers/Keeping bees with_fpdf.pdf"
    assert path in dict(found(library, "after:2024-03-01 before:2024-03-31 hive"))
    texts = {value.key: value.text for value in library.links(path).properties()}
    assert texts == {"title": "Keeping bees", "created": "2024-03-05"}


@pytest.mark.parametrize("topic", TOPICS)
def test_each_card_is_a_section_below_its_group(
    library: NoteLibrary, topic: tuple[str, str, str]
) -> None:
    title, first, second = topic
    path = f"boards/{title} board.canvas"
    assert [link.path for link in library.sections(path)] == [
        (second,),
        ("example.org",),
        (title,),
        (title, f"Plan for {title}"),
        (title, "Holder"),
    ]
    assert (path, f"{title} > Plan for {title}") in found(library, f'"{first}"')
    assert (path, f"{title} > Plan for {title}") in found(library, '"brings about"')
    assert [link.target for link in library.outgoing(path)] == ["Holder.md"]


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("chisels", ("Workshop.org", CHISELS)),
        ("task:todo tag:bench", ("Workshop.org", CHISELS)),
        ("task:done plane", ("Workshop.org", f"{CHISELS} > DONE Oil the plane")),
        ("knob", ("Widgets.mdx", "Widgets")),
        *(("zibble", ("Kiln.wiki", "Firing")), ("grommet", ("Manual.adoc", "Setup > Ports"))),
        ("plinth", ("Manual.adoc", "Setup")),
        ("quarkish", ("Cells.qmd", "Film")),
        ("wobbly", ("stats/Model.Rmd", "Model")),
        ('"lemons five limes"', ("Shopping.txt", "Shopping")),
        ("ripe snake_case", ("Shopping.txt", "Shopping")),
        ('"boats moor at the quay"', ("Harbour.excalidraw", "Harbour")),
        ('"clouds carry rain"', ("Sky.excalidraw.md", "Sky.excalidraw")),
    ],
)  # fmt: skip
def test_the_text_of_each_kind_is_found(
    library: NoteLibrary, query: str, place: tuple[str, str]
) -> None:
    assert place in found(library, query)


@pytest.mark.parametrize("query", "theme hidden whispered vanished N4KAkARA*".split())
def test_what_is_not_text_is_not_found(library: NoteLibrary, query: str) -> None:
    assert found(library, query) == []


def test_a_note_that_holds_a_file_is_found_from_it(library: NoteLibrary) -> None:
    links = library.backlinks("papers/Keeping bees with_fpdf.pdf")
    assert [(link.path, link.line) for link in links] == [("Holder.md", 3)]
    assert {link.path for link in library.backlinks("Holder.md")} == {
        "Workshop.org",
        *(path for path, _ in library.note_names() if path.startswith("boards/")),
    }


def test_lines_of_text_files_are_those_of_an_editor(library: NoteLibrary) -> None:
    for path in ("Workshop.org", "Widgets.mdx", "Shopping.txt"):
        lines = (library.vault / path).read_text().split("\n")
        for link in library.sections(path):
            assert link.heading.split()[-2 if "#" in link.heading else -1] in lines[link.line - 1]


REASONS = {
    "bad/locked.pdf": "file_encrypted",
    "bad/scan.pdf": "file_without_text",
    "bad/damaged.pdf": "file_damaged",
    "bad/cut.pdf": "file_damaged",
    "bad/empty.pdf": "file_damaged",
    "bad/broken.canvas": "file_damaged",
    "bad/list.canvas": "file_damaged",
    "bad/deep.canvas": "file_damaged",
    "bad/many.excalidraw": "file_too_costly",
}


def test_what_cannot_be_read_is_listed_with_its_reason(library: NoteLibrary) -> None:
    assert {one.path: one.reason.code for one in library.status().unread} == REASONS
    with pytest.raises(NoteMissingError, match="encrypted"):
        library.read("bad/locked.pdf")


def test_one_setting_turns_them_off(library: NoteLibrary, tmp_path: Path) -> None:
    off = Settings(meaning=False, other_files=False)
    with NoteLibrary.open(library.vault, home=tmp_path, settings=off) as opened:
        opened.refresh()
        assert [path for path, _ in opened.note_names()] == ["Holder.md", "Sky.excalidraw.md"]
        assert not opened.status().unread


@pytest.mark.parametrize(
    ("source", "shown", "hidden"),
    [
        ("oak\n#+begin_comment\nash\n#+end_comment\nelm", "oak elm", "ash"),
        (
            "* oak\n:LOGBOOK:\nCLOCK: ash\n- Note taken on [2024]\n  elm\n:END:\nfir",
            "elm fir",
            "ash",
        ),
        ("oak\n:smile:\nelm\n\nfir\n", ":smile: elm fir", "ash"),
        ("oak\n:smile:\n- State of elm\n", "State of elm", "ash"),
        (":NOTES:\nelm\n:END:\nfir\n", "elm fir", "END"),
        ("* oak\n:PROPERTIES:\n:ID: ash-1\n:END:\n:NOTES:\nelm\n:END:\n", "elm", "END"),
    ],
)
def test_drawers_and_comments_of_org(source: str, shown: str, hidden: str) -> None:
    note = parse_note(org.to_markdown(source), "a.md")
    text = " ".join(" ".join(section.text.split()) for section in note.sections)
    assert shown in text
    assert hidden not in text


@pytest.mark.parametrize(("before", "after"), [("a.org", "a.md"), ("a.md", "a.org")])
def test_a_renamed_file_is_read_as_its_new_kind(tmp_path: Path, before: str, after: str) -> None:
    """Its sections once stayed as they were for the former kind."""
    notes = {before: "* One\n\nfirst\n\n# Two\n\nsecond\n"}
    with indexed(tmp_path, notes) as library:
        (library.vault / before).rename(library.vault / after)
        assert library.refresh().moved == (after,)
        listed = [one.heading for one in library.sections(after)]
        found = library.search(f"path:{after}", per_note=9).sections
        assert [one.section for one in found] == listed


def test_a_text_of_any_length_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"long.txt": "a *b\n" * 100_000, "wide.txt": "a *b " * 100_000})
    notes = NoteReader(tmp_path, WORDS)
    for path in ("long.txt", "wide.txt"):
        assert notes.read(path).text.count("b") == 100_000
    notes.close()


def test_a_reader_that_takes_too_long_or_too_much_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(note_reader, "_KILL_AFTER_S", 1.0)
    write(tmp_path, {"slow.org": "* " + "[[" * 50_000, "ok.org": "* Fine"})
    notes = NoteReader(tmp_path, WORDS)
    with pytest.raises(NotANoteError) as raised:
        notes.read("slow.org")
    assert raised.value.code == "file_too_costly"
    assert notes.read("ok.org").text == "# Fine"
    notes.close()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("= A =\ntext\n  === B ===", "# A\ntext\n### B"),
        (":a:b-c:\n== D", "#a #b-c\n## D"),
        ("{{{python\n= x\n}}}\n%% hidden\nz", "```python\n= x\n```\n\nz"),
        ("%title A\n%toc\n\n# one\n  # two", "title:: A\n\n\n1. one\n  1. two"),
        ("a = b = c\n====\n[[Page|words]]", "a = b = c\n====\n[[Page|words]]"),
    ],
)
def test_a_page_of_vimwiki_as_markdown(text: str, shown: str) -> None:
    assert markup.vimwiki_to_markdown(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("= A\n:toc: left\n:x:\n// no\n== B", "# A\n\n\n\n## B"),
        ("[source,ruby]\n----\n= x\n----\n....\ny\n....", "\n```ruby\n= x\n```\n```\ny\n```"),
        ("* a\n** b\n. c\n.. d", "* a\n   - b\n1. c\n   1. d"),
        ("https://x.org[X] <<sec,S>> image::p.png[P,9]", "[X](https://x.org) S ![P](p.png)"),
        ("unclosed\n----\n= x", "unclosed\n```\n= x"),
        ("[WARNING]\n====\n.Hot tar\na\n====", "**WARNING**\n\n**Hot tar**\na\n"),
        ('[cols="1,1"]\n|===\n|a |b\n\n|c |d\n|===', "\n\na |b  \n\nc |d  \n"),
        ("[quote, Ann]\n____\na\n____\n'''", "— Ann\n\na\n\n***"),
        ("include::a.adoc[]\nifdef::b[]\nc\nendif::[]\n<<sec>>", "\n\nc\n\nsec"),
    ],
)
def test_asciidoc_as_markdown(text: str, shown: str) -> None:
    assert markup.asciidoc_to_markdown(text) == shown


def test_every_kind_has_a_reader() -> None:
    assert {*_readers(), PDF} == {*OTHER_SUFFIXES, DRAWING_NOTE}


def test_the_arrows_of_a_card_are_no_items_of_its_list() -> None:
    nodes = [
        {"id": "a", "type": "text", "text": "# Refit\n\n- rudder\n- mast"},
        {"id": "b", "type": "text", "text": "Buy rope"},
    ]
    edges = [{"fromNode": "a", "toNode": "b", "label": "then"}]
    shown = drawings.canvas_to_markdown(json.dumps({"nodes": nodes, "edges": edges}))
    assert "<li>mast</li>\n</ul>\n<ul>\n<li>then → Buy rope</li>" in MarkdownIt().render(shown)


def test_the_label_of_every_arrow_is_text() -> None:
    nodes = [
        {"id": "g", "type": "group", "label": "Harbour", "width": 99, "height": 99},
        {"id": "a", "type": "text", "text": "Buy rope", "width": 9, "height": 9},
        {"id": "e", "type": "group", "label": "Empty", "x": 500, "width": 9, "height": 9},
    ]
    edges = [
        {"fromNode": "g", "toNode": "e", "label": "later"},
        {"fromNode": "e", "toNode": "g", "label": "back"},
        {"fromNode": "gone", "toNode": "a", "label": "lost"},
    ]
    note = parse_note(
        drawings.canvas_to_markdown(json.dumps({"nodes": nodes, "edges": edges})), "a.canvas"
    )
    text = {section.heading: section.text.strip() for section in note.sections}
    assert text["Harbour"] == "later → Empty"
    assert text["Buy rope"] == ""
    assert text["Empty"] == "back → Harbour\nlost → Buy rope"


def test_text_above_the_data_of_a_drawing_stays() -> None:
    above = "# Drawing\n\n%%\naside\n%%\n\nA heron at the weir\n"
    shown = drawings.drawing_note_to_markdown(above + DRAWN_NOTE.partition("==\n")[2])
    assert shown.startswith(above)
    assert "Clouds carry rain" in shown
    assert "N4KAk" not in shown


@pytest.mark.parametrize("item", ["- keel", "- keel\nof oak", "- hull\n  1. keel", "+ keel"])
@pytest.mark.parametrize("indent", ["", "  "])
def test_a_table_of_org_right_below_an_item_is_a_table(item: str, indent: str) -> None:
    rows = "\n".join(
        f"{indent}{row}" for row in ("| wood | age |", "|------+-----|", "| oak | 9 |")
    )
    text = f"* Boat\n{item}\n{rows}\n- mast\n"
    (section,) = parse_note(org.to_markdown(text), "a.org").sections
    assert "\nwood | age\noak | 9\n" in section.text
    assert section.features & Feature.TABLE


def test_a_run_of_backticks_in_mdx_is_read_at_once() -> None:
    with processor_seconds(1):
        assert markup.mdx_to_markdown("`" * 40_000) == "`" * 40_000


def test_a_card_without_text_is_no_section() -> None:
    nodes = [
        {"id": "a", "type": "text", "text": " \n"},
        {"id": "b", "type": "text", "text": "> [!tip] Rope\n> hemp", "y": 9},
    ]
    note = parse_note(drawings.canvas_to_markdown(json.dumps({"nodes": nodes})), "a.canvas")
    assert [section.heading for section in note.sections] == ["Rope"]


@pytest.mark.parametrize(
    "text",
    [
        "```js\nopen",
        "say\n\n~~~~\nopen\n~~~",
        "```\nshut\n```\nword\n```",
        "<!-- open",
        "see\n\n<pre>\nopen",
        "over\n====\nbelow",
        "over\n---",
    ],
)
def test_a_card_ends_where_the_next_begins(text: str) -> None:
    nodes = [
        {"id": "a", "type": "text", "text": text, "y": 0},
        {"id": "b", "type": "text", "text": "Next card", "y": 9},
    ]
    note = parse_note(drawings.canvas_to_markdown(json.dumps({"nodes": nodes})), "a.canvas")
    assert [one.level for one in note.sections] == [2, 2]
    assert note.sections[1].heading == "Next card"


ORG_TEXT = """* Deep :@home:wood:
    Moved in by four

    and again
    - item
      - below
    | a | b |
    |---+---|
    | 1 | 2 |
over
-----
over again
---
Note[fn:1] and more[fn:: said within].@@html:<b>@@
: keel := 2 ``x``
:

[fn:1] Said below.
#+begin_src markdown
```
fence
#+end_src
* After
"""


@pytest.mark.parametrize(
    "about", ["#+title: Deep", "#+category: wood\n#+title: Deep", "\n#+title: Deep\n"]
)
def test_org_names_the_file_right_above_a_heading(about: str) -> None:
    note = parse_note(org.to_markdown(f"{about}\n* Chisels\nsharp"), "a.org")
    assert note.title == "Deep"
    assert [section.heading for section in note.sections] == ["Chisels"]


def test_a_state_of_a_task_may_have_another_name_in_org() -> None:
    text = "#+TODO: NEXT | DROPPED\n\n* NEXT Keel\n* DROPPED Mast\n* NEXTOR\n"
    sections = parse_note(org.to_markdown(text), "a.org").sections
    assert [(one.heading, one.source.heading_task, one.features) for one in sections] == [
        ("NEXT Keel", "open", Feature.TODO),
        ("DROPPED Mast", "done", Feature.DONE),
        ("NEXTOR", "", Feature.NONE),
    ]


def test_org_has_no_underlined_headings_and_no_indented_code() -> None:
    note = parse_note(org.to_markdown(ORG_TEXT), "a.org")
    assert [(one.line, one.heading) for one in note.sections] == [
        (1, "Deep #@home #wood"),
        (23, "After"),
    ]
    assert note.sections[0].tags == ("@home", "wood")
    assert note.sections[0].code == ("markdown",)
    said = "said within", "Said below", "over again", "keel := 2 ``x``"
    for text in ("Moved in by four\n\nand again", *said):
        assert text in note.sections[0].text


@pytest.mark.parametrize("mark", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_only_line_ends_end_lines_of_org(mark: str) -> None:
    """Emacs marks pages with a form feed, which Python counts as the end of a line."""
    text = f"* Keel{mark}\n{mark}\nOak.\n{mark}* no\n* Sail\nRed.\n"
    found = [(one.heading, one.line) for one in parse_note(org.to_markdown(text), "a.org").sections]
    assert found == [("Keel", 1), ("Sail", 5)]


def test_the_lines_of_a_verse_stay_apart() -> None:
    text = (
        "#+begin_verse\nOver *the* sea\nand back\n#+end_verse\n#+begin_quote\nsaid\n#+end_quote\n"
    )
    html = render(org.to_markdown(text))
    assert "Over <strong>the</strong> sea<br>\nand back" in html
    assert ">said<" in html


def test_a_page_of_zim() -> None:
    text = (
        "Content-Type: text/x-zim-wiki\nCreation-Date: 2024-01-31T09:00:00+01:00\n\n"
        "====== Boat ======\n===== The keel =====\n[ ] //buy// __oak__\n[*] ''saw''\n[x] @tag\n"
        "'''\n== code ==\n'''\n[[Parts:Mast|mast]] https://a.example//b {{./keel.png}}\n"
    )
    note = parse_note(markup.text_to_markdown(text), "Boat.txt")
    assert (note.title, note.dated, note.tags) == ("Boat", datetime(2024, 1, 31, 9), ("tag",))
    boat, keel = note.sections
    assert (boat.line, keel.heading, keel.line, keel.end_line) == (4, "The keel", 5, 12)
    assert keel.text.startswith("buy oak\nsaw\n#tag\n")
    assert "== code ==" in keel.text
    assert keel.features >= Feature.TODO | Feature.DONE | Feature.IMAGE
    assert [target for _, target, _ in note.targets] == ["Parts/Mast", "keel.png"]


def test_a_page_of_dokuwiki() -> None:
    text = (
        "====== Boat ======\n\n//of// oak\n\n===== Keel =====\n  * a\n<code sh>\n== b ==\n</code>\n"
    )
    boat, keel = parse_note(markup.text_to_markdown(text), "start.txt").sections
    assert (boat.heading, boat.text) == ("Boat", "of oak")
    assert (keel.heading, keel.line, keel.text) == ("Keel", 5, "a\n\n== b ==")


def test_code_of_dokuwiki_that_begins_within_a_line_ends_nothing_else() -> None:
    text = "== Keel ==\noak <code>\na\n</code>\n== Mast ==\nash\n"
    assert [s.heading for s in parse_note(markup.text_to_markdown(text), "a.txt").sections] == [
        "Keel",
        "Mast",
    ]


def test_each_highlight_of_a_kindle_is_a_section() -> None:
    end = "=" * 10
    text = (
        "\ufeffThe Keel (Bo)\r\n- Your Highlight on page 1 | Added on Monday\r\n\r\nOak *only*.\r\n"
        f"{end}\r\n\ufeffMasts\r\n- Ihre Notiz | Seite 2\r\n\r\nAsh.\r\n{end}\r\n"
    )
    shown, _ = to_markdown(".txt", text.encode(), lambda content: (content.decode(), NO_SENTENCE))
    note = parse_note(shown, "My Clippings.txt")
    found = [(section.heading, section.line, section.text) for section in note.sections]
    assert [one[:2] for one in found] == [("The Keel (Bo)", 1), ("Masts", 6)]
    assert found[0][2].endswith("Oak *only*.")


def test_each_entry_of_a_journal_is_a_section() -> None:
    text = "\tDate:\t3 March 2024 at 10:11 CET\n\tWeather:\t*5*°C\n\n## Keel\n\n*Oak.*\n\n"
    text += "\tDate:\t4 March 2024 at 9:00 CET\n\nAsh.\n"
    note = parse_note(markup.text_to_markdown(text), "Journal.txt")
    assert [(section.path, section.line, section.text) for section in note.sections] == [
        (("3 March 2024 at 10:11 CET",), 1, "Weather: *5*°C"),
        (("3 March 2024 at 10:11 CET", "Keel"), 4, "Oak."),
        (("4 March 2024 at 9:00 CET",), 8, "Ash."),
    ]


@pytest.mark.parametrize("indent", ["\t", " " * 4])
def test_indented_components_of_mdx_hold_text(indent: str) -> None:
    card = f'{indent}<Card title="Keel">\n{indent}{indent}An **oak**.\n{indent}</Card>\n'
    text = f"<Grid>\n{card}</Grid>\n"
    (section,) = parse_note(markup.mdx_to_markdown(text), "a.mdx").sections
    assert section.text == "Keel An oak."
    assert not section.features & Feature.CODE


def test_code_of_an_mdx_file_ends_with_its_last_brace() -> None:
    code = "export const boat = {\n\n  keel: 'oak',\n\n  mast: { wood: 'ash' },\n}\n"
    assert markup.mdx_to_markdown(f"{code}\nWords.\n").strip() == "Words."


@pytest.mark.parametrize(
    "code",
    [
        'export const mark = "(";',
        "export const a = 1; // {",
        "export const face = `:(`;\nexport const b = '\\'{';",
        "export const open = (",
    ],
)
def test_a_bracket_in_a_string_of_mdx_does_not_hide_the_text_below(code: str) -> None:
    assert markup.mdx_to_markdown(f"{code}\n\nWords.\n").strip() == "Words."


def test_many_open_brackets_in_mdx_take_little_time() -> None:
    with processor_seconds(1.5):
        assert not markup.mdx_to_markdown("export const a = (\n\n" * 18_000).strip()


def test_an_indented_list_of_mdx_is_a_list() -> None:
    text = "<Tab>\n\n        - knob\n            - dial\n\n</Tab>\n\n        words\n"
    (section,) = parse_note(markup.mdx_to_markdown(text), "a.mdx").sections
    assert section.text == "knob\ndial\n\nwords"
    assert not section.features & Feature.CODE


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ('<Card title="Quick *start*" href="/x">\n  word\n</Card>', "Quick *start* word"),
        ("a <Tip label='deep'>word</Tip>", "a deep word"),
        ("<Img\n  alt={'A fox'}\n  src={fox}\n/>\n\nword", "A fox\n\nword"),
        ("<Step title={`# One`}>\n\nword\n\n</Step>", "# One\n\nword"),
        ("<Tab label={name} sub-title='x' title={`a ${b}`}/>\n\nword", "word"),
        ("`<Card title='x'/>` word", "<Card title='x'/> word"),
        ("one <Tip\n  text='x'\n  at={top}\n>word</Tip> after\nit", "one word after it"),
        ("one <Tip\n  label='deep'\n/> after", "one deep after"),
    ],
)
def test_the_words_that_a_component_shows_are_text(tag: str, text: str) -> None:
    shown = markup.mdx_to_markdown(f"# A\n\n{tag}\n\n## B\n")
    first, second = parse_note(shown, "a.mdx").sections
    assert first.text == text
    assert second.line == tag.count("\n") + 5


def test_the_keywords_of_an_org_file_are_properties_unless_they_are_settings() -> None:
    about = "#+TITLE: T\n#+DATE: [2024-05-01 Wed]\n#+Origin: oak\n#+PROPERTY: cost 12\n"
    about += "#+STARTUP: overview\n#+LATEX_HEADER: x\n"
    about += "#+PROPERTY: header-args :tangle no\n#+todo: A | B\n\n"
    note = parse_note(org.to_markdown(f"{about}* H\n#+CAPTION: a saw\n#+NAME: n\n"), "a.org")
    assert note.properties == {"origin": "oak", "cost": "12", "date": "[2024-05-01 Wed]"}
    assert note.dated == datetime(2024, 5, 1)
    assert note.sections[0].text == "a saw"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.md", ""),
        ("a/B.PDF", ".pdf"),
        ("a.excalidraw.md", ".excalidraw.md"),
        ("pdf", ""),
        ("a.txt", ""),
        ("a.org", ".org"),
    ],
)
def test_a_kind_is_told_by_its_suffix_unless_it_is_that_of_notes(path: str, kind: str) -> None:
    assert kind_of(path, (".md", ".txt")) == kind


IDS = {
    "Boat.org": "#+title: Boat\n\n* Hull\n:PROPERTIES:\n:CUSTOM_ID: raft\n:ID: 5f-Keel.1\n:END:\n"
    "larch\n** Planks\noak\n* Raft\nlogs\nsee [[#raft][the hull]]\n",
    "Home.org": ":PROPERTIES:\n:ID: home-1\n:END:\n#+title: Home\n\n* Way\n[[id:5f-Keel.1][keel]]\n"
    "[[id:home-1]] [[file:Boat.org::#raft][it]] [[Boat.org::*Raft][logs]] <<here>>\n",
    "Other.md": "---\naliases: Ark, Tub\n---\n![[5f-Keel.1]]\n\n![[home-1]]\n",
}


def test_the_id_of_a_heading_leads_to_it(tmp_path: Path) -> None:
    with indexed(tmp_path, IDS) as library:
        links = library.links("Home.org")
        places = ("5f-Keel.1", "home-1", "Boat.org#raft", "Boat.org#Raft", "id:5f-Keel.1")
        assert [links.link_position(one) for one in places] == [
            *(("Boat.org", 3), ("Home.org", 1), ("Boat.org", 3), ("Boat.org", 3), ("Boat.org", 3)),
        ]
        assert library.links("Boat.org").link_position("#raft") == ("Boat.org", 3)
        assert {one.path for one in library.backlinks("Boat.org")} == {"Home.org", "Other.md"}
        for address in ("5f-Keel.1", "Boat.org#raft", "[[id:5f-Keel.1]]", "5F-keel.1"):
            assert library.read(address).section_path == ("Hull",)
        assert library.read("home-1").heading == "Home"
        assert library.read("[[Ark]]").heading == "Other"
        shown = render(library.read("Boat.org").text, around=library.links("Boat.org"))
        assert "larch" in shown
        assert "5f-Keel" not in shown
        shown = render(library.read("Other.md").text, around=library.links("Other.md"))
        assert "larch" in shown
        assert "Way" in shown


@pytest.mark.parametrize(
    "text",
    [
        "{/* a " * 20_000,
        " ".join("`" * run + "a" for run in range(1, 900)),
    ],
)
def test_what_never_ends_in_mdx_takes_little_time(text: str) -> None:
    with processor_seconds(1.5):
        assert markup.mdx_to_markdown(text) == text


@pytest.mark.parametrize(
    "text",
    [
        *("https://" * 5_000, "image:" * 8_000, f"= a{' ' * 30_000}x"),
        *(f"[{'=' * 100_000}", f"[quote,{' ' * 100_000}"),
    ],
)
def test_no_line_of_asciidoc_takes_long_to_convert(text: str) -> None:
    with processor_seconds(1):
        markup.asciidoc_to_markdown(text)


def test_no_line_of_dokuwiki_takes_long_to_convert() -> None:
    with processor_seconds(1):
        markup.text_to_markdown(f"== Kiln ==\n{' ' * 50_000}x")


def test_tags_and_links_in_the_texts_of_a_drawing_count() -> None:
    text = {"type": "text", "text": "The *keel* of [[Hull]] #boat"}
    shown = drawings.drawing_to_markdown(json.dumps({"elements": [text]}))
    note = parse_note(shown, "Harbour.excalidraw")
    assert (note.tags, [target for _, target, _ in note.targets]) == (("boat",), ["Hull"])
    assert "The *keel* of" in note.sections[0].text
