"""Checks for the Linux system packages that the program needs, and installs them if it can.

These are Qt's libraries, a font, and Python's own module for virtual environments, which some
systems keep in a separate package; with ``--release``, also the tools to build and check packages.

On Debian and its relatives, they are installed if this runs as root or sudo asks no password;
elsewhere, the command to run is printed. Runs before there is a virtual environment, and so needs
only the standard library.
"""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
}
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
FONT_PACKAGE = "fonts-dejavu-core"
COMMANDS = {
    "appstreamcli": "appstream",
    "desktop-file-validate": "desktop-file-utils",
    "dpkg-deb": "dpkg",
    "strip": "binutils",
}
"""From the commands that build and check packages to the Debian packages that contain them."""

FILLS_ENVIRONMENTS = "ensurepip"
"""The module that puts pip into a new environment."""


def missing_packages(*, release: bool = False) -> list[str]:
    """Return the Debian packages for each library, font, module or command that is missing."""
    missing = []
    if not importlib.util.find_spec(FILLS_ENVIRONMENTS):
        missing.append(f"python{sys.version_info.major}.{sys.version_info.minor}-venv")
    for library, package in LIBRARIES.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            missing.append(package)
    folders = [Path(folder).expanduser() for folder in FONT_FOLDERS]
    if not any(next(folder.rglob("*.[to]tf"), None) for folder in folders if folder.is_dir()):
        missing.append(FONT_PACKAGE)
    if release:
        missing += [package for name, package in COMMANDS.items() if not shutil.which(name)]
    return missing


def root_prefix() -> list[str] | None:
    """Return the words to put before a command so that it runs as root; None if that is impossible.

    It never asks for a password.
    """
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
        if asked.returncode == 0:
            return ["sudo", "-n"]
    return None


def main(*, release: bool = False) -> int:
    """Check, then install or print the command to run; return 0 if nothing is missing then."""
    if not sys.platform.startswith("linux"):
        return 0
    missing = missing_packages(release=release)
    if not missing:
        return 0
    command = ["apt-get", "install", "-y", *missing]
    prefix = root_prefix()
    if prefix is None or not shutil.which("apt-get"):
        names = " ".join(missing)
        print("The program needs packages of the system. On Debian or Ubuntu run:")
        print(f"    sudo apt-get update && sudo apt-get install -y {names}")
        return 1
    print(f"Installing what is missing: {' '.join(missing)}")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([*prefix, "apt-get", "update", "-qq"], check=False, env=quiet)
    subprocess.run([*prefix, *command, "-qq"], check=False, env=quiet, stdout=subprocess.DEVNULL)
    left = missing_packages(release=release)
    if left:
        print(f"These could not be installed: {' '.join(left)}")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(release="--release" in sys.argv[1:]))
