"""Passages: the text to embed for each section, and the cost of changing a note."""

import random
from base64 import b64encode
from itertools import pairwise
from textwrap import wrap

import pytest

from notesearch.markdown.sections.inline_text import plain
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.markdown.sections.passage_cutting import (
    TokenCounts,
    cut_into_passages,
    heading_paths,
    without_data,
    without_formulas,
)
from notesearch.notes import Passage

WINDOW = 256


def words(text: str) -> int:
    """A tokenizer whose tokens are words."""
    return len(text.split())


def passages(text: str, path: str = "Note.md", window: int = WINDOW) -> tuple[Passage, ...]:
    return cut_into_passages(parse_note(text, path), words, window)


def prose(count: int, word: str = "word") -> str:
    """Distinct sentences of ten words."""
    sentences = [
        " ".join([f"{word}{number}", *["and"] * 8, "end."]) for number in range(count // 10)
    ]
    return " ".join(sentences)


def test_a_passage_starts_with_its_breadcrumb() -> None:
    text = f"# Top\n\n{prose(80)}\n\n## Sub\n\n{prose(70)}\n\n### Leaf"
    shown = [passage.text for passage in passages(text)]
    assert shown == [
        f"[Top] {prose(80)}",
        f"[Top > Sub] {prose(70)}",
        "[Top > Sub > Leaf]",
    ]


def test_a_preamble_starts_with_the_title() -> None:
    (passage,) = passages(prose(70))
    assert passage.text == f"[Note] {prose(70)}"


def test_a_note_of_properties_alone_is_embedded_by_what_they_say() -> None:
    yaml = "title: Keel\nalias: Spine\ntags: [boat]\ndescription: How it was laid\nread: true\n"
    (passage,) = passages(f"---\n{yaml}date: 2026-03-01\nlength: 12\nurl: https://a.org/b\n---\n")
    assert passage.text == "[Keel] Spine, boat, How it was laid"
    first, *others = passages(f"---\ndescription: {prose(50)}\n---\n", window=30)
    assert (first.span, len(others)) == ((0, 0), 2)


URL = "https://example.org/" + "/".join(f"part{n}" for n in range(40)) + "?q=a.b!c&x=1"


@pytest.mark.parametrize(
    "whole",
    [
        URL,
        f"[a link]({URL}) {URL}",
        "Donaudampfschifffahrtsgesellschaftskapitän" * 4,
        "x86_64-unknown-linux-gnu/" * 8,
        "e.g. Dr. Who vs. Mr. Smith",
        "`git commit --amend -m a. b. And c`",
        "`` a ` in. Code and more of it ``",
        "**`SELECT a. FROM b. WHERE c`**",
        "`" + "one. Two " * 20 + "`",
    ],
)
def test_no_word_address_or_code_is_cut(whole: str) -> None:
    shown = plain(whole)
    for before in range(0, 200, 13):
        text = f"# T\n\n{' '.join(['and'] * before)} {whole} {' '.join(['or'] * 300)}"
        for window in (150, 190):
            found = passages(text, window=window)
            assert any(shown in passage.text for passage in found), (before, window)
            for passage in found:
                inside = passage.text.partition("] ")[2]
                for word in inside.split():
                    assert word in shown.split() or word in ("and", "or"), word


def test_a_sentence_that_fits_is_whole_and_begins_a_passage() -> None:
    sentences = [f"S{n} {' '.join(['word'] * (n * 7 % 60))} end{n}." for n in range(60)]
    found = passages(f"# T\n\n{' '.join(sentences)}", window=100)
    for passage in found:
        shown = passage.text.partition("] ")[2]
        assert shown.startswith("S"), shown
        assert shown.endswith("."), shown


def test_a_sentence_of_nearly_a_passage_is_whole_without_overlap() -> None:
    sentences = [f"{' '.join(['word'] * 85)} end{n}." for n in range(6)]
    found = passages(f"# T\n\n{' '.join(sentences)}", window=100)
    assert [passage.text.count("end") for passage in found] == [1] * 6


@pytest.mark.parametrize(
    "clause", ["word word, ", "eins zwei; ", "这是没有句号的话，", "一つの句、"]
)
def test_a_sentence_too_long_is_cut_after_a_clause(clause: str) -> None:
    note = parse_note(f"# T\n\n{clause * 300}", "n.md")
    found = cut_into_passages(note, lambda text: len(text.replace(" ", "")), WINDOW)
    assert len(found) > 5
    assert all(passage.text.endswith(clause.strip()) for passage in found)


def test_length_and_overlap_are_settings() -> None:
    note = parse_note(f"# T\n\n{' '.join(f'w{n}' for n in range(400))}", "n.md")
    apart = cut_into_passages(note, words, 50, overlap=0)
    assert all(one.span[1] < other.span[0] for one, other in pairwise(apart))
    shared = cut_into_passages(note, words, 50, overlap=10)
    text = note.sections[0].text
    assert all(
        len(text[other.span[0] : one.span[1]].split()) == 10 for one, other in pairwise(shared)
    )


def test_a_long_section_is_cut_at_the_end_of_a_paragraph() -> None:
    text = f"# T\n\n{prose(150, 'a')}\n\n{prose(150, 'b')}\n\n{prose(150, 'c')}"
    shown = [passage.text for passage in passages(text)]
    assert len(shown) == 3
    assert shown[0].startswith("[T] a0 ")
    assert shown[0].endswith("a14 and and and and and and and and end.")


def test_or_at_the_end_of_a_sentence() -> None:
    for passage in passages(f"# T\n\n{prose(1_000)}"):
        assert passage.text.endswith(" end.")


def test_or_at_the_end_of_a_word_or_within_one() -> None:
    text = "# T\n\n" + "word " * 1_000
    assert all(passage.text.split()[-1] == "word" for passage in passages(text))
    (section,) = parse_note("# T\n\n" + "x" * 100_000, "Note.md").sections
    shown = passages("# T\n\n" + "x" * 100_000)
    assert shown[-1].span[1] == len(section.text)
    assert all(len(passage.text) < 5_000 for passage in shown)


def test_chinese_is_cut_at_full_stops() -> None:
    text = "# T\n\n" + "这是一个没有空格的句子。" * 200
    shown = cut_into_passages(parse_note(text, "n.md"), len, WINDOW)
    assert len(shown) > 5
    assert all(passage.text.endswith("。") for passage in shown)


def test_passages_of_a_section_overlap_by_about_35_words() -> None:
    text = prose(1_000)
    shown = passages(f"# T\n\n{text}")
    for before, after in pairwise(shown):
        assert before.span[0] < after.span[0] < before.span[1] < after.span[1]
        assert 10 <= words(text[after.span[0] : before.span[1]]) <= 35


def test_passages_of_two_sections_do_not_overlap() -> None:
    shown = passages(f"# T\n\n{prose(300, 'a')}\n\n## U\n\n{prose(300, 'b')}")
    assert all("a1 " not in passage.text for passage in shown if passage.section == 1)


@pytest.mark.parametrize(
    ("text", "embedded"),
    [
        ("bounded: $|a_n| \\le c$ for all $n$", "bounded:   for all  "),
        ("a sum $$a + b$$ here", "a sum   here"),
        ("设$n$为点数", "设 为点数"),
        ("$\\sum q^k$", "$\\sum q^k$"),  # nothing else
        ("between $5 and $10, or US$5/US$10", "between $5 and $10, or US$5/US$10"),
        (
            '`"$a $b" $HOME/$USER ${a} ${b} $(ls)$(pwd)`',
            '`"$a $b" $HOME/$USER ${a} ${b} $(ls)$(pwd)`',
        ),
    ],
)
def test_formulas_are_not_embedded(text: str, embedded: str) -> None:
    assert without_formulas(text) == embedded


@pytest.mark.parametrize(
    ("text", "embedded"),
    [
        ("# Time\n\n$O(n)$", "[Time] $O(n)$"),
        ("# Time\n\n$O(n)$\n\n## Space\n\n$O(1)$", "[Time]  \nSpace:"),
        ("# Time\n\n$O(n)$\n\n## Why\n\nHerons wade.", "[Time]  \nWhy: Herons wade."),
    ],
)
def test_a_formula_alone_is_embedded_unless_words_follow(text: str, embedded: str) -> None:
    first, *_ = passages(text)
    assert first.text == embedded


DATA = random.Random(1).randbytes(30_000)
BASE64 = b64encode(DATA).decode()
KEY = "\n".join(wrap(BASE64, 64))


@pytest.mark.parametrize(
    "data",
    [BASE64, KEY, DATA.hex(), "\n".join(wrap(DATA.hex().upper(), 64)), f'{{"p": "{BASE64}"}}'],
)
def test_binary_data_takes_few_passages(data: str) -> None:
    shown = passages(f"# Key\n\nfor the cellar\n\n```\n{data}\n```\n\nvalid until May")
    assert len(shown) < 15
    assert "for the cellar" in shown[0].text
    assert shown[-1].text.endswith("valid until May")
    assert data[:40] not in "".join(passage.text for passage in shown)


def test_a_section_of_nothing_but_binary_data_has_a_passage() -> None:
    (passage,) = passages(f"# T\n\n```\n{BASE64}\n```")
    assert passage.text == "[T]"
    assert passage.span == (0, (WINDOW - 2) * 16)


@pytest.mark.parametrize(
    "text",
    [
        "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen",
        "https://example.org/2024/01/how-to-set-up-a-reverse-proxy-with-nginx-and-letsencrypt/",
        "src/main/java/org/example/web/servlet/DispatcherServletConfiguration",
        "aVeryLongMethodNameThatTestsSomethingVerySpecific12InTheJavaWorld",
        "THE_LONG_VARIABLE_FOR_THE_CONNECTION_STRING_OF_THE_DATABASE",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "f(a,b){return(a<b&&c>d)?x=y+z:for(i=0;i<n;i++){t+=v[i]*w[i]}}",
        "木材" * 100,
        "ภาษาไทย" * 30,
    ],
)
def test_what_a_person_reads_is_no_binary_data(text: str) -> None:
    assert without_data(text) == text


def test_a_stub_is_extended_with_its_subsections() -> None:
    text = f"# T\n\nShort.\n\n## Sub\n\n{prose(100)}\n\n# Other\n\nunrelated"
    stub = passages(text)[0]
    assert stub.text.startswith("[Note > T] Short.\nSub: word0 and")
    assert stub.span == (0, len("Short."))
    assert "unrelated" in stub.text


def test_a_tiny_stub_is_extended_with_its_siblings() -> None:
    shown = passages(f"# T\n\n## One\n\nTiny.\n\n## Two\n\n{prose(80)}")
    assert shown[1].text.startswith("[T > One] Tiny.\nTwo: word0 and")
    shown = passages(f"# T\n\n## One\n\n{prose(50, 'own')}\n\n## Two\n\n{prose(80)}")
    assert shown[1].text == f"[T > One] {prose(50, 'own')}"


def test_a_stub_is_never_extended_with_a_higher_section() -> None:
    shown = passages("# T\n\n## Sub\n\nShort.\n\n# Other\n\nunrelated")
    assert shown[1].text == "[Note > T > Sub] Short."


def test_a_heading_alone_makes_a_passage_and_an_empty_preamble_does_not() -> None:
    shown = passages("<!-- hidden -->\n\n# T\n\n## Sub\n")
    assert [passage.text for passage in shown] == ["[T] Sub", "[T > Sub]"]
    assert [passage.text for passage in passages("![](//x/x.png)\n")] == ["[Note]"]
    assert passages("") == ()


def test_a_long_breadcrumb_leaves_room_for_text() -> None:
    long = " ".join(["heading"] * 40)
    text = "".join(f"{'#' * level} {long} {level}\n\n" for level in range(1, 7)) + prose(400)
    shown = passages(text)[-1]
    head, _, body = shown.text.partition("]")
    assert words(head) <= WINDOW // 4
    assert " > … > heading" in head
    assert words(body) >= 100


@pytest.mark.parametrize("text", ["text", prose(600), "![](x.png)", f"## A\n\n{prose(90)}"])
def test_a_name_that_is_the_title_is_embedded(text: str) -> None:
    assert all(passage.text.startswith("[One") for passage in passages(text, "d/One.md"))
    assert passages(text, "One.md") != passages(text, "Two.md")
    assert passages(text, "One.md") == passages(text, "elsewhere/One.md")


def test_a_name_beside_a_title_is_not_embedded() -> None:
    text = f"---\ntitle: Own\n---\n{prose(70)}\n\n## Part\n\n{prose(70)}"
    assert passages(text, "One.md") == passages(text, "Two.md")


def test_editing_one_section_leaves_the_passages_of_the_others() -> None:
    text = "\n\n".join(f"## {name}\n\n{prose(300, name)}" for name in "abc")
    before = {passage.text for passage in passages(text)}
    after = {passage.text for passage in passages(text.replace("b3 and", "b3 but"))}
    assert 0 < len(after - before) <= 2


def test_a_tokenizer_whose_words_do_not_add_up_counts_whole_texts() -> None:
    def by_length(text: str) -> int:
        return len(text) // 4

    shown = cut_into_passages(parse_note(f"# T\n\n{prose(900)}", "n.md"), by_length, WINDOW)
    assert sum(by_length(word) for word in shown[0].text.split()) < by_length(shown[0].text)
    assert all(by_length(passage.text) <= WINDOW - 2 for passage in shown)


def test_the_tokens_of_a_word_are_counted_once_for_all_notes() -> None:
    asked: list[str] = []

    def letters(text: str) -> int:
        asked.append(text)
        return len("".join(text.split()))

    counts = TokenCounts(letters)
    note = parse_note("# One\n\nThe same words.", "a.md")
    first = cut_into_passages(note, counts, WINDOW)
    before = len(asked)
    assert cut_into_passages(note, counts, WINDOW) == first
    assert len(asked) == before


def test_heading_paths_contain_title_and_headings() -> None:
    text = "---\ntitle: Boats\n---\nBefore.\n\n# Wren\n\n## Hull\n\nWood.\n\n# Wren\n"
    paths = heading_paths(parse_note(text, "boats.md"), words, WINDOW)
    assert [(path.section, path.text) for path in paths] == [
        (0, "Boats"),
        (1, "Boats > Wren"),
        (2, "Boats > Wren > Hull"),
        (3, "Boats > Wren"),
    ]


def test_a_heading_path_begins_with_the_title_wherever_that_is_from() -> None:
    text = "Before.\n\n## Hull\n\nWood.\n"
    named = heading_paths(parse_note(text, "Old boats.md"), words, WINDOW)
    titled = heading_paths(parse_note(f"---\ntitle: Old boats\n---\n{text}", "a.md"), words, WINDOW)
    assert named == titled
    assert [path.text for path in named] == ["Old boats", "Old boats > Hull"]
