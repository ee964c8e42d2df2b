"""How a note is cut into sections: a table of tricky notes, and what belongs to each section."""

import pytest

from notesearch.markdown.render import render
from notesearch.markdown.sections.note_parser import line_count, parse_note
from notesearch.notes import Feature, ReadAs


def outline(text: str) -> list[tuple[int, str, int, int]]:
    """Return level, heading, first and last line of each section; a preamble has level 0."""
    return [(s.level, s.heading, s.line, s.end_line) for s in parse_note(text, "x.md").sections]


NOTE = "x"
"""The title of a note named ``x.md`` without a title of its own."""

TRICKY: dict[str, tuple[str, list[tuple[int, str, int, int]]]] = {
    # nothing, or nearly
    "empty": ("", []),
    "only white space": ("\n  \n\t\n", []),
    "only front matter": ("---\ntitle: T\n---\n\n", [(0, "T", 1, 4)]),
    "only front matter that says nothing": ("---\n---\n", []),
    "no heading at all": ("some\n\ntext\n", [(0, NOTE, 1, 3)]),
    "no heading, no end of line": ("text", [(0, NOTE, 1, 1)]),
    "empty lines above the text": ("\n\ntext\n", [(0, NOTE, 3, 3)]),
    "a thematic break": ("---\n", [(0, NOTE, 1, 1)]),
    # ATX headings
    "all levels": (
        "# a\n## b\n### c\n#### d\n##### e\n###### f\n####### g\n",
        [(1, "a", 1, 1), (2, "b", 2, 2), (3, "c", 3, 3), (4, "d", 4, 4), (5, "e", 5, 5),
         (6, "f", 6, 7)],
    ),
    "preamble, then a heading": ("intro\n\n# a\ntext\n", [(0, NOTE, 1, 2), (1, "a", 3, 4)]),
    "empty lines above the heading": ("\n\n# a\n\n", [(1, "a", 3, 4)]),
    "no space, no heading": ("#a\n# b\n", [(0, NOTE, 1, 1), (1, "b", 2, 2)]),
    "a closing row of #": ("## a ##\n## b#\n", [(2, "a", 1, 1), (2, "b#", 2, 2)]),
    "three spaces are fine, four are not": (
        "   # a\n\n    # b\n", [(1, "a", 1, 3)]
    ),
    "an escaped #": ("\\# a\n", [(0, NOTE, 1, 1)]),
    "empty headings": ("#\ntext\n##\n", [(1, "", 1, 2), (2, "", 3, 3)]),
    "duplicate headings": ("# a\n## b\n## b\n", [(1, "a", 1, 1), (2, "b", 2, 2), (2, "b", 3, 3)]),
    "jumping levels": ("### a\n# b\n#### c\n", [(3, "a", 1, 1), (1, "b", 2, 2), (4, "c", 3, 3)]),
    # setext headings
    "setext": ("a\n=\n\nb\n---\ntext\n", [(1, "a", 1, 3), (2, "b", 4, 6)]),
    "setext over two lines": ("text\n\na\nb\n===\n", [(0, NOTE, 1, 2), (1, "a b", 3, 5)]),
    "an empty line between is a break": ("a\n\n---\n", [(0, NOTE, 1, 3)]),
    # where # is no heading
    "in a fence": ("```\n# a\n```\n# b\n", [(0, NOTE, 1, 3), (1, "b", 4, 4)]),
    "in a fence of tildes": ("~~~ sh\n# a\n```\n~~~\n# b\n", [(0, NOTE, 1, 4), (1, "b", 5, 5)]),
    "in a longer fence": ("````\n```\n# a\n````\n", [(0, NOTE, 1, 4)]),
    "in a fence that never ends": ("```\n# a\n\n# b\n", [(0, NOTE, 1, 4)]),
    "in a fence in a list": ("- x\n\n  ```\n# a\n  ```\n", [(0, NOTE, 1, 3), (1, "a", 4, 5)]),
    "in indented code": ("text\n\n    # a\n", [(0, NOTE, 1, 3)]),
    "after a tab": ("\t# a\n", [(0, NOTE, 1, 1)]),
    "in a code span": ("`\n# a\n`\n", [(0, NOTE, 1, 1), (1, "a", 2, 3)]),
    "in a comment": ("<!--\n# a\n\n# b\n-->\n# c\n", [(0, "c", 1, 5), (1, "c", 6, 6)]),
    "in a comment that never ends": ("<!--\n# a\n", [(0, NOTE, 1, 2)]),
    "in an Obsidian comment": ("%%\n# a\n\n# b\n%%\n# c\n", [(0, "c", 1, 5), (1, "c", 6, 6)]),
    "in a comment of MDX": ("{/* a\n# a\n\n*/}\n# c\n", [(0, "c", 1, 4), (1, "c", 5, 5)]),
    "in a comment of kramdown": (
        "{::comment}\n# a\n\n{:/comment}\n# c\n", [(0, "c", 1, 4), (1, "c", 5, 5)]
    ),
    "in a script of Templater": (
        "<%*\nlet a\n\n# b\n-%>\n---\nc: 1\n---\n\n# d\n", [(0, NOTE, 1, 9), (1, "d", 10, 10)]
    ),
    "after a command of Templater": (
        "<% a %>\n---\n# <% b %>\n\n<% c %> d\n===\n",
        [(0, NOTE, 1, 2), (1, "<% b %>", 3, 4), (1, "<% c %> d", 5, 6)],
    ),
    "in an Obsidian comment in a list": (
        "- a\n\n  %%\n  # b\n\n  c %%\n# d\n", [(0, NOTE, 1, 6), (1, "d", 7, 7)]
    ),
    "after one that its list item does not end": (
        "- %% a\n\n# b\n\nc %%\n", [(0, NOTE, 1, 2), (1, "b", 3, 5)]
    ),
    "in an HTML block": ("<div>\n# a\n</div>\n\n# b\n", [(0, NOTE, 1, 4), (1, "b", 5, 5)]),
    "of HTML": (
        "<div>\n<img>\n<h1 align='center'>\n  a <b>b</b>\n</h1><p>c\n\n# d\n<H2>e</H2>\n\nf\n",
        [(0, NOTE, 1, 2), (1, "a b", 3, 6), (1, "d", 7, 7), (2, "e", 8, 10)],
    ),
    "of HTML in an example": (
        "# a\n\n<div><br>\n<h1>b</h1>\n</div>\n<h2>c</h2>\n<Demo />\n<h2>d</h2>\n",
        [(1, "a", 1, 5), (2, "c", 6, 7), (2, "d", 8, 8)],
    ),
    "of HTML within a line": (
        "<p>a</p><h1>b</h1>\n<h1>c</h1><h2>d</h2>\n<p><h2>e</h2></p><h3>f</h3>\n",
        [(0, NOTE, 1, 1), (1, "c", 2, 2), (2, "e", 3, 3)],
    ),
    "of HTML in a comment, in code, in a list, unclosed": (
        "<p><!--\n<h1>a</h1>\n--></p>\n\n<pre>\n<h1>b</h1>\n</pre>\n\n- <h2>c</h2>\n\n<h1>d\n",
        [(0, NOTE, 1, 11)],
    ),
    "in a listing of Jekyll": (
        "{% highlight sh %}\n# a\n\n{% endhighlight %}\n# b\n", [(0, NOTE, 1, 4), (1, "b", 5, 5)]
    ),
    "in a listing of Hugo that never ends": (
        '{{< highlight sh "linenos" >}}\n\n# a\n', [(0, "a", 1, 2), (1, "a", 3, 3)]
    ),
    "in a quote": ("> # a\n\n# b\n", [(0, NOTE, 1, 2), (1, "b", 3, 3)]),
    "in a list": ("- # a\n  # b\n\n1. # c\n\n# d\n", [(0, NOTE, 1, 5), (1, "d", 6, 6)]),
    "in a formula": ("$$\na\n=\nb\n$$\n# c\n", [(0, NOTE, 1, 5), (1, "c", 6, 6)]),
    "dollars that are no formula": ("$$ dear\n\n# a\n\n$$\n", [(0, NOTE, 1, 2), (1, "a", 3, 5)]),
    "in an admonition": ("!!! note\n    # a\n\n# b\n", [(0, NOTE, 1, 3), (1, "b", 4, 4)]),
    "in a content tab": ('=== "A"\n    # a\n\n# b\n', [(0, NOTE, 1, 3), (1, "b", 4, 4)]),
    "below what is no content tab": ('a\n=== b\n===\n', [(1, "a === b", 1, 3)]),
    "in a footnote": ("[^1]: # a\n\n# b\n", [(0, NOTE, 1, 2), (1, "b", 3, 3)]),
    "a definition swallows no heading": ("[a]: b\n# c\n", [(0, "c", 1, 1), (1, "c", 2, 2)]),
    "a heading ends a paragraph": ("text\n# a\ntext\n", [(0, NOTE, 1, 1), (1, "a", 2, 3)]),
    "a heading ends a table": (
        "|a|\n|-|\n|b|\n# c\n", [(0, NOTE, 1, 3), (1, "c", 4, 4)]
    ),
    # front matter
    "front matter": ("---\na: 1\n---\n\n# b\n", [(1, "b", 5, 5)]),
    "front matter with a rule only below it": (
        "title: a\ntags:\n- b\n---\n\ntext\n", [(0, "a", 6, 6)]
    ),
    "a line above a rule is a heading": ("Title: a\n---\ntext\n", [(2, "Title: a", 1, 3)]),
    "front matter, then text": ("---\na: 1\n---\ntext\n", [(0, NOTE, 4, 4)]),
    "# in front matter": ("---\n# a: 1\nb: 2\n---\n# c\n", [(1, "c", 5, 5)]),
    "front matter that never ends": ("---\na: 1\n\n# b\n", [(0, NOTE, 1, 3), (1, "b", 4, 4)]),
    "front matter that is no mapping": ("---\na\n---\n", [(0, NOTE, 1, 1), (2, "a", 2, 3)]),
    "rules that are no front matter": ("text\n\n---\na: 1\n\n---\n", [(0, NOTE, 1, 6)]),
    # characters
    "CRLF": ("---\r\na: 1\r\n---\r\n# b\r\n\r\ntext\r\n", [(1, "b", 4, 6)]),
    "CR": ("# a\r\rtext\r## b\r", [(1, "a", 1, 3), (2, "b", 4, 4)]),
    "all line ends": ("# a\r\n\n\r## b\n\r## c", [(1, "a", 1, 3), (2, "b", 4, 5), (2, "c", 6, 6)]),
    "BOM": ("\ufeff# a\n", [(1, "a", 1, 1)]),
    "BOM of a joined file": ("# a\n\n\ufeff# b\n", [(1, "a", 1, 2), (1, "b", 3, 3)]),
    "marks of direction before the sign": (
        "\u200f# a\n\n\u2067\u200b## b\n\n\u200f(c)\n", [(1, "a", 1, 2), (2, "b", 3, 5)]
    ),
    "BOM and front matter": ("\ufeff---\na: 1\n---\n# b\n", [(1, "b", 4, 4)]),
    "NUL": ("# a\0b\n", [(1, "a\ufffdb", 1, 1)]),
    "lone surrogate": ("# a\ud800\n", [(1, "a\ufffd", 1, 1)]),
    "stand-in for a line end": ("# a\ufdd1b\n\n\ufdd1\n", [(1, "a\ufffdb", 1, 3)]),
    "U+2028 is no end of line": ("# a\u2028# b\n# c\n", [(1, "a # b", 1, 1), (1, "c", 2, 2)]),
    "nor are VT, FF and NEL": ("# a\v# b\n\f# c\n\x85# d\n", [(1, "a # b", 1, 3)]),
    "NBSP is no space": ("#\xa0a\n", [(0, NOTE, 1, 1)]),
    "place of a picture of Apple Notes": ("# a\na\ufffcb \ufffc\n", [(1, "a", 1, 2)]),
    "bidi controls": ("# a\u202eb\u2066c\n", [(1, "abc", 1, 1)]),
}  # fmt: skip


@pytest.mark.parametrize("name", TRICKY)
def test_tricky_notes(name: str) -> None:
    text, expected = TRICKY[name]
    assert outline(text) == expected


@pytest.mark.parametrize(
    ("text", "title", "from_name"),
    [
        ("text\n", "My note", True),
        ("# One\ntext\n", "One", False),
        ("# One\n## Two\n### One\n", "One", False),
        ("<!-- comment -->\n\n# One\n", "One", False),
        ("<script setup>\nlet a\n</script>\n\n# One\n", "One", False),
        ("text\n# One\n", "My note", True),  # does not open the note
        ("# One\n# Two\n", "My note", True),  # not the only one
        ("## One\n", "My note", True),
        ("#\n", "My note", True),
        ("# One\ntext\n#\n", "One", False),
        ("---\ntitle: Zero\n---\n# One\n", "Zero", False),
        ("---\ntitle:\n---\n# One\n", "One", False),
        ('<p align="center">\n<img alt="Logo" src="a.png">\n</p>\n\n# One\n', "One", False),
        (
            '<div align="center">\n<img alt="Logo" src="a.png">\n<h1>One</h1>\n</div>\n',
            "One",
            False,
        ),
        ("[![Build][b]](https://c) ![Keel](a.png)\n\n# One\n\n[b]: d.svg\n", "One", False),
        ("[Back](index.md) | [[Home]]\n\n<!-- no -->\n# One\n", "One", False),
        ("[Back](index.md) to oak\n\n# One\n", "My note", True),
        ("<b>Oak</b>\n\n# One\n", "My note", True),
        ("# *One* `two` [three](x) {#id}\n", "One two three", False),
    ],
)
def test_title(text: str, title: str, from_name: bool) -> None:
    note = parse_note(text, "folder/My note.md")
    assert (note.title, note.title_from_name) == (title, from_name)


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("0123456789abcdef0123456789abcdef.md", "0123456789abcdef0123456789abcdef"),
        ("a/Keel 2024.md", "Keel 2024"),
        ("a/The keel.textbundle/text.md", "The keel"),  # Bear, Ulysses
        ("a/text.md", "text"),
        ("pages/boat___keel%3F.md", "boat/keel?"),  # Logseq
    ],
)
def test_title_from_a_name_that_a_program_gave(path: str, title: str) -> None:
    assert parse_note("words\n", path).title == title


@pytest.mark.parametrize("id_", ["0123456789abcdef" * 2, "01234567-89ab-cdef-0123-456789abcdef"])
def test_the_id_in_a_name_by_notion_is_no_part_of_the_title(id_: str) -> None:
    """The name is also the first heading of the file, perhaps with more signs or words."""
    assert parse_note("# Keel\n\n# Mast\n", f"a/Keel {id_}.md").title == "Keel"
    assert parse_note("# Keel: of oak?\n\n# Mast\n", f"Keel of {id_}.md").title == "Keel of"
    assert parse_note("# Sums\n\n# Mast\n", f"Keel {id_}.md").title == f"Keel {id_}"
    assert parse_note("words\n", f"Keel {id_}.md").title == f"Keel {id_}"


@pytest.mark.parametrize("title", ["{{title}}", "<% tp.file.title %>"])
def test_a_template_is_called_by_its_file(title: str) -> None:
    assert parse_note(f"# {title}\n\nwords\n", "t/Daily.md").title == "Daily"
    assert parse_note(f"---\ntitle: '{title}'\n---\nwords\n", "t/Daily.md").title == "Daily"
    assert parse_note(f"---\ntitle: '{title}'\n---\n# Keel\n", "t/Daily.md").title == "Keel"


def test_tags_above_a_line_are_no_heading() -> None:
    (section,) = parse_note("# Trail\n#hiking/alps #long trips#\n---\nwords\n", "a.md").sections
    assert (section.tags, section.text.split("\n")[-1]) == (("hiking/alps", "long trips"), "words")


def test_the_end_of_a_mail_above_its_signature_is_no_heading() -> None:
    (section,) = parse_note("Best regards\n-- \nAnn\n", "x.md").sections
    assert (section.level, section.text) == (0, "Best regards\n\n-- Ann")


def test_a_table_in_toml_is_no_link() -> None:
    note = parse_note('+++\n[[resources]]\nsrc = "a.jpg"\n+++\n[[keel]]\n', "a.md")
    assert note.targets == ((5, "keel", False),)


def test_colours_of_a_terminal_are_no_words() -> None:
    (section,) = parse_note("\x1b[1;31mValueError\x1b[0m: keel\n", "a.md").sections
    assert section.text.split() == ["ValueError", ":", "keel"]


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("# A\n## B\n### C\n## D\n", [("A",), ("B",), ("B", "C"), ("D",)]),
        ("# A\n## B\n# C\n## D\n", [("A",), ("A", "B"), ("C",), ("C", "D")]),
        ("---\ntitle: a\n---\n# A\n## B\n", [("a",), ("B",)]),
        ("---\ntitle: T\n---\n# A\n## B\n", [("A",), ("A", "B")]),
        ("text\n# A\n## B\n", [("x",), ("A",), ("A", "B")]),
        ("## A\n#### B\n### C\n# D\n", [("A",), ("A", "B"), ("A", "C"), ("D",)]),
        ("# A\n##\n### B\n", [("A",), ("A",), ("B",)]),
        ("text\n", [("x",)]),
    ],
)
def test_breadcrumbs(text: str, paths: list[tuple[str, ...]]) -> None:
    assert [section.path for section in parse_note(text, "x.md").sections] == paths


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("one\ntwo\n\nthree", "one two\n\nthree"),
        ("- a\n- [ ] b\n  - [x] c\n\n  d\n1. e", "a\nb\nc\nd\n\ne"),
        # numbers that are not just those of steps
        ("5. Juli, ab 15 Uhr", "5. Juli, ab 15 Uhr"),
        ("3. Mai\n4. Mai\n   - Sonne\n   1. Tee\n5. Mai", "3. Mai\n4. Mai\nSonne\nTee\n5. Mai"),
        ("> quoted\n> > deeper\n\n> [!tip] Title\n> text", "quoted\ndeeper\n\nTitle\ntext"),
        ("| a | b |\n|---|:-:|\n| *c* |  |\n| `d|e` | f \\| g |", "a | b\nc\nd|e | f | g"),
        ("```py\ndef f():\n    return '*'\n```\n\n    code", "def f():\n    return '*'\n\ncode"),
        ("<div>\n<b>html</b>\n</div>\n\n<!-- no -->\n\n***\n\ntext", "html\n\ntext"),
        ('!!! note "Title"\n    **text**\n\n??? tip\n    more', "Title\ntext\n\ntip\nmore"),
        ('=== "C++"\n\n    ```cpp\n    int a;\n    ```\n\n=== "Go"\n    **text**\n\nafter',
         "C++\nint a;\n\nGo\ntext\n\nafter"),
        ("!!! warning mind this\n    text", "warning mind this\ntext"),
        ("text[^1] [a][b] [c]\n\n[^1]: word\n\n    more\n\n[b]: https://a.example",
         "text a [c]\n\nword\nmore"),
        ("$$\na_{i} * b_{j}\n$$", "$$\na_{i} * b_{j}\n$$"),
        ("# inside\n\ntext", "text"),
        ("> # inside\n> text", "inside\ntext"),
        ("a\x0bb\x1fc", "a b c"),
    ],
)  # fmt: skip
def test_plain_text_of_a_section(source: str, text: str) -> None:
    (section,) = parse_note(source, "x.md").sections
    assert section.text == text


def test_text_beyond_the_nesting_limit_is_kept() -> None:
    note = parse_note("> " * 150 + "deep\n\n" + "- " * 150 + "words\n", "x.md")
    assert "deep" in note.sections[0].text
    assert "words" in note.sections[0].text


def test_properties_and_tags() -> None:
    note = parse_note(
        "---\naliases: [Other]\ntags: [one]\ncategory: Cat\ndate: 2024-05-01\n---\n"
        "# Heading #three\n\ntext #two #One `#no`\n\n- item #four\n\n| #five |\n|---|\n",
        "x.md",
    )
    assert note.aliases == ("Other",)
    assert set(note.tags) == {"one", "two", "three", "four", "five"}
    assert note.category == "Cat"
    assert note.properties == {"date": "2024-05-01"}
    assert "2024" not in "".join(section.text for section in note.sections)


def test_a_very_long_heading_is_shortened() -> None:
    (section,) = parse_note("# " + "word " * 2_000, "x.md").sections
    assert 200 < len(section.heading) <= 300


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("a", 1), ("a\n", 1), ("\n", 1), ("a\n\n", 2), ("\na", 2)]
)
def test_a_final_line_end_starts_no_other_line(text: str, count: int) -> None:
    assert line_count(text) == count


def test_code_blocks_can_be_left_out() -> None:
    text = "Above `inline`.\n\n```python\nprint(1)\n```\n\n* item\n\n      indented\n\nBelow.\n"
    (with_code,) = parse_note(text, "x.md").sections
    (without,) = parse_note(text, "x.md", read_as=ReadAs(code=False)).sections
    assert "print(1)" in with_code.text
    assert without.text == "Above inline.\n\nitem\n\nBelow."
    assert (without.code, without.features) == (with_code.code, with_code.features)


@pytest.mark.parametrize(
    ("path", "language"),
    [
        *(("docs/i18n/fr/a.md", "fr"), ("i18n/pt-BR/a.mdx", "pt"), ("a/_index.de.md", "de")),
        *(("fr/a.md", ""), ("a.xx.md", ""), ("a.b.md", ""), ("xi18n/fr/a.md", ""), ("de.md", "")),
    ],
)
def test_the_path_of_a_short_translation_names_its_language(path: str, language: str) -> None:
    assert parse_note("# Acme\n\nacme run", path).language == language


@pytest.mark.parametrize(("front", "language"), [("", "de"), ("---\nlang: fr\n---\n", "fr")])
def test_a_chosen_language_comes_after_front_matter(front: str, language: str) -> None:
    text = f"{front}The house at the end of the road is the one with the green door.\n"
    assert parse_note(text, "x.md", read_as=ReadAs(language="de")).language == language


def test_aliases_stand_between_commas_or_in_a_list() -> None:
    for written in ("One, Two words", "[One, Two words]", "\n- One\n- Two words"):
        note = parse_note(f"---\naliases: {written}\n---\n", "a.md")
        assert note.aliases == ("One", "Two words")


def test_a_heading_with_a_box_is_a_task() -> None:
    text = "# [ ] Keel\n\n## [x] *Mast*\n\n## [1] Oar\n\n## [-] Sail\n"
    sections = parse_note(text, "a.md").sections
    assert [(one.path, one.source.heading_task, one.features) for one in sections] == [
        (("Keel",), "open", Feature.TODO),
        (("Mast",), "done", Feature.DONE),
        (("[1] Oar",), "", Feature.NONE),
        (("Sail",), "cancelled", Feature.NONE),
    ]


CONFLICT = """# Log

<<<<<<< HEAD
Of oak
=======
Of ash
>>>>>>> main

- a
<<<<<<< Updated upstream
- b
||||||| base
=======
- c
>>>>>>> Stashed changes

Rudder
=======

```
<<<<<<< HEAD
x
=======
```
<<<<<<< HEAD

Keel
=======
"""


def test_the_marks_of_a_conflict_of_git_are_text() -> None:
    log, rudder, keel = parse_note(CONFLICT, "a.md").sections
    assert [log.path, rudder.path, keel.path] == [("Log",), ("Rudder",), ("Keel",)]
    assert log.text.replace("\n\n", "\n").split("\n") == [
        *("<<<<<<< HEAD", "Of oak", "=======", "Of ash", ">>>>>>> main", "a"),
        *("<<<<<<< Updated upstream", "b", "||||||| base", "=======", "c"),
        ">>>>>>> Stashed changes",
    ]
    assert rudder.text == "<<<<<<< HEAD\nx\n=======\n\n<<<<<<< HEAD"
    shown = render(CONFLICT)
    assert shown.count("<h1") == 3
    assert "<p>&gt;&gt;&gt;&gt;&gt;&gt;&gt; main</p>" in shown


def test_the_title_of_a_callout_in_quarto_is_no_section() -> None:
    text = "## Boats\n\n::: {.callout-tip icon=false}\n\n## Oak\nlasts.\n:::\n\nAfter it.\n"
    (section,) = parse_note(text, "boats.qmd").sections
    assert (section.heading, section.text) == ("Boats", "Tip\n\nOak\n\nlasts.\n\nAfter it.")
