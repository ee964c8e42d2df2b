"""Group G: a note that is looked at, or clicked on, runs, reads, calls and starts nothing."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtNetwork import QTcpServer
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTextBrowser
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.errors import EditorError, NoteMissingError
from notesearch.files import open_inside
from notesearch.gui.preview import vault_images
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.preview.svg import DrawingProcess, harmless_copy
from notesearch.gui.preview.vault_images import VaultImages
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.system.editors import RunCommand, checked, how_to_open
from notesearch.gui.system.obsidian_link import NoteLocation
from notesearch.library import NoteLibrary
from notesearch.markdown.render import render
from tests.faults import hostile_vault
from tests.faults.hostile_vault import (
    DRAWINGS,
    OUTSIDE,
    Opener,
    heard,
    make_pictures,
    outside,
    show,
)
from tests.folders import write
from tests.gui.preview_contents import patient_drawings, read_picture, show_html, shown_pane
from tests.markdown.render.test_render_safety import DEAD_LINKS, PROGRAMS
from tests.markdown.safe_html import check

MKDOCS = "markdown_extensions: [md_in_html, attr_list, admonition, pymdownx.superfences]\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[NoteLibrary]:
    folder = tmp_path_factory.mktemp("hostile")
    vault = folder / "vault"
    write(vault, {"Home.md": "# Home\n", "site/mkdocs.yml": MKDOCS, "site/a.md": "a\n"})
    make_pictures(vault)
    settings = Settings(model=str(folder / "none"))
    with NoteLibrary.open(vault, home=folder / "home", settings=settings) as opened:
        opened.refresh(patience=0)
        opened._mkdocs._child._seconds = 60.0
        assert opened.links("site/a.md").ready(60), "else its notes have the default dialect"
        yield opened


@pytest.fixture
def pane(qtbot: QtBot, library: NoteLibrary) -> PreviewPane:
    return shown_pane(qtbot)


@pytest.fixture(scope="module")
def drawings() -> Iterator[DrawingProcess]:
    with patient_drawings() as made:
        yield made


@pytest.fixture
def opener() -> Iterator[Opener]:
    with Opener().listening() as spy:
        yield spy


@pytest.fixture
def calls(qapp: QApplication) -> Iterator[QTcpServer]:
    with hostile_vault.server() as listening:
        yield listening


@pytest.mark.skipif(os.open not in os.supports_dir_fd, reason="folders have no descriptors")
def test_what_is_opened_through_folders_is_heard(library: NoteLibrary) -> None:
    """So the tests below also notice files outside, if opened by a name in a folder or a link."""
    vault, travel = library.vault, library.vault / "travel"
    secret = ("open", str(vault.parent / "secret.png"))
    with heard() as events:
        os.close(open_inside(vault, "travel/here.png"))
        with pytest.raises(OSError, match=r"out\.png"):
            open_inside(vault, "travel/out.png")
    assert outside(events, vault) == []
    assert ("open", str(travel / "here.png")) in events
    for names in (["out.png"], ["..", "..", "secret.png"]):
        with heard() as events:
            at = os.open(travel, os.O_RDONLY)
            for name in names:
                below = os.open(name, os.O_RDONLY, dir_fd=at)
                os.close(at)
                at = below
            os.close(at)
        assert outside(events, vault)[-1] == secret


@pytest.mark.fault(
    "G1",
    fault="Scripts, handlers, frames, forms, SVG and MathML in HTML",
    outcome="Only allowed elements stay",
)
def test_g01_programs_in_a_note(
    pane: PreviewPane,
    library: NoteLibrary,
    opener: Opener,
    calls: QTcpServer,
    drawings: DrawingProcess,
) -> None:
    """All of them are in one note, in both dialects; only their text is left."""
    web = f"http://127.0.0.1:{calls.serverPort()}"
    everything = "\n\n".join(PROGRAMS).replace("https://evil.example", web)
    with heard() as events:
        check(show(pane, library, f"before\n\n{everything}\n\nafter", drawings))
        html = render(everything, around=library.links("site/a.md"))
    check(html)
    for tag in ("<script", "<iframe", "<object", "<form", "<input", "<style", "<svg", "<link"):
        assert tag not in html
    assert "before" in pane.browser.toPlainText()
    started = [
        what for event, what in outside(events, library.vault) if event != "subprocess.Popen"
    ]
    assert started == [], "but for the process of the MkDocs dialect nothing runs"
    assert opener.opened == []
    assert not calls.hasPendingConnections()


@pytest.mark.fault(
    "G2, G3",
    row="G2 to G4",
    fault="Links to programs, files, shares, other schemes",
    outcome="A click opens only web and mail addresses and notes",
)
@pytest.mark.parametrize("path", ["Home.md", "site/a.md"])
def test_g02_g03_links_that_open_programs(library: NoteLibrary, path: str) -> None:
    """Only web and mail addresses and notes in the index become links, in both dialects."""
    forms = "[x](<{0}>) <a href='{0}'>y</a> [z][r]\n\n[r]: {0}\n"
    around = library.links(path)
    for address in DEAD_LINKS:
        html = render(forms.format(address), around=around)
        check(html)
        assert "<a href" not in html, address


@pytest.mark.fault("G2, G3")
def test_g02_g03_clicks_on_such_addresses(
    pane: PreviewPane, opener: Opener, library: NoteLibrary
) -> None:
    """Nothing is opened even if an address had passed the sanitizer."""
    controller = PreviewController(pane)
    told: list[str] = []
    pane.browser.link_activated.connect(told.append)
    for address in [*DEAD_LINKS, "", "#", "../../x.desktop", "/bin/sh"]:
        if not address.startswith(("note:", "section:")):
            pane.browser.anchorClicked.emit(QUrl(address))
    assert [one for one in told if not one.startswith("http")] == []
    assert [one for one in opener.opened if not one.startswith("http")] == []
    controller.attach(None)


@pytest.mark.fault("G4")
def test_g04_a_click_shows_and_starts_nothing_by_itself(
    pane: PreviewPane, opener: Opener, library: NoteLibrary, drawings: DrawingProcess
) -> None:
    show(pane, library, "words", drawings)
    for address in ("file:///bin/sh", "/bin/sh", "smb://host/x", "obsidian://open", "javascript:1"):
        pane.browser.anchorClicked.emit(QUrl(address))
    assert pane.browser.toPlainText() == "words"
    assert not pane.browser.openLinks()
    assert opener.opened == []


@pytest.mark.fault("G4")
def test_g04_web_links_are_opened_by_a_click_alone(
    pane: PreviewPane, opener: Opener, library: NoteLibrary, drawings: DrawingProcess
) -> None:
    controller = PreviewController(pane)
    show(pane, library, "[x](https://a.example/x)", drawings)
    assert opener.opened == []
    pane.browser.anchorClicked.emit(QUrl("https://a.example/x"))
    assert opener.opened == ["https://a.example/x"]
    controller.attach(None)


@pytest.mark.fault(
    "G5",
    fault="Pictures and styles from the internet",
    outcome="No connection; a box names the host",
)
def test_g05_nobody_is_called(
    pane: PreviewPane, library: NoteLibrary, calls: QTcpServer, drawings: DrawingProcess
) -> None:
    web = f"http://127.0.0.1:{calls.serverPort()}"
    with heard() as events:
        show(
            pane,
            library,
            f"![a]({web}/a.png) <img src='{web}/b.png'> ![[{web}/c.png]]\n\n"
            f"<style>@import '{web}/d.css'</style>\n\n<table background='{web}/e.png'><tr><td>x\n",
            drawings,
        )
        show_html(pane, f'<img src="{web}/f.png"><link rel=stylesheet href="{web}/g.css">')
        pane.browser.viewport().grab()
    assert outside(events, library.vault) == []
    assert not calls.waitForNewConnection(100)[0]


@pytest.mark.fault(
    "G6, G9",
    row="G6, G7, G9",
    fault="Files outside, by path, symbolic link or network",
    outcome="The real location decides; Qt is never asked",
)
def test_g06_g09_pictures_outside_the_vault(
    pane: PreviewPane,
    library: NoteLibrary,
    monkeypatch: pytest.MonkeyPatch,
    drawings: DrawingProcess,
) -> None:
    """They are not read by any path, link of the file system, or syntax of a note."""
    monkeypatch.setattr(QTextBrowser, "loadResource", lambda *_: pytest.fail("Qt reads by itself"))
    forms = "![a](<{0}>) ![[{0}]] <img src='{0}'>\n\n"
    with heard() as events:
        show(pane, library, "".join(forms.format(target) for target in OUTSIDE), drawings)
    opened = [what for event, what in outside(events, library.vault) if event == "open"]
    assert opened == []
    images = VaultImages(library.vault, drawings)
    assert [t for t in OUTSIDE if read_picture(images, t, "travel/note.md") is not None] == []
    assert read_picture(images, "here.png", "travel/note.md") is not None


@pytest.mark.fault("G7")
@pytest.mark.parametrize("target", [
    "//host/x.png", "\\\\host\\x.png", "\\\\?\\UNC\\h\\x.png", "../" * 40 + "net/host/x.png",
    "/../" + "../" * 40 + "net/host/x.png",
])  # fmt: skip
def test_g07_network_paths_are_refused_before_anything_looks(
    library: NoteLibrary, target: str, monkeypatch: pytest.MonkeyPatch, drawings: DrawingProcess
) -> None:
    images, around = VaultImages(library.vault, drawings), library.links("travel/note.md")
    for name in ("resolve", "is_file", "stat", "open"):
        monkeypatch.setattr(Path, name, lambda *_, **__: pytest.fail("looked at"))
    assert read_picture(images, target, "travel/note.md") is None
    assert around.picture(target) is None


@pytest.mark.fault(
    "G8",
    fault="Picture bombs; SVG that reads, runs or refers to itself",
    outcome="Sizes are read first; a process with a time limit draws SVG",
)
@pytest.mark.parametrize("name", [*DRAWINGS, "bomb.png"])
def test_g08_pictures_that_are_bombs_or_programs(
    library: NoteLibrary, name: str, drawings: DrawingProcess
) -> None:
    """Only the harmless shapes of a drawing are drawn, or none; a bomb is not unpacked."""
    with heard() as events:
        image = read_picture(VaultImages(library.vault, drawings), name, "travel/note.md")
    assert [what for _, what in outside(events, library.vault)] == []
    assert image is None or max(image.width(), image.height()) <= vault_images.MAX_WIDTH
    if name in DRAWINGS:
        copied = (harmless_copy(DRAWINGS[name].encode()) or b"").decode()
        assert not re.search(r"<image|<script|@import|file:|passwd|secret|url\(/", copied)
    if name in {"bomb.png", "entities.svg", "outer.svg", "itself.svg", "many.svg", "deep.svg"}:
        assert image is None


@pytest.mark.fault("G10", fault="A missing picture", outcome="Looked up once")
def test_g10_a_missing_picture_is_looked_for_once(
    pane: PreviewPane,
    library: NoteLibrary,
    monkeypatch: pytest.MonkeyPatch,
    drawings: DrawingProcess,
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(VaultImages, "_find_file", lambda _, target, __: asked.append(target))
    show(pane, library, "![x](gone.png)\n\n" * 500, drawings)
    for width in (500, 600, 700):
        pane.resize(width, 640)
        pane.browser.viewport().grab()
    assert asked == ["gone.png"]


@pytest.mark.fault(
    "G11, G12",
    fault="HTML in titles, properties, names, snippets",
    outcome="Plain text",
)
def test_g11_names_and_titles_are_plain_text(
    pane: PreviewPane, library: NoteLibrary, drawings: DrawingProcess
) -> None:
    show(
        pane,
        library,
        "---\ntitle: <img src=/etc/x><b>T</b>\nk: <b>v</b>\n---\n# <i>H</i>\n\nw",
        drawings,
    )
    kinds = {label.textFormat() for label in pane.findChildren(QLabel)}
    assert kinds <= {Qt.TextFormat.PlainText}
    assert "<b>v</b>" in pane.browser.toPlainText()
    texts = [button.text() for button in pane.head.breadcrumb.findChildren(QPushButton)]
    assert next(filter(None, texts)).startswith("<img")  # some buttons are not used


OWN_WORDS = {"keys", "notices", "search_field", "status_bar"}
"""Their labels show icons and words of the program alone."""


@pytest.mark.fault("G11, G12")
def test_g11_no_label_of_the_program_guesses() -> None:
    """Qt takes a label's text for HTML if it looks like HTML, unless the label forbids that."""
    package = Path(vault_images.__file__).parent.parent
    guess = {
        file.stem
        for file in package.rglob("*.py")
        if re.search(r"\bQLabel\(", code := file.read_text("utf-8")) and "PlainText" not in code
    }
    assert guess == OWN_WORDS


@pytest.mark.fault("G11, G12")
def test_g12_snippets_of_hostile_text_are_text(library: NoteLibrary) -> None:
    (library.vault / "marks.md").write_text("# M\n\n<b>zebra</b> <script>alert(1)</script>\n")
    library.refresh(patience=0)
    (found,) = library.search("zebra", mode="words").sections
    start, end = found.snippet.marks[0]
    assert found.snippet.text[start:end] == "zebra"


@pytest.mark.fault(
    "G13",
    fault="Links that climb or name drives",
    outcome="Looked up in the index, never opened",
)
@pytest.mark.parametrize(
    "link",
    ["../../etc/passwd", "../secret", "C:\\x", "\\\\host\\x", "a\0b", "%2e%2e/secret",
     "/etc/passwd", "//host/x", "~/x", "file:///etc/passwd", "x" * 10_000, "../" * 400 + "etc"],
)  # fmt: skip
def test_g13_wikilinks_are_looked_up_and_never_opened(library: NoteLibrary, link: str) -> None:
    with heard() as events:
        html = render(f"[[{link}]] ![[{link}]] [x](<{link}>)", around=library.links("Home.md"))
        for written in (link, unquote(link)):
            with pytest.raises(NoteMissingError):
                library.links("Home.md").link_position(written)
    assert "<a " not in html
    assert outside(events, library.vault) == []


@pytest.mark.fault(
    "G14",
    fault="Hostile names opened in the editor",
    outcome="One argument, no shell, only notes of the vault",
)
@pytest.mark.parametrize("name", ["--foo.md", "$(touch x).md", "-e.md", "a;b.md", "`x`.md"])
def test_g14_a_note_with_a_hostile_name_is_one_argument(library: NoteLibrary, name: str) -> None:
    """No shell is used, and the only argument is the absolute path of a note in the vault."""
    vault = library.vault
    (vault / name).write_text("x")
    how = how_to_open("myeditor +{line} {path}", checked(NoteLocation(vault / name, vault, 3)))
    assert how == RunCommand(("myeditor", "+3", str(vault / name)))


@pytest.mark.fault("G14")
def test_g14_nothing_but_a_note_of_the_vault_is_opened(library: NoteLibrary) -> None:
    for target in ("../secret.png", "/bin/sh", "no such.md"):
        with pytest.raises(EditorError):
            checked(NoteLocation(library.vault / target, library.vault))


@pytest.mark.fault(
    "G15, G16",
    fault="Copying, dropping, pasting",
    outcome="Copies are plain text; drops are ignored",
)
def test_g15_what_is_copied_is_plain_text(
    pane: PreviewPane, library: NoteLibrary, qapp: QApplication, drawings: DrawingProcess
) -> None:
    show(pane, library, "**bold** [link](https://a.example) ![p](here.png) $x^2$", drawings)
    pane.browser.selectAll()
    pane.browser.copy()
    copied = qapp.clipboard().mimeData()
    assert copied.formats() == ["text/plain"]
    assert "a.example" not in copied.text()
    qapp.clipboard().clear()


@pytest.mark.fault("G15, G16")
def test_g16_nothing_can_be_dropped_or_pasted(pane: PreviewPane) -> None:
    assert not pane.browser.acceptDrops()
    assert not pane.browser.viewport().acceptDrops()
    assert pane.browser.isReadOnly()
    dropped = QMimeData()
    dropped.setHtml("<b>x</b>")
    assert not pane.browser.canInsertFromMimeData(dropped)
