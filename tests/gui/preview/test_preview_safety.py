"""Showing or clicking a note reads no other files, contacts no computer and starts no program."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QImage, QTextDocument
from PySide6.QtNetwork import QTcpServer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextBrowser
from pytestqt.qtbot import QtBot

from notesearch.gui.preview import vault_images
from notesearch.gui.preview.document import body_html
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.preview.section_browser import SectionBrowser
from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.preview.vault_images import VaultImages
from notesearch.results import SectionLink, SectionText
from tests.faults import hostile_vault
from tests.faults.hostile_vault import Opener, picture_bomb
from tests.gui.preview_contents import read_picture, show_html, show_text, shown_pane
from tests.markdown.render.test_render_safety import DEAD_LINKS, HOSTILE, PROGRAMS

PICTURE = "#31577d"
IMAGE = QTextDocument.ResourceType.ImageResource.value


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vault with good and bad pictures, and one picture outside it."""
    folder = tmp_path_factory.mktemp("pictures")
    vault = folder / "vault"
    picture = QImage(40, 30, QImage.Format.Format_RGB32)
    picture.fill(QColor(PICTURE))
    (vault / "travel" / "img").mkdir(parents=True)
    for name in ("travel/here.png", "travel/img/my map.jpg", "travel/ünïcode.bmp"):
        assert picture.save(str(vault / name), quality=100)
    for x in range(40):
        picture.setPixelColor(x, x // 2, QColor(6 * x, 0, 0))
    assert picture.save(str(vault / "top.webp"), quality=100)
    assert picture.save(str(folder / "outside.png"))
    (vault / "travel" / "link out.png").symlink_to(folder / "outside.png")
    (vault / "travel" / "link in.png").symlink_to(vault / "top.webp")
    (vault / "travel" / "passwd.png").symlink_to("/etc/passwd")
    (vault / "travel" / "text.png").write_text("not a picture")
    (vault / "travel" / "drawing.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>'
    )
    (vault / "travel" / "drawing.png").write_bytes((vault / "travel" / "drawing.svg").read_bytes())
    (vault / "travel" / "entities.svg").write_text(
        '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&b;</text></svg>'
    )
    (vault / "travel" / "itself.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
        '<g id="a"><use href="#b"/><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>'
    )
    (vault / "travel" / "folder.png").mkdir()
    os.mkfifo(vault / "travel" / "pipe.png")
    with (vault / "travel" / "huge.png").open("wb") as file:
        file.write((vault / "travel" / "here.png").read_bytes())
        file.truncate(vault_images.MAX_BYTES + 1)
    (vault / "travel" / "bomb.png").write_bytes(picture_bomb(50_000, 50_000))
    return vault


@pytest.fixture
def pane(qtbot: QtBot, pictures: Path) -> PreviewPane:
    return shown_pane(qtbot)


@pytest.fixture
def images(pictures: Path, drawings: DrawingProcess) -> VaultImages:
    return VaultImages(pictures, drawings)


def show(pane: PreviewPane, pictures: Path, source: str) -> None:
    text = SectionText("travel/a.md", "A", "A", ("A",), 0, 1, 9, source)
    show_text(pane, text, vault=pictures)
    pane.browser.viewport().grab()


@pytest.fixture
def opener() -> Iterator[Opener]:
    with Opener().listening() as spy:
        yield spy


@pytest.fixture
def calls(qapp: QApplication) -> Iterator[QTcpServer]:
    with hostile_vault.server() as listening:
        yield listening


# Pictures


@pytest.mark.parametrize(
    "target",
    [
        "here.png",
        "img/my map.jpg",
        "./here.png",
        "../top.webp",
        "top.webp",
        "ünïcode.bmp",
        "link in.png",
    ],
)
def test_pictures_in_the_vault_are_read(images: VaultImages, target: str) -> None:
    image = read_picture(images, target, "travel/a.md")
    assert image is not None
    assert image.size().toTuple() == (40, 30)


@pytest.mark.parametrize(
    "target",
    [
        "../../outside.png",
        "link out.png",
        "passwd.png",
        "/etc/passwd",
        "../../../../../../etc/passwd",
        "text.png",
        "entities.svg",
        "itself.svg",
        "folder.png",
        "pipe.png",
        "huge.png",
        "bomb.png",
        "missing.png",
        ".",
        "",
        "a\0b.png",
        "x" * 5000,
        "file:///etc/passwd",
        "http://127.0.0.1/x.png",
        "data:image/png;base64,AAAA",
        "qrc:/x.png",
        ":/x.png",
        "C:\\x.png",
        "here.png:stream",
    ],
)
def test_no_other_file_is_read(images: VaultImages, target: str) -> None:
    assert read_picture(images, target, "travel/a.md") is None


@pytest.mark.parametrize(
    "target", ["//host/share/x.png", "\\\\host\\share\\x.png", "\\\\?\\UNC\\h\\x.png"]
)
def test_network_paths_are_refused_before_they_are_touched(
    images: VaultImages, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "resolve", lambda *_, **__: pytest.fail("touched"))
    assert read_picture(images, target, "travel/a.md") is None


def test_a_missing_picture_is_searched_for_once(
    pane: PreviewPane, pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []
    monkeypatch.setattr(VaultImages, "_find_file", lambda _, target, __: searched.append(target))
    show(pane, pictures, "![x](gone.png)\n\n" * 50)
    for width in (500, 600, 700):
        pane.resize(width, 640)
        pane.browser.viewport().grab()
    assert searched == ["gone.png"]


@pytest.mark.fault("G6, G9")
def test_qt_never_loads_anything_itself(
    pane: PreviewPane, pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QTextBrowser, "loadResource", lambda *_: pytest.fail("Qt loads it itself"))
    show(pane, pictures, "![a](here.png) ![b](gone.png) ![c](https://x.example/c.png)\n\n- [ ] d\n")
    show_html(
        pane,
        f'<link rel="stylesheet" href="{pictures}/x.css"><img src="file://{pictures}/travel/here.png">'
        f'<img src="{pictures}/travel/here.png"><style>@import "x.css"; p {{ color: red }}</style>'
        f'<p style="background-image: url({pictures}/travel/here.png)">p</p>',
    )
    assert PICTURE not in colours(pane.browser)


@pytest.mark.parametrize("kind", [1, 3, 4, 100])
def test_only_pictures_are_resources(pane: PreviewPane, kind: int) -> None:
    for name in ("image:here.png", "ui:checked", "/etc/hostname"):
        assert pane.browser.loadResource(kind, QUrl(name)) is None


def colours(browser: SectionBrowser) -> set[str]:
    image = browser.viewport().grab().toImage()
    return {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 7)
        for y in range(0, image.height(), 7)
    }


def test_only_pictures_of_the_vault_are_shown(pane: PreviewPane, pictures: Path) -> None:
    show(pane, pictures, "![a](here.png#400)")
    assert PICTURE in colours(pane.browser)
    show(pane, pictures, "![a](link%20out.png) ![b](../../outside.png)")
    assert PICTURE not in colours(pane.browser)


def test_no_server_is_contacted(
    qtbot: QtBot, pane: PreviewPane, calls: QTcpServer, pictures: Path
) -> None:
    web = f"http://127.0.0.1:{calls.serverPort()}"
    show(
        pane,
        pictures,
        f"![a]({web}/a.png) <img src='{web}/b.png'> [![c]({web}/c.png)]({web}/c)\n\n"
        f"<style>@import '{web}/d.css'</style>\n\n<table background='{web}/e.png'><tr><td>x\n",
    )
    show_html(pane, f'<img src="{web}/f.png"><link rel=stylesheet href="{web}/g.css">')
    pane.browser.viewport().grab()
    assert not calls.waitForNewConnection(200)[0]
    assert not calls.hasPendingConnections()


# Clicks


def test_a_click_on_a_dangerous_link_does_nothing(pane: PreviewPane, opener: Opener) -> None:
    """Even if the address had passed the sanitizer."""
    show_html(pane, "<p>text</p>")
    activated: list[str] = []
    pane.browser.link_activated.connect(activated.append)
    for address in (*DEAD_LINKS, "", "#", "../../x.desktop", "/bin/sh"):
        if not address.strip().lower().startswith(("note:", "section:", "http", "ui")):
            pane.browser.anchorClicked.emit(QUrl(address))
        assert activated == []
        assert opener.opened == []
        assert pane.browser.toPlainText() == "text"
        assert not pane.browser.source().isValid()


def test_a_real_click_opens_nothing(qtbot: QtBot, pane: PreviewPane, opener: Opener) -> None:
    show_html(pane, '<p><a href="file:///bin/sh">shell</a></p><p>text</p>')
    QTest.mouseClick(pane.browser.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(35, 22))
    assert "shell" in pane.browser.toPlainText()
    assert opener.opened == []


def test_notes_cannot_link_to_sections_by_line(
    qtbot: QtBot, pane: PreviewPane, pictures: Path
) -> None:
    show(pane, pictures, "[x](section:99) <a href='section:99'>y</a>")
    assert "section:" not in pane.browser.toHtml()


# Clipboard


def test_only_plain_text_is_copied(qapp: QApplication, pane: PreviewPane, pictures: Path) -> None:
    show(pane, pictures, "- [x] **bold** [link](https://a.example) ![p](here.png)\n- second")
    pane.browser.selectAll()
    pane.browser.copy()
    copied = qapp.clipboard().mimeData()
    assert copied.formats() == ["text/plain"]
    assert copied.text() == "[x] bold link \nsecond"


def test_tables_and_boxes_are_copied_without_their_invisible_marks(
    qapp: QApplication, pane: PreviewPane, pictures: Path
) -> None:
    show(
        pane,
        pictures,
        "| a | 🦊 |\n|---|---|\n| 1 | 2 |\n\n> [!note] Title\n> Said\n\n```\nx\n\ny\n```",
    )
    pane.browser.selectAll()
    pane.browser.copy()
    lines = qapp.clipboard().text().splitlines()
    pane.browser.setTextCursor(pane.browser.document().find("🦊"))
    assert pane.browser.selected_text() == "🦊"
    assert [line for line in lines if line] == ["a\t🦊", "1\t2", "Title", "Said", "x", "y"]


# Hostile notes


def test_programs_in_a_note_are_only_text(
    pane: PreviewPane, opener: Opener, pictures: Path
) -> None:
    for number, source in enumerate(PROGRAMS):
        show(pane, pictures, f"before {number}\n\n{source}\n\nafter")
        assert f"before {number}" in pane.browser.toPlainText()
        assert opener.opened == []


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_structures_are_shown(pane: PreviewPane, name: str, pictures: Path) -> None:
    show(pane, pictures, HOSTILE[name])
    assert pane.isVisible()


def test_headings_in_links_are_escaped() -> None:
    heading = '<img src="https://host.invalid/x.png"> & "tea"'
    html = body_html("<p>x</p>", [SectionLink(heading, (heading,), 2, 5, 6, 3)])
    assert (
        ">&lt;img src=&quot;https://host.invalid/x.png&quot;&gt; &amp; &quot;tea&quot;</a>" in html
    )
