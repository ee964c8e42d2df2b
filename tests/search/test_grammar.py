"""The grammar: written trees are parsed back, and no query is too deep or too long."""

import time
from collections.abc import Iterator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from notesearch.search.query import (
    MAX_TERMS,
    Either,
    Every,
    Filter,
    Term,
    Tree,
    Without,
    parse,
    parse_tree,
)
from tests.search.query_text import TODAY

WORDS = ("kyoto", "東京", "c++", "don't", "state-of-the-art", "a/b.md", "or", "foo:bar", "20.04")
FILTERS = (
    "tag:work", 'path:"trip to"', "prop:due>=2026-04", 'prop:"a b"="c d"', "has:code", "after:7d",
    "section:x", "lang:de", "task:todo", "before:last-month",
)  # fmt: skip


def parsed(text: str) -> Every:
    return parse_tree(text, unfinished=False, today=TODAY)


TAG = parsed("tag:work").parts[0]

_leaves = st.one_of(
    st.builds(Term, st.sampled_from(WORDS)),
    st.builds(Term, st.sampled_from(["recip", "京"]), prefix=st.just(True)),
    st.builds(Term, st.sampled_from(["night train", "a (b", "OR"]), phrase=st.just(True)),
    st.sampled_from(FILTERS).map(lambda text: parsed(text).parts[0]),
)


def _several(trees: st.SearchStrategy[Tree]) -> st.SearchStrategy[tuple[Tree, ...]]:
    return st.lists(trees, min_size=2, max_size=3).map(tuple)


_trees: st.SearchStrategy[Tree] = st.recursive(
    _leaves,
    lambda below: st.one_of(
        st.builds(Without, below), st.builds(Either, _several(below)),
        st.builds(Every, _several(below)),
    ),
    max_leaves=12,
)  # fmt: skip


def written(tree: Tree, *, alone: bool = False) -> str:
    """Write ``tree`` as somebody would type it; ``alone`` needs no parentheses."""
    if isinstance(tree, Term):
        text = f'"{tree.text}"' if tree.phrase else tree.text
        return f"{text}*" if tree.prefix else text
    if isinstance(tree, Filter):
        return tree.text
    if isinstance(tree, Without):
        inner = written(tree.part)
        in_group = isinstance(tree.part, Without) or inner[0] == "-" or inner == "or"
        return f"-({inner})" if in_group else f"-{inner}"
    text = (" OR " if isinstance(tree, Either) else " ").join(map(written, tree.parts))
    return text if alone else f"({text})"


@given(st.lists(_trees, max_size=3))
def test_a_written_tree_is_parsed_to_the_same_tree(trees: list[Tree]) -> None:
    assume(sum(1 for tree in trees for _ in _operands(tree)) <= MAX_TERMS)
    text = " ".join(written(tree, alone=isinstance(tree, Either)) for tree in trees)
    assert parsed(text) == Every(tuple(trees))


_PIECES = st.sampled_from(
    [*WORDS, *FILTERS, "(", ")", "-", "OR", '"', "*", ":", "tag:", "prop:", "prop:=", 'path:"',
     "has:", "task:x", "before:", "-(", "(-", "))", "<", ">=", "section:", "\0", "\ud800", "𠀀"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=40).map(" ".join) | st.lists(_PIECES, max_size=40).map("".join))
def test_any_sequence_of_pieces_is_a_query(text: str) -> None:
    query = parse(text, TODAY)
    assert len(query.terms) <= MAX_TERMS
    assert all(query.groups)
    assert all(query.required)
    # The text after an open quote or next to an unpaired parenthesis is plain text.
    assert any(sign in text for sign in '"()') or "tag:work" not in query.plain_text.split()


@pytest.mark.parametrize(
    "text",
    ["(" * 5000 + "a" + ")" * 5000, "-(" * 3000, "(a OR " * 3000, "a OR b " * 3000,
     " OR ".join(["(a b c d e)"] * 6), "-(" + " ".join(["(a OR b OR c)"] * 10) + ")",
     "prop:" * 3000, '"' * 9999, "tag:a OR " * 3000, "é(" * 900],
    ids=lambda text: f"{text[:12]} {len(text)}",
)  # fmt: skip
def test_no_query_takes_long_to_parse(text: str) -> None:
    parse(text, TODAY)
    times = []
    for _ in range(5):
        started = time.thread_time()
        parse(text, TODAY)
        times.append(time.thread_time() - started)
    assert min(times) < 0.01


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(tag:work", [TAG]),
        ("((tag:work", [TAG]),
        ("lens (tag:work", [Term("lens"), TAG]),
        ("-(tag:work", [Without(TAG)]),
        ("((tag:work) lens", [Term("("), TAG, Term("lens")]),
        ("lens -((tag:work) group", [Term("lens"), Without(Every((TAG, Term("group"))))]),
        ("(tag:work OR lens", [Either((TAG, Term("lens")))]),
        ("(tag: work", [Term("(tag:"), Term("work")]),
        ("see(tag:work", [Term("see(tag:work")]),
    ],
)
def test_a_filter_in_an_unclosed_group_counts(text: str, expected: list[Tree]) -> None:
    assert parsed(text) == Every(tuple(expected))


@pytest.mark.parametrize(
    ("typed", "closed"),
    [
        ("lens -(kyoto OR nara", "lens -(kyoto OR nara)"),
        ("lens -(kyoto OR na", "lens -(kyoto OR na)"),
        ("lens -(kyoto OR ", "lens -(kyoto)"),
        ("lens -(kyoto OR", "lens -(kyoto)"),
        ("lens -(kyoto na", "lens -(kyoto na)"),
        ("lens -(kyoto", "lens -(kyoto)"),
        ('lens -("night tr', 'lens -("night tr")'),
        ("lens -(tag:work OR kyo", "lens -(tag:work OR kyo)"),
        ("lens -(kyoto OR (nara pa", "lens -(kyoto OR (nara pa))"),
        ("(lens camera) -(kyoto OR na", "(lens camera) -(kyoto OR na)"),
    ],
)
def test_an_unclosed_group_after_a_minus_excludes(typed: str, closed: str) -> None:
    assert parse_tree(typed, unfinished=True, today=TODAY) == parsed(closed)


@pytest.mark.parametrize("typed", ["lens -(", "lens -(((", "lens (kyoto OR na", "lens-(kyoto na"])
def test_other_unclosed_parentheses_exclude_nothing(typed: str) -> None:
    parts = parse_tree(typed, unfinished=True, today=TODAY).parts
    assert not any(isinstance(part, Without) for part in parts)


@pytest.mark.parametrize(
    ("text", "filters", "words"),
    [
        ("after:last month trout", ["after:last month"], ["trout"]),
        ("Before:7 days ago", ["Before:7 days ago"], []),
        ("-after:2 weeks trout", ["after:2 weeks"], ["trout"]),
        ("(after:last week OR trout)", ["after:last week"], ["trout"]),
        ("after:2026-04 last month", ["after:2026-04"], ["last", "month"]),
        ("after:2026 out of office", ["after:2026"], ["out", "of", "office"]),
        ("after:last-month (trout salmon)", ["after:last-month"], ["trout", "salmon"]),
        ("after:last decade", [], ["after:last", "decade"]),
        ("before:today month", ["before:today"], ["month"]),
        ("tag:last month", ["tag:last"], ["month"]),
        ('after:"last month" trout', ['after:"last month"'], ["trout"]),
        ("after:last 30 days trout", ["after:last 30 days"], ["trout"]),
        ("after:monday trout", ["after:monday"], ["trout"]),
        ("before:15 march trout", ["before:15 march"], ["trout"]),
        ("after:march trout", ["after:march"], ["trout"]),
    ],
)
def test_a_date_of_several_words_needs_no_quotes(
    text: str, filters: list[str], words: list[str]
) -> None:
    found = list(_operands(parsed(text)))
    assert [part.text for part in found if isinstance(part, Filter)] == filters
    assert [part.text for part in found if isinstance(part, Term)] == words


def _operands(tree: Tree) -> Iterator[Term | Filter]:
    match tree:
        case Term() | Filter():
            yield tree
        case Without(part):
            yield from _operands(part)
        case Either(parts) | Every(parts):
            for part in parts:
                yield from _operands(part)


def test_the_address_of_a_file_is_no_filter() -> None:
    assert parsed("file:///tmp/a.txt boat") == Every((Term("file:///tmp/a.txt"), Term("boat")))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("“night train” home", '"night train" home'),
        ("„night train“ home", '"night train" home'),
        ("»night train« home", '"night train" home'),
        ("« night train » home", '"night train" home'),
        ("「夜行列車」 京都", '"夜行列車" 京都'),
        ("rm “-rf” x", 'rm "-rf" x'),
        ("tag：work -tag：“a b”", 'tag:work -tag:"a b"'),
        ("（tag：work　OR　kyoto）　－nara", "(tag:work OR kyoto) -nara"),
        ("prop：due＞＝2026-04 recip＊", "prop:due>=2026-04 recip*"),
    ],
)
def test_quotes_and_wide_signs_of_any_keyboard_mean_the_same(typed: str, meant: str) -> None:
    query, usual = parse(typed, TODAY), parse(meant, TODAY)
    assert (query.groups, query.required) == (usual.groups, usual.required)


@pytest.mark.parametrize("text", ["注意：明天", "kyoto：garden", "it’s", "mytag：work"])
def test_other_text_keeps_its_signs(text: str) -> None:
    assert parse(text, TODAY).text == text


@pytest.mark.parametrize(
    ("text", "filters", "words"),
    [
        ("prop:due >= 2026-04 keel", ("prop:due >= 2026-04",), "keel"),
        ("prop:cost>100 < 200 keel", ("prop:cost>100",), "< 200 keel"),
        ("prop:cost=100 <200", ("prop:cost=100",), "<200"),
    ],
)
def test_a_property_is_compared_once(text: str, filters: tuple[str, ...], words: str) -> None:
    query = parse(text)
    assert (query.filters, query.plain_text) == (filters, words)
