"""A vault whose notes try to run, read and call, and what tells whether any of it worked."""

import os
import struct
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QColor, QDesktopServices, QImage
from PySide6.QtNetwork import QHostAddress, QTcpServer

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.preview.vault_images import Limits, VaultImages
from notesearch.library import NoteLibrary
from notesearch.markdown.render.section_html import rendered
from notesearch.results import Scope
from tests.gui.preview_contents import content_of
from tests.markdown.render.test_render_safety import DEAD_LINKS, PROGRAMS

SCHEMES = (
    "http", "https", "mailto", "file", "smb", "javascript", "obsidian", "vscode", "ms-msdt", "ftp",
)  # fmt: skip
_heard: list[list[tuple[str, str]]] = []


class _Opening(threading.local):
    """The file that this thread opens in an open folder, with its whole path."""

    path = ""


_opening = _Opening()


def _hear(event: str, details: tuple[object, ...]) -> None:
    if _heard and event in {"open", "socket.connect", "subprocess.Popen", "os.exec", "os.system"}:
        whole = _opening.path if event == "open" else ""
        _heard[-1].append((event, whole or str(details[0] if details else "")))


sys.addaudithook(_hear)


@contextmanager
def server() -> Iterator[QTcpServer]:
    """A server on this machine; it has a pending connection after anybody contacted it."""
    made = QTcpServer()
    assert made.listen(QHostAddress.SpecialAddress.LocalHost)
    yield made
    made.close()


@contextmanager
def heard() -> Iterator[list[tuple[str, str]]]:
    """Collect the files that Python opens in the block, its connections, and what it starts."""
    events: list[tuple[str, str]] = []
    _heard.append(events)
    try:
        with _whole_paths():
            yield events
    finally:
        _heard.remove(events)


@contextmanager
def _whole_paths() -> Iterator[None]:
    """Complete names in open folders to whole paths, because Python's hooks get only the names."""
    open_file = os.open
    paths: dict[int, Path] = {}  # by descriptor

    def open_in(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        whole = _real_path(Path(path) if dir_fd is None else paths[dir_fd] / path, flags)
        _opening.path = "" if dir_fd is None else str(whole)
        try:
            opened = open_file(path, flags, mode, dir_fd=dir_fd)
        finally:
            _opening.path = ""
        paths[opened] = whole
        return opened

    can = {open_in} if open_file in os.supports_dir_fd else set()
    with (
        mock.patch.object(os, "open", open_in),
        mock.patch.object(os, "supports_dir_fd", os.supports_dir_fd | can),
    ):
        yield


def _real_path(path: Path, flags: int) -> Path:
    """Return the path without links, but for a last one that must not be followed."""
    if flags & getattr(os, "O_NOFOLLOW", 0) and path.is_symlink():
        return path.parent.resolve() / path.name
    return path.resolve()


def outside(events: list[tuple[str, str]], vault: Path) -> list[tuple[str, str]]:
    """Return the ``events`` that a note may have caused: all except files of ours and Python's."""
    python = (sys.prefix, sys.base_prefix, str(Path(sys.prefix).resolve()), os.devnull)
    ours = (str(vault), *python, str(Path(__file__).parents[2]))
    own = tuple(f"{vault.parent / 'home'}{end}" for end in ("", os.sep))
    return [
        (event, what)
        for event, what in events
        if not (event == "open" and (what.startswith((*ours, *own)) or what.isdigit()))
    ]


class Opener(QObject):
    """Stands in for the desktop, and records what it would have been asked to open."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())

    @contextmanager
    def listening(self) -> Iterator["Opener"]:
        for scheme in SCHEMES:
            QDesktopServices.setUrlHandler(scheme, self, "open")  # type: ignore[arg-type]
        try:
            yield self
        finally:
            for scheme in SCHEMES:
                QDesktopServices.unsetUrlHandler(scheme)


def picture_bomb(width: int, height: int) -> bytes:
    """A small file that claims to be an enormous picture."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content))
            + kind
            + content
            + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * 1_000_000)
    start = b"\x89PNG\r\n\x1a\n"
    return start + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {}>{}</svg>'
)
SIZED = 'width="20" height="20"'
DRAWINGS = {
    "file.svg": SVG.format(SIZED, '<image href="file:///etc/passwd" width="9" height="9"/>'),
    "xfile.svg": SVG.format(SIZED, '<image xlink:href="../../secret.png" width="9" height="9"/>'),
    "script.svg": SVG.format(SIZED, '<script>alert(1)</script><rect width="9" height="9"/>'),
    "style.svg": SVG.format(SIZED, "<style>@import '/etc/passwd'; p{fill:url(/x.svg#a)}</style>"),
    "parted.svg": SVG.format(SIZED, "<style>p{fill:ur<!-- -->l(/etc/passwd)}</style>"),
    "pieces.svg": SVG.format(SIZED, "<style><g/>@<![CDATA[import]]> '/etc/passwd'</style>"),
    "entities.svg": '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
    + SVG.format(SIZED, "<text>&b;</text>"),
    "outer.svg": '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    + SVG.format(SIZED, "<text>&x;</text>"),
    "itself.svg": SVG.format(
        SIZED, '<g id="a"><use href="#b"/><use href="#b"/></g><g id="b"><use href="#a"/></g>'
    ),
    "many.svg": SVG.format(SIZED, '<rect width="1" height="1"/>' * 20_000),
    "deep.svg": SVG.format(SIZED, "<g>" * 5000 + "</g>" * 5000),
    "wide.svg": SVG.format('width="1e9" height="1"', "<rect/>"),
    "fine.svg": SVG.format(SIZED, '<line x2="1e6" stroke="red" stroke-dasharray="0.0001"/>'),
}


def make_pictures(vault: Path) -> None:
    """Put pictures into ``vault``, good and bad, and a secret one beside it."""
    picture = QImage(40, 30, QImage.Format.Format_RGB32)
    picture.fill(QColor("#31577d"))
    (vault / "travel").mkdir(parents=True, exist_ok=True)
    assert picture.save(str(vault / "travel" / "here.png"))
    assert picture.save(str(vault.parent / "secret.png"))
    (vault / "travel" / "out.png").symlink_to(vault.parent / "secret.png")
    (vault / "travel" / "passwd.png").symlink_to("/etc/passwd")
    (vault / "travel" / "bomb.png").write_bytes(picture_bomb(50_000, 50_000))
    os.mkfifo(vault / "travel" / "pipe.png")
    for name, drawing in DRAWINGS.items():
        (vault / "travel" / name).write_text(drawing)


def show(pane: PreviewPane, library: NoteLibrary, source: str, drawings: DrawingProcess) -> str:
    """Save ``source`` as a note, show it as the program does, and return its HTML."""
    path = "travel/note.md"
    (library.vault / path).write_text(source, "utf-8", "surrogatepass")
    text = library.read_at(path, 1, Scope.NOTE)
    around = library.links(path)
    page = rendered(text.text, context=around, properties=around.properties())
    images = VaultImages(library.vault, drawings)
    pictures = images.read_all(page.html, path, Limits(60.0))
    pane.show_content(content_of(text, page.html, pictures=pictures))
    pane.browser.viewport().grab()
    return page.html


OUTSIDE = [
    "../../secret.png", "../secret.png", "out.png", "passwd.png", "/etc/passwd", "pipe.png", ".",
    "file:///etc/passwd", "../../../../../../etc/passwd", "data:image/png;base64,AA",
]  # fmt: skip


def everything_hostile(web: str) -> list[str]:
    """Return notes that try every attack of group G; ``web`` is the address they would contact."""
    links = "".join(f"[x](<{a}>) <a href='{a}'>y</a> <{a}> [[{a}]]\n\n" for a in DEAD_LINKS)
    targets = [*OUTSIDE, *DRAWINGS, "bomb.png", f"{web}/a.png", "//host/x.png", "\\\\host\\x.png"]
    pictures = "".join(f"![a](<{t}>) ![[{t}]] <img src='{t}'>\n\n" for t in [*targets, *DEAD_LINKS])
    styles = (
        f"<style>@import '{web}/d.css'; p {{ background: url({web}/p.png) }}</style>\n\n"
        f"<table background='{web}/e.png'><tr><td style='background:url(/etc/passwd)'>x\n\n"
        f"<link rel=stylesheet href='{web}/l.css'> <iframe src='{web}/i'></iframe>\n"
    )
    programs = [program.replace("https://evil.example", web) for program in PROGRAMS]
    return ["\n\n".join(programs), links, pictures, styles, "![[../../secret]] ![[/etc/passwd]]"]
