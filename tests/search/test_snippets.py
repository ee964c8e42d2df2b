"""Snippets; ``[…]`` shows their marks."""

import re
import unicodedata
from itertools import chain

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from notesearch.results import Marked
from notesearch.search import snippets
from notesearch.search.patterns import MatchFinder, find
from notesearch.search.query import parse
from notesearch.search.query_resolution import build_patterns
from notesearch.search.snippets import (
    LENGTH,
    boundary,
    densest,
    densest_matches,
    merged,
    readable,
    snippet,
)
from tests.limits import processor_seconds
from tests.search.conftest import LibraryOf, ReaderOf
from tests.search.marks import shown

FILLER = "Rain on the hills and in the valleys all day long without an end "
TEXT = f"{FILLER * 4}then we ate breakfast. Before nine the stalls open at the market. {FILLER * 4}"
URL = "https://example.org/" + "very-long-path/" * 30
CHINESE = "今天我们去京都旅行，吃了很多好吃的东西。" * 12
FAMILY = "👩‍👩‍👧"


def cut(query: str, text: str, reader_of: ReaderOf, start_at: int = 0) -> Marked:
    """Cut the snippet of ``text`` for ``query``, as a search does."""
    reader = reader_of(text)
    patterns = build_patterns(chain(*parse(query).content), reader)
    return snippet(text, densest_matches(MatchFinder(patterns, reader), text)[0], start_at)


@pytest.mark.parametrize(
    ("query", "text", "line"),
    [
        # a short text is whole, on one line
        ("market ", "The market opens.", "The [market] opens."),
        ("market ", "The sun.\n\n The market\topens.\n", "The sun. The [market] opens."),
        ("market ", "Sun\n\n The market\topens.\n", "Sun · The [market] opens."),
        ("nothing ", "The market opens.", "The market opens."),
        ("", "", ""),
        ("market ", "  \n ", ""),
        # a phrase is one mark, also across a line end
        ('"night train"', "The night\n train", "The [night train]"),
        # a few words precede the match, but not of an earlier sentence or paragraph
        ("stalls ", TEXT, "… Before nine the [stalls] open at the market. Rain"),
        ("nine ", TEXT, "… Before [nine] the stalls open at the market. Rain"),
        ("breakfast ", TEXT, "… end then we ate [breakfast]. Before"),
        ("b ", f"{FILLER * 4}\n\nb c", "… [b] c"),
        ("market ", f"{FILLER * 4}\nthe market", "… the [market]"),
        ("again", "again and again and again", "[again] and [again] and [again]"),
        # a task that goes on shows its box
        ("market ", f"☑ {FILLER * 4}the market\nend", "☑ … without an end the [market] · end"),
        ("market ", f"{FILLER * 4}\n☐ to market", "… ☐ to [market]"),
        # more of the sentence precedes it if little text follows
        ("b ", f"{FILLER * 4}yes. {FILLER}before b", f"… {FILLER}before [b]"),
        # a point after an abbreviation or a day does not end a sentence
        ("b ", f"{FILLER * 4}it. See Art. 5 with b {FILLER * 4}", "… See Art. 5 with [b] Rain"),
        (
            "b ",
            f"{FILLER * 4}it. On 24. April Dr. Kern b {FILLER * 4}",
            "… On 24. April Dr. Kern [b]",
        ),
        ("b ", f"{FILLER * 4}it. Seen on TV. Then b {FILLER * 4}", "… Then [b] Rain"),
        # from the first line from which all fits, or from the line of the match
        ("b ", f"{FILLER * 4}\nsun\nrain\nb", "… sun · rain · [b]"),
        ("b ", f"{FILLER * 4}\nsun\nrain b {FILLER * 4}", "… rain [b] Rain"),
        # the first sentence is whole, if its beginning is near
        ("b ", f"{FILLER[:49]} b {FILLER * 4}", f"{FILLER[:49]} [b]"),
        ("b ", f"{FILLER * 4}End. Once {FILLER} b {FILLER}", f"… Once {FILLER}[b]"),
        # unless all of the earlier text is short
        ("market ", "Up early. To the\n\nmarket", "Up early. To the · [market]"),
        # words of an address count only if they are nowhere else
        ("b c ", f"B. {FILLER * 4}https://b.org/b/c b c", "… without an end b.org [b] [c]"),
        ("b c ", "C at https://b.org/c here", "[C] at https://[b].org/c here"),
        # of a long word before the match only the end is shown, or nothing
        ("food ", f"{URL} food here", "… [food] here"),
        ("food ", f"see {URL}food here", "… -long-path/[food] here"),
        # the window with most words
        ("kyoto food", f"Kyoto. {FILLER * 4}end. Kyoto food! {FILLER * 4}", "… [Kyoto] [food]! R"),
    ],
)
def test_snippets_in_a_table(query: str, text: str, line: str, reader_of: ReaderOf) -> None:
    found = shown(cut(query, text, reader_of))
    assert found == line if len(found) < 80 else found.startswith(line)


def test_thousands_of_addresses_take_no_time() -> None:
    text = "\n".join(f"github https://github.com/notes/{number}" for number in range(4000))
    matches = [(found.span(), 0) for found in re.finditer("github", text)]
    with processor_seconds(1.0):
        assert shown(snippet(text, matches)).startswith("[github] github.com · [github]")


def test_a_snippet_ends_after_a_whole_word(reader_of: ReaderOf) -> None:
    found = cut("rain ", FILLER * 9, reader_of)
    assert found.text.endswith("…")
    assert found.text.removesuffix("…").split()[-1] in FILLER.split()
    assert LENGTH - 12 < len(found.text) <= LENGTH + 3


def test_without_a_match_the_snippet_starts_at_the_passage(reader_of: ReaderOf) -> None:
    text = f"{FILLER * 9}Osaka castle. {FILLER * 3}"
    found = cut("nothing ", text, reader_of, text.index("Osaka"))
    assert found.text.startswith("… Osaka castle.")
    assert found.marks == ()


def test_a_text_without_spaces(reader_of: ReaderOf) -> None:
    found = cut("旅行", CHINESE, reader_of)
    assert shown(found).startswith("今天我们去京都[旅行]，吃了")
    assert found.text.endswith("…")
    assert len(found.text) <= LENGTH + 3
    later = cut("大阪", CHINESE + "昨天我们去大阪看朋友。" + CHINESE, reader_of)
    assert shown(later).startswith("… 昨天我们去[大阪]看朋友。今天")


def test_a_match_in_a_word_that_is_too_long(reader_of: ReaderOf) -> None:
    found = cut("food ", f"{URL}food {FILLER}", reader_of)
    assert "[food]" in shown(found)


def test_a_match_longer_than_the_snippet(reader_of: ReaderOf) -> None:
    word = "x" * 500
    found = cut(word, f"see {word} there", reader_of)
    assert len(found.text) <= LENGTH + 3
    assert found.marks
    phrase = " ".join(["ab"] * 100)
    found = cut(f'"{phrase}"', phrase, reader_of)
    assert len(found.text) <= LENGTH + 3
    assert found.marks == ((0, len(found.text) - 1),)


@pytest.mark.parametrize(
    ("text", "at", "place"),
    [
        ("abc", 2, 2),
        ("ae\u0301b", 2, 1),
        ("a" + FAMILY, 3, 1),
        ("👍🏽", 1, 0),
        (FAMILY, 4, 0),
        ("กำ", 1, 1),
        ("abc", 3, 3),
        ("abc", 0, 0),
    ],
)
def test_drawn_characters_are_not_split(text: str, at: int, place: int) -> None:
    assert boundary(text, at) == place


def test_a_snippet_does_not_end_inside_an_emoji(reader_of: ReaderOf) -> None:
    for shift in range(8):
        found = cut("", "x" * shift + FAMILY * 100, reader_of)
        ending = found.text.removesuffix("…").lstrip("x")
        assert ending == FAMILY * (len(ending) // len(FAMILY))


@pytest.mark.parametrize(
    ("found", "begins"),
    [
        ([((3, 5), 0)], 3),
        ([((3, 5), 0), ((900, 905), 0), ((910, 915), 1)], 900),
        ([((3, 5), 0), ((50, 55), 1), ((900, 905), 0), ((910, 915), 1)], 3),
        ([((3, 5), 0), ((900, 905), 0), ((910, 915), 0), ((920, 925), 0)], 900),
    ],
)
def test_the_densest_window(found: list[tuple[tuple[int, int], int]], begins: int) -> None:
    assert densest(found)[0] == begins


_WORDS = st.sampled_from(
    ["kyoto", "Food", "rain", ".", "a. ", "\n\n", "\n", "x" * 200, "東京へ行く。", "か\u3099",
     "ไทย", FAMILY, "👍🏽", "e\u0301", "ﬁ", "…", "(", "\u00ad", "kyoto,food", "\u2028", "\u200b"]
)  # fmt: skip
_TEXTS = st.lists(_WORDS, max_size=60).map(" ".join) | st.lists(_WORDS, max_size=60).map("".join)
_QUERIES = st.sampled_from(["kyoto food", "東", "京へ", '"food rain"', "fi", "x", "が", "foo", ""])


def _letters(text: str) -> str:
    return "".join(text.replace("·", "").split())


@given(text=_TEXTS, query=_QUERIES, start_at=st.integers(0, 300))
@example(text="x" * 200 + " kyoto", query="kyoto", start_at=0)
@example(text="x" * 200 + "e\u0301…kyoto", query="kyoto food", start_at=0)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_snippet(text: str, query: str, start_at: int, reader_of: ReaderOf) -> None:
    reader = reader_of("kyoto")
    patterns = build_patterns(chain(*parse(query).content), reader)
    matches = find(patterns, reader.lexicon.forms(text))
    found = snippet(text, matches, min(start_at, len(text)))
    body = found.text.removeprefix("… ").removesuffix("…")

    assert len(body.replace(" · ", " ")) <= LENGTH
    assert found.text == " ".join(found.text.split())
    assert _letters(body) in _letters(text)
    assert not body or unicodedata.category(body[0]) != "Mn" or text.lstrip().startswith(body[0])

    originals = {"".join(text[start:end].split()) for start, end in merged(
        [span for span, _ in matches])}  # fmt: skip
    ends = [0]
    for start, end in found.marks:
        assert ends[-1] <= start < end <= len(found.text)
        word = "".join(found.text[start:end].split())
        assert any(word in original for original in originals)
        ends.append(end)
    assert bool(found.marks) == bool(matches)


def test_a_long_text_is_cut_at_the_block_with_most_words(reader_of: ReaderOf) -> None:
    reader = reader_of("kyoto food")
    patterns = build_patterns(parse("kyoto food").terms, reader)
    filler = "nothing to see " * 6000
    text = f"{filler} kyoto {filler} kyoto food {filler} kyoto food"
    found, _ = densest_matches(MatchFinder(patterns, reader), text)
    assert [text[start:end] for (start, end), _ in found] == ["kyoto", "food"]
    assert found[0][0][0] == text.index("kyoto food")
    assert densest_matches(MatchFinder((), reader), text) == ([], None)


@pytest.mark.parametrize("text", ["a" * 2_000_000, "東" * 2_000_000, "kyoto " * 300_000])
def test_a_huge_text_takes_little_time(text: str, reader_of: ReaderOf) -> None:
    reader = reader_of("x")
    with processor_seconds(10):
        densest_matches(MatchFinder(build_patterns(parse("food").terms, reader), reader), text)


@pytest.mark.parametrize(
    ("text", "language", "is_found"), [("A rainy day. ", "en", True), ("今天下雨。", "zh", False)]
)
def test_a_huge_text_is_searched_to_its_end_only_if_that_is_quick(
    reader_of: ReaderOf,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    language: str,
    *,
    is_found: bool,
) -> None:
    """A search once took a minute because of a book in Chinese that has the query in its title."""
    monkeypatch.setattr(snippets, "_MOST_CHARACTERS", 3_000)
    reader = reader_of("x")
    finder = MatchFinder(build_patterns(parse("food").terms, reader), reader)
    assert bool(densest_matches(finder, text * 800 + " food", language)[0]) == is_found


def test_the_path_of_an_included_file_is_no_match_beside_others(reader_of: ReaderOf) -> None:
    include = "{{#rustdoc_include ../listings/no-listing-08-reference-scope/src/main.rs:here}}"
    text = f"{FILLER}\n\n{include}\n\nThe scope in which the reference is valid ends here.\n"
    line = shown(cut("reference scope", text, reader_of))
    assert "main.rs" not in line
    assert "The [scope] in which the [reference] is valid" in line
    only = f"{FILLER}\n\n{include}\n\nNothing of it here.\n"
    assert "[reference]" in shown(cut("reference", only, reader_of)), "else nothing is marked"


def test_a_table_may_end_its_rows_with_empty_cells(reader_of: ReaderOf) -> None:
    rows = "Operator | Example | Overloads\n! | ident!() |\n!= | a != b | PartialEq"
    line = shown(cut("operator", f"Table of operators\n{rows}", reader_of))
    assert "[Operator] · Example · Overloads" in line


def test_cells_of_tables_are_separated_by_dots_but_pipes_of_commands_stay(
    reader_of: ReaderOf,
) -> None:
    table = "Place | Dish\nNishiki | doughnuts\nGion | matcha"
    assert shown(cut("matcha ", table, reader_of)).endswith("Gion · [matcha]")
    wide = "\n".join(" | ".join(f"{row} number {n}" for n in range(40)) for row in ("Head", "cell"))
    found = shown(cut("matcha ", wide.replace("cell number 30", "matcha"), reader_of))
    assert "cell number 29 · [matcha] · cell number 31" in found, "of a line wider than a snippet"
    assert shown(cut("uniq ", "sort a | uniq -c", reader_of)) == "sort a | [uniq] -c"


@pytest.mark.parametrize("end", [".", "।", "؟", "։", "។"])
def test_a_snippet_ends_with_a_sentence_if_it_is_long_enough(reader_of: ReaderOf, end: str) -> None:
    text = f"The market opens{end} {f'We walked on for an hour{end} ' * 20}"
    assert cut("market ", text, reader_of).text.endswith(f"hour{end} …")


def test_a_point_after_one_letter_ends_no_sentence(reader_of: ReaderOf) -> None:
    text = f"The market {FILLER}as the book of E. Anna says on p. 253 of the third {FILLER}"
    assert "p. 253" in cut("market ", text, reader_of).text
    assert cut("market ", text.replace("of E.", "there is by me."), reader_of).text.endswith(
        "by me. …"
    )


def test_no_separator_of_cells_is_before_the_ellipsis(reader_of: ReaderOf) -> None:
    cells = [[f"{word} {n}" for n in range(30)] for word in ("Market", "doughnuts")]
    table = "\n".join(" | ".join(row) for row in cells)
    found = shown(cut("market ", table, reader_of))
    assert found.endswith("…")
    assert "|" not in found


def test_no_comma_is_before_the_ellipsis(reader_of: ReaderOf) -> None:
    text = "market, " + "stall-holders, " * 40
    assert shown(cut("market ", text, reader_of)).endswith("stall-holders…")


def test_a_task_that_is_a_heading_shows_its_box(library_of: LibraryOf) -> None:
    library = library_of({"pages/Boat.md": "- [ ] Paint the hull\n  - blue\n- [x] Oil\n  - hull\n"})
    found = {one.section: one.breadcrumb[-1] for one in library.search("hull").sections}
    assert shown(found["Paint the hull"]) == "☐ Paint the [hull]"
    assert shown(found["Oil"]) == "☑ Oil"


@pytest.mark.parametrize(
    ("spans", "joined"),
    [
        ([], ()),
        ([(0, 2), (5, 7)], ((0, 2), (5, 7))),
        ([(0, 2), (1, 3), (3, 4)], ((0, 4),)),
        ([(5, 7), (0, 9)], ((0, 9),)),
    ],
)
def test_joining_spans(spans: list[tuple[int, int]], joined: tuple[tuple[int, int], ...]) -> None:
    assert merged(spans) == joined


# Snippets as a person would read them aloud


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("see https://www.example.org/path/to?x=1 for [food].", "see example.org for [food]."),
        ("(https://docs.python.org/3/re.html#x), [re]", "(docs.python.org), [re]"),
        ("see https://example.org/[food]/x", "see https://example.org/[food]/x"),
        ("it grows as $n^2$ and [food]", "it grows as n² and [food]"),
        ("$\\alpha \\to \\infty$ [b]", "α → ∞ [b]"),
        ("$$\\frac{a}{b} \\leq x_0$$ [b]", "a/b ≤ x₀ [b]"),
        ("it costs $5 or $6 [b]", "it costs $5 or $6 [b]"),
        ("$x^{[food]}$", "$x^{[food]}$"),
        ('--8<-- "includes/abbr.md" The [b]', "The [b]"),
        ("{% include 'a/b.html' %} The [b]", "The [b]"),
        ("{{#include ../ch01/main.rs:here}} The [b]", "The [b]"),
        ("{!../../src/main.py!} The [b] {!> a/b.md!} c, !{d}", "The [b] c, !{d}"),
        ("tip\nPress [Enter].", "Press [Enter]."),
        ("… Summary\nPress [Enter].", "… Press [Enter]."),
        ("Save it:\nWarning\nPress [Enter].", "Save it: Press [Enter]."),
        ("Mind the gap\nPress [Enter].", "Mind the gap · Press [Enter]."),
        ("boat.png\nThe [sea].", "The [sea]."),
        ("… Pasted image 20260102030405.PNG\nThe [sea].\nmap.svg\nLand", "… The [sea]. Land"),
        ("See\nthe map.png\nand [sea]", "See · the map.png · and [sea]"),
        ("tip of the [iceberg]", "tip of the [iceberg]"),
        ("[tip] Press Enter.", "[tip] Press Enter."),
        ("Drop rows\nPickup from [Frankie]\nShip", "Drop rows · Pickup from [Frankie] · Ship"),
        ("To do:\nbuy [rice],\ncook it.\nEat", "To do: buy [rice], cook it. Eat"),
        ("买米\n做[饭]。\n吃", "买米 · 做[饭]。 吃"),
        ("f(x) {\nreturn [x]\n}", "f(x) { return [x] }"),
        ("[a] https://a.org/x [b] https://b.org/y [c]", "[a] a.org [b] b.org [c]"),
        ("[a] https://www.example.org – then", "[a] example.org – then"),
    ],
)
def test_snippets_are_prose(text: str, line: str) -> None:
    assert shown(readable(marked(text))) == line


@given(st.text(max_size=200), st.lists(st.integers(0, 200), max_size=8))
def test_marks_stay_on_their_words_in_prose(text: str, bounds: list[int]) -> None:
    ends = sorted({min(bound, len(text)) for bound in bounds})
    marks = tuple((a, b) for a, b in zip(ends[::2], ends[1::2], strict=False) if a < b)
    found = readable(Marked(text, marks))
    matches = [text[a:b].replace("\n", " ") for a, b in marks]
    assert [found.text[a:b] for a, b in found.marks] == matches


def marked(text: str) -> Marked:
    """Read ``[…]`` as marks."""
    plain, marks = "", list[tuple[int, int]]()
    for part in re.split(r"(\[\w+\])", text):
        if part.startswith("[") and part.endswith("]"):
            marks.append((len(plain), len(plain) + len(part) - 2))
        plain += part.strip("[]") if marks and marks[-1][0] == len(plain) else part
    return Marked(plain, tuple(marks))
