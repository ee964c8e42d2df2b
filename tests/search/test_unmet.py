"""Missing words, words that only look like filters, and unmet filters of an answer."""

import pytest

from notesearch.results import Unmet
from tests.search.conftest import LibraryOf

NOTES = {
    "travel/Japan.md": "---\ntags: [travel/japan]\nstatus: done\nby: mr holt\n---\n"
    "# Japan\n\nTrains.",
    "travel/Wales.md": "---\ntags: [trips]\nstatus: open\n---\n# Wales\n\nRain.",
    "home/garden/Roses.md": "---\naliases: [Damask bed]\n---\n# Roses\n\n"
    "## Pruning in spring\n\nCut.",
    "home/Kitchen.md": "---\ntags: [home]\n---\n# Kitchen\n\n可以在東京吃飯。",
}


@pytest.mark.parametrize(
    ("query", "missing"),
    [
        ("zzqx ", ("zzqx",)),
        ("zzqx? ", ("zzqx",)),
        ("zzqx vvbn ", ("zzqx", "vvbn")),
        ("trains zzqx ", ("zzqx",)),
        ("zzqx OR vvbn ", ("zzqx", "vvbn")),
        ("trains until zzqx ", ("zzqx",)),
        ("trains that might zzqx ", ("zzqx",)),
        ("until ", ("until",)),
        ('"zzqx vvbn" ', ("zzqx vvbn",)),
        ('"zzqx vvbn" trains', ("zzqx vvbn",)),
        ('"trains zzqx" vvbn', ("trains zzqx", "vvbn")),
        ('"zzqx" ', ("zzqx",)),
        # named as no filter already
        ("type:zzqx trains", ()),
        ("trains tag:", ()),
        ("type:zzqx vvbn", ("vvbn",)),
        # a run without spaces: as typed, not in pairs
        ("機械翻譯", ("機械翻譯",)),
        ("東京機械", ("機械",)),
        ("以可", ("以可",)),
        # an absent pair across two known words is no word
        ("東京可以", ()),
        ("zz機械", ("zz機械",)),
        ("zz東京", ("zz",)),
        ("foo-zzqx, ", ("foo-zzqx",)),
        ("trains-zzqx ", ("zzqx",)),
        ("utf-8 ", ("utf-8",)),
        ("trains zzqx.md ", ("zzqx.md",)),
        # a date, a number or an address: as a whole, though its parts are there
        ("2031-05-17 ", ("2031-05-17",)),
        ("31.12. ", ("31.12",)),
        ("trains@tokyo.example ", ("trains@tokyo.example",)),
        ("https://trains.example/kyoto ", ("https://trains.example/kyoto",)),
    ],
)
def test_words_that_no_section_has(
    query: str, missing: tuple[str, ...], library_of: LibraryOf
) -> None:
    assert library_of(NOTES).search(query, mode="words").missing == missing


def test_words_that_none_of_the_shown_sections_has(library_of: LibraryOf) -> None:
    library = library_of(NOTES)
    assert library.search("trains rain ", limit=1).missing in {("trains",), ("rain",)}
    assert library.search("trains rain ", limit=30).missing == ()
    assert library.search("trains rain path:Japan ").missing == ("rain",)


@pytest.mark.parametrize("query", ["due 1931 soup ", "due: 1931 soup ", "due:1931 soup "])
def test_the_name_of_a_property_of_a_shown_note_is_not_missing(
    query: str, library_of: LibraryOf
) -> None:
    notes = {**NOTES, "soup.md": "---\ndue: 1931\n---\nSoup."}
    assert library_of(notes).search(query, mode="words").missing == ()


def test_a_version_is_missing_though_shorter_ones_are_found(library_of: LibraryOf) -> None:
    library = library_of({"pump.md": "# Pump\n\nThe firmware is 2.4.1.\n"})
    assert [library.search(query).missing for query in ("2.4.1 ", "2.4.9 ")] == [(), ("2.4.9",)]


def test_another_way_to_write_a_word_is_not_missing(library_of: LibraryOf) -> None:
    notes = {"a.md": "Due 2026-03-02.", "b.md": "Soup with leeks."}
    assert library_of(notes).search("soup leeks 2026-03-02 ", limit=1).missing == ("2026-03-02",)


def test_words_joined_by_the_search_are_not_missing(library_of: LibraryOf) -> None:
    library = library_of({"a.md": "Brush.", "b.md": "A workday."})
    assert library.search("brush work day path:a.md").missing == ("work", "day")
    filler = "Hier ist der Text, und er ist nicht auf Englisch, sondern für uns."
    german = library_of({"a.md": f"Knarzen. {filler}", "b.md": f"Wir beten. {filler}"})
    assert "beten" not in german.search("knarzen bett path:a.md", mode="words").missing


@pytest.mark.parametrize(
    ("query", "similar"),
    [
        ("tga:home", ("tag:home",)),
        ("tga:hmoe", ("tag:home",)),  # its value is misspelt, too
        ("tga:zzqx", ()),
        ("paht:Japan trains", ("path:Japan",)),
        ("-Tags:home trains", ("tag:home", "prop:tags=home")),
        ("has:pictures", ("has:code", "has:table", "has:image", "has:link")),
        ("task:later", ("task:todo", "task:done")),
        ("before:someday", ("before:today", "before:yesterday", "before:7d", "before:4w")),
        ("Status:done", ("prop:status=done",)),  # a property of the notes
        ('status:"on hold" soup', ('prop:status="on hold"',)),
        ("stat:done", ("prop:status=done",)),
        ("stat:gone", ()),
        ("folder:japan trains", ("path:japan",)),
        ("label:home", ("tag:home",)),
        ("since:1y", ("after:1y",)),
        ("since:foo", ()),
        ("nach:1y", ("after:1y",)),
        ("trains tag:", ()),
        ("type:foo", ()),
        ("tag:home", ()),
    ],
)
def test_a_misspelt_filter_is_answered_with_similar_ones(
    query: str, similar: tuple[str, ...], library_of: LibraryOf
) -> None:
    notes = {**NOTES, "done.md": "---\nstatus: done\n---\nSoup."}
    found = library_of(notes).search(query, mode="words")
    assert found.near_filters == ({found.not_filters[0]: similar} if similar else {})


@pytest.mark.parametrize(
    ("query", "not_filters"),
    [
        ("type:foo trains", ("type:foo",)),
        ("trains tag:", ("tag:",)),
        ("has:nothing", ("has:nothing",)),
        ("before:someday", ("before:someday",)),
        ("-kind:note trains", ("kind:note",)),
        ("tag:home kind:note type:foo", ("kind:note", "type:foo")),
        ("tag:home", ()),
        ('"type:foo"', ()),
        ("https://example.org", ()),
        ("mailto: std::vector localhost:8080 10:30 python:3.11 C:\\notes note: :smile:", ()),
    ],
)
def test_words_that_only_look_like_filters(
    query: str, not_filters: tuple[str, ...], library_of: LibraryOf
) -> None:
    assert library_of(NOTES).search(query, mode="words").not_filters == not_filters


@pytest.mark.parametrize(
    ("query", "unmet"),
    [
        ("tag:tr", [Unmet("tag:tr", ("tag:travel", "tag:travel/japan", "tag:trips"))]),
        ("rain tag:tr", [Unmet("tag:tr", ("tag:travel", "tag:travel/japan", "tag:trips"))]),
        ("tag:hmoe", [Unmet("tag:hmoe", ("tag:home",))]),
        ("tag:zzqx", [Unmet("tag:zzqx")]),
        ("TAG:#tri", [Unmet("TAG:#tri", ("TAG:trips",))]),
        ("path:tarvel", [Unmet("path:tarvel", ("path:travel",))]),
        ("file:japn", [Unmet("file:japn", ("file:japan",))]),
        ("links:japn", [Unmet("links:japn", ("links:japan",))]),
        ("prop:stat", [Unmet("prop:stat", ("prop:status",))]),
        ("prop:status=o", [Unmet("prop:status=o", ("prop:status=open",))]),
        ("prop:by=mr", [Unmet("prop:by=mr", ('prop:by="mr holt"',))]),
        ("prop:status=zz", [Unmet("prop:status=zz", ("prop:status=done", "prop:status=open"))]),
        ("prop:status!=done", [Unmet("prop:status!=done", ("-prop:status=done",))]),
        ("prop:status!", [Unmet("prop:status!", ("prop:status",))]),
        ("prop:status>5", [Unmet("prop:status>5")]),
        # in the words of a name
        ("tag:japna", [Unmet("tag:japna", ("tag:travel/japan",))]),
        ("path:home/gardne", [Unmet("path:home/gardne", ("path:home/garden",))]),
        ("path:gradens", [Unmet("path:gradens", ("path:home/garden",))]),
        ("path:home/Kichten.md", [Unmet("path:home/Kichten.md", ("path:home/kitchen.md",))]),
        ("section:pruningg", [Unmet("section:pruningg", ('section:"pruning in spring"',))]),
        ("links:damsk", [Unmet("links:damsk", ('links:"damask bed"',))]),
        ("tag:wood", [Unmet("tag:wood")]),
        # as in front matter
        ("prop:status:opne", [Unmet("prop:status:opne", ("prop:status=open",))]),
        ('prop:"status: opne"', [Unmet('prop:"status: opne"', ("prop:status=open",))]),
        ("prop:sttaus=done", [Unmet("prop:sttaus=done", ("prop:status=done",))]),
        ("prop:sttaus=zz", [Unmet("prop:sttaus=zz", ("prop:status",))]),
        ("prop:sttaus:done", [Unmet("prop:sttaus:done", ("prop:status=done",))]),
        ("has:table", [Unmet("has:table")]),
        # each alone matches
        (
            "tag:home path:travel",
            [Unmet("tag:home path:travel", together=("tag:home", "path:travel"))],
        ),
        ("cut tag:home ", [Unmet("tag:home cut", together=("tag:home", "cut"))]),
        ("cut zzqx tag:home ", [Unmet("tag:home cut", together=("tag:home", "cut"))]),
        ("-file:roses cut ", [Unmet("-file:roses cut", together=("-file:roses", "cut"))]),
        ("cut -roses ", [Unmet("-roses cut", together=("-roses", "cut"))]),
        (
            "cut rain tag:home ",
            [Unmet("tag:home cut OR rain", together=("tag:home", "cut OR rain"))],
        ),
        (
            '"pruning in" tag:trips rain',
            [Unmet('tag:trips "pruning in"', together=("tag:trips", '"pruning in"'))],
        ),
        (
            '"pruning in" "mr holt" "trains"',
            [Unmet('"pruning in" "mr holt"', together=('"pruning in"', '"mr holt"'))],
        ),
        (
            "cut tag:home path:travel ",
            [Unmet("tag:home path:travel", together=("tag:home", "path:travel"))],
        ),
        ("(tag:zz OR tag:vv)", [Unmet("tag:zz OR tag:vv")]),
        # the word is missing, not the filter
        ("zzqx tag:home", []),
        ("tag:home", []),
        ("-tag:zz tag:home", []),
        # an empty query
        ('"', []),
        ('""', []),
        ("-", []),
    ],
)
def test_unmet_filters_and_similar_ones(
    query: str, unmet: list[Unmet], library_of: LibraryOf
) -> None:
    assert list(library_of(NOTES).search(query, mode="words").unmet) == unmet


@pytest.mark.parametrize("query", ["?", "!!! ...", "***", "-", '""', "(", "“”"])
def test_punctuation_alone_is_nothing_to_search_for(query: str, library_of: LibraryOf) -> None:
    found = library_of(NOTES).search(query)
    assert found.is_empty
    told = f"There is nothing to search for in “{found.query}”. Add a word or a filter."
    assert found.remarks == [told]
    assert not found.nothing_sentence


@pytest.mark.parametrize("query", ["zzqx", "→", "-zzqx", "tag:zz", "日", "? tag:zz"])
def test_any_word_symbol_or_filter_is_searched_for(query: str, library_of: LibraryOf) -> None:
    assert not library_of(NOTES).search(query).is_empty


@pytest.mark.parametrize("query", ["tag:home ?", "... tag:home", "tag:home *"])
def test_punctuation_beside_a_filter_is_left_out(query: str, library_of: LibraryOf) -> None:
    found = library_of(NOTES).search(query)
    assert [section.path for section in found.sections] == ["home/Kitchen.md"]


LANGUAGES = {
    "a.md": "---\nlang: de\n---\n# A\n\nTeig.\n",
    "b.md": "---\nlang: en\n---\n# B\n\nDough.\n\n```python\nx = 1\n```\n",
    "c.md": "---\nlang: en\n---\n# C\n\nBread.\n",
}


@pytest.mark.parametrize(
    ("query", "near"),
    [
        ("lang:da", ("lang:en", "lang:de", "lang:python")),
        ("lang:pyt", ("lang:python",)),
        ("lang:pyhton dough", ("lang:python",)),
    ],
)
def test_an_unmet_language_lists_the_languages_of_the_notes(
    query: str, near: tuple[str, ...], library_of: LibraryOf
) -> None:
    assert library_of(LANGUAGES).search(query, mode="words").unmet[0].near == near


@pytest.mark.parametrize("typed", ["tag:küc", "tag:kuhce", "tag:KUCHEE"])
def test_a_tag_is_offered_as_it_is_written(typed: str, library_of: LibraryOf) -> None:
    notes = {"a.md": "# A\n\nBrot\n\n## B\n\n#Küche\n"}
    assert library_of(notes).search(typed, mode="words").unmet[0].near == ("tag:küche",)


@pytest.mark.parametrize("typed", ["wrk", "mtg", "m/p"])
def test_a_tag_is_offered_for_its_abbreviation(typed: str, library_of: LibraryOf) -> None:
    tags = {"wrk": "work", "mtg": "my/meetings", "m/p": "my/plans"}
    notes = {f"{n}.md": f"# N\n\n#{tag} text\n" for n, tag in enumerate(tags.values())}
    near = library_of(notes).search(f"tag:{typed}", mode="words").unmet[0].near
    assert near == (f"tag:{tags[typed]}",)


def test_the_sentence_of_an_unmet_filter() -> None:
    assert Unmet("tag:zz").sentence == "No notes match “tag:zz”."
    both = Unmet("tag:zz has:code", together=("tag:zz", "has:code"))
    assert both.sentence == "No notes match “tag:zz” and “has:code” together."
    near = Unmet("tag:tr", ("tag:travel", "tag:trips"))
    assert near.sentence == "No notes match “tag:tr”. Did you mean tag:travel, tag:trips?"


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("karlsson ", {"Monday"}),
        ("anna karlsson ", {"Monday"}),  # "Anna" is a word of two notes
        ("KARLSSÖN budget ", {"Monday"}),
        ("bruckner ", {"Bills"}),
        ("иванов ", {"Bills"}),
        ("2031 ", {"Bills"}),
        ("files/scan-2031.pdf ", {"Bills"}),
        ('links:"anna karlsson" ', {"Monday"}),
        ("karl ", set[str]()),
        ("md ", set[str]()),
    ],
)
def test_a_word_of_a_link_alone_is_not_missing(
    query: str, titles: set[str], library_of: LibraryOf
) -> None:
    notes = {
        "monday.md": "# Monday\n\n## Talk\n\nAsked [[Anna Karlsson|her]] for the budget.\n",
        "bills.md": "# Bills\n\nSee [the scan](files/scan-2031.pdf) of [it](monday.md)"
        " by [[Brückner|him]] and [[Иванов|him]].\n",
        "anna.md": "# Anna\n\nAnna and the budget.\n",
    }
    found = library_of(notes).search(query, mode="words")
    assert {section.title for section in found.sections} == titles
    assert bool(found.missing) is (not titles)


def test_sentences_about_a_long_paste_stay_short(library_of: LibraryOf) -> None:
    library = library_of(NOTES)
    words = [f"zzq{number}vv" for number in range(30)]
    result = library.search(" ".join(words))
    assert result.missing == tuple(words)
    assert result.missing_sentence == f"Not in any note: {', '.join(words[:8])} and 22 more."
    assert len(result.nothing_sentence) < 100
    result = library.search("q" * 900)
    assert len(result.missing_sentence) < 100


@pytest.mark.parametrize("count", [1, 8])
def test_a_few_missing_words_are_all_named(library_of: LibraryOf, count: int) -> None:
    words = [f"zzq{number}vv" for number in range(count)]
    sentence = library_of(NOTES).search(" ".join(words)).missing_sentence
    assert sentence == f"Not in any note: {', '.join(words)}."
