"""A note's file: how changes are detected, and how its bytes become text."""

import os
import re
import tracemalloc
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.errors import NotANoteError, NoteMissingError
from notesearch.index.note_files import locate, look, read_file
from notesearch.index.note_reader import NoteReader
from notesearch.index.text_encoding import decode
from tests.file_permissions import denied
from tests.folders import write
from tests.limits import processor_seconds

SMALL = Settings(max_note_bytes=100)


class TestLook:
    def test_shows_whether_a_file_was_changed(self, vault: Path) -> None:
        write(vault, {"a.md": "one"})
        before = look(vault, "a.md")
        status = (vault / "a.md").stat()
        assert before == look(vault, "a.md")
        # Another text of the same size, with its time put back: an editor's clock is no proof.
        write(vault, {"a.md": "two"})
        os.utime(vault / "a.md", ns=(status.st_atime_ns, status.st_mtime_ns))
        assert before != look(vault, "a.md")

    @pytest.mark.parametrize("path", ["", ".", "folder", "nothing.md", "link.md", "a\0b.md", "f"])
    def test_sees_only_ordinary_files(self, vault: Path, path: str) -> None:
        write(vault, {"folder/a.md": ""})
        os.mkfifo(vault / "f")
        (vault / "link.md").symlink_to("folder/a.md")
        assert look(vault, path) is None

    def test_ignores_names_that_are_not_unicode(self, vault: Path) -> None:
        name = os.fsdecode(b"caf\xe9.md")
        (vault / name).touch()
        assert look(vault, name) is None

    @pytest.mark.parametrize("when", [-(10**12), -1, 0, 10**12])
    def test_accepts_times_of_any_age(self, vault: Path, when: int) -> None:
        write(vault, {"a.md": ""})
        os.utime(vault / "a.md", (when, when))
        state = look(vault, "a.md")
        assert state
        assert -(2**63) < state.mtime_ns < 2**63

    def test_does_not_look_through_a_linked_folder(self, vault: Path, tmp_path: Path) -> None:
        write(tmp_path, {"outside/a.md": "secret"})
        (vault / "folder").symlink_to(tmp_path / "outside")
        assert look(vault, "folder/a.md") is None


@pytest.mark.fault("A35")
@pytest.mark.fault("A28")
class TestReadFile:
    def test_returns_bytes_and_state(self, vault: Path) -> None:
        write(vault, {"a.md": b"\xff\r\n"})
        file = read_file(vault, "a.md", 3)
        assert file.content == b"\xff\r\n"
        assert file.state == look(vault, "a.md")

    def test_reads_a_file_that_comes_in_parts_or_grew(
        self, vault: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(vault, {"a.md": b"0123456789"})
        whole, read = b"0123456789", os.read
        monkeypatch.setattr(os, "read", lambda descriptor, size: read(descriptor, min(size, 3)))
        assert read_file(vault, "a.md", 100).content == whole
        monkeypatch.setattr(os, "read", lambda *_: whole + b"0")  # as if it had grown meanwhile
        assert read_file(vault, "a.md", 10).content == whole + b"0"

    @pytest.mark.fault("A28")
    def test_never_waits_for_a_pipe(self, vault: Path) -> None:
        os.mkfifo(vault / "pipe.md")
        with pytest.raises(ValueError, match="not a regular"):
            read_file(vault, "pipe.md", 100)

    def test_does_not_follow_a_link(self, vault: Path) -> None:
        (vault / "link.md").symlink_to("/etc/passwd")
        with pytest.raises(OSError, match="symbolic links"):
            read_file(vault, "link.md", 100)

    @pytest.mark.fault("A35")
    def test_does_not_read_a_file_that_is_too_large(self, vault: Path) -> None:
        write(vault, {"huge.md": ""})
        os.truncate(vault / "huge.md", 10**12)
        with pytest.raises(ValueError, match=r"too large \(1,000,000 MB; the limit is 32 MB\)"):
            read_file(vault, "huge.md", Settings().max_note_bytes)

    def test_says_why_it_cannot_be_read(self, vault: Path) -> None:
        write(vault, {"closed.md": ""})
        with denied(vault / "closed.md"), pytest.raises(PermissionError):
            read_file(vault, "closed.md", 100)


@pytest.mark.parametrize(
    ("content", "text", "flagged"),
    [
        (b"", "", False),
        (b"plain", "plain", False),
        ("Grüße, 日本".encode(), "Grüße, 日本", False),
        ("\ufeff# H".encode(), "# H", False),
        ("# Ü\n".encode("utf-16"), "# Ü\n", False),
        (b"\xfe\xff" + "# Ü\n".encode("utf-16-be"), "# Ü\n", False),
        (b"\xff\xfeA\0B", "A\ufffd", True),
        ("Grüße".encode("latin-1"), "Grüße", True),
        ("Übrige Grüße aus K".encode() + b"\xf6ln", "Übrige Grüße aus Köln", True),
        ("\ufeff# K".encode() + b"\xf6ln", "# Köln", True),
        ("It’s ".encode() + b"caf\xe9", "It’s café", True),
        ("Grüße, ".encode() + b"\xfcber \x84K\xf6ln\x93", "Grüße, über „Köln“", True),
        ("日本語。".encode() + b"\xe6\x97\n" + "日本".encode(), "日本語。\ufffd\n日本", True),
        (b"before \xf0\x9f after", "before \ufffd after", True),
        ("Über Grüße, ähm, ".encode() + b"\xe4\xbb\xf0\x9f", "Über Grüße, ähm, \ufffd\ufffd", True),
        (b"one \0 in a long enough text, which is a slip of the pen", None, False),
    ],
    ids=["empty", "ascii", "utf-8", "utf-8 bom", "utf-16 le", "utf-16 be", "utf-16 cut off",
         "latin-1", "one letter of latin-1", "one letter of latin-1 after a mark",
         "as many letters of latin-1", "more letters of latin-1", "one cut off", "cut off",
         "two cut off", "one nul"],
)  # fmt: skip
def test_text_of_any_encoding(content: bytes, text: str | None, flagged: bool) -> None:
    read, problem = decode(content)
    assert read == (content.decode() if text is None else text)
    assert bool(problem) is flagged


NULS_IN_SHORT_NOTES = [
    (b"# Nul\n\nbefore\0after quokkanul\n", "utf-8"),
    (b"foo\0bar", "utf-8"),
    (b"a\0b", "utf-8"),
    (b"one\0two\0three\0", "utf-8"),
    ("# Grüße\0 und mehr\n".encode(), "utf-8"),
    ("one ".encode("utf-16-le"), "utf-16-le"),
    ("# Grüße\n".encode("utf-16-le"), "utf-16-le"),
    ("# Grüße\n".encode("utf-16-be"), "utf-16-be"),
    ("# Привет\n\nКак дела\n".encode("utf-16-le"), "utf-16-le"),
]


@pytest.mark.fault("B3, B4")
@pytest.mark.parametrize(("content", "encoding"), NULS_IN_SHORT_NOTES)
def test_a_few_nuls_do_not_change_the_encoding(content: bytes, encoding: str) -> None:
    text, problem = decode(content)
    assert text == content.decode(encoding)
    assert ("UTF-16" in problem) is (encoding != "utf-8")


SHORT_NOTES_OF_OLD_PROGRAMS = [
    ("cp932", "これは海と船についてのメモです。風が強い"),
    ("euc_jp", "今日の買い物\n\n- 牛乳\n- 卵\n- パン\n"),
    ("gb18030", "购物清单\n\n- 牛奶\n- 鸡蛋"),
    ("gb18030", "-   `push()` 状态转移函数，其中 `d` 是一个全局变量（偷懒），表示 $x$"),
    ("cp949", "# 회의록\n\n다음 주 화요일에 김 선생님과 회의."),
    ("cp1250", "# Nákup\n\n> Zobrazí obsah archivu, ale také další soubory.\n"),
    ("cp1254", "# Alışveriş\n\nBu liste için süt ve ekmek gerek.\n"),
    ("cp1252", "Installeer één of meer pakketten: `pip`."),
    ("cp1252", "La crème est à côté du café."),
    ("mac_roman", "# Über die Küste\n\nDie Größe des Hauses ist schön, „sagte“ sie – müde.\n"),
    ("mac_roman", "L’été dernier, nous étions à la plage près de l’hôtel."),
    ("cp850", "Das Boot fährt über die Brücke nach Köln."),
    ("cp866", "Это список покупок: хлеб и молоко."),
    ("cp1250", "Lista zakupów: mąka, chleb i żółty ser na święta.\n"),
    ("big5", "購物清單：牛奶、雞蛋和麵包。"),
    ("cp1252", "It’s late."),
    ("cp1252", "# ÜBERSICHT\n\nÜbung 3 × 4, 25 µm, § 5"),
    ("cp1252", "At the CAFÉ"),
    ("cp1250", "Škoda"),
    ("cp1251", "Сегодня обсуждали бюджет."),
    ("cp1251", "Список покупок: молоко, яйца"),
    ("cp1255", "# שלום"),
    ("mac_roman", "It’s “quoted” text"),
    ("cp932", "東京"),
    ("euc_jp", "# メモ"),
]


@pytest.mark.fault("B1, B2")
@pytest.mark.parametrize(("encoding", "text"), SHORT_NOTES_OF_OLD_PROGRAMS)
def test_short_notes_in_encodings_before_utf_8(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding))[0] == text


@pytest.mark.fault("B1, B2")
@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp932", "これは海と船についてのメモです。風が強い。"),
        ("gb18030", "今天我们去公园散步，天气很好，孩子们在湖边喂鸭子。"),
        ("cp949", "다음 주 화요일에 김 선생님과 회의."),
        ("cp1252", "La crème est à côté du café."),
    ],
)
def test_long_lines_in_encodings_before_utf_8(encoding: str, text: str) -> None:
    assert decode((text * 200).encode(encoding))[0] == text * 200


@pytest.mark.fault("B7")
def test_letters_beyond_ascii_are_found_at_once_in_a_long_line() -> None:
    content = b"a" * 2_000_000 + b"\xe9"
    with processor_seconds(2):
        decode(content)


@pytest.mark.parametrize("sample", [b"\xe9 ", "é".encode() + b"\xe9\xe9 "])
def test_many_odd_bytes_take_little_memory(sample: bytes) -> None:
    content = sample * 300_000
    tracemalloc.start()
    decode(content)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 12 * len(content)


@pytest.mark.parametrize("content", [b"\x7fELF\x02\x01\x01" + bytes(200), b"\x00" * 50])
def test_a_binary_file_is_not_a_note(content: bytes) -> None:
    with pytest.raises(ValueError, match="not a text file"):
        decode(content)


def test_a_renamed_program_is_not_a_note() -> None:
    with pytest.raises(ValueError, match="not a text file"):
        decode(Path("/bin/sh").read_bytes())


class TestTextNow:
    def test_is_the_text_of_the_file(self, vault: Path) -> None:
        write(vault, {"folder/a.md": "\ufeffGrüße"})
        assert NoteReader(vault, SMALL).current_text("folder/a.md") == "Grüße"

    @pytest.mark.parametrize("path", ["../a.md", "/etc/passwd", "x/../../a.md", "link.md"])
    def test_is_only_for_notes_inside_the_vault(self, vault: Path, path: str) -> None:
        write(vault.parent, {"a.md": "secret"})
        (vault / "link.md").symlink_to(vault.parent / "a.md")
        with pytest.raises(NoteMissingError, match="is not in the notes folder"):
            NoteReader(vault, SMALL).current_text(path)

    @pytest.mark.parametrize("path", ["a\0b.md", "\ud800.md"])
    def test_rejects_an_impossible_name(self, vault: Path, path: str) -> None:
        with pytest.raises(NoteMissingError, match="cannot be the path of a note"):
            locate(vault, path)

    def test_raises_the_reason_if_it_cannot_be_read(self, vault: Path) -> None:
        write(vault, {"large.md": "x" * 101, "binary.md": bytes(50), "closed.md": "", "d/x": ""})
        reasons = {
            "gone.md": "was moved or deleted",
            "x" * 300: "File name too long",
            "large.md": "It is too large",
            "binary.md": "It is not a text file",
            "closed.md": "Permission denied",
            "d": "not a regular file",
            "": "Not a path in the folder",
        }
        with denied(vault / "closed.md"):
            for path, reason in reasons.items():
                with pytest.raises(NoteMissingError, match=reason):
                    NoteReader(vault, SMALL).current_text(path)


@pytest.mark.parametrize(
    ("size", "limit", "told"),
    [
        (50_000, 400, "(50,000 bytes; the limit is 400 bytes)"),
        (50_000, 2_000, "(50 KB; the limit is 2 KB)"),
        (90_000, 89_999, "(90,000 bytes; the limit is 89,999 bytes)"),
        (5_000_000, 600_000, "(5,000 KB; the limit is 600 KB)"),
        (5_000_000, 3_000_000, "(5 MB; the limit is 3 MB)"),
        (3_100_000, 3_000_000, "(3,100 KB; the limit is 3,000 KB)"),
    ],
)
def test_the_size_of_a_file_that_is_too_large_differs_from_the_limit(
    tmp_path: Path, size: int, limit: int, told: str
) -> None:
    with (tmp_path / "a.md").open("wb") as file:
        file.truncate(size)
    with pytest.raises(NotANoteError, match=re.escape(told)):
        read_file(tmp_path, "a.md", limit)
