"""The properties of a note: front matter, ordinary text, and refused input."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from itertools import product

import pytest

from notesearch.markdown.render import render
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.markdown.sections.properties import FrontMatter, read_front_matter
from notesearch.markdown.sections.written_values import own_date
from tests.limits import processor_seconds

BOMB = "".join(
    f"b{level}: &b{level} [{', '.join([f'*b{level - 1}'] * 9)}]\n" for level in range(1, 9)
)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", 0),
        ("# Heading\n", 0),
        ("---\ntitle: T\n---\n", 3),
        ("---\ntitle: T\n---", 3),
        ("---\ntitle: T\n...\ntext\n", 3),
        ("---\ntitle: T\n-----\ntext\n", 3),
        ("--- \t\ntitle: T\n---  \ntext\n", 3),
        ("---\n---\ntext\n", 2),
        ("---\n\n---\ntext\n", 3),
        ("---\n# only a comment\n---\n", 0),
        ("\n---\ntitle: T\n---\n", 4),
        ("\n\n---\ntitle: T\n---\ntext\n", 5),
        ("\n---\nwords between rules\n---\n", 0),
        ("---\n\nA letter from home: dear all\n\n---\n", 0),
        ("---\n\ntitle: T\n---\n", 4),
        (" ---\ntitle: T\n---\n", 0),
        ("----\ntitle: T\n----\n", 0),
        ("---\ntitle: T\n", 0),  # never closed
        ("---\njust a sentence\n---\n", 0),  # a setext heading between rules
        ("---\n- a\n- list\n---\n", 0),
        ("---\n{unclosed: [1\n---\n", 0),
        ("---\na: 1\n--- # not a closing line\nb: 2\n---\n", 5),
    ],
)
def test_which_lines_are_front_matter(text: str, lines: int) -> None:
    assert read_front_matter(text).lines == lines


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("title: A title", {"title": "A title"}),
        ("Title: 2024-01-31", {"title": "2024-01-31"}),
        ("title: ~\naliases: null\ntags: [null, a]", {"tags": ("a",)}),
        ("title: 'null'", {"title": "null"}),
        ("title: 1.10", {"title": "1.10"}),
        ("title: Yes", {"title": "Yes"}),
        ("title: 'It''s'", {"title": "It's"}),
        ("title: Part 2: the end", {"title": "Part 2: the end"}),
        ("title: The keel&#8217;s oak &amp; ash", {"title": "The keel’s oak & ash"}),
        ("title: {{date}} notes", {"title": "{{date}} notes"}),
        ("title: {{title}}\nTags: ['{{tag}}']", {"title": "{{title}}", "tags": ("{{tag}}",)}),
        ("title: @home\ntags: [a, 'b']", {"title": "@home", "tags": ("a", "b")}),
        ("title:", {}),
        ("title: >\n  folded\n  lines", {"title": "folded lines"}),
        ("title: \u202eevil\u202c \x7f", {"title": "evil"}),
        ("aliases: Other name", {"aliases": ("Other name",)}),
        ("aliases: [One, 'Two, three', '']", {"aliases": ("One", "Two, three")}),
        ("alias:\n- One\n- One", {"aliases": ("One",)}),
        ("tags: 'one two, #three'", {"tags": ("one", "two", "three")}),
        ("tags: [one, '#two', a/b, 2024]", {"tags": ("one", "two", "a/b", "2024")}),
        ("tags:\n  - Getting started\n  -", {"tags": ("Getting started",)}),
        ("tag: one", {"tags": ("one",)}),
        ("keywords: [one, two]", {"tags": ("one", "two")}),  # as Zettlr calls them
        ("tag: one two\ntags: [two, three]", {"tags": ("one", "two", "three")}),
        ("alias: One\naliases: [Two]", {"aliases": ("One", "Two")}),
        ("category: Soups\ncategories: [Stews]", {"category": "Soups, Stews"}),
        ("title:\nTitle: One\nTITLE: Two", {"title": "One"}),
        ("title: One\ntags: a\ntags: b", {"title": "One", "tags": ("a", "b")}),
        ("title: A\ntitle: B\naliases: [c]\ntitle: A", {"title": "A", "aliases": ("B", "c")}),
        ("category: Recipes", {"category": "Recipes"}),
        ("categories: [Recipes, Soups]", {"category": "Recipes, Soups"}),
    ],
)
def test_known_properties(yaml: str, expected: dict[str, object]) -> None:
    found = replace(read_front_matter(f"---\n{yaml}\n---\n"), values=())
    assert found == FrontMatter(lines=yaml.count("\n") + 3, **expected)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("yaml", "properties"),
    [
        ("date: 2024-01-31 10:00", {"date": "2024-01-31 10:00"}),
        ("done: true\nrating: 4.50", {"done": "true", "rating": "4.50"}),
        ("a: 1\na: 2", {"a": "1, 2"}),
        ("authors: [Ann, Bob]", {"authors": "Ann, Bob"}),
        ("place: {city: Rome, country: Italy}", {"place": "city: Rome, country: Italy"}),
        ("related: '[[Other note]]'", {"related": "Other note"}),
        ("a: ['[[B|b]]', '[c](d.md)', '![[e.png]]']", {"a": "b, c, e.png"}),
        ("a: !!python/object/apply:os.system [ls]", {"a": "ls"}),
        ("empty:", {"empty": ""}),
        ("1: one\n? [x, y]\n: two", {"1": "one", "x, y": "two"}),
    ],
)
def test_other_properties_are_kept_as_text(yaml: str, properties: dict[str, str]) -> None:
    assert read_front_matter(f"---\n{yaml}\n---\n").properties == properties


@pytest.mark.parametrize(
    "yaml",
    [
        "- " * 30_000,
        "{" * 30_000,
        "? " * 30_000,
        "a: " + "x" * 1_100_000,
    ],
)
def test_a_block_built_to_exhaust_the_reader_is_text(yaml: str) -> None:
    with processor_seconds(2):
        assert read_front_matter(f"---\n{yaml}\n---\ntext\n") == FrontMatter()


@pytest.mark.parametrize(
    "yaml",
    [
        "a: &a [1]\n" + BOMB,
        "a: &a [*a]",
        "a: " + "[" * 60_000,
        "a: " + "[" * 30 + "]" * 30,
        "a: '" + "''" * 30_000,
        'a: "\\ud800"',
        "a: 1\n" + "b: *c\n" * 9_000,
        "a: [" + "'" * 60_000,
        "a: " + "[[" * 30_000,
        "a: x\n" + "- *y\n" * 12_000,
        "a: *x" + " " * 60_000 + "y",
        "a: x\nb" + " " * 60_000 + "*",
        "a: x\n" + "c" * 60_000 + "\nd: *",
    ],
)
def test_properties_built_to_exhaust_the_reader_are_read_line_by_line(yaml: str) -> None:
    with processor_seconds(2):
        found = read_front_matter(f"---\n{yaml}\n---\ntext\n")
        assert "a" in found.properties
        assert all(len(text) <= 4_000 for text in found.properties.values())


def test_long_front_matter_is_read() -> None:
    """A list of contacts, or the annotations of a book, take more than a hundred kilobytes."""
    items = "".join(f"  - name: person {n}\n    note: {'words ' * 8}\n" for n in range(4_000))
    found = read_front_matter(f"---\nentries:\n{items}tags: [crew]\n---\ntext\n")
    assert (found.lines, found.tags) == (8_004, ("crew",))


KEPT = "status: open\ntags: [bread]\ndate: 2019-03-09\n"


@pytest.mark.parametrize(
    ("faulty", "properties"),
    [
        ("who: *Slow* rye", {"who": "*Slow* rye"}),
        ('who: "Slow" rye', {"who": '"Slow" rye'}),
        ('who: He said "slow" again', {"who": 'He said "slow" again'}),
        ("who: 'it's slow'", {"who": "'it's slow'"}),
        ('who: "never closed', {"who": "never closed"}),
        ("who: Part 2: the end", {"who": "Part 2: the end"}),
        ("who: @marta", {"who": "@marta"}),
        ("who: %done", {"who": "%done"}),
        ("who: `code`", {"who": "`code`"}),
        ("who: !bang *x*", {"who": "!bang *x*"}),
        ("who: !bang", {"who": "!bang"}),
        ("who: &c", {"who": "&c"}),
        ("who: [Draft] rye", {"who": "[Draft] rye"}),
        ("who: {Draft} rye", {"who": "{Draft} rye"}),
        ("who: - dash *x*", {"who": "- dash *x*"}),
        ("who: [[Ann]], [[Bo|B.]]", {"who": "Ann, B."}),
        ("who: [[Ann]] and Bo", {"who": "Ann and Bo"}),
        ("who:\n- [[Ann]]\n- [[Bo]] *x*", {"who": "Ann, Bo *x*"}),
        ("who:\n  - @ann\n  - `bo`", {"who": "@ann, `bo`"}),
        ("who:\n  - ann\n  -bo\n  - cy", {"who": "ann, bo, cy"}),
        ('who:\n-ann\n-"bo', {"who": "ann, bo"}),
        ("who:\n  * ann\n  * bo", {"who": "ann, bo"}),
        ("who: #ff8800", {"who": "#ff8800"}),
        ("who:\t*Slow*\t rye", {"who": "*Slow*  rye"}),
        ("who: *Slow*\n  rye", {"who": "*Slow* rye"}),
        ("who: Slow\nrye and more", {"who": "Slow rye and more"}),
        ("who:Slow", {"who": "Slow"}),
        ("# *comment*\nwho: *x*  # a comment", {"who": "*x*"}),
        ("who: \x93Slow\x94 *rye*", {"who": "\x93Slow\x94 *rye*"}),
        ("@who: *x*", {"@who": "*x*"}),
        ("%who: x", {"%who": "x"}),
        ("`who`: x", {"`who`": "x"}),
        ("who am I: *x*", {"who am I": "*x*"}),
        ("作者: *李*", {"作者": "*李*"}),
        ("🍞: *x*", {"🍞": "*x*"}),
        ('"who": *x*', {"who": "*x*"}),
    ],
)
def test_one_faulty_line_costs_no_other(faulty: str, properties: dict[str, str]) -> None:
    blocks = f"{faulty}\n{KEPT}", f"{KEPT}{faulty}\n"
    for block, end in product(blocks, ("---", "---  ", "...")):
        found = read_front_matter(f"---\n{block}{end}\n# Method\n")
        assert found.lines == block.count("\n") + 2
        assert found.tags == ("bread",)
        kept = {"status": "open", "date": "2019-03-09"}
        assert squeezed(found.properties) == squeezed({**properties, **kept})


def test_both_sides_of_a_conflict_of_git_are_read() -> None:
    ours = "<<<<<<< HEAD\ntags: [oak]\nstatus: new\n"
    theirs = "=======\ntags: [ash]\nstatus: old\n>>>>>>> feature/x\n"
    found = read_front_matter(f"---\ntitle: Keel\n{ours}{theirs}---\n")
    assert found.title == "Keel"
    assert found.tags == ("oak", "ash")
    assert found.properties == {"status": "new, old"}
    assert found.lines == 10


@pytest.mark.parametrize(
    ("yaml", "properties"),
    [
        ("who: &w Ann\nlist: &x [a, b]\nmore: &y\n  - c\n  - d",
         {"who": "Ann", "list": "a, b", "more": "c, d"}),
        ("who: !me Ann\nlist: !set [a]", {"who": "!me Ann", "list": "a"}),
        ("note: |\n  Foo: !bar\n  Foo: &bar\n  Foo: #bar\n\n  -x\nwho: #c",
         {"note": "Foo: !bar\nFoo: &bar\nFoo: #bar\n\n-x", "who": "#c"}),
        ("note: >-\n  Foo: {{bar}}\n  -x\nwho: Ann", {"note": "Foo: {{bar}} -x", "who": "Ann"}),
    ],
)  # fmt: skip
def test_signs_of_yaml_mean_what_they_mean_in_yaml(yaml: str, properties: dict[str, str]) -> None:
    found = read_front_matter(f"---\ntags: &t [a, b]\n{yaml}\n---\n")
    assert found.tags == ("a", "b")
    assert found.properties == properties


def squeezed(properties: Mapping[str, str]) -> dict[str, str]:
    """Return the properties without spaces and invisible characters."""
    return {key: re.sub(r"[\s\x80-\x9f]", "", text) for key, text in properties.items()}


@pytest.mark.parametrize(
    ("yaml", "tags"),
    [
        ("tags: #work #home", ("work", "home")),
        ("tags: #work, #home", ("work", "home")),
        ("tags: [#work, #home]", ("work", "home")),
        ("tags: ['#work', \"home\", #a/b]", ("work", "home", "a/b")),
        ("tags:\n- #work\n- #home # a comment", ("work", "home")),
        ("tags:\n  - #work\n  - home", ("work", "home")),
        ("tags: [[Work]], [[At home]]", ("Work", "At home")),
        ("tags:\n- [[Work]]\n- '[[At home]]'", ("Work", "At home")),
        ("tags: @work, *home*", ("@work", "*home*")),
        ("tags:\n* work\n* home\nfor: x", ("work", "home")),
        ("tags: work；home、more", ("work", "home", "more")),
        ("الوسوم: [بحر، قمر]", ("بحر", "قمر")),
        ("tags: [海、月]", ("海", "月")),
        ("tags: [[two words]] work", ("two words", "work")),
        ("tags:\n- label: At home\n  permalink: /home\n- work", ("At home", "work")),
        ("tags:\n- name: At home\n  color: red", ("At home",)),
        ("tags: #work #home\n- more", ("work", "home", "more")),
    ],
)
def test_tags_as_people_list_them(yaml: str, tags: tuple[str, ...]) -> None:
    assert read_front_matter(f"---\n{yaml}\n---\n").tags == tags


@pytest.mark.parametrize(
    "letter",
    ["**PELHAM BOATS**\nOld Slip 4", "Pelham Boats\nTel: 040 1\nWeb: *www*", "* * *\na: b",
     "**To:** Ann\n**From:** Bo", "[[Home]]: *x*", "> quote: *x*", "http://x.example: *y*\nb\nc",
     "# Pelham Boats", "# Pelham Boats\n# Old Slip 4"],
)  # fmt: skip
def test_a_letterhead_between_rules_is_text(letter: str) -> None:
    assert read_front_matter(f"---\n{letter}\n---\ntext\n") == FrontMatter()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('+++\ntitle = "T"\ntags = ["a"]\ndate = 2024-01-31T10:00:00Z\n+++\ntext\n', 5),
        ('+++ \ntitle = T\ntags = ["a"]\ndate = 2024-01-31 10:00:00\n+++', 5),  # faulty
        ('+++\ntitle="T"\ndate=2024-01-31T10:00:00Z\n[taxonomies]\ntags=["a"]\n+++\n', 6),  # Zola
        ('+++\ntitle="T"\ntags=["a"]\ndate=2024-01-31T10:00:00Z\n[taxonomies]\ntags=[]\n+++\n', 7),
        ('{\n"title": "T", "tags": ["a"],\n"date": "2024-01-31 10:00:00"\n}\n\ntext\n', 4),
        ('{"title": "T", "tags": ["a"], "date": "2024-01-31 10:00:00"}\n\ntext\n', 1),
        ('---toml\ntitle = "T"\ntags = ["a"]\ndate = 2024-01-31T10:00:00\n---\n', 5),
        ('---json\n{"title": "T", "tags": ["a"], "date": "2024-01-31 10:00"}\n---\n', 3),
        (
            (
                "---js\n{\n title: 'T',\n tags: ['a'],\n date: '2024-01-31 10:00',\n"
                " x: () => `y`\n}\n---\n"
            ),
            8,
        ),
        ("---yaml\ntitle: T\ntags: a\ndate: 2024-01-31 10:00\n---\n", 5),
    ],
)
def test_other_languages_than_yaml(text: str, lines: int) -> None:
    found = read_front_matter(text)
    assert (found.lines, found.title, found.tags) == (lines, "T", ("a",))
    (day,) = (value.day for value in found.values if value.key == "date")
    assert day == datetime(2024, 1, 31, 10)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Title: T\nDate: 2024-01-31\nTags: a\n\ntext\n", 0),  # MultiMarkdown, Pelican
        ("id: 9\ntitle: T\ndate: 2024-01-31\ntags: #a\n\n# T\n", 0),
        ("Date: 2024-01-31\nSummary: one\n    two\ntags: a\ntitle: T\n", 0),
        ("Title: T\nDate: 2024-01-31\nTags: a\nTitle: U\n\n", 0),
        ("% T\n% Ann\n% 31 January 2024\n\ntext\n", 3),  # Pandoc
        ("% T\n%\n% 2024-01-31\n\ntext\n", 3),
        ("# T\n\nTags: a\nDate: January 31, 2024\nStatus: Done\n\ntext\n", 0),  # Notion
        ("# T\n\n    Date: 2024-01-31\n    Tag(s): #a\n\ntext\n", 0),  # Yarle, from Evernote
        ("# T\n\n**Tags:** a\n**Date:** January 31, 2024\n\ntext\n", 0),
        ("tytuł: T\ndate: 2024-01-31\ntagi: a\n\ntext\n", 0),
    ],
)
def test_properties_without_a_fence(text: str, lines: int) -> None:
    found = read_front_matter(text)
    assert (found.lines, found.title) == (lines, "" if text.startswith("#") else "T")
    assert found.tags == (() if text.startswith("%") else ("a",))
    (day,) = (value.day for value in found.values if value.key.lower() == "date")
    assert day == datetime(2024, 1, 31)


def test_any_properties_in_an_export_of_notion() -> None:
    text = "# T\n\nAssignee: Ann\nStatus: Done\n\ntext\n"
    found = read_front_matter(text, "Tasks/T 0123456789abcdef0123456789abcdef.md")
    assert found.properties == {"Assignee": "Ann", "Status": "Done"}
    assert not read_front_matter(text, "T.md").properties


@pytest.mark.parametrize(
    "text",
    [
        "From: Ann <a@b.example>\nTo: Bo\nSubject: Keel\nDate: Wed, 31 Jan 2024 09:00:00 +0100\n\n",
        "Subject: Keel\nFrom: Ann\nDate: 2024-01-31 09:00\n\nof oak\n",
        "**From:** Ann\n**Subject:** Keel\n**Sent:** January 31, 2024 9:00 AM\n\nof oak\n",
        "Von: Ann\nGesendet: Mittwoch, 31. Januar 2024 09:00\nBetreff: Keel\n\nx\n",
    ],
)
def test_the_head_of_a_mail(text: str) -> None:
    found = read_front_matter(text)
    assert (found.lines, found.title) == (0, "Keel")
    assert [value.day for value in found.values if value.day] == [datetime(2024, 1, 31, 9)]


JOPLIN = """
id: 0123456789abcdef0123456789abcdef
parent_id: 1123456789abcdef0123456789abcdef
created_time: 2024-01-31T09:00:00.000Z
is_conflict: 0
latitude: 0.00000000
author: Ann
source_url: \ntype_: 1"""


def test_properties_at_the_end_as_joplin_exports_them() -> None:
    text = f"Keel\n\nof oak\n{JOPLIN}"
    found = read_front_matter(text)
    assert (found.lines, found.title) == (0, "Keel")
    assert [value.key for value in found.values] == ["id", "created_time", "author"]
    assert text[: found.end].rstrip() == "Keel\n\nof oak"
    (section,) = parse_note(text, "a.md").sections
    assert (section.text, section.end_line) == ("Keel\n\nof oak", 12)
    assert "created_time" not in render(text)
    assert "of oak" in render(text)


@pytest.mark.parametrize(
    "yaml",
    [
        "Titel: T\nSchlagworte: [a]\nKategorie: c\nDatum: 31.1.2024",
        "标题: T\n标签: [a]\n分类: c\n创建日期: 2024年1月31日",
        "タイトル: T\nタグ: a\nカテゴリ: c\n更新日: 2024/01/31",
        "titre: T\nmots-clés: a\ncatégorie: c\ndate de création: 31 janvier 2024",
        "título: T\netiquetas:\n- a\ncategoría: c\nfecha de creación: 2024-01-31",
        "标题：T\n标签：[a]\n分类：c\n日期：2024-01-31",
        "Заголовок: T\nТеги: a\nКатегория: c\nДата создания: 31.01.2024",
    ],
)
def test_names_of_properties_in_other_languages(yaml: str) -> None:
    found = read_front_matter(f"---\n{yaml}\n---\n")
    assert (found.title, found.tags, found.category) == ("T", ("a",), "c")
    assert own_date(found.values, "n.md") == datetime(2024, 1, 31)


def test_a_date_below_the_title_dates_the_note() -> None:
    found = read_front_matter("# 12. Use oak\n\nDate: 2024-01-31\n\n## Status\n")
    assert own_date(found.values, "n.md") == datetime(2024, 1, 31)


def test_a_title_below_the_title_is_one_of_the_lines() -> None:
    assert read_front_matter("# T\n\nTitle: T\nTags: oak\n\nwords\n").tags == ("oak",)


def test_a_value_without_a_fence_is_no_yaml() -> None:
    found = read_front_matter("Title: Fix issue #12 [now]\nSee: **a** # and b\n\n")
    assert found.title == "Fix issue #12 [now]"
    assert found.properties == {"See": "**a** # and b"}


@pytest.mark.parametrize(
    "text",
    ["Title: T\n\ntext\n", "Title: T\nand text\n", "Ann: hello\nBo: hi\n\n", "title:: T\nx\n",
     "% T\n\ntext\n", "% a comment\n% more\ntext\n", "# T\n\nServes: 4\nTime: 20 min\n\n",
     "Title: T\n---\n", "one: 1\ntwo: 2\n---\n", "# T\n\nTags: a\n\n",
     "# T\nTags: a\nDate: 2024-01-31\n\n"],
)  # fmt: skip
def test_other_lines_with_colons_are_text(text: str) -> None:
    assert read_front_matter(text) == FrontMatter()


@pytest.mark.parametrize(
    "costly",
    [
        "[" + "a." * 30_000 + "a]",
        "a." * 30_000 + "a = 1",
        f"a = {'1' * 5_000}",
        f"a = 0x{'f' * 5_000}",
    ],
)
def test_toml_that_would_take_seconds_is_read_line_by_line(costly: str) -> None:
    found = read_front_matter(f'+++\ntitle = "T"\n{costly}\n+++\ntext\n')
    assert (found.lines, found.title) == (4, "T")


@pytest.mark.parametrize(
    "text",
    ["+++\njust text\n+++\n", "{\n}\n", "{\nfoo\n}\n", '{"a": 1}\n{"a": 2}\n',
     '{\n"a": 1\n} and text\n',
     "{\n" + '"a":[' * 20_000, "+++\na = " + "[" * 60_000 + "\nb"],
)  # fmt: skip
def test_other_texts_are_neither_toml_nor_json(text: str) -> None:
    assert read_front_matter(text) == FrontMatter()


@pytest.mark.parametrize(
    ("yaml", "values"),
    [
        ("status: Done", [("status", "Done", None, None)]),
        ("budget: 9000", [("budget", "9000", 9000.0, None)]),
        ("rating: -4.5", [("rating", "-4.5", -4.5, None)]),
        ("price: 1,250 €", [("price", "1,250 €", 1250.0, None)]),
        ("version: 1.2.3", [("version", "1.2.3", None, None)]),
        ("due: 2026-04-12", [("due", "2026-04-12", None, datetime(2026, 4, 12))]),
        ("due: 12.4.2026", [("due", "12.4.2026", None, datetime(2026, 4, 12))]),
        *(
            (f"due: {text}", [("due", text, None, datetime(2026, 4, 12))])
            for text in (
                "April 12, 2026 → April 14, 2026",
                "2026-04-12 to 14",
                "12.4.2026 – 14.4.2026",
            )
        ),
        *(
            (f"due: {text}", [("due", text, None, datetime(2026, 4, 12, 10))])
            for text in (
                "April 12, 2026 10:00 AM (GMT+1) → April 14, 2026 11:00 AM (GMT+1)",
                "2026-04-12 10:00 to 14",
            )
        ),
        ("plan: 2026 to do", [("plan", "2026 to do", None, None)]),
        (
            "a: ~\nb: null\nc: '~'",
            [(k, v, None, None) for k, v in (("a", ""), ("b", ""), ("c", "~"))],
        ),
        ("month: 2026 Jan", [("month", "2026 Jan", None, datetime(2026, 1, 1))]),
        ("year: 2026", [("year", "2026", 2026.0, None)]),
        ("date: 2026", [("date", "2026", 2026.0, datetime(2026, 1, 1))]),
        ("updated: 20260412", [("updated", "20260412", None, datetime(2026, 4, 12))]),
        ("sum: 20260412", [("sum", "20260412", 20260412.0, None)]),
        ("with: ['[[Ann]]', Bo]", [("with", "Ann", None, None), ("with", "Bo", None, None)]),
        ("with: '[[Ann]] and [[B|Bo]]'", [("with", "Ann and Bo", None, None)]),
        ("with: see [[Ann]]", [("with", "see Ann", None, None)]),
        ("with: '[Ann](http://a.org), Bo'", [("with", "[Ann](http://a.org), Bo", None, None)]),
        ("boat:\n  name: Wren", [(k, "Wren", None, None) for k in ("boat.name", "boat")]),
        ("tags: [a]\nempty:", [("tags", "a", None, None), ("empty", "", None, None)]),
    ],
)
def test_each_value_has_a_text_and_perhaps_a_number_or_date(
    yaml: str, values: list[tuple[str, str, float | None, datetime | None]]
) -> None:
    found = read_front_matter(f"---\n{yaml}\n---\n").values
    assert [(v.key, v.text, v.number, v.day) for v in found] == values


def test_properties_of_a_page_of_logseq_are_front_matter() -> None:
    note = parse_note(
        "title:: Boats\nalias:: Ships, [[Vessels]]\ntags:: [[Open water]], #sea\n"
        "type:: hobby, old\nsource:: https://boats.example\nfriends:: [[Ann]], [[Bob]]\n"
        "\n- # Hull\n",
        "pages/b.md",
    )
    assert (note.title, note.aliases, note.tags) == (
        "Boats", ("Ships", "Vessels"), ("Open water", "sea"),
    )  # fmt: skip
    assert note.properties == {
        "type": "hobby, old", "source": "https://boats.example", "friends": "Ann, Bob",
    }  # fmt: skip
    assert {value.text for value in note.values} >= {"hobby, old", "Ann", "Bob"}
    (section,) = note.sections
    assert (section.line, section.end_line, section.text) == (8, 8, "Hull")
    assert [link.address for link in section.links] == ["https://boats.example"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blocks_of_logseq_can_follow_immediately(end: str) -> None:
    note = parse_note(end.join(["\ufefftags:: one", "- text"]), "x.md")
    assert (note.tags, note.sections[0].line) == (("one",), 2)


@pytest.mark.parametrize(
    "text",
    [
        "std:: is a namespace\nof C++\n",
        "tags:: one\n",  # there is nothing else to be found by
        "tags:: one",
        "tags:: one\n\n",
        "text\ntags:: one\n\n- text\n",
        "- tags:: one\n- text\n",
        "a::b\n\ntext\n",
        "::\n\ntext\n",
    ],
)
def test_ordinary_text_stays_text(text: str) -> None:
    note = parse_note(text, "x.md")
    assert (note.properties, note.sections[0].line) == ({}, 1)
    assert "".join(note.sections[0].text.split()) == "".join(text.replace("- ", "").split())
