"""What packages tell a desktop: one id everywhere, commands that exist, and well-formed files."""

import ast
import configparser
import plistlib
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from notesearch.cli.main import main
from notesearch.config import resources
from notesearch.gui.system.single_instance import APP_ID
from tests.packaging_scripts import script

PACKAGING = Path(__file__).resolve().parent.parent / "packaging"
OF_EXTRAS = {
    "torch", "sentence_transformers", "transformers", "onnx", "onnxruntime.quantization"
}  # fmt: skip
"""What other models need, which are for installations by pip."""
ENTRY = resources() / "applications" / f"{APP_ID}.desktop"


def test_the_entry_starts_commands_that_exist() -> None:
    entry = configparser.RawConfigParser()
    entry.read(ENTRY, "utf-8")
    started = [entry[group]["Exec"].split() for group in entry.sections()]
    assert [words[0] for words in started] == ["notesearch"] * len(started)
    assert {words[1] for words in started} <= set(main.commands)


def test_the_metadata_is_of_this_program() -> None:
    told = ET.parse(PACKAGING / "linux" / f"{APP_ID}.metainfo.xml").getroot()
    assert told.findtext("id") == APP_ID
    assert told.findtext("launchable") == f"{APP_ID}.desktop"
    assert told.findtext("project_license") == "MIT"


@pytest.mark.parametrize(
    "place", ["places.py", f"flatpak/{APP_ID}.yml", "macos/Info.plist"]
)  # fmt: skip
def test_every_package_has_the_one_id(place: str) -> None:
    text = (PACKAGING / place).read_text("utf-8")
    assert APP_ID in text
    assert set(re.findall(r"\b(?:org|com|io\.github)\.notesearch\.\w+", text)) == {APP_ID}


@pytest.mark.parametrize("name", ["Info.plist", "entitlements.plist"])
def test_property_lists_are_read(name: str) -> None:
    assert plistlib.loads((PACKAGING / "macos" / name).read_bytes())


def test_the_bundle_has_a_window_though_it_may_write_to_a_terminal() -> None:
    """By default, PyInstaller makes a bundle without a window."""
    told = plistlib.loads((PACKAGING / "macos" / "Info.plist").read_bytes())
    assert told["LSBackgroundOnly"] is False


def test_the_installer_takes_no_other_folder_out_of_the_path() -> None:
    """It removes only the exact folder: ``notesearch`` is not ``notesearch-old``."""
    script = (PACKAGING / "windows" / "notesearch.iss").read_text("utf-8")
    assert "Pos(Uppercase(Folder) + ';', Uppercase(Path) + ';')" in script


def test_flatpak_gives_no_network_and_no_writing() -> None:
    lines = (PACKAGING / "flatpak" / f"{APP_ID}.yml").read_text("utf-8").splitlines()
    given = [line.strip(" -") for line in lines if re.match(r"\s+- --", line)]
    given = [line.lstrip("-") for line in given]
    assert "share=network" not in given
    assert [line for line in given if line.startswith("filesystem")] == ["filesystem=home:ro"]


def test_what_is_left_out_of_a_frozen_program_is_nothing_of_ours() -> None:
    spec = (PACKAGING / "pyinstaller" / "notesearch.spec").read_text("utf-8")
    unused = next(
        ast.literal_eval(node.value)
        for node in ast.parse(spec).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "UNUSED"
    )
    files = (PACKAGING.parent / "notesearch").rglob("*.py")
    imported = "\n".join(file.read_text("utf-8") for file in files)
    named = {
        name
        for name in unused
        if re.search(rf"^\s*(from|import) {re.escape(name)}\b", imported, re.MULTILINE)
    }
    assert named <= OF_EXTRAS


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"LD_LIBRARY_PATH": "/ours"}, {}),
        (
            {"LD_LIBRARY_PATH": "/ours", "LD_LIBRARY_PATH_ORIG": "/a:/b"},
            {"LD_LIBRARY_PATH": "/a:/b"},
        ),
        ({}, {}),
    ],
)
def test_what_a_frozen_program_starts_gets_the_libraries_of_the_system(
    before: dict[str, str], after: dict[str, str]
) -> None:
    script("pyinstaller/start").give_back(before)
    assert before == after


def test_a_frozen_program_has_and_starts_every_process_of_its_own() -> None:
    """The processes are the modules that can be run, started in a way that ``start.py`` knows."""
    package = PACKAGING.parent / "notesearch"
    sources = {file: file.read_text("utf-8") for file in package.rglob("*.py")}
    run = {
        ".".join(file.relative_to(package.parent).with_suffix("").parts)
        for file, source in sources.items()
        if 'if __name__ == "__main__":' in source
    }
    children = set(script("pyinstaller/start").CHILDREN)
    assert run - {"notesearch.__main__"} == children
    spec = (PACKAGING / "pyinstaller" / "notesearch.spec").read_text("utf-8")
    assert [child for child in children if f'"{child}",' not in spec] == []
    started = [found for text in sources.values() for found in re.findall(r'.*"-m",.*', text)]
    assert len(started) >= 2  # one line starts every child process that answers line by line
    assert [line for line in started if '[sys.executable, "-P", "-m", ' not in line] == []
