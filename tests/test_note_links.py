"""The links of notes lead where Obsidian follows them."""

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from notesearch.config import Settings
from notesearch.errors import NoteMissingError
from notesearch.index.ignore_rules import OBSIDIAN_CONFIG
from notesearch.index.note_reader import with_notes_first
from notesearch.library import NoteLibrary
from notesearch.markdown.render import render
from tests.folders import write
from tests.indexed import indexed

NOTES = {
    "Home.md": "# Home\n\nwelcome\n",
    "Index.md": "the top one\n",
    "travel/Index.md": "the nearer one\n",
    "travel/deep/down/Index.md": "the deep one\n",
    "travel/Trip to Japan.md": """---
title: Two weeks in April
aliases: [Nippon, The Big Trip]
---
intro

# Kyoto

## Food

first food ^lunch

- one
- two ^item
  - below two

> said
> twice

^quote

# Tokyo

## Food

second food

## C# and F#: notes!

text

- three
- four

^list

## What's new? {#news}

<a id="the-end"></a>

## What's new?
""",
    "kitchen/Pickles.md": "# Pickles\n\n![[Trip to Japan#Tokyo#Food]]\n\n[up](../Home.md)\n",
    "kitchen/sub/Pickles.md": "deeper pickles\n",
    "Case.md": "upper\n",
    "case.md": "lower\n",
    "100% done.md": "percent\n",
    "a.b.md": "dots\n",
    "attachments/map of Kyoto.png": "",
    "travel/here.png": "",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    folder = tmp_path_factory.mktemp("linked")
    (folder / "outside.md").write_text("outside")
    with indexed(folder, NOTES) as library:
        yield library


def link_target(
    library: NoteLibrary, link: str, source: str = "Home.md", *, beside: bool = False
) -> str:
    return library.links(source).link(link, relative=beside) or ""


@pytest.mark.parametrize(
    ("source", "link", "path"),
    [
        ("Home.md", "Pickles", "kitchen/Pickles.md"),
        ("Home.md", "pickles.MD", "kitchen/Pickles.md"),
        ("Home.md", "sub/Pickles", "kitchen/sub/Pickles.md"),
        ("Home.md", "kitchen/sub/pickles", "kitchen/sub/Pickles.md"),
        ("Home.md", "/kitchen/Pickles", "kitchen/Pickles.md"),
        ("travel/Trip to Japan.md", "Index", "Index.md"),
        ("travel/deep/Other.md", "down/Index", "travel/deep/down/Index.md"),
        ("travel/Trip to Japan.md", "./Index", "travel/Index.md"),
        ("travel/deep/down/Index.md", "../../Index", "travel/Index.md"),
        ("kitchen/sub/Pickles.md", "Pickles", "kitchen/sub/Pickles.md"),
        ("kitchen/Pickles.md", "Pickles", "kitchen/Pickles.md"),
        ("Home.md", "Trip to Japan", "travel/Trip to Japan.md"),
        ("Home.md", "Two weeks in april", "travel/Trip to Japan.md"),
        ("Home.md", "nippon", "travel/Trip to Japan.md"),
        ("Home.md", "Case", "Case.md"),
        ("Home.md", "case", "case.md"),
        ("Home.md", "100% done", "100% done.md"),
        ("Home.md", "a.b", "a.b.md"),
        ("Home.md", "", "Home.md"),
    ],
)
def test_a_link_leads_to(library: NoteLibrary, source: str, link: str, path: str) -> None:
    assert link_target(library, link, source) == f"/{path}"


def test_markdown_links_are_relative_to_the_note(library: NoteLibrary) -> None:
    assert (
        link_target(library, "Index.md", "travel/Trip to Japan.md", beside=True)
        == "/travel/Index.md"
    )
    assert link_target(library, "Index.md", "travel/Trip to Japan.md") == "/Index.md"


@pytest.mark.fault("G13")
@pytest.mark.parametrize(
    "link",
    [
        "Nowhere", "../../outside", "../outside.md", "/etc/passwd", "C:\\x", "a\0b", "./Pickles",
        "%2e%2e/outside", "x" * 5000, "//host/share", "attachments", "attachments/map",
        "kitchen/", "../kitchen",
    ],
)  # fmt: skip
def test_a_broken_link_leads_nowhere(library: NoteLibrary, link: str) -> None:
    assert link_target(library, link) == ""
    with pytest.raises(NoteMissingError):
        library.links("Home.md").link_position(link)


@pytest.mark.parametrize(
    ("sub", "line"),
    [
        ("", 1),
        ("#Kyoto", 7),
        ("#food", 9),
        ("#Tokyo#Food", 24),
        ("#food-1", 24),
        ("#c-and-f-notes", 28),
        ("#C# and F#: notes!", 28),
        ("#^lunch", 11),
        ("#^ITEM", 14),
        ("#^quote", 17),
        ("#whats-new", 37),  # the anchors of GitHub and MkDocs
        ("#whats-new-1", 41),
        ("#whats-new-2", 1),
        ("#news", 37),
        ("#the-end", 39),
        ("#end", 1),
        ("#^list", 32),
        ("#Nothing", 1),
        ("#^nothing", 1),
    ],
)
def test_a_heading_or_block_is_found(library: NoteLibrary, sub: str, line: int) -> None:
    place = library.links("Home.md").link_position(f"Trip to Japan{sub}")
    assert place == ("travel/Trip to Japan.md", line)


@pytest.mark.parametrize(
    ("embed", "shown", "hidden"),
    [
        ("Trip to Japan#Tokyo#Food", "second food", "first food"),
        ("Trip to Japan#^lunch", "first food", "one"),
        ("Trip to Japan#^item", "below two", "one"),
        ("Trip to Japan#^quote", "twice", "lunch"),
        ("Trip to Japan#^list", "three", "text"),
        ("Index", "the top one", "welcome"),
    ],
)
def test_embeds_show_a_note_a_section_or_a_block(
    library: NoteLibrary, embed: str, shown: str, hidden: str
) -> None:
    html = render(f"before\n\n![[{embed}]]\n\nafter", around=library.links("Home.md"))
    assert shown in html
    assert hidden not in html
    assert 'class="bar-embed"' in html
    assert "^" not in html.replace("%5E", "")


def test_embeds_are_shown_one_level_deep(library: NoteLibrary) -> None:
    html = render("![[Pickles]]", around=library.links("Home.md"))
    assert "second food" not in html
    assert "Trip to Japan &gt; Tokyo &gt; Food</a>" in html


def test_embeds_on_lines_of_their_own_leave_no_empty_lines(library: NoteLibrary) -> None:
    """Qt would also put text after an embed in a list outside of the list."""
    (library.vault / ".obsidian").mkdir()
    source = "- oak\n  ![[Index]]\n  ![[Index]]\n  ash"
    html = render(source, around=library.links("Home.md"))
    assert "<br>" not in html
    assert html.count('class="bar-embed"') == 2
    assert "<p>\nash" in html


def test_an_embedded_heading_is_not_one_of_the_note(library: NoteLibrary) -> None:
    """Its line belongs to another note, and the preview finds headings by their line."""
    html = render("# own\n\n![[Home]]\n", first_line=1, around=library.links("case.md"))
    assert html.count('id="line-') == 1
    assert "welcome" in html


def test_links_in_an_embed_are_relative_to_its_note(library: NoteLibrary) -> None:
    html = render("![[kitchen/Pickles]]", around=library.links("travel/deep/down/Index.md"))
    assert '<a href="note:%2FHome.md">up</a>' in html


def test_broken_links_look_broken(library: NoteLibrary) -> None:
    around = library.links("Home.md")
    assert render("[[Nowhere]] [[Index]]", around=around) == (
        '<p><span class="broken">Nowhere</span> <a href="note:%2FIndex.md">Index</a></p>\n'
    )
    broken = '<span class="broken">Nowhere</span>'
    assert render("![[Nowhere]]", around=around) == f"<div>{broken}</div>\n"


@pytest.mark.parametrize(
    ("source", "target", "path"),
    [
        ("Home.md", "map of Kyoto.png", "attachments/map of Kyoto.png"),
        ("Home.md", "MAP of kyoto.PNG", "attachments/map of Kyoto.png"),
        ("travel/Trip to Japan.md", "here.png", "travel/here.png"),
        ("Home.md", "here.png", "travel/here.png"),
        ("kitchen/Pickles.md", "../travel/here.png", "travel/here.png"),
        ("Home.md", "../outside.png", None),
        ("Home.md", "gone.png", None),
        ("Home.md", "Home.md", None),
        ("Home.md", "//host/here.png", None),
        ("Home.md", "C:\\here.png", None),
    ],
)
def test_pictures_are_found_by_name(
    library: NoteLibrary, source: str, target: str, path: str | None
) -> None:
    assert library.links(source).picture(target) == path


def test_without_an_index_no_link_is_broken(vault: Path) -> None:
    with NoteLibrary.open(vault) as library:
        assert "note:Nowhere" in render("[[Nowhere]]", around=library.links("Home.md"))


@pytest.mark.parametrize(
    ("obsidian_settings", "kept"),
    [(None, False), ("{}", True), ('{"strictLineBreaks": false}', True), ("oops", True),
     ('{"strictLineBreaks": true}', False)],
)  # fmt: skip
def test_lines_end_where_obsidian_ends_them(
    vault: Path, words_only: Settings, obsidian_settings: str | None, kept: bool
) -> None:
    write(vault, {"poem.md": "One line\nand another\n", "all.md": "![[poem]]\n"})
    if obsidian_settings is not None:
        write(vault, {OBSIDIAN_CONFIG: obsidian_settings})
    with NoteLibrary.open(vault, settings=words_only) as library:
        library.refresh()
        for path in ("poem.md", "all.md"):
            shown = render(library.read(path).text, around=library.links(path))
            assert ("One line<br>" in shown) is kept


def test_a_configuration_that_links_to_itself_is_none(vault: Path) -> None:
    write(vault, {"poem.md": "One line\n"})
    (vault / "mkdocs.yml").symlink_to("mkdocs.yml")
    with NoteLibrary.open(vault) as library:
        assert library.links("poem.md").ready(0)
        assert "One line" in render("One line", around=library.links("poem.md"))


SIGNS: dict[str, str | bytes] = {
    "Home.md": "# Home\n\n## inbox\n",
    "C# tips.md": "# C sharp\n\n## Lists\n",
    "C.md": "# C\n\n## tips\n",
    "#inbox/todo.md": "# In\n\n## Now\n",
    "100% done.md": "# All\n\n## Lists\n",
    "50%25 off.md": "# Half\n",
    "a#b#c.md": "# Many\n\n## d\n",
    "F# & G#.md": "# Both\n",
    "C# logo.png": b"",
    "100%.png": b"",
    "plain.png": b"",
}
COLONS = {
    "![[Shot at 10:30.png]]": "/Shot at 10:30.png",
    "![x](Shot%20at%2010:30.png)": "/Shot at 10:30.png",
    "![x](a:b.png)": "/a:b.png",
}
if os.name == "nt":  # where no name has a colon
    COLONS.clear()
SIGNS |= {path[1:]: b"" for path in COLONS.values()}


@pytest.fixture(scope="module")
def signs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    folder = tmp_path_factory.mktemp("signs")
    with indexed(folder, SIGNS) as library:
        yield library


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("[x](C%23%20tips.md)", "/C# tips.md"),
        ("[x](<C# tips.md>)", "/C# tips.md"),
        ("[x](C%23%20tips.md#lists)", "/C# tips.md#lists"),
        ("[x](C%23%20tips)", "/C# tips.md"),
        ("[[C# tips]]", "/C# tips.md"),
        ("[[C# tips#Lists]]", "/C# tips.md#Lists"),
        ("[[C#tips]]", "/C.md#tips"),
        ("[x](C.md#tips)", "/C.md#tips"),
        ("[x](%23inbox/todo.md)", "/#inbox/todo.md"),
        ("[x](%23inbox/todo.md#now)", "/#inbox/todo.md#now"),
        ("[[#inbox/todo]]", "/#inbox/todo.md"),
        ("[[#inbox]]", "/Home.md#inbox"),
        ("[x](100%25%20done.md)", "/100% done.md"),
        ("[x](<100% done.md>)", "/100% done.md"),
        ("[[100% done#Lists]]", "/100% done.md#Lists"),
        ("[x](50%2525%20off.md)", "/50%25 off.md"),
        ("[[50%25 off]]", "/50%25 off.md"),
        ("[[a#b#c]]", "/a#b#c.md"),
        ("[[a#b#c#d]]", "/a#b#c.md#d"),
        ("[x](F%23%20&%20G%23.md)", "/F# & G#.md"),
    ],
)
def test_names_with_signs_that_addresses_use(signs: NoteLibrary, link: str, target: str) -> None:
    html = render(link, around=signs.links("Home.md"))
    assert f'href="note:{quote(target, safe="")}"' in html
    path, line = signs.links("Home.md").link_position(target)
    assert path == target[1:] or target == f"/{path}#{target.rpartition('#')[2]}"
    assert (line > 1) == (target != f"/{path}")


LINKING = {
    "A.md": "---\nup: '[[C]]'\n---\n# A\n\n[[b/C]] [[C# x]] [[C#x]] [x](b/C.md)\n\n`[[C]]`\n",
    "b/C.md": "---\naliases: [Sea, Gone#fishing]\n---\n[[A]] [[C]] [x](..) [x](../b) [x](.)\n",
    "b.md": "[[sea#Bed]] [[Gone#fishing]] ![[ C ]] [[((c-1))]] [[c.md]] [x](<./b/C.md>)\n",
    "d/C.md": "[[C]] [x](C.md) [x](../b/C) [x](/b/C) [[202501011200]] [[§202501011200 title]]\n",
    "d/202501011200 Notes.md": "---\nid: c-1\n---\n[[C]] [[B]] [[ÉTÉ]] [[d/../b]] [x](./)\n",
    "d/été.md": "[[Nobody]] [[#C]] [x](https://example.com/C.md) [[202501011200 Notes#a#b]]\n",
    "d.md": "",
}


def test_backlinks_are_what_the_links_of_all_notes_lead_to(tmp_path: Path) -> None:
    with indexed(tmp_path, LINKING) as library:
        links = [link for path in sorted(LINKING) for link in library.outgoing(path)]
        for path in LINKING:
            assert list(library.backlinks(path)) == [one for one in links if one.target == path]
        assert {link.target for link in links} == {None, *LINKING}
        (tmp_path / "vault" / "b" / "C.md").rename(tmp_path / "vault" / "b" / "Lake.md")
        library.refresh()
        assert [link.path for link in library.backlinks("b/Lake.md")] == ["b.md", "b.md"]
        assert {link.path for link in library.backlinks("d/C.md")} == {
            "A.md", "b.md", "b/Lake.md", "d/202501011200 Notes.md"
        }  # fmt: skip


@pytest.mark.parametrize(
    ("picture", "path"),
    [
        ("![[C# logo.png]]", "/C# logo.png"),
        ("![x](C%23%20logo.png)", "/C# logo.png"),
        ("![x](<C# logo.png>)", "/C# logo.png"),
        ("![x](100%25.png)", "/100%.png"),
        ("![[100%.png]]", "/100%.png"),
        ("![x](plain.png#center)", "/plain.png"),
        *COLONS.items(),
    ],
)
def test_pictures_with_signs_in_their_names(signs: NoteLibrary, picture: str, path: str) -> None:
    html = render(picture, around=signs.links("Home.md"))
    assert f'src="image:{quote(path, safe="")}"' in html


DENDRON = {
    "log.boat.md": "[[Great keel|parts.keel]], [[parts.keel]], [[The mast|parts.mast#top]]\n",
    "parts.keel.md": "Oak\n",
    "parts.mast.md": "# Top\n\nAsh\n",
}


@pytest.mark.parametrize("file", ["dendron.yml", "root.schema.yml", "_Sidebar.md"])
def test_links_of_dendron_have_their_words_first(tmp_path: Path, file: str) -> None:
    notes = DENDRON | {file: "version: 5\n"}
    with indexed(tmp_path, notes) as library:
        (found,) = library.search("great", mode="words").sections
        assert found.passage == "Great keel, parts.keel, The mast"
        links = library.outgoing("log.boat.md")
        assert [link.target for link in links] == [*["parts.keel.md"] * 2, "parts.mast.md"]
        assert [link.path for link in library.backlinks("parts.mast.md")] == ["log.boat.md"]
        html = render(library.read("log.boat.md").text, around=library.links("log.boat.md"))
        assert 'href="note:%2Fparts.keel.md">Great keel</a>' in html


def test_the_note_of_a_link_is_the_part_that_exists(tmp_path: Path) -> None:
    source = "[[keel|parts.keel]] [[parts.mast|mast]] [[one|two]]\n"
    with indexed(tmp_path, DENDRON | {"dendron.yml": "", "log.boat.md": source}) as library:
        (found,) = library.search("keel", mode="words", per_note=1).sections[:1]
        assert found.passage in {"keel mast one", "Oak"}
        links = [link.target for link in library.outgoing("log.boat.md")]
        assert links == ["parts.keel.md", "parts.mast.md", None]
        assert (
            library.read("log.boat.md").text
            == source.replace("[[keel|parts.keel]]", "[[parts.keel|keel]]")
            .replace("[[one|two]]", "[[two|one]]")
            .strip()
        )


@pytest.mark.parametrize(
    "name",
    [
        "//evil.example/share/x",
        r"\\evil.example\share\x",
        "/x",
        "../x",
        r"..\x",
        "C:x",
        "a/../../x",
    ],
)
def test_no_link_makes_the_reader_look_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    looked: list[Path] = []

    def look(path: Path) -> bool:
        looked.append(path)
        return True

    monkeypatch.setattr(os.path, "lexists", look)
    monkeypatch.setattr(Path, "is_file", look)
    with_notes_first(f"[[{name}|y]] [[y|{name}]]", tmp_path)
    assert set(looked) == {tmp_path / "y.md"}


def test_links_of_other_vaults_have_the_note_first(tmp_path: Path) -> None:
    with indexed(tmp_path, DENDRON) as library:
        assert library.outgoing("log.boat.md")[0].target is None


def test_names_that_logseq_gives_to_files(tmp_path: Path) -> None:
    notes = {
        "pages/boat___keel.md": "- Keel\n",
        "pages/Why%3F.md": "- Because\n",
        "journals/2024_01_31.md": "- [[boat/keel]] [[Why?]] [[Jan 31st, 2024]] [[Jam 1st, 2024]]\n",
        "pages/day.md": "- [[Jan 31st, 2024]]\n",
        "pages/iso.md": "- [[2024-01-31]] [[2024/01/31]] [[2024-01-30]]\n",
    }
    with indexed(tmp_path, notes) as library:
        links = [link.target for link in library.outgoing("journals/2024_01_31.md")]
        assert links == ["pages/boat___keel.md", "pages/Why%3F.md", None]
        assert [link.path for link in library.backlinks("journals/2024_01_31.md")] == [
            "pages/day.md",
            "pages/iso.md",
            "pages/iso.md",
        ]
        assert library.search("because", mode="words").notes[0].title == "Why?"
        for name in ("Jan 31st, 2024", "[[2024-01-31]]", "2024/01/31"):
            assert library.read(name).path == "journals/2024_01_31.md"
            found = library.search(name, mode="words").sections[0]
            assert (found.path, found.why.named) == ("journals/2024_01_31.md", True)
        with pytest.raises(NoteMissingError):
            library.read("Jan 30th, 2024")


@pytest.mark.parametrize(
    "query", ["202401151030", "[[202401151030]]", "[[202401151030|Keel]]", "7f3a", "b/oak (1).md"]
)
def test_the_id_of_a_note_finds_it_first(tmp_path: Path, query: str) -> None:
    notes = {
        "202401151030 Keel.md": "Of oak.\n",
        "id.md": "---\nid: 7f3a\n---\nAsh\n",
        "a.md": "# See\n\n202401151030 [[202401151030]] 7f3a 7f3a b oak 1 md\n",
        "b/oak (1).md": "Elm\n",
    }
    first = {"2": "202401151030 Keel.md", "7": "id.md", "b": "b/oak (1).md"}
    with indexed(tmp_path, notes) as library:
        assert library.search(query).sections[0].path == first[query.strip("[")[0]]


def test_bear_writes_a_slash_before_a_heading(tmp_path: Path) -> None:
    notes = {
        "Of boats.md": "# Of boats\n\n## The keel\n\nOak\n\n## Mast\n\nAsh\n",
        "a.md": "[[Of boats/The Keel]] [[Of boats/Sail]] [[x/Of boats/Mast]]\n",
    }
    with indexed(tmp_path, notes) as library:
        links = library.outgoing("a.md")
        assert [link.target for link in links] == ["Of boats.md", None, None]
        assert len(library.backlinks("Of boats.md")) == 1
        html = render("[[Of boats/The keel]]", around=library.links("a.md"))
        assert 'href="note:%2FOf%20boats.md%23The%20keel"' in html


@pytest.mark.parametrize("name", ["Boats: a history", "Re:Keel", "std::keel", "C:keel"])
def test_a_name_of_a_note_may_have_a_colon(tmp_path: Path, name: str) -> None:
    notes = {"keel.md": f"---\ntitle: '{name}'\n---\nKeel", "a.md": f"[[{name}]] [[http://e.org]]"}
    with indexed(tmp_path, notes) as library:
        assert [(link.target, link.written) for link in library.outgoing("a.md")] == [
            ("keel.md", name)
        ]
        assert [link.path for link in library.backlinks("keel.md")] == ["a.md"]
        html = render("[[" + name + "]]", around=library.links("a.md"))
        assert f'href="note:{quote("/keel.md", safe="")}"' in html


@pytest.mark.parametrize(
    ("link", "place"),
    [
        ("..", "/Index.md"),
        (".", "/Index.md"),
        ("./", "/Index.md"),
        ("/", "/Index.md"),
        ("travel", "/travel/Index.md"),
    ],
)
def test_the_index_of_a_folder_has_its_name_in_any_case(
    library: NoteLibrary, link: str, place: str
) -> None:
    assert link_target(library, link) == place


@pytest.mark.parametrize("link", ["./", ".", "./README"])
def test_a_note_links_to_the_index_of_its_own_folder(tmp_path: Path, link: str) -> None:
    notes = {"parts/keel.md": f"Of [parts]({link}).\n", "parts/README.md": "", "README.md": ""}
    with indexed(tmp_path, notes) as library:
        assert [found.target for found in library.outgoing("parts/keel.md")] == ["parts/README.md"]
        assert [found.path for found in library.backlinks("parts/README.md")] == ["parts/keel.md"]


def test_percent_signs_in_a_name_may_stand_for_other_signs(tmp_path: Path) -> None:
    notes = {"a.md": "[[The%20keel]] [[5%20oaks]]\n", "The keel.md": "", "5%20oaks.md": ""}
    with indexed(tmp_path, notes) as library:
        found = [link.target for link in library.outgoing("a.md")]
        assert found == ["The keel.md", "5%20oaks.md"]
        assert [link.path for link in library.backlinks("The keel.md")] == ["a.md"]


@pytest.mark.parametrize("name", ["_index.md", "index.md", "README.md", "readme.md", "Readme.MD"])
@pytest.mark.parametrize(
    "source",
    [
        '[k]({{< relref "parts/keel" >}})',
        "[k](parts/keel/)",
        "[k](./parts/keel/#top)",
        "[k](/parts/keel)",
        "[[parts/keel]]",
    ],
)
def test_a_link_to_a_folder_leads_to_its_index(tmp_path: Path, name: str, source: str) -> None:
    path = f"parts/keel/{name}"
    notes = {"boat.md": f"The {source} is oak.\n", path: "Of oak.\n", "parts/mast/index.md": ""}
    with indexed(tmp_path, notes) as library:
        assert [link.target for link in library.outgoing("boat.md")] == [path]
        assert [link.path for link in library.backlinks(path)] == ["boat.md"]
        assert not library.backlinks("parts/mast/index.md")
        assert [s.path for s in library.search(f"links:{path}").sections] == ["boat.md"]


@pytest.mark.parametrize(
    "source",
    [
        '[k]({{< ref "keel.md" >}})',
        "[k]({{% relref keel %}})",
        '[k]({{< relref path="keel.md" >}})',
        "[k]({% link keel.md %})",
        "[k]([[keel]])",
        "{doc}`keel`",
        "[k](denote:20240131T093000)",
        "{doc}`the keel <./keel.md>`",
        "((64f0c0de-1111-4222-8333-444455556666))",
        "[k](((64f0c0de-1111-4222-8333-444455556666)))",
    ],
)
def test_links_as_other_programs_write_them(tmp_path: Path, source: str) -> None:
    keel = "- Keel\n  id:: 64f0c0de-1111-4222-8333-444455556666\n"
    name = "20240131T093000--keel.md" if "denote" in source else "keel.md"
    with indexed(tmp_path, {"boat.md": f"The {source} is oak.\n", name: keel}) as library:
        assert [link.path for link in library.backlinks(name)] == ["boat.md"]
        html = render(library.read("boat.md").text, around=library.links("boat.md"))
        assert f'href="note:%2F{name}' in html
        assert html.split(">", 1)[1].replace("</a>", "").count("{") == 0


@pytest.mark.parametrize(
    "source",
    [
        "[[The keel]]",
        "[[parts/The keel#Oak|k]]",
        "[k](/The-keel.html#oak)",
        "[k](parts/The-keel.html)",
        "[[dendron://boat/The-keel]]",
        "<a href='parts/The%2Dkeel.md'>k</a>",
    ],
)
def test_links_to_the_pages_of_wikis_and_sites(tmp_path: Path, source: str) -> None:
    path = "parts/The-keel.md"
    with indexed(tmp_path, {"boat.md": f"Of {source}\n", path: "# Oak\n\noak\n"}) as library:
        assert [link.target for link in library.outgoing("boat.md")] == [path]
        assert [link.path for link in library.backlinks(path)] == ["boat.md"]
        assert [found.path for found in library.search(f"links:{path}").sections] == ["boat.md"]
        html = render(library.read("boat.md").text, around=library.links("boat.md"))
        assert 'href="note:%2Fparts%2FThe-keel.md' in html


def test_signs_in_the_name_of_a_note_may_be_encoded(tmp_path: Path) -> None:
    source = "[a](Plan%3A%20oak.md) [b](<Oak &amp; ash.md>) [c](mailto:x%40y.org)\n"
    notes = {"a.md": source, "Plan: oak.md": "", "Oak & ash.md": ""}
    with indexed(tmp_path, notes) as library:
        found = [link.target for link in library.outgoing("a.md")]
        assert found == ["Plan: oak.md", "Oak & ash.md"]


def test_the_index_follows_links_with_backslashes_as_windows_writes_them(tmp_path: Path) -> None:
    notes = {"a.md": r"[k](parts\keel.md) [[parts\keel]] [[parts\keel\|k]]", "parts/keel.md": ""}
    with indexed(tmp_path, notes) as library:
        assert [link.target for link in library.outgoing("a.md")] == ["parts/keel.md"] * 3
        assert [link.path for link in library.backlinks("parts/keel.md")] == ["a.md"] * 3


def test_a_note_whose_name_ends_like_a_page_keeps_its_links(tmp_path: Path) -> None:
    notes = {"a.md": "[[parts/keel.html]] [[keel.html]]\n", "parts/keel.html.md": ""}
    with indexed(tmp_path, notes) as library:
        assert [link.target for link in library.outgoing("a.md")] == ["parts/keel.html.md"] * 2
        assert [link.path for link in library.backlinks("parts/keel.html.md")] == ["a.md"] * 2
