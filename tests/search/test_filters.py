"""Filters apply in every mode, before the best are taken; alone they list the newest notes."""

import os
from collections.abc import Iterator
from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notesearch.embedding.embedder import Embedder
from notesearch.library import NoteLibrary
from notesearch.results import Mode
from notesearch.search.filters import date_period
from notesearch.search.query import parse
from tests.folders import write
from tests.indexed import indexed
from tests.limits import processor_seconds
from tests.search.conftest import LibraryOf
from tests.search.query_text import TODAY

NOTES = {
    "travel/Trip to Japan.md": """---
tags: [travel/japan]
date: 2024-11-04
---
# Trip to Japan

Boats and trains.

## Kyoto

A boat on the river at night. #night/river

## Osaka

The boat to the aquarium, see [[Hull|the other]].
""",
    "travel/Café notes.md": "The boat café has good cake. #Food\n",
    "projects/Wren/Hull.md": """---
tags: work/project
updated: 2025-04-19
---
Paint the boat below the water line.
""",
    "2025-01-01.md": "A boat on the first day of the year.\n",
    "work/Spec.md": """---
title: Boat spec
aliases: [The plan]
status: In progress
budget: 9000
due: 2026-04-12
with: ["[[Mr Pascoe]]", Ann Lee]
boat: {name: Wren}
date: 2023-07-01
---
# Boat spec

Der Plan, den wir für das boat haben, ist nicht so alt, wie man uns gesagt hat.

## Parts

| boat | oars |
|---|---|
| 1 | 2 |

## Code

```py
boat = 1
```

- [ ] sand the boat
- [x] buy paint

## Links

- [X] a boat on [paper](paper.pdf)

### Pictures

The boat: ![[boat.png]]
""",
    "homework/travel.md": """---
created: 2020-05
---
Draw a boat. [[the plan]] [x](/2025-01-01)
""",
}
CHANGED = datetime(2025, 3, 1, 12, 0).timestamp()
"""When the files of all notes were changed."""

SPEC = {"Boat spec", "Parts", "Code", "Links", "Pictures"}
OTHERS = {"Trip to Japan", "Kyoto", "Osaka", "Café notes", "Hull", "2025-01-01", "travel"}
EVERYTHING = OTHERS | SPEC

WHAT_THEY_LEAVE = {
    "path:travel": {"Trip to Japan", "Kyoto", "Osaka", "Café notes", "travel"},
    "path:/travel": {"Trip to Japan", "Kyoto", "Osaka", "Café notes"},
    "path:./travel": {"Trip to Japan", "Kyoto", "Osaka", "Café notes"},
    'path:"./projects/wren/"': {"Hull"},
    "path:projects\\wren": {"Hull"},
    "path:.\\projects\\wren\\": {"Hull"},
    "path:TRAVEL/": {"Trip to Japan", "Kyoto", "Osaka", "Café notes"},
    "path:work": SPEC,
    "path:ork": set[str](),
    "path:cafe": {"Café notes"},
    'path:"trip to japan.md"': {"Trip to Japan", "Kyoto", "Osaka"},
    "path:projects/*/hull": {"Hull"},
    "path:[w]ren": set[str](),
    "tag:travel": {"Trip to Japan", "Kyoto", "Osaka"},
    "tag:#travel/japan": {"Trip to Japan", "Kyoto", "Osaka"},
    "tag:trave": set[str](),
    "tag:night": {"Kyoto"},
    "tag:food": {"Café notes"},
    "tag:work": {"Hull"},
    "after:2025": {"Café notes", "Hull", "2025-01-01"},
    "after:2025-03-01": {"Café notes", "Hull"},
    "after:2025-03-02": {"Hull"},
    "before:2025": {"Trip to Japan", "Kyoto", "Osaka", "travel", *SPEC},
    "before:2024-11-05": {"Trip to Japan", "Kyoto", "Osaka", "travel", *SPEC},
    "before:2024-11-04": {"travel", *SPEC},
    "after:0001": EVERYTHING,
    "after:1600": EVERYTHING,
    "before:1600": set[str](),
    "after:800y": EVERYTHING,
    "after:2300": set[str](),
    "before:9998": EVERYTHING,
    "file:japan": {"Trip to Japan", "Kyoto", "Osaka"},
    "file:.md": EVERYTHING,
    "file:travel": {"travel"},
    "file:trip*md": {"Trip to Japan", "Kyoto", "Osaka"},
    "links:hull": {"Osaka"},
    "links:/projects/wren/Hull.md": {"Osaka"},
    'links:"boat spec"': {"travel"},
    "links:spec": {"travel"},
    'links:"[[boat spec]]"': {"travel"},
    "links:[[boat spec]]": {"travel"},
    "links:[[|x]]": set[str](),
    "links:[[hull|x]]": {"Osaka"},
    "links:hull#none": set[str](),
    "links:plan": set[str](),
    "links:Mr": set[str](),
    "-links:hull -links:spec": EVERYTHING - {"Osaka", "travel"},
    "linked-by:homework/travel": {"2025-01-01", *SPEC},
    'linked-by:"trip to japan"': {"Hull"},
    "linked-by:hull": set[str](),
    "section:kyoto": {"Kyoto"},
    "section:kyo": {"Kyoto"},
    "section:links": {"Links", "Pictures"},
    'section:"boat spec"': {"Boat spec"},
    "section:spec": {"Boat spec"},
    "section:boat": {"Boat spec"},
    "prop:status": SPEC,
    "prop:STATUS=": SPEC,
    "prop:nothing": set[str](),
    'prop:status="in progress"': SPEC,
    'prop:"status=In Progress"': SPEC,
    "prop:status=in*": SPEC,
    "prop:status=in": set[str](),
    "prop:budget=9000.0": SPEC,
    "prop:budget>8999": SPEC,
    "prop:budget>=9000": SPEC,
    "prop:budget >= 9000": SPEC,
    "prop:budget > 9000": set[str](),
    "prop:budget <9000": set[str](),
    'prop:"budget" = 9,000': SPEC,
    'prop:"budget":9000': SPEC,
    'prop:"status":"in progress"': SPEC,
    'prop:"status":': SPEC,
    'prop:"status":new': set[str](),
    'prop:status = "in progress"': SPEC,
    "prop:budget>9000": set[str](),
    "prop:budget>8e3": SPEC,
    "prop:budget>1e999": set[str](),
    "prop:budget<many": set[str](),
    "prop:budget<10000": SPEC,
    "prop:budget<=10": set[str](),
    "prop:due=2026-04": SPEC,
    "prop:due>=2026-04-12": SPEC,
    "prop:due>2026-04": set[str](),
    "prop:due<2026-04-13": SPEC,
    "prop:due<=2026": SPEC,
    "prop:due<2026": set[str](),
    'prop:with="mr pascoe"': SPEC,
    'prop:with="ann lee"': SPEC,
    "prop:with=ann": set[str](),
    "prop:boat.name=wren": SPEC,
    'prop:aliases="the plan"': SPEC,
    "prop:tags=travel/japan": {"Trip to Japan", "Kyoto", "Osaka"},
    "has:code": {"Code"},
    "has:table": {"Parts"},
    "has:tables": {"Parts"},
    "has:image": {"Pictures"},
    "has:link": {"Links", "Osaka", "travel"},
    "task:todo": {"Code"},
    "task:done": {"Code", "Links"},
    "lang:python": {"Code"},
    "lang:de": SPEC,
    "lang:German": SPEC,
    "lang:xx": set[str](),
    "(tag:food OR tag:work)": {"Café notes", "Hull"},
    "(has:code OR has:table)": {"Code", "Parts"},
    "(path:work has:code)": {"Code"},
    "(spec OR tag:food)": {"Café notes", *SPEC},
    "path:travel tag:travel": {"Trip to Japan", "Kyoto", "Osaka"},
    "path:travel -tag:travel": {"Café notes", "travel"},
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[NoteLibrary]:
    folder = tmp_path_factory.mktemp("filters")
    write(folder / "vault", NOTES)
    for path in NOTES:
        os.utime(folder / "vault" / path, (CHANGED, CHANGED))
    with indexed(folder, {}, embedder) as library:
        yield library


def found(library: NoteLibrary, query: str, mode: str = "words") -> set[str]:
    result = library.search(query, mode=mode, limit=100, per_note=100)
    assert len(result.sections) == result.total
    return {section.section for section in result.sections}


@pytest.mark.parametrize(("filters", "left"), WHAT_THEY_LEAVE.items())
def test_a_filter_holds_in_every_mode(library: NoteLibrary, filters: str, left: set[str]) -> None:
    """Filters alone are asked for in every mode below, many at once."""
    can_be_negated = parse(filters).required[1:] == () or filters.startswith("(")
    for mode in Mode:
        assert found(library, f"{filters} boat", mode) == left, mode
        if can_be_negated:
            assert found(library, f"boat -{filters}", mode) == EVERYTHING - left, mode
    assert found(library, filters) == left
    if can_be_negated:
        assert found(library, f"-{filters}") == EVERYTHING - left


@pytest.mark.parametrize("mode", list(Mode))
def test_without_a_filter_everything_is_found(library: NoteLibrary, mode: Mode) -> None:
    assert found(library, "boat", mode) == EVERYTHING


_LEAVES = st.sampled_from(sorted(f for f in WHAT_THEY_LEAVE if not parse(f).required[1:]))
_TREES: st.SearchStrategy[tuple[str, frozenset[str]]] = st.recursive(
    _LEAVES.map(lambda f: (f if f.startswith("(") else f"({f})", frozenset(WHAT_THEY_LEAVE[f]))),
    lambda below: st.one_of(
        below.map(lambda a: (f"(-{a[0]})", EVERYTHING - a[1])),
        st.tuples(below, below).map(lambda ab: (f"({ab[0][0]} {ab[1][0]})", ab[0][1] & ab[1][1])),
        st.tuples(below, below).map(lambda a: (f"({a[0][0]} OR {a[1][0]})", a[0][1] | a[1][1])),
    ),
    max_leaves=6,
)
"""Queries of filters, and the same with sets."""


@given(made=_TREES, mode=st.sampled_from(list(Mode)))
@settings(max_examples=60)
def test_filters_combine_as_sets_do(
    library: NoteLibrary, made: tuple[str, frozenset[str]], mode: Mode
) -> None:
    query, left = made
    assert found(library, query, mode) == left
    assert found(library, f"-{query} boat", mode) == EVERYTHING - left


def test_filters_alone_list_the_newest_notes_first(library: NoteLibrary) -> None:
    result = library.search("-path:homework", limit=100, per_note=2)
    assert [note.title for note in result.notes] == [
        "Hull", "Café notes", "2025-01-01", "Trip to Japan", "Boat spec"
    ]  # fmt: skip
    assert [len(note.sections) for note in result.notes] == [1, 1, 1, 2, 2]
    assert [note.more for note in result.notes] == [0, 0, 0, 1, 3]
    assert result.total == 11
    assert not any(section.by_meaning_alone for section in result.sections)


@pytest.mark.parametrize("query", ["path:homework", "path:homework -path:homework"])
def test_filters_alone_are_answered_by_meaning_too(library: NoteLibrary, query: str) -> None:
    assert library.search(query, mode=Mode.MEANING).meaning
    assert not library.search(query, mode=Mode.WORDS).meaning


def test_filters_apply_before_the_best_are_taken(
    tmp_path_factory: pytest.TempPathFactory, embedder: Embedder
) -> None:
    folder = tmp_path_factory.mktemp("many")
    boats = {f"{n}.md": f"A boat, boat number {n} of the boats." for n in range(400)}
    tea = "We ate cake and bread by a boat, and had tea.\n"
    write(folder / "vault", {**boats, "one.md": tea})
    with NoteLibrary.open(folder / "vault", home=folder / "home", embedder=embedder) as library:
        library.refresh()
        for mode in Mode:
            assert "one" not in found_first(library, "boat", mode)
            assert found_first(library, "boat path:one", mode) == ["one"]


def found_first(library: NoteLibrary, query: str, mode: Mode) -> list[str]:
    return [s.section for s in library.search(query, mode=mode, limit=5, per_note=5).sections]


RELEASES = {
    "old.md": "---\nversion: 1.9\nsize: 1.9\nneeds: 1.9.7\n---\n# Old\n\nText.\n",
    "new.md": "---\nversion: 1.10\nsize: 1.10\nneeds: v1.10.2\n---\n# New\n\nText.\n",
}


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("prop:version>1.9", {"New"}),
        ("prop:version>=1.9", {"New", "Old"}),
        ("prop:version<1.10", {"Old"}),
        ("prop:version<v2", {"New", "Old"}),
        ("prop:version=1.10", {"New"}),
        # a number, not a version
        ("prop:size>1.5", {"Old"}),
        # three parts make a version under any name
        ("prop:needs>1.9.9", {"New"}),
        ("prop:needs<1.10", {"Old"}),
        ("prop:needs>1.9.12", {"New"}),  # not the 1st of September 2012
    ],
)
def test_versions_are_compared_part_by_part(
    query: str, titles: set[str], library_of: LibraryOf
) -> None:
    assert {s.title for s in library_of(RELEASES).search(query).sections} == titles


WITH_QUOTES = {
    "lock.md": '---\nmotto: so "they" say\nwidth: 19" rack\n---\n# The "north" lock\n\nText.\n',
    "other.md": "---\nmotto: none\nwidth: 19\n---\n# Other\n\nText.\n",
}


@pytest.mark.parametrize("typed", ["prop:motto=so", "prop:width=19", "section:north"])
def test_a_completed_value_with_quotes_finds_its_note(typed: str, library_of: LibraryOf) -> None:
    library = library_of(WITH_QUOTES)
    completed = [choice.filter for choice in library.complete_filter(typed)]
    found = [{s.title for s in library.search(f"{filter_} ").sections} for filter_ in completed]
    assert {'The "north" lock'} in found
    assert set() not in found


ODD_NAMES = {
    "The “big” lock.md": "# Gates\n\nHeavy.\n",
    'boxes "old"/5" reel.md': '---\nquote: the "best" of all\n---\n# Tape\n\nBrown.\n',
    "two  spaces.md": "# Gap\n\nWide.\n",
    "it’s open.md": "# Door\n\nAjar.\n",
    "list.md": '# List\n\n[[The “big” lock]], [[5" reel]], [[two  spaces]] and [[it’s open]]\n',
}


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        ("links:[[The “big” lock]]", {"List"}),
        ('links:"The "big" lock"', {"List"}),
        ('links:[[5" reel]]', {"List"}),
        ('links:"5 reel"', {"List"}),
        ('links:"two  spaces"', {"List"}),
        ('links:"it\'s open"', {"List"}),
        ("linked-by:list", {"Gates", "Tape", "Gap", "Door"}),
        ('file:"the "big" lock"', {"Gates"}),
        ('file:"two  spaces"', {"Gap"}),
        ('file:"two spaces"', {"Gap"}),
        ("file:it's", {"Door"}),
        ('path:"boxes "old"/"', {"Tape"}),
        ('prop:quote="the "best" of all"', {"Tape"}),
        ('prop:quote="the best of all"', {"Tape"}),
    ],
)
def test_quotes_and_spaces_in_names_do_not_matter(
    typed: str, titles: set[str], library_of: LibraryOf
) -> None:
    found = library_of(ODD_NAMES).search(f"{typed} ")
    assert {section.title for section in found.sections} == titles


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        ("links:[[Pump#Old valves]]", {"Wiki", "Usual"}),
        ("links:pump#old-valves", {"Wiki", "Usual"}),
        ("links:[[Pump]]", {"Wiki", "Usual", "Whole"}),
        ("links:[[Pump#Seals]]", set[str]()),
        ("linked-by:[[Usual#Top]]", {"Pump"}),
    ],
)
def test_a_filter_may_name_the_heading_that_links_lead_to(
    typed: str, titles: set[str], library_of: LibraryOf
) -> None:
    library = library_of(
        {
            "pump.md": "# Pump\n\n## Old valves\n\nBrass.\n",
            "wiki.md": "# Wiki\n\n![[pump#Old valves|them]]\n",
            "usual.md": "# Usual\n\n[them](pump.md#old-valves)\n",
            "whole.md": "# Whole\n\n[[pump]]\n",
        }
    )
    assert {section.title for section in library.search(f"{typed} ").sections} == titles


@pytest.mark.parametrize("name", ["links", "file", "path"])
def test_each_odd_name_that_is_offered_is_found(name: str, library_of: LibraryOf) -> None:
    library = library_of(ODD_NAMES)
    for choice in library.complete_filter(f"{name}:"):
        assert library.search(f"{choice.filter} ").sections, choice.filter


def test_only_notes_with_links_are_offered_the_most_linked_first(library_of: LibraryOf) -> None:
    notes = {
        "kyoto.md": "---\naliases: [Old capital]\n---\n# Kyoto\n\nTemples, see [[#Kyoto]].\n",
        "osaka.md": "# Osaka\n\nAn hour from [[kyoto#Food]], [the food](kyoto.md).\n",
        "nara.md": "# Nara\n\nDeer. [[Old capital]], [[Osaka]].\n",
        "tokyo.md": "# Tokyo\n\nNo links.\n",
        "plan.md": "# Plan\n\n[[Hotels]] and [a site](https://example.org).\n",
    }
    library = library_of(notes)
    linked = [(choice.filter, choice.count) for choice in library.complete_filter("links:")]
    assert linked == [("links:kyoto", 2), ("links:osaka", 1)]
    linking = {choice.filter for choice in library.complete_filter("linked-by:")}
    assert linking == {"linked-by:osaka", "linked-by:nara"}, "no other link leads to a note"


IN_CHINESE = {
    "a.md": "---\nlang: zh-CN\nattachments: 2\nauthor: Li\n---\n# 山\n\n我们在山上看见了很多树。\n",
    "b.md": "# 火\n\n```zh-tw\n水\n```\n\n```zig\nx\n```\n\n我们在山上看见了很多树。\n",
}


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("lang:z", ["lang:zh", "lang:zig"]),
        ("prop:att*", ["prop:attachments="]),
        ("prop:a*or", ["prop:author="]),
        ("has:ta", ["has:table", "has:task"]),
    ],
)
def test_values_are_offered_once_and_also_for_patterns(
    typed: str, offered: list[str], library_of: LibraryOf
) -> None:
    library = library_of(IN_CHINESE)
    assert [choice.filter for choice in library.complete_filter(typed)] == offered


def test_a_language_that_no_note_has_offers_those_of_the_notes(library_of: LibraryOf) -> None:
    (unmet,) = library_of(IN_CHINESE).search("lang:klingon").unmet
    assert unmet.near == ("lang:zh", "lang:zig")


def test_a_pattern_with_many_stars_is_completed_at_once(library_of: LibraryOf) -> None:
    library = library_of({f"{'long ' * 20}{number}.md": "# Rope\n" for number in range(20)})
    with processor_seconds(2):
        assert library.complete_filter("file:l******n*g*x") == ()
        assert len(library.complete_filter("file:l******n*g*7")) == 2


@pytest.mark.parametrize("query", ["", "  "])
def test_an_empty_query_says_so(query: str, library_of: LibraryOf) -> None:
    found = library_of(IN_CHINESE).search(query)
    assert found.empty_sentence == "The query is empty. Add a word or a filter."


def test_has_task_finds_open_and_finished_tasks(library_of: LibraryOf) -> None:
    library = library_of({"a.md": "- [ ] Row\n", "b.md": "- [x] Sail\n", "c.md": "- Swim\n"})
    assert {s.path for s in library.search("has:task ").sections} == {"a.md", "b.md"}


PRICES = {
    f"{name}.md": f"---\nprice: {price}\n---\n# {name}\n"
    for name, price in {
        "grouped": "1,250", "euros": "€5000", "share": "50%", "million": "1e6", "text": "cheap",
        "weight": "72 kg",
    }.items()
}  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        ("prop:price>1000", {"grouped", "euros", "million"}),
        ("prop:price>€1,000", {"grouped", "euros", "million"}),
        ("prop:price>50%", {"grouped", "euros", "million", "weight"}),
        ("prop:price=1250", {"grouped"}),
        ("prop:price=5.000€", {"euros"}),
        ("prop:price<100", {"share", "weight"}),
        ("prop:price>1,250 -prop:price=1e6", {"euros"}),
        ("prop:price=cheap", {"text"}),
        ("prop:price=72", {"weight"}),
        ('prop:price="72 kg"', {"weight"}),
        ("prop:price=72lb", set()),
    ],
)
def test_numbers_are_compared_however_they_are_written(
    typed: str, titles: set[str], library_of: LibraryOf
) -> None:
    found = library_of(PRICES).search(f"{typed} ")
    assert {section.title for section in found.sections} == titles


# Dates as people type them


@pytest.mark.parametrize(
    ("text", "first", "end"),
    [
        ("2026", "2026-01-01", "2027-01-01"),
        ("2026-04", "2026-04-01", "2026-05-01"),
        ("2026-12", "2026-12-01", "2027-01-01"),
        ("2026-04-12", "2026-04-12", "2026-04-13"),
        ("2026/4/2", "2026-04-02", "2026-04-03"),
        ("12.4.2026", "2026-04-12", "2026-04-13"),
        ("today", "2026-04-15", "2026-04-16"),
        ("Yesterday", "2026-04-14", "2026-04-15"),
        ("tomorrow", "2026-04-16", "2026-04-17"),
        ("7d", "2026-04-08", "2026-04-09"),
        ("2w", "2026-04-01", "2026-04-02"),
        ("3m", "2026-01-15", "2026-01-16"),
        ("1y", "2025-04-15", "2025-04-16"),
        ("10 days ago", "2026-04-05", "2026-04-06"),
        ("this week", "2026-04-13", "2026-04-20"),
        ("last-week", "2026-04-06", "2026-04-13"),
        ("last month", "2026-03-01", "2026-04-01"),
        ("last_year", "2025-01-01", "2026-01-01"),
        ("next month", "2026-05-01", "2026-06-01"),
        *((text, "2026-03-16", "2026-03-17") for text in
          ("last 30 days", "past 30 days", "30 days")),
        *((text, "2026-04-08", "2026-04-09") for text in
          ("a week ago", "one week ago", "past week", "last 7 days")),
        *((text, "2026-04-14", "2026-04-15") for text in ("last day", "last days", "past day")),
        *((text, "2026-03-15", "2026-03-16") for text in ("last months", "past month")),
        ("two weeks ago", "2026-04-01", "2026-04-02"),
        ("6mo", "2025-10-15", "2025-10-16"),
        ("day before yesterday", "2026-04-13", "2026-04-14"),
        ("this quarter", "2026-04-01", "2026-07-01"),
        ("last quarter", "2026-01-01", "2026-04-01"),
        ("q2 2025", "2025-04-01", "2025-07-01"),
        *((text, "2026-04-13", "2026-04-14") for text in ("monday", "Mon", "last monday")),
        ("wednesday", "2026-04-15", "2026-04-16"),
        ("last wed", "2026-04-08", "2026-04-09"),
        ("next friday", "2026-04-17", "2026-04-18"),
        ("this sunday", "2026-04-19", "2026-04-20"),
        *((text, "2026-03-01", "2026-04-01") for text in ("march", "in march", "märz", "mar")),
        *((text, "2025-05-01", "2025-06-01") for text in ("may", "last may", "mai")),
        *((text, "2026-03-12", "2026-03-13") for text in
          ("12 march", "March 12th", "12th of march", "12. märz", "12.3.", "12.03.26")),
        ("3/15/26", "2026-03-15", "2026-03-16"),
        ("q1", "2026-01-01", "2026-04-01"),
        ("q3", "2025-07-01", "2025-10-01"),
        *((text, "2026-03-16", "2026-03-23") for text in ("w12", "week 12", "kw12")),
        ("week 40", "2025-09-29", "2025-10-06"),
        ("29 feb", "2024-02-29", "2024-03-01"),
        ("week 53", "2020-12-28", "2021-01-04"),
        *((text, "", "") for text in
          ("", "2026-13", "2026-02-30", "0d0", "9999y", "last decade", "d", "-7d", "12", "0000",
           "32 march", "marching", "q5", "week 60", "monday 3", "last 5", "3/12/26")),
    ],
)  # fmt: skip
def test_dates(text: str, first: str, end: str) -> None:
    found = date_period(text, TODAY)
    assert [day.date().isoformat() for day in found or ()] == [day for day in (first, end) if day]


def test_a_month_ago_may_be_the_last_day_of_a_shorter_month() -> None:
    found = date_period("1m", date(2026, 3, 31))
    assert found is not None
    assert found[0].date() == date(2026, 2, 28)
