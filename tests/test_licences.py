"""The list of components and licences is complete and matches the installation."""

import json
import re
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

from notesearch import licences
from notesearch.config import resources
from tests.command_line import Run
from tests.folders import write
from tests.packaging_scripts import PACKAGING, script

Parts = Mapping[str, licences.Component]


@pytest.fixture(scope="module")
def parts() -> Parts:
    return {part.name.lower().replace("_", "-"): part for part in licences.components()}


def required() -> set[str]:
    wanted = metadata.requires("notesearch") or []
    names = {re.split(r"[^\w-]", line)[0].lower() for line in wanted if "extra ==" not in line}
    return {name for name in names if name != "jeepney" or sys.platform == "linux"}


def test_names_all_that_is_required_in_its_installed_version(parts: Parts) -> None:
    for name in required():
        assert parts[name].version == metadata.version(name)


@pytest.mark.parametrize("name", ["numpy", "mdurl", "protobuf", "huggingface-hub"])
def test_names_indirect_requirements(parts: Parts, name: str) -> None:
    assert name in parts


@pytest.mark.parametrize("name", ["pytest", "mypy", "torch", "hypothesis"])
def test_leaves_out_requirements_of_tests_and_extras(parts: Parts, name: str) -> None:
    assert name not in parts


@pytest.mark.parametrize("name", ["all-minilm-l6-v2", "sqlite"])
def test_names_components_that_are_not_packages(parts: Parts, name: str) -> None:
    assert name in parts


def test_every_part_has_a_licence_and_its_text(parts: Parts) -> None:
    for name, part in parts.items():
        assert part.licence not in {"", "see its text"}, name
        assert part.texts, name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pyside6-essentials", ("GNU LESSER GENERAL PUBLIC LICENSE", "replace these libraries")),
        ("onnxruntime", ("THIRD PARTY SOFTWARE NOTICES", "Microsoft")),
        ("tokenizers", ("Apache License",)),
        ("numpy", ("OpenBLAS",)),
        ("notesearch", ("MIT License",)),
    ],
)  # fmt: skip
def test_the_texts_belong_to_the_component(parts: Parts, name: str, words: tuple[str, ...]) -> None:
    text = "\n".join(parts[name].texts)
    for word in words:
        assert word in text


def test_a_component_lists_its_own_parts(parts: Parts) -> None:
    assert any(re.match(r"contains ammonia \d\S*: MIT", line) for line in parts["nh3"].inside)


def test_components_of_a_frozen_program_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "licences"
    folder.mkdir()
    for file in (resources() / "licences").iterdir():
        (folder / file.name).write_text(file.read_text("utf-8"), "utf-8")
    brought = [{"name": "OpenSSL", "version": "3.0", "licence": "Apache-2.0", "notice": "Hear!"}]
    (folder / "brought.json").write_text(json.dumps(brought), "utf-8")
    (tmp_path / "models").symlink_to(resources() / "models")
    monkeypatch.setattr(licences, "resources", lambda: tmp_path)
    found = {part.name: part for part in licences.components()}
    assert found["OpenSSL"] == licences.Component(
        "OpenSSL", "3.0", "Apache-2.0", (), ("Hear!",)
    )  # fmt: skip


def test_the_command_prints_everything(run: Run) -> None:
    shown = run("licences").stdout
    assert shown == licences.licence_text()
    listed, _, texts = shown.partition("=" * 78)
    assert listed.startswith("notesearch and its components\n\nnotesearch ")
    assert "\nrich 15" in listed
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in texts


@pytest.mark.parametrize("name", ["cryptography", "cffi"])
def test_names_what_the_extra_of_another_package_brings(parts: Parts, name: str) -> None:
    """The MCP SDK requires ``pyjwt[crypto]``, which requires these."""
    assert name in parts


@pytest.mark.skipif(sys.platform == "win32", reason="the scripts look for a POSIX environment")
class TestWhatAFrozenFolderBringsAlong:
    @pytest.fixture
    def brought(self) -> ModuleType:
        return script("brought")

    def test_what_qt_carries_of_others_has_copyright_and_text(self, brought: ModuleType) -> None:
        parts = list(brought._in_qt())
        names = {part["name"] for part in parts}
        of_each_module = {"SipHash Algorithm", "The Public Suffix List", "Emoji Segmenter"}
        of_each_module |= {"libdbus-1 headers", "Wayland Protocol", "XSVG", "libtiff", "libwebp"}
        assert {f"{name} (in Qt)" for name in of_each_module} <= names
        assert len(names) == len(parts)
        assert all(part["licence"] for part in parts)
        assert [part["name"] for part in parts if len(part["notice"]) < 140] == []

    @pytest.mark.parametrize(
        ("system", "its_own"),
        [
            ("linux", set()),
            ("darwin", {"Cocoa Platform Plugin", "QEventDispatcher on macOS"}),
            (
                "win32",
                {
                    "D3D12 Memory Allocator",
                    "IAccessible2",
                    "Mipmap generator for D3D12",
                    "Wintab",
                },
            ),
        ],
    )
    def test_each_system_tells_what_its_qt_has(
        self, brought: ModuleType, monkeypatch: pytest.MonkeyPatch, system: str, its_own: set[str]
    ) -> None:
        monkeypatch.setattr(sys, "platform", "another")
        on_all = {part["name"] for part in brought._in_qt()}
        monkeypatch.setattr(sys, "platform", system)
        here = {part["name"] for part in brought._in_qt()}
        assert here - on_all == {f"{name} (in Qt)" for name in its_own}

    def test_the_parts_are_those_of_the_qt_that_goes_along(self) -> None:
        told = json.loads((PACKAGING / "qt_base.json").read_text("utf-8"))
        ours = metadata.version("PySide6_Essentials").split(".")[:2]
        assert told["source"].rpartition("-")[2].split(".")[:2] == ours

    def test_qts_own_files_are_read(self, tmp_path: Path) -> None:
        known = {"Id": "thing", "Name": "A thing", "QDocModule": "qtgui", "LicenseId": "MIT"}
        listed = [
            {**known, "Copyright": "1999 One\n  2001 Two", "LicenseFile": "OWN.txt"},
            {
                **known,
                "Name": "By file",
                "CopyrightFile": "WHO",
                "LicenseId": "MIT OR GPL-2.0-only",
            },
            {**known, "QDocModule": "qttestlib"},
            {**known, "Id": "kwin"},
        ]
        files = {
            "src/x/qt_attribution.json": json.dumps(listed).replace("\\n", "\n"),
            "src/x/OWN.txt": "Do as you like.",
            "src/x/WHO": "2020 Three\n\n2021 Four\n",
            "LICENSES/MIT.txt": "Permission is granted.",
        }
        write(tmp_path, {name: text.encode() for name, text in files.items()})
        found = script("qt_parts").collected(tmp_path)
        told = {
            one["name"]: (one["copyright"], found["texts"][one["text"]]) for one in found["parts"]
        }
        assert told == {
            "A thing": (["1999 One", "2001 Two"], "Do as you like.\n"),
            "By file": (["2020 Three", "2021 Four"], "Permission is granted.\n"),
        }

    def test_a_file_of_no_listed_part_ends_the_build(
        self, brought: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(brought, "_told", lambda *_: json.dumps(["numpy/core.so", "Stem.so"]))
        ours = f"python{sys.version_info.major}.{sys.version_info.minor}/lib-dynload/x.so"
        known = ("numpy/core.so", "Stem.so", "libz.so.1", "base_library.zip", ours)
        write(tmp_path, dict.fromkeys((*known, "other/strange.so", "_strange.so"), b""))
        assert sorted(brought._strangers(tmp_path)) == ["_strange.so", "other/strange.so"]


def test_a_licence_that_is_not_in_utf_8_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "quaint-1.0.dist-info"
    write(tmp_path, {
        "quaint-1.0.dist-info/METADATA": "Metadata-Version: 2.4\nName: quaint\nVersion: 1.0\n"
        "License-Expression: MIT\nLicense-File: LICENSE\n",
        "quaint-1.0.dist-info/RECORD": "quaint-1.0.dist-info/licenses/LICENSE,,\n",
    })  # fmt: skip
    (folder / "licenses").mkdir()
    (folder / "licenses" / "LICENSE").write_bytes("© 1999 Zoë".encode("cp1252"))
    monkeypatch.setattr(licences, "_distributions", lambda _: [metadata.Distribution.at(folder)])
    (quaint,) = (part for part in licences.components() if part.name == "quaint")
    assert quaint.texts == ("© 1999 Zoë",)
