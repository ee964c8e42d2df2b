"""Builds the Debian package from the frozen folder; run ``freeze.py`` first.

The program is installed in ``/opt/notesearch``, where packages from outside a distribution belong,
and started through a link in ``/usr/bin``.
"""

import datetime as dt
import gzip
import os
import shutil
import sys
from email.utils import format_datetime
from pathlib import Path

import icons
from places import (
    APP_ID,
    BUILD,
    DIST,
    FROZEN,
    HOMEPAGE,
    MAINTAINER,
    PACKAGING,
    PYTHON,
    ROOT,
    epoch,
    megabytes,
    run,
    version,
)

DEPENDS = (
    "libc6 (>= 2.35)", "libstdc++6", "libgcc-s1", "zlib1g", "libexpat1", "libuuid1", "libzstd1",
    "libglib2.0-0 | libglib2.0-0t64", "libegl1", "libgl1", "libdbus-1-3", "libfontconfig1",
    "libfreetype6", "libgssapi-krb5-2", "libbrotli1", "libx11-6", "libx11-xcb1", "libxcb1",
    "libwayland-client0", "libwayland-cursor0", "libwayland-egl1",
)  # fmt: skip
"""All packages that the folder's libraries need, except GTK, which is used only if installed."""
RECOMMENDS = ("fonts-dejavu-core | fonts-noto-core", "xdg-utils")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}

CONTROL = """\
Package: notesearch
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Section: text
Priority: optional
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: {recommends}
Description: find the section you mean in your Markdown notes
 A window that searches a folder of Markdown notes while you type, by words and
 by meaning, and shows sections rather than files, each with a preview. There is
 a quick search over whatever you are doing, and a command line.
 .
 Everything happens on your own computer. No note is ever changed.
"""
CHANGES = """\
notesearch ({version}) stable; urgency=medium

  * What changed for users is told in NEWS.gz beside this file.

 -- {maintainer}  {day}
"""
"""The Debian changelog, which only points to ``NEWS.gz``."""


def filled(template: Path, **more: str) -> str:
    """Return the text of a template in ``packaging/linux`` with version and date filled in."""
    text = template.read_text("utf-8")
    day = dt.datetime.fromtimestamp(epoch(), dt.UTC).date().isoformat()
    for name, value in {"VERSION": version(), "DATE": day, **more}.items():
        text = text.replace(f"@{name}@", value)
    return text


def commands() -> str:
    """Return all commands and their options in the markup of man pages."""
    return run(PYTHON, PACKAGING / "commands_page.py", "--man", quiet=True)


def changes() -> str:
    """Return the Debian changelog of this version."""
    day = dt.datetime.fromtimestamp(epoch(), dt.UTC)
    return CHANGES.format(version=version(), maintainer=MAINTAINER, day=format_datetime(day))


def lay_out_share(share: Path) -> None:
    """Write the files that go below ``share``: menu entry, icons, metadata, man page, licences."""
    linux = PACKAGING / "linux"
    texts = {
        f"applications/{APP_ID}.desktop": filled(
            ROOT / "resources" / "applications" / f"{APP_ID}.desktop"
        ),
        f"metainfo/{APP_ID}.metainfo.xml": filled(
            linux / f"{APP_ID}.metainfo.xml",
            HOMEPAGE=f'<url type="homepage">{HOMEPAGE}</url>' if HOMEPAGE else "",
        ),
        "man/man1/notesearch.1.gz": filled(linux / "notesearch.1", COMMANDS=commands()),
        "doc/notesearch/copyright": (ROOT / "LICENSE").read_text("utf-8")
        + "\nThe licences of all parts are in LICENCES.txt.gz beside this file.\n",
        "doc/notesearch/LICENCES.txt.gz": (FROZEN / "LICENCES.txt").read_text("utf-8"),
        "doc/notesearch/changelog.gz": changes(),
        "doc/notesearch/NEWS.gz": (ROOT / "CHANGELOG.md").read_text("utf-8"),
    }
    for name, text in texts.items():
        target = share / name
        target.parent.mkdir(parents=True, exist_ok=True)
        content = text.encode()
        target.write_bytes(gzip.compress(content, mtime=0) if name.endswith(".gz") else content)
    icons.install(BUILD / "icons", share)


def lay_out(root: Path) -> None:
    """Lay the package's files out below ``root``."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(FROZEN, root / "opt" / "notesearch", symlinks=True)
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "usr" / "bin" / "notesearch").symlink_to("/opt/notesearch/notesearch")
    lay_out_share(root / "usr" / "share")
    program = root / "opt" / "notesearch" / "notesearch"
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path == program else 0o644)


def main() -> int:
    """Lay out the package, write its ``control`` file, validate the metadata, and pack."""
    root = BUILD / "deb"
    lay_out(root)
    architecture = ARCHITECTURES[os.uname().machine]
    (root / "DEBIAN").mkdir()
    homepage = f"Homepage: {HOMEPAGE}\n" if HOMEPAGE else ""
    (root / "DEBIAN" / "control").write_text(
        CONTROL.replace("Description:", f"{homepage}Description:").format(
            maintainer=MAINTAINER, version=version(), architecture=architecture,
            depends=", ".join(DEPENDS), recommends=", ".join(RECOMMENDS),
            kilobytes=round(megabytes(root) * 1e6 / 1024),
        ),
        "utf-8",
    )  # fmt: skip
    share = root / "usr" / "share"
    run("appstreamcli", "validate", "--no-net", share / "metainfo" / f"{APP_ID}.metainfo.xml")
    run("desktop-file-validate", share / "applications" / f"{APP_ID}.desktop")
    package = DIST / f"notesearch_{version()}_{architecture}.deb"
    run("dpkg-deb", "--root-owner-group", "-Zxz", "-z3", "--build", root, package,
        SOURCE_DATE_EPOCH=str(epoch()))  # fmt: skip
    print(f"{package.relative_to(ROOT)}: {megabytes(package):.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
