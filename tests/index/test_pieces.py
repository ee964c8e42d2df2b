"""Texts are packed after pieces of many notes: which, when they are taken, and what that saves."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.index.pieces import pieces
from notesearch.store import checks
from tests.folders import write
from tests.index.bench import Bench

SAID = (
    "The heron stands in the reeds at dawn.", "Otters play where the water is slow.",
    "A kingfisher dives, and comes up with a minnow.", "Nobody walks along the bank in winter.",
    "In the evening the swallows drink in flight.", "We counted the frogs near the old bridge.",
    "The mill has stood still since the flood.", "Eels travel down to the sea in autumn.",
    "Reed warblers hang their nests between stems.", "After the rain the river is brown for days.",
)  # fmt: skip


def notes(folder: str, count: int, seed: int = 1, sentences: int = 20) -> dict[str, str]:
    """Return notes that say the same things in other orders, under a heading each."""
    draw = random.Random(seed)

    def text(number: int) -> str:
        said = draw.choices(SAID, k=sentences)
        return f"# Walk {number}\n\n" + " ".join(f"{one} {draw.random():.9f}" for one in said)

    return {f"{folder}/{number:03}.md": f"{text(number)}\n" for number in range(count)}


@pytest.fixture
def roomy(bench: Bench) -> Bench:
    bench.settings = Settings()
    return bench


def dictionaries(bench: Bench) -> list[bytes]:
    with bench.store.writing() as writer:
        sql = writer._db.sql
        numbers = [number for (number,) in sql.execute("select id from dictionary order by id")]
        assert numbers == list(range(1, 1 + len(numbers)))
        newest = writer.dictionary()
        assert newest.number == len(numbers)
        return [newest.content] if numbers else []


def bytes_of_texts(bench: Bench) -> int:
    with bench.store.writing() as writer:
        query = "select sum(length(cast(text as blob))) from body"
        ((size,),) = writer._db.sql.execute(query).fetchall()
        return int(str(size))


def texts(bench: Bench) -> Iterator[str]:
    reader = bench.store.reader()
    for path, _ in reader.note_names():
        yield from (row.body for row in reader.note_sections(path))


def test_they_come_from_all_over_the_folder(vault: Path) -> None:
    write(vault, {f"{name}/{n}.md": f"{name * 300}\n\n{name * 300}\n"
                  for name in "abcdefgh" for n in range(30)})  # fmt: skip
    paths = sorted(str(file.relative_to(vault)) for file in vault.rglob("*.md"))
    found = pieces(vault, paths, 8 * 1024, Settings())
    assert 7 * 1024 < len(found) <= 8 * 1024
    assert {letter for letter in "abcdefgh" if letter.encode() * 100 in found} == set("abcdefgh")


def test_of_few_notes_they_are_longer(vault: Path) -> None:
    write(vault, {"a.md": "a " * 9000, "b.md": "b " * 9000})
    found = pieces(vault, ["a.md", "b.md"], 4096, Settings())
    assert len(found) <= 4096
    assert min(found.count(b"a"), found.count(b"b")) > 1000


def test_what_cannot_be_read_gives_none(vault: Path) -> None:
    write(vault, {"good.md": "Herons. " * 200})
    (vault / "none.md").write_bytes(b"\x00\x01\x02" * 500)
    found = pieces(vault, ["gone.md", "good.md", "none.md"], 2048, Settings())
    assert set(found.split()) <= {b"Herons.", *(b"Herons."[:n] for n in range(7))}
    assert len(found) > 400


def test_it_is_text_as_sections_hold_it(vault: Path) -> None:
    line = "See [the **old** mill](https://mill.example/where/it/stands) and `its wheel`.\n\n"
    write(vault, {"mill.md": line * 60})
    found = pieces(vault, ["mill.md"], 1024, Settings())
    assert b"See the old mill and its wheel." in found
    assert b"example" not in found


def test_many_texts_take_less_room(roomy: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    write(roomy.vault, notes("walks", 80))
    with monkeypatch.context() as without:
        without.setattr("notesearch.store.dictionaries._SMALLEST", 1 << 20)
        roomy.refresh()
        alone, expected = bytes_of_texts(roomy), sorted(texts(roomy))
        assert dictionaries(roomy) == []
    roomy.store.set_aside("to begin anew")
    roomy.store.prepare()
    roomy.refresh()
    assert len(dictionaries(roomy)) == 1
    assert bytes_of_texts(roomy) < 0.75 * alone
    assert sorted(texts(roomy)) == expected
    assert checks.check(roomy.store.path) == ()


def test_what_is_left_out_of_the_index_is_no_part_of_it(roomy: Bench) -> None:
    secret = {f"private/{n}.md": "Nobody is told of the badger. " * 60 for n in range(60)}
    write(roomy.vault, notes("walks", 60) | secret)
    (roomy.vault / ".notesearchignore").write_text("private/\n", encoding="utf-8")
    roomy.refresh()
    (content,) = dictionaries(roomy)
    assert b"heron" in content
    assert b"badger" not in content


def test_few_notes_are_packed_each_alone(roomy: Bench) -> None:
    write(roomy.vault, notes("walks", 9))
    roomy.refresh()
    assert dictionaries(roomy) == []
    assert sum("heron" in text for text in texts(roomy)) == 9


def test_another_is_made_where_many_more_come_than_before(roomy: Bench) -> None:
    """Texts that were packed after the first are read as before, also by who had it open."""
    write(roomy.vault, notes("walks", 60))
    roomy.refresh()
    (first,) = dictionaries(roomy)
    before = list(texts(roomy))
    write(roomy.vault, notes("more walks", 60, seed=2))
    roomy.refresh()
    assert dictionaries(roomy) == [first]
    other = notes("far away", 300, seed=3)
    write(roomy.vault, {path: text.replace("heron", "stork") for path, text in other.items()})
    roomy.refresh()
    (second,) = dictionaries(roomy)
    assert second != first
    assert b"stork" in second
    assert list(texts(roomy))[-len(before) :] == before
    assert sum("stork" in text for text in texts(roomy)) > 250
    assert checks.check(roomy.store.path) == ()


def test_a_single_note_is_packed_after_the_last_one(roomy: Bench) -> None:
    write(roomy.vault, notes("walks", 60))
    roomy.refresh()
    before = bytes_of_texts(roomy)
    write(roomy.vault, {"one more.md": "\n\n".join(SAID)})
    roomy.look_at("one more.md")
    assert bytes_of_texts(roomy) - before < 100
    assert "minnow" in "".join(
        row.body for row in roomy.store.reader().note_sections("one more.md")
    )
