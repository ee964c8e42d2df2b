"""Every sentence has a code and fields; the code that makes it and the list of them agree."""

import ast
import copy
import json
import pickle
import re
import string
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from notesearch import errors
from notesearch.errors import NoteMissingError
from notesearch.messages import NO_SENTENCE, SENTENCES, Sentence
from notesearch.status import Part

PACKAGE = Path(__file__).parents[1] / "notesearch"
ERRORS = {name for name, kind in vars(errors).items() if isinstance(kind, type)} | {
    "InstanceError",
}


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))


def fields_of(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def calls(kinds: Collection[str] = ERRORS) -> Iterator[tuple[str, str, set[str]]]:
    """Yield file, code and fields of each sentence or error of ``kinds`` with a literal code."""
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in nodes(file):
            if isinstance(node, ast.Call) and (code := _code(node, kinds)):
                fields = {keyword.arg for keyword in node.keywords if keyword.arg}
                has_more = any(keyword.arg is None for keyword in node.keywords)
                yield file.name, code, fields | (fields_of(SENTENCES[code]) if has_more else set())


def _code(call: ast.Call, kinds: Collection[str]) -> str:
    name = ast.unparse(call.func).rpartition(".")[2]
    match call.args[:1]:
        case [ast.Constant(value=str(code))] if name in kinds:
            return code
        case [ast.JoinedStr() as text] if name == "Sentence" and not call.keywords:
            return ""  # one of several codes that begin alike
        case [ast.JoinedStr() as text] if name in kinds:
            return ast.unparse(text)
    return ""


def test_every_sentence_is_made_with_exactly_its_fields() -> None:
    wrong = [
        (file, code, fields)
        for file, code, fields in calls()
        if code not in SENTENCES or fields_of(SENTENCES[code]) != fields
    ]
    assert wrong == []


WITHOUT_ACTION = {
    "index_incomplete", "index_other_version", "index_replaced",  # mended by themselves
    "search_cancelled", "task_stopped",  # wanted
    "vault_outdated",  # contains another sentence
    "editor_not_found", "editor_not_in_obsidian", "editor_not_set",  # beside “Choose editor…”
    "editor_not_started", "editor_of_desktop_missing",
    "absence_outside", "absence_unknown", "file_not_text", "file_special",  # answers, not errors
}  # fmt: skip


def test_every_error_says_what_to_do() -> None:
    kinds = ERRORS - {"Sentence"}
    codes = {code for _, code, _ in calls(kinds)} - WITHOUT_ACTION
    action = re.compile(r"([.?] |: (?!\{))(?=\w|“|\{)")  # after what happened
    assert [code for code in sorted(codes) if not action.search(SENTENCES[code])] == []


def test_every_sentence_is_used() -> None:
    text = "\n".join(
        file.read_text(encoding="utf-8")
        for file in PACKAGE.rglob("*.py")
        if file.name != "messages.py"
    )
    unused = {code for code in SENTENCES if code and f'"{code}"' not in text}
    assert unused == {f"repaired_{part}" for part in Part if part is not Part.PROGRAM} | {
        "file_read_by_other_version"
    }


def test_a_sentence_is_a_text_that_knows_its_code() -> None:
    sentence = Sentence("note_outside", path="a.md")
    assert sentence == "“a.md” is not in the notes folder. Choose a note that is."
    assert (sentence.code, sentence.fields) == ("note_outside", {"path": "a.md"})
    assert json.dumps([sentence]) == json.dumps([str(sentence)])


def test_the_empty_sentence_is_false() -> None:
    assert not NO_SENTENCE
    assert (NO_SENTENCE, NO_SENTENCE.code) == ("", "")


@pytest.mark.parametrize(
    ("sentence", "english"),
    [
        (Sentence("found_notes_gone", count=1204), "1,204 notes are gone but still indexed."),
        (Sentence("note_name_unknown_near", name="a", near=("b.md", "c.md")),
         "No note is called “a”. Did you mean b.md, c.md?"),
        (Sentence("section_unknown", path="a.md", section="x", sections=("One, two", "Three")),
         "a.md has no section “x”. Its sections: One, two; Three"),
        (Sentence("note_unreadable", path="{b}", reason="{c}"),
         "“{b}” cannot be read: {c}. Check its permissions."),
    ],
)  # fmt: skip
def test_fields_are_written_as_english_does(sentence: Sentence, english: str) -> None:
    assert sentence == english


@pytest.mark.parametrize(
    "sentence",
    [
        NO_SENTENCE,
        Sentence("file_not_text"),
        Sentence("found_notes_gone", count=3),
        Sentence("note_name_unknown_near", name="a", near=("b.md", "c.md")),
    ],
)
def test_a_sentence_survives_copying_pickling_and_storing(sentence: Sentence) -> None:
    for copied in (
        copy.deepcopy(sentence),
        pickle.loads(pickle.dumps(sentence)),
        Sentence.from_json(sentence.to_json()),
    ):
        assert (copied, copied.code, copied.fields) == (sentence, sentence.code, sentence.fields)


@pytest.mark.parametrize("stored", ['["no_such_code", {}]', '["file_too_large", {"most": 3}]'])
def test_a_stored_sentence_of_another_version_is_still_a_sentence(stored: str) -> None:
    assert Sentence.from_json(stored).code == "file_read_by_other_version"


def test_an_error_has_the_code_and_the_fields_of_its_sentence() -> None:
    error = NoteMissingError("note_gone", path="a.md")
    assert (error.code, error.fields) == ("note_gone", {"path": "a.md"})
    assert str(error) == "“a.md” was moved or deleted since the last update. Search for it again."
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.code, again.fields) == (type(error), error.code, error.fields)


def test_a_sentence_stays_readable_whatever_a_program_sends() -> None:
    error = NoteMissingError("note_name_unknown_near", name="x" * 6000, near=("y" * 6000, "a.md"))
    outer = Sentence("vault_silent", vault="v", reason=Sentence("index_missing", vault="z" * 499))
    assert len(error.sentence) < 1200
    assert error.sentence.startswith("No note is called “xxx")
    assert error.sentence.endswith("y, a.md?")
    assert error.fields["name"] == "x" * 6000
    assert "z" * 499 in outer


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (1, "1 note is not indexed yet."),
        (2, "2 notes are not indexed yet."),
        (0, "0 notes are not indexed yet."),
    ],
)
def test_one_is_not_many(count: int, told: str) -> None:
    assert Sentence("found_notes_not_indexed", count=count) == told
    assert "“1 notes”" in Sentence("note_name_unknown", name="1 notes")


@pytest.mark.parametrize(
    "code", [code for code, text in SENTENCES.items() if code[:6] == "found_" and "{count}" in text]
)
def test_every_finding_reads_well_for_one(code: str) -> None:
    told = Sentence(code, count=1)
    assert not re.search(r"\b(are|have|they|them|their)\b|1 \w+s\b|s (of )?1 .* is\b", told)
