"""Pictures of every kind: large ones come after the text, endless ones are given up."""

import struct
import time
import zlib
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFont, QImage

from notesearch.gui.preview import vault_images
from notesearch.gui.preview.document_images import DocumentImages, draw_placeholder
from notesearch.gui.preview.preview_style import DisplayFormat
from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.preview.vault_images import QUICK_PIXELS, Limits, VaultImages
from notesearch.gui.widgets.theme import DARK, LIGHT, Theme
from tests.gui.preview_contents import read_picture

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{0}">{1}</svg>'
QUICK = Limits(30.0, QUICK_PIXELS)
FULL = Limits(30.0)


@pytest.fixture
def images(vault: Path, drawings: DrawingProcess) -> VaultImages:
    return VaultImages(vault, drawings)


def picture(width: int, height: int, shape: QImage.Format = QImage.Format.Format_RGB32) -> QImage:
    image = QImage(width, height, shape)
    image.fill(QColor("#31577d"))
    return image


def html_of(*names: str) -> str:
    return "".join(f'<img src="image:{name}">' for name in names)


def chunk(kind: bytes, content: bytes) -> bytes:
    crc = struct.pack(">I", zlib.crc32(kind + content))
    return struct.pack(">I", len(content)) + kind + content + crc


def interlaced() -> bytes:
    """Eight by eight pixels of grey in the seven passes of Adam7."""
    passes = ((1, 1), (1, 1), (2, 1), (2, 2), (4, 2), (4, 4), (8, 4))
    rows = b"".join((b"\0" + b"\x80" * width) * height for width, height in passes)
    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 1)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


GIF_FRAME = b"\x2c\0\0\0\0\1\0\1\0\0\2\2\x44\1\0"
ANIMATED = b"GIF89a\1\0\1\0\x80\0\0\x31\x57\x7d\xff\xff\xff" + GIF_FRAME * 3 + b"\x3b"


def test_a_name_may_contain_a_number_sign(vault: Path, images: VaultImages) -> None:
    assert picture(9, 9).save(str(vault / "photo #1.png"))
    assert picture(9, 9).save(str(vault / "plan.png"))
    read = images.read_all(html_of("photo%20%231.png", "plan.png%23page=1"), "Note.md", FULL)
    assert [name for name, image in read.images.items() if image] == [
        "photo #1.png",
        "plan.png#page=1",
    ]


def test_unusual_formats_are_read(vault: Path, images: VaultImages) -> None:
    (vault / "animated.gif").write_bytes(ANIMATED)
    (vault / "interlaced.png").write_bytes(interlaced())
    printed = picture(9, 9).convertToFormat(QImage.Format.Format_CMYK8888)
    assert printed.save(str(vault / "cmyk.jpg"))
    (vault / "drawing.svg").write_text(SVG.format(20, '<rect width="20" height="20"/>'))
    names = ("animated.gif", "interlaced.png", "cmyk.jpg", "drawing.svg")
    found = images.read_all(html_of(*names), "a.md", QUICK)
    sizes = {name: image and image.size().toTuple() for name, image in found.images.items()}
    assert list(sizes) == list(names)
    assert list(sizes.values()) == [(1, 1), (8, 8), (9, 9), (20, 20)]
    assert found.complete


@pytest.mark.qt_log_ignore("JPEG")
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff" + b"\0" * 100,
        b"GIF89a",
        b"RIFF1234WEBPVP8 ",
        b"BM" + b"\xff" * 60,
        b"<svg",
        b"<svg/>",
        b'<svg xmlns="http://www.w3.org/2000/svg" width="9"',
    ],
)
def test_broken_pictures_are_not_shown(vault: Path, images: VaultImages, content: bytes) -> None:
    (vault / "broken.png").write_bytes(content)
    found = images.read_all(html_of("broken.png"), "a.md", FULL)
    assert found.images == {"broken.png": None}


@pytest.mark.fault("G8")
def test_a_large_picture_is_read_after_the_text(vault: Path, images: VaultImages) -> None:
    """The quick pass reads only its size. The full pass reads it in the size that is shown."""
    assert picture(12_000, 4000, QImage.Format.Format_Mono).save(str(vault / "large.png"))
    assert picture(9, 9).save(str(vault / "small.png"))
    html = html_of("large.png", "small.png")
    images.read_all(html, "a.md", QUICK)
    started = time.thread_time()
    first = images.read_all(html, "a.md", QUICK)
    assert time.thread_time() - started < 0.05
    assert set(first.images) == {"small.png"}
    assert first.sizes["large.png"] == QSize(12_000, 4000)
    assert not first.complete
    then = images.read_all(html, "a.md", FULL)
    large = then.images["large.png"]
    assert large is not None
    assert large.size() == QSize(vault_images.MAX_WIDTH, 533)
    assert then.complete


def test_the_pictures_of_a_section_are_limited(
    vault: Path, images: VaultImages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vault_images, "MAX_TOTAL_PIXELS", 250)
    names = [f"{number}.png" for number in range(vault_images.MAX_PICTURES + 9)]
    for name in names[:3]:
        assert picture(10, 10).save(str(vault / name))
    found = images.read_all(html_of(*names), "a.md", FULL)
    assert [name for name, image in found.images.items() if image] == names[:2]
    assert len(found.images) + 1 == vault_images.MAX_PICTURES
    assert found.complete, "no more pictures would follow"


@pytest.mark.parametrize(
    ("name", "content", "label"),
    [
        ("cut.png", interlaced()[:50], "unshown"),
        ("other.png", b"no picture", "unshown"),
        ("empty.png", b"", "unshown"),
        ("gone.png", None, "missing"),
    ],
)
def test_the_label_says_whether_a_picture_is_missing_or_unreadable(
    vault: Path, images: VaultImages, name: str, content: bytes | None, label: str
) -> None:
    if content is not None:
        (vault / name).write_bytes(content)
    shown = DocumentImages(images.read_all(html_of(name), "a.md", FULL))
    display = DisplayFormat(LIGHT, QFont(), 600, 1.0)
    expected = draw_placeholder(f"{label}/{name}", LIGHT, 1.0)
    assert shown.image(f"image:{name}", display) == expected


def test_the_label_of_a_missing_picture_is_not_shrunk_in_a_narrow_cell(images: VaultImages) -> None:
    shown = DocumentImages(images.read_all(html_of("a.png"), "a.md", FULL))
    display = DisplayFormat(LIGHT, QFont(), 600, 1.0)
    drawn = shown.image("image:a.png", display).size()
    assert shown.reserved_size(display, "image:a.png", 60) == drawn


def test_pictures_of_an_outdated_section_are_not_read(vault: Path, images: VaultImages) -> None:
    assert picture(10, 10).save(str(vault / "a.png"))
    found = images.read_all(html_of("a.png"), "a.md", Limits(30.0, is_outdated=lambda: True))
    assert not found.images
    assert not found.complete


def test_a_tall_picture_is_as_wide_as_the_text(vault: Path, drawings: DrawingProcess) -> None:
    assert picture(1000, 9000, QImage.Format.Format_Mono).save(str(vault / "tall.png"))
    image = read_picture(VaultImages(vault, drawings, 500), "tall.png", "a.md")
    assert image is not None
    assert image.size() == QSize(500, 4500)


ENDLESS = {
    "fat strokes": '<path fill="none" stroke="red" stroke-width="800" d="M0 0 '
    + " ".join(f"L{at * 7919 % 1600} {at * 104729 % 1600}" for at in range(5000))
    + '"/>',
    "discs": '<circle cx="800" cy="800" r="800" opacity="0.01"/>' * 4900,
}


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('width="30" height="20px"', (30, 20)),
        ('viewBox="0, 0 300 80"', (300, 80)),
        ('width="3200" height="1600"', (1600, 800)),
        ('width="3cm" height="2cm" viewBox="0 0 3 2"', None),
        ('width="20"', None),
        ('width="1000" height="1"', None),
        ("", None),
    ],
)
def test_the_size_of_a_drawing_is_known_before_it_is_drawn(
    vault: Path, images: VaultImages, attributes: str, size: tuple[int, int] | None
) -> None:
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>'
    (vault / "sized.svg").write_text(f'{start}<rect width="9" height="9"/></svg>')
    found = images.read_all(html_of("sized.svg"), "a.md", Limits(0.0))
    known = found.sizes["sized.svg"]
    assert (None if known.isEmpty() else known.toTuple()) == size
    drawing = read_picture(images, "sized.svg", "a.md")
    assert size is None or (drawing is not None and drawing.size().toTuple() == size)


@pytest.mark.fault("G8")
@pytest.mark.parametrize("name", ENDLESS)
def test_an_endless_drawing_is_given_up(
    vault: Path,
    images: VaultImages,
    drawings: DrawingProcess,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    """Another process draws it, so that neither the window nor this thread waits."""
    (vault / "endless.svg").write_text(SVG.format(1600, ENDLESS[name]))
    (vault / "fine.svg").write_text(SVG.format(9, '<rect width="9" height="9"/>'))
    monkeypatch.setattr(drawings._child, "_seconds", 0.1)
    started = time.thread_time()
    assert read_picture(images, "endless.svg", "a.md") is None
    assert time.thread_time() - started < 0.1
    monkeypatch.undo()
    assert drawings.ready(60)
    assert read_picture(images, "fine.svg", "a.md") is not None, "a new process draws"


BLACK = '<path d="M2 50 h96" stroke="#000" stroke-width="3"/>'
WHITE = '<path d="M2 50 h96" stroke="#fff" stroke-width="3"/>'
BOX = '<rect x="20" y="20" width="30" height="30" fill="#cde"/>'
FULL_BOX = '<rect width="100" height="90" fill="#cde"/>'


@pytest.mark.parametrize(
    ("theme", "lines", "ground"),
    [
        (DARK, BLACK, LIGHT.base),
        (DARK, WHITE, ""),
        (DARK, BOX + BLACK, LIGHT.base),
        (DARK, BOX + WHITE, ""),
        (DARK, FULL_BOX + BLACK, ""),
        (LIGHT, BLACK, ""),
        (LIGHT, BOX + BLACK, ""),
        (LIGHT, WHITE, DARK.base),
    ],
)
def test_a_drawing_is_seen_on_its_ground(
    vault: Path, drawings: DrawingProcess, theme: Theme, lines: str, ground: str
) -> None:
    (vault / "a.svg").write_text(SVG.format(100, lines), encoding="utf-8")
    pictures = VaultImages(vault, drawings).read_all(html_of("a.svg"), "note.md", FULL)
    display = DisplayFormat(theme, QFont(), 400, 1.0)
    corner = DocumentImages(pictures).image("image:a.svg", display).pixelColor(1, 98)
    assert corner.alpha() == (255 if ground else 0)
    assert not ground or corner == QColor(ground)
