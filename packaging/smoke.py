"""Tries the packages that ``release.py`` built, as a user would: install, start, search, remove.

Each package gets its own settings and index. ``--debian FOLDER`` installs the ``.deb`` into a
Debian system in that folder; if there is none yet, debootstrap makes it (as root, with a mirror).
This script uses only the standard library, so that a package cannot profit from our environment.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from try_parts import (
    Command,
    FailedError,
    agents_are_answered,
    http_is_answered,
    models_are_measured,
    pictures_are_alike,
)

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
RELEASE = ROOT / "build" / "release"
SAMPLE = ROOT / "resources" / "sample-vault"
QUERY, FOUND = "kyoto food", "Trip to Japan"
MEANT, FOUND_BY_MEANING = "somewhere to eat for an anniversary", "Restaurant ideas"
STARTS = 7
WAIT_S = 60.0


def run(command: Command, home: Path, *, may_fail: bool = False, **environment: str) -> str:
    """Run ``command`` with ``NOTESEARCH_HOME`` set to ``home`` and return what it printed."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False,
        env={**clean_environment(), "NOTESEARCH_HOME": str(home), **environment},
    )  # fmt: skip
    if done.returncode and not may_fail:
        raise FailedError(f"{command} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def clean_environment() -> dict[str, str]:
    """Return this process's variables without those of Python, Qt and notesearch."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "QT_", "NOTES"))}


def search(program: Command, vault: str, home: Path) -> None:
    """Index the sample vault; check that a search by words and one by meaning find their notes."""
    run([*program, "index", "--vault", vault], home)
    for query, mode, wanted in (
        (QUERY, "words", FOUND),
        (MEANT, "meaning", FOUND_BY_MEANING),
    ):
        told = json.loads(
            run([*program, "search", query, "--json", "--mode", mode, "--vault", vault], home)
        )
        titles = [result["title"] for result in told["results"]]
        if wanted not in titles[:3]:
            raise FailedError(f"{query!r} by {mode} found {titles}")
    if "GNU LESSER GENERAL PUBLIC LICENSE" not in run([*program, "licences"], home):
        raise FailedError("the licences are not told")


def first_paint(program: Command) -> float:
    """Start the window offscreen as a new user; return the milliseconds until its first paint.

    The program creates its data folder just after the first paint, so that folder is awaited.
    """
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        started = time.monotonic()
        with running([*program, "open", str(SAMPLE)], home, QT_QPA_PLATFORM="offscreen"):
            await_that((home / "data").exists, "a first paint", pause=0.002)
            return (time.monotonic() - started) * 1000


@contextlib.contextmanager
def running(
    command: Command, home: Path, **environment: str
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run ``command`` during the ``with`` block, then end it; it has to exit with status 0."""
    variables = {**clean_environment(), "NOTESEARCH_HOME": str(home), **environment}
    with subprocess.Popen(command, env=variables) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
    if process.returncode:
        raise FailedError(f"the window ended with {process.returncode}")


@contextlib.contextmanager
def x_server() -> Iterator[str]:
    """Run an X server during the ``with`` block; yield its display, the first one that is free."""
    command = ["Xvfb", "-displayfd", "1", "-noreset", "-screen", "0", "1280x800x24"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            yield f":{server.stdout.readline().strip()}"
        finally:
            server.terminate()


def await_that(holds: Callable[[], object], what: str, pause: float = 0.1) -> None:
    """Wait until ``holds`` returns something true; fail after ``WAIT_S`` seconds."""
    deadline = time.monotonic() + WAIT_S
    while not holds():
        if time.monotonic() > deadline:
            raise FailedError(f"waited in vain for {what}")
        time.sleep(pause)


def window(program: Command, vault: str, home: Path, picture: Path | None = None) -> None:
    """Show the window on an X server of its own, type a query, and end the program."""
    if not shutil.which("Xvfb") or not shutil.which("xdotool"):
        print("  the window was not tried: there is no Xvfb or no xdotool here")
        return
    with (
        x_server() as display,
        running([*program, "open", vault], home, DISPLAY=display, QT_QPA_PLATFORM="xcb"),
    ):

        def ask(*words: str) -> str:
            return run(["xdotool", *words], home, may_fail=True, DISPLAY=display)

        await_that(
            lambda: ask("search", "--onlyvisible", "--class", "notesearch").split(), "a window"
        )
        time.sleep(2)
        ask("mousemove", "300", "40", "click", "1", "type", QUERY)
        time.sleep(3)
        if picture and shutil.which("import"):
            run(["import", "-window", "root", str(picture)], home, DISPLAY=display)


def try_out(name: str, program: Command) -> None:
    """Try all parts of one package and print a line about it."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        vault = shutil.copytree(SAMPLE, Path(folder) / "vault")
        version = run([*program, "--version"], home).strip()
        search(program, str(vault), home)
        servers(program, str(vault), home)
        models_are_measured(run, program, str(vault), home)
        preview(program, Path(folder))
        times = [first_paint(program) for _ in range(STARTS)]
        window(program, str(vault), home, RELEASE / f"smoke-{name}.png")
        spread = f"{statistics.median(times[1:]):.0f} ms, at most {max(times[1:]):.0f} ms"
        print(
            f"{name}: {version}; finds; serves; measures; draws; first paint {spread}; ends",
            flush=True,
        )


def servers(program: Command, vault: str, home: Path) -> None:
    """Ask both of the program's servers, MCP and HTTP."""
    environment = {**clean_environment(), "NOTESEARCH_HOME": str(home)}
    agents_are_answered(program, vault, environment, QUERY, FOUND)
    http_is_answered(program, vault, environment, QUERY, FOUND)


def preview(program: Command, folder: Path) -> None:
    """Compare the program's picture of a note with the wheel's."""
    other = RELEASE / "runtime" / "bin" / "notesearch"
    if other.is_file():
        pictures_are_alike(run, program, [str(other)], folder)
    else:
        print("  the preview was not compared: there is no environment of the wheel")


def try_wheel(folder: Path) -> None:
    """Install the wheel into a new environment, try it, and remove it."""
    wheel = next(DIST.glob("*.whl"))
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    constraint = ["--constraint", str(ROOT / "constraints.txt")]
    subprocess.run([*pip, "install", *constraint, str(wheel)], check=True)
    try_out("wheel", [str(folder / "bin" / "notesearch")])
    subprocess.run([*pip, "uninstall", "--yes", "notesearch"], check=True)
    left = [str(path) for path in folder.rglob("notesearch*")]
    if left:
        raise FailedError(f"the wheel leaves {left}")


def try_archive(folder: Path) -> None:
    """Unpack the archive of the frozen folder and try it."""
    archive = next(DIST.glob("*linux*.tar.xz"))
    subprocess.run(["tar", "--extract", "--file", archive, "--directory", folder], check=True)
    try_out("archive", [str(next(folder.iterdir()) / "notesearch")])


def try_appdir(_: Path) -> None:
    """Try the AppDir, started by its ``AppRun``."""
    try_out("AppDir", [str(RELEASE / "notesearch.AppDir" / "AppRun")])


def contents(folder: Path) -> dict[str, bytes]:
    """Return the content of each file below ``folder``, by path."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def try_debian(root: Path) -> None:
    """Install the package into the Debian system at ``root``, try it there, and remove it."""
    package = next(DIST.glob("*.deb"))
    if not (root / "etc" / "debian_version").is_file():
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(root)], check=True)
    shutil.copyfile(package, root / "tmp" / package.name)
    shutil.copytree(SAMPLE, root / "tmp" / "vault", dirs_exist_ok=True)
    inside = ["chroot", str(root), "env", "NOTESEARCH_HOME=/tmp/home", "LANG=C.UTF-8"]
    home = Path("/tmp/home")

    def apt(*words: str) -> None:
        command = [*inside, "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-y", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise FailedError(f"apt-get {' '.join(words)}: {done.stdout}{done.stderr}")

    apt("update")
    apt("--no-install-recommends", "install", f"/tmp/{package.name}")
    libraries = "find /opt/notesearch -name '*.so*' ! -name libqgtk3.so -exec ldd {} +"
    told = run([*inside, "LD_LIBRARY_PATH=/opt/notesearch/_internal", "sh", "-c", libraries], home)
    lacking = [line for line in told.splitlines() if "not found" in line]
    if lacking:
        raise FailedError(f"the package depends on too little: {lacking}")
    search([*inside, "notesearch"], "/tmp/vault", home)
    apt("--no-install-recommends", "install", "xvfb", "xdotool", "imagemagick")
    script = (
        "Xvfb :7 -screen 0 1280x800x24 & server=$!; sleep 2; export DISPLAY=:7;"
        " notesearch open /tmp/vault & shown=$!;"
        " xdotool search --sync --onlyvisible --class notesearch > /dev/null; sleep 4;"
        f" xdotool mousemove 300 40 click 1 type '{QUERY}'; sleep 4;"
        " import -window root /tmp/window.png; kill -TERM $shown; wait $shown; said=$?;"
        " kill $server; exit $said"
    )
    run([*inside, "timeout", "120", "sh", "-c", script], home)
    shutil.copyfile(root / "tmp" / "window.png", RELEASE / "smoke-deb.png")
    before = contents(root / "tmp" / "home"), contents(root / "tmp" / "vault")
    apt("--no-install-recommends", "--reinstall", "install", f"/tmp/{package.name}")
    apt("purge", "notesearch")
    if before != (contents(root / "tmp" / "home"), contents(root / "tmp" / "vault")):
        raise FailedError("installing again or removing changed what is the user's")
    left = [path for path in ("opt/notesearch", "usr/bin/notesearch", "usr/share/doc/notesearch")
            if (root / path).is_symlink() or (root / path).exists()]  # fmt: skip
    if left:
        raise FailedError(f"the package leaves {left}")
    print("deb: installed in a clean Debian; finds; window; ends; removed", flush=True)


def main() -> int:
    """Try the packages named, or else all but the Debian package."""
    parser = argparse.ArgumentParser(description=__doc__)
    trials = {"wheel": try_wheel, "archive": try_archive, "appdir": try_appdir}
    parser.add_argument("packages", nargs="*", choices=[*trials, []])
    parser.add_argument("--debian", type=Path)
    chosen = parser.parse_args()
    try:
        for name in chosen.packages or ([] if chosen.debian else trials):
            with tempfile.TemporaryDirectory() as folder:
                trials[name](Path(folder))
        if chosen.debian:
            try_debian(chosen.debian.resolve())
    except FailedError as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
