"""Texts are packed after pieces of many notes: which, when they are taken, and what that saves."""

import os
import random
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from notesearch.config import Settings
from notesearch.index import scan
from notesearch.index.ahead import Ahead
from notesearch.index.pieces import pieces
from notesearch.markdown.sections import parse_note
from notesearch.store import checks
from notesearch.store.bodies import Dictionary
from notesearch.store.rows import FileState
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


def never() -> bool:
    return False


def listed(vault: Path) -> dict[str, FileState]:
    return dict(scan.list_vault(vault, Settings()).files)


def sampled(vault: Path, size: int, settings: Settings | None = None) -> bytes:
    return pieces(vault, listed(vault), size, settings or Settings(), never)


def dictionaries(bench: Bench) -> list[bytes]:
    with bench.store.writing() as writer:
        sql = writer._db.sql
        numbers = [number for (number,) in sql.execute("select id from dictionary order by id")]
        assert numbers == list(range(1, 1 + len(numbers)))
        newest = writer.dictionaries.newest()
        assert newest.number == len(numbers)
        return [newest.content] if numbers else []


def bytes_of_texts(bench: Bench) -> int:
    with bench.store.writing() as writer:
        query = "select sum(length(cast(text as blob))) from body"
        ((size,),) = writer._db.sql.execute(query).fetchall()
        return int(str(size))


def texts(bench: Bench) -> Iterator[str]:
    reader = bench.store.reader()
    for path, _ in reader.rows.note_names():
        yield from (row.body for row in reader.rows.note_sections(path))


def test_they_come_from_all_over_the_folder(vault: Path) -> None:
    write(vault, {f"{name}/{n}.md": f"{name * 300}\n\n{name * 300}\n"
                  for name in "abcdefgh" for n in range(30)})  # fmt: skip
    found = sampled(vault, 8 * 1024)
    assert len(found) == 8 * 1024
    assert {letter for letter in "abcdefgh" if letter.encode() * 100 in found} == set("abcdefgh")


def test_of_few_notes_they_are_longer(vault: Path) -> None:
    write(vault, {"a.md": "a " * 7000, "b.md": "b " * 7000})
    found = sampled(vault, 4096)
    assert len(found) <= 4096
    assert min(found.count(b"a"), found.count(b"b")) > 1000


def test_they_are_the_middle_of_what_is_said(vault: Path) -> None:
    write(vault, {"a.md": "begin " * 600 + "middle " * 200 + "after " * 600})
    assert all(word in b"middle" for word in sampled(vault, 1024).split())


def test_long_notes_are_left_out_where_there_are_others(vault: Path) -> None:
    """A note is read as a whole for a piece of it."""
    write(vault, {"long.md": "Otters. " * 9000, "short.md": "Herons. " * 900})
    assert b"Otters" not in sampled(vault, 2048)
    (vault / "short.md").unlink()
    assert b"Otters" in sampled(vault, 2048)


def test_what_cannot_be_read_gives_none(vault: Path) -> None:
    write(vault, {"good.md": "Herons. " * 200, "gone.md": "Otters. " * 200})
    (vault / "none.md").write_bytes(b"\x00\x01\x02" * 500)
    write(vault.parent, {"elsewhere.md": "Badgers. " * 200})
    (vault / "link.md").symlink_to(vault.parent / "elsewhere.md")
    there = listed(vault) | dict.fromkeys(["link.md"], FileState(1800, 0, 0, 0))
    (vault / "gone.md").unlink()
    found = pieces(vault, there, 2048, Settings(), never)
    assert set(found.split()) <= {b"Herons.", *(b"Herons."[n:] for n in range(7)), b"H", b"Her"}
    assert len(found) > 400
    assert pieces(vault, there, 2048, Settings(max_note_bytes=1000), never) == b""


def test_who_stops_waits_for_no_more_of_them(vault: Path) -> None:
    write(vault, notes("walks", 30))
    asked = iter([False, False, True])
    found = pieces(vault, listed(vault), 8 * 1024, Settings(), lambda: next(asked))
    assert len(found) == 2 * 1024


def test_it_is_text_as_sections_hold_it(vault: Path) -> None:
    line = "See [the **old** mill](https://mill.example/where/it/stands) and `its wheel`.\n\n"
    write(vault, {"mill.md": line * 60})
    found = sampled(vault, 1024)
    assert b"See the old mill and its wheel." in found
    assert b"example" not in found


NOT_READ = {
    "code": ("Herons.\n\n```\n" + "badger()\n" * 300 + "```\n", Settings(code_blocks=False)),
    "comment": ("Herons.\n\n%%\n" + "A badger.\n\n" * 300 + "%%\n\nReeds.\n", Settings()),
    "properties": ("---\n" + "".join(f"b{n}: badger\n" for n in range(300)) + "---\n", Settings()),
}


@pytest.mark.parametrize(("text", "settings"), NOT_READ.values(), ids=NOT_READ)
def test_it_is_nothing_that_no_section_holds(vault: Path, text: str, settings: Settings) -> None:
    write(vault, {f"{number}.md": text for number in range(9)})
    found = sampled(vault, 4096, settings)
    assert (b"Herons" in found) == ("Herons" in text)
    assert b"badger" not in found


def test_many_texts_take_less_room(roomy: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    write(roomy.vault, notes("walks", 80))
    with monkeypatch.context() as without:
        without.setattr("notesearch.index.pieces.FEWEST", 1 << 30)
        roomy.refresh()
        alone, expected = bytes_of_texts(roomy), sorted(texts(roomy))
        assert dictionaries(roomy) == []
    roomy.store.set_aside("to begin anew")
    roomy.store.prepare()
    roomy.refresh()
    (content,) = dictionaries(roomy)
    assert bytes_of_texts(roomy) < 0.75 * alone
    with roomy.store.writing() as writer:
        ((size,),) = writer._db.sql.execute("select length(content) from dictionary").fetchall()
        assert int(str(size)) < 0.75 * len(content)
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


def test_a_folder_that_comes_bit_by_bit_is_packed_nearly_as_well(
    roomy: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later pieces are taken out of what is in the index."""
    many = notes("walks", 400)
    paths = sorted(many)
    read: list[int] = []

    def seen(vault: Path, notes: Mapping[str, FileState], *how: Any) -> bytes:
        read.append(len(notes))
        return pieces(vault, notes, *how)

    monkeypatch.setattr("notesearch.index.pieces.pieces", seen)
    for first in range(0, len(paths), 50):
        write(roomy.vault, {path: many[path] for path in paths[first : first + 50]})
        roomy.look_at(*paths[first : first + 50])
    with roomy.store.writing() as writer:
        made_of = writer._db.sql.execute("select made_of from dictionary order by id").fetchall()
    assert len(made_of) == 2
    assert read == [50]
    bit_by_bit = bytes_of_texts(roomy)
    roomy.store.set_aside("to begin anew")
    roomy.store.prepare()
    roomy.refresh()
    assert bit_by_bit < 1.15 * bytes_of_texts(roomy)


def test_the_process_that_cuts_ahead_packs_after_it(
    roomy: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Dictionary] = []

    def ordered(_: Ahead, paths: Collection[str], packed_after: Callable[[], Dictionary]) -> Any:
        told.append(packed_after())
        yield from paths

    monkeypatch.setattr(Ahead, "ordered", ordered)
    write(roomy.vault, notes("walks", 60))
    roomy.refresh()
    assert [each.content for each in told] == dictionaries(roomy)


def test_notes_that_were_only_touched_make_none(roomy: Bench) -> None:
    write(roomy.vault, notes("walks", 60))
    roomy.refresh()
    before = dictionaries(roomy)
    for _ in range(3):
        for file in roomy.vault.rglob("*.md"):
            os.utime(file, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns - 10**9))
        roomy.refresh()
    assert dictionaries(roomy) == before


def test_who_is_stopped_meanwhile_has_none(roomy: Bench) -> None:
    write(roomy.vault, notes("walks", 60))
    roomy.stop_after(2)
    assert dictionaries(roomy) == []
    roomy.refresh()
    assert len(dictionaries(roomy)) == 1


def test_the_same_writer_packs_after_a_new_one(roomy: Bench) -> None:
    note = parse_note("# Walk\n\n" + f"{SAID[0]} {SAID[1]}\n\n" * 9, "walk.md")
    with roomy.store.writing() as writer:
        for number in range(2):
            writer.put_note(note, (), FileState(number, 0, 0, 0), b"", "")
            ((text,),) = writer._db.sql.execute("select text from body").fetchall()
            assert isinstance(text, bytes)
            assert text[0] == number
            writer.dictionaries.put(" ".join(SAID).encode(), 1)


def test_one_is_not_made_within_what_may_be_rolled_back(roomy: Bench) -> None:
    with roomy.store.writing() as writer:
        note = parse_note("# Walk\n", "walk.md")
        with writer.together():
            writer.put_note(note, (), FileState(1, 0, 0, 0), b"", "")
            with pytest.raises(RuntimeError):
                writer.dictionaries.put(b"pieces", 1)


def test_a_single_note_is_packed_after_the_last_one(roomy: Bench) -> None:
    write(roomy.vault, notes("walks", 60))
    roomy.refresh()
    before = bytes_of_texts(roomy)
    write(roomy.vault, {"one more.md": "\n\n".join(SAID)})
    roomy.look_at("one more.md")
    assert bytes_of_texts(roomy) - before < 100
    assert "minnow" in "".join(
        row.body for row in roomy.store.reader().rows.note_sections("one more.md")
    )
