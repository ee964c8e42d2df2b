"""Reads notes as Markdown, whatever the kind and the encoding of their files.

Files of other kinds than Markdown are read in a child process, which runs this module.
"""

import base64
import codecs
import contextlib
import pickle
import re
import sys
import threading
from collections import OrderedDict
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from notesearch.config import Settings
from notesearch.errors import NotANoteError, NoteMissingError, VaultMissingError
from notesearch.formats.kinds import PDF, is_dendron_vault, kind_of, to_markdown, with_notes_first
from notesearch.index.note_files import locate, look, read_file
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.notes import Note
from notesearch.processes import Child, serve
from notesearch.store.rows import FileState

_CHILD = "notesearch.index.note_reader"
_MEMORY = 300 << 20
"""Bytes of address space of a child, together with the interpreter and its libraries."""
_ORPHAN_LIFE_S = 30
"""If its parent is gone, a child ends itself after this time."""
_KILL_AFTER_S = 16.0
_STARTING_S = 30.0
_TEXTS = 4
"""How many texts of converted files are kept: a preview reads one section after another."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_LEGACY = {
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "cp1252": "Windows-1252",
    "cp1253": "Windows-1253",
    "cp1254": "Windows-1254",
    "cp1255": "Windows-1255",
    "cp1256": "Windows-1256",
    "koi8_r": "KOI8-R",
    "cp932": "Shift JIS",
    "euc_jp": "EUC-JP",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "cp949": "EUC-KR",
}
"""Encodings from before UTF-8; rarer ones cannot be recognised in a short text."""

_LATIN = {"cp1250": frozenset(("pl", "cs", "hu")), "cp1254": frozenset(("tr",))}
"""Languages with other letters than those of Western Europe, by their encoding."""

_FOREIGN = {
    "cp949": re.compile("[\u3131-\u318e\u4e00-\u9fff]"),  # single letters, and Chinese
    **dict.fromkeys(("gb18030", "big5"), re.compile("[\u3040-\u30ff]")),  # Japanese
    **dict.fromkeys(("cp932", "euc_jp"), re.compile("[\uff61-\uff9f]")),  # half-width
    **dict.fromkeys(
        ("cp1251", "cp1253", "cp1255", "cp1256", "koi8_r"),
        re.compile("[A-Za-z][^\x00-\u02ff]|[^\x00-\u02ff][A-Za-z]"),  # two scripts in a word
    ),
}
"""What texts in an encoding rarely have."""

_NOT_LATIN = re.compile("[^\x00-\u02ff]{2,}")

_BINARY_NULS = 0.02
_FEW = 3
_FEW_OF_MANY = 0.1
_MOSTLY = 0.9
_SAMPLE = 32 * 1024
_NOT_ASCII = re.compile(rb"[\x80-\xff][^\n\r]{0,32000}")  # a cut may split a character
_SIGNS = re.compile(rb"(?<![\x80-\xff])[!-/:-@\[-`{-~]+")
"""Signs of Markdown and formulas, by which a text looks damaged; none is a part of a character."""
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd]")


@dataclass(frozen=True, slots=True)
class NoteContent:
    """The content of a note's file: a text, or the note that a child process has parsed from it.

    Attributes:
        state: The state of the file before it was read.
        digest: The hash of its bytes.
        problem: A problem of the file, although it could be read; empty if it has none.
        text: Its text as Markdown, whatever the kind of the file; empty if it is parsed.
    """

    state: FileState
    digest: bytes
    problem: Sentence
    text: str = ""
    note: Note | None = None


def read_markdown(
    vault: Path, path: str, limit: int, *, follow: bool, words_first: bool
) -> NoteContent:
    """Read the Markdown file at ``path`` in ``vault``; raises as ``read_file`` does.

    With ``words_first``, its links begin with their words, as in Dendron: ``[[words|note]]``. The
    text that is returned has the note first.
    """
    file = read_file(vault, path, limit, follow=follow)
    text, problem = decode(file.content)
    if words_first:
        text = with_notes_first(text, (vault / path).parent)
    return NoteContent(file.state, file.digest, problem, text)


class NoteReader:
    """Reads the notes of one vault; thread-safe. The child process starts when it is needed."""

    def __init__(self, vault: Path, settings: Settings) -> None:
        self._vault = vault
        self._settings = settings
        self._lock = threading.Lock()
        self._child = Child(_CHILD, _KILL_AFTER_S)
        self._closed = False
        self._texts: OrderedDict[str, NoteContent] = OrderedDict()

    def is_markdown(self, path: str) -> bool:
        """Return whether the file is read as Markdown, without conversion."""
        return not self._kind(path)

    def is_pdf(self, path: str) -> bool:
        """Return whether the file is a PDF, which may take seconds to read and links to no note."""
        return self._kind(path) == PDF

    def read(self, path: str) -> NoteContent:
        """Read the note at ``path`` as its file is now.

        Raises:
            OSError: It cannot be read now.
            NotANoteError: It cannot be read as a note.
        """
        kind = self._kind(path)
        if kind:
            return self._converted(path, kind)
        limit, follow = self._settings.max_note_bytes, self._settings.follow_links
        words_first = is_dendron_vault(self._vault)
        return read_markdown(self._vault, path, limit, follow=follow, words_first=words_first)

    def current_text(self, path: str) -> str:
        """Return the text of the note at ``path`` as its file is now.

        Raises:
            NoteMissingError: It does not exist or cannot be read.
            VaultMissingError: The folder does not exist.
        """
        follow = self._settings.follow_links
        inside = locate(self._vault, path, follow=follow).relative_to(self._vault).as_posix()
        if not self._vault.is_dir():
            raise VaultMissingError("vault_missing", vault=str(self._vault))
        try:
            return self.read(inside).text
        except FileNotFoundError as error:
            raise NoteMissingError("note_gone", path=path) from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise NoteMissingError("note_unreadable", path=path, reason=reason) from error
        except NotANoteError as error:
            raise NoteMissingError("note_unusable", path=path, why=error.sentence) from error

    def close(self) -> None:
        """End the child process; a thread that waits for it gets an ``InterruptedError``."""
        self._closed = True
        self._child.close()

    def _kind(self, path: str) -> str:
        settings = self._settings
        return kind_of(path, settings.suffixes) if settings.other_files else ""

    def _converted(self, path: str, kind: str) -> NoteContent:
        state = look(self._vault, path, follow=self._settings.follow_links)
        with self._lock:
            known = self._texts.get(path)
            if known is not None and known.state == state:
                self._texts.move_to_end(path)
                return known
            answer = self._ask(path, kind)
            if isinstance(answer, NoteContent):
                self._texts[path] = answer
                while len(self._texts) > _TEXTS:
                    self._texts.popitem(last=False)
                return answer
        raise answer

    def _ask(self, path: str, kind: str) -> NoteContent | Exception:
        self._child.ready(_STARTING_S)
        answer = self._child.ask(
            {
                "vault": str(self._vault),
                "path": path,
                "kind": kind,
                "limit": self._settings.max_note_bytes,
                "follow": self._settings.follow_links,
            }
        )
        if self._closed:
            raise InterruptedError
        if not answer:
            return NotANoteError("file_too_costly")
        read: NoteContent | Exception = pickle.loads(base64.b64decode(str(answer["read"])))  # noqa: S301 - our own child
        return read


def decode(content: bytes) -> tuple[str, Sentence]:
    """Return the text of a note, and the problem of its encoding or an empty sentence.

    Tries a byte-order mark, then UTF-8, then the most likely of older encodings. Line ends become
    line feeds before decoding where possible, because a copy of the text may take four times as
    much memory as a copy of the bytes.

    Raises NotANoteError if the bytes are not text.
    """
    for mark, encoding, name in _BOMS:
        if content.startswith(mark):
            content = content[len(mark) :]
            if mark == codecs.BOM_UTF8:
                content = _with_line_feeds(content)
            return _decode_as(content, encoding, name)
    if content.count(0) > len(content) * _BINARY_NULS and not _has_few_nuls(content):
        return _decode_wide(content)
    content = _with_line_feeds(content)
    try:
        return content.decode(), NO_SENTENCE
    except UnicodeDecodeError as error:
        return _decode_other(content, error)


def _decode_as(content: bytes, encoding: str, name: str) -> tuple[str, Sentence]:
    try:
        return content.decode(encoding), NO_SENTENCE
    except UnicodeDecodeError:
        return content.decode(encoding, "replace"), Sentence("file_partly_text", encoding=name)


def _with_line_feeds(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _has_few_nuls(content: bytes) -> bool:
    """Return whether ``content`` is UTF-8 with only a few NULs, for its size or in all.

    UTF-16 of non-Latin letters has as few NULs, but also control characters.
    """
    if content.count(0) > max(_FEW, len(content) * _FEW_OF_MANY) or not content.strip(b"\0"):
        return False
    with contextlib.suppress(UnicodeDecodeError):
        content.decode()
        controls = _CONTROLS.findall(content.replace(b"\0", b""))
        return len(controls) <= len(content) * _BINARY_NULS
    return False


def _decode_wide(content: bytes) -> tuple[str, Sentence]:
    """Decode UTF-16 without a mark, in which every other byte of Latin letters is NUL."""
    even, odd = content[::2].count(0), content[1::2].count(0)
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    if max(even, odd) > max(_FEW, _MOSTLY * (even + odd)):
        text = content.decode(encoding, "replace")
        if len(_NOT_TEXT.findall(text)) <= len(text) * _BINARY_NULS:
            return text, Sentence("file_guessed_utf16")
    raise NotANoteError("file_not_text")


def _decode_other(content: bytes, error: UnicodeDecodeError) -> tuple[str, Sentence]:
    """Decode bytes that are not valid UTF-8: as UTF-8 with a few errors, or in another encoding."""
    text = content.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    not_ascii = len(text) - len(text.encode("ascii", "ignore"))
    cut_off = wrong == 1 and error.end - error.start > 1
    if cut_off or wrong <= not_ascii * (1 - _MOSTLY):
        return text, Sentence("file_partly_text", encoding="UTF-8")
    if len(_CONTROLS.findall(content)) > len(content) * _BINARY_NULS:
        raise NotANoteError("file_not_text")
    encoding = _most_likely(content)
    remark = Sentence("file_guessed_encoding", encoding=_LEGACY[encoding])
    return content.decode(encoding, "replace"), remark


def _most_likely(content: bytes) -> str:
    """Return the most likely encoding from before UTF-8, by a sample of lines."""
    from charset_normalizer import from_bytes

    from notesearch.markdown.sections.language_detection import detected_language

    lines, size, at = [], 0, 0
    for rest in _NOT_ASCII.finditer(content):
        before = content[max(at, rest.start() - 500) : rest.start()]
        at = rest.end()
        lines.append(re.split(rb"[\n\r]", before)[-1] + rest[0])
        size += len(lines[-1])
        if size > _SAMPLE:
            break
    sample = _SIGNS.sub(b" ", b"\n".join(lines))
    matches = list(from_bytes(sample, cp_isolation=list(_LEGACY)))
    best = next((m for m in matches if _is_likely(m.encoding, str(m))), next(iter(matches), None))
    if best is None or best.encoding in {"cp1252", *_LATIN}:
        for encoding, languages in _LATIN.items():  # letters alone leave open which it is
            if detected_language([content[:_SAMPLE].decode(encoding, "replace")]) in languages:
                return encoding
        return "cp1252"
    return best.encoding if best.encoding in _LEGACY else "cp1252"


def _is_likely(encoding: str, text: str) -> bool:
    """Return whether ``text`` is probably in a language that is written in ``encoding``."""
    if encoding not in _FOREIGN:
        return True
    count = len(_FOREIGN[encoding].findall(text))
    if encoding == "cp949":
        count += text.encode("euc_kr", "replace").count(b"\xa4\xd4")  # begins a rare syllable
    own = "".join(_NOT_LATIN.findall(text))
    return bool(own) and count <= len(own) * _FEW_OF_MANY


def converted(question: dict[str, Any]) -> dict[str, str]:
    """Return, in the child, the text of the file in ``question`` or the error, pickled."""
    read: NoteContent | Exception
    try:
        read = _read_other(question)
    except (OSError, NotANoteError) as error:
        read = error
    except MemoryError:
        read = NotANoteError("file_too_costly")
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError,
            ValueError):  # fmt: skip
        read = NotANoteError("file_damaged")  # a library met what it did not expect
    return {"read": base64.b64encode(pickle.dumps(read)).decode()}


def _read_other(question: dict[str, Any]) -> NoteContent:
    path = question["path"]
    file = read_file(Path(question["vault"]), path, question["limit"], follow=question["follow"])
    text, problem = to_markdown(question["kind"], file.content, decode)
    return NoteContent(file.state, file.digest, problem, text)


if __name__ == "__main__":
    answer = import_module(_CHILD).converted  # pickled answers name this module, not __main__
    serve(answer, memory=_MEMORY, seconds=_ORPHAN_LIFE_S, questions=sys.stdin, answers=sys.stdout)
