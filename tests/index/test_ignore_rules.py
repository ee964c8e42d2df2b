"""Ignored files: git-like patterns, Obsidian's excluded files, and changes to either."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal
from unicodedata import normalize

import pytest

from notesearch.config import Settings
from notesearch.index.ignore_rules import IGNORE_FILE, IgnoreRules
from notesearch.index.ignore_rules import OBSIDIAN_CONFIG as OBSIDIAN_FILE
from notesearch.index.scan import list_vault
from tests.folders import write
from tests.limits import processor_seconds
from tests.watched_vault import WatchedVault

DEFAULTS = Settings()
NOTES = ["a.md", "draft.md", "Templates/t.md", "Templates/deep/t.md", "work/a.md", "work/old/b.md"]


def listed_notes(vault: Path, obsidian_settings: Settings = DEFAULTS) -> list[str]:
    """List the vault, and check that the rules agree for single paths."""
    listed = sorted(list_vault(vault, obsidian_settings).files)
    rules = IgnoreRules(vault, obsidian_settings)
    assert [note for note in sorted(NOTES) if rules.is_note(note)] == listed
    return listed


def without(*ignored: str) -> list[str]:
    return sorted(set(NOTES) - set(ignored))


TEMPLATES = ("Templates/t.md", "Templates/deep/t.md")


@pytest.mark.parametrize(
    ("patterns", "ignored"),
    [
        ("", ()),
        ("# a comment\n\n", ()),
        ("draft.md", ("draft.md",)),
        ("a.md", ("a.md", "work/a.md")),
        ("/a.md", ("a.md",)),
        ("Templates/", TEMPLATES),
        ("Templates", TEMPLATES),
        ("templates/", ()),
        ("deep", ("Templates/deep/t.md",)),
        ("work/*", ("work/a.md", "work/old/b.md")),
        ("work/*\n!work/a.md", ("work/old/b.md",)),
        ("work/\n!work/a.md", ("work/a.md", "work/old/b.md")),
        ("**/old/", ("work/old/b.md",)),
        ("*.md\n!a.md", tuple(set(NOTES) - {"a.md", "work/a.md"})),
        ("\ufeffdraft.md\r\n", ("draft.md",)),
    ],
)
def test_patterns_in_the_ignore_file(vault: Path, patterns: str, ignored: tuple[str, ...]) -> None:
    write(vault, {**dict.fromkeys(NOTES, "text"), IGNORE_FILE: patterns})
    assert listed_notes(vault) == without(*ignored)


def test_the_first_500_patterns_are_used_and_the_others_are_told(vault: Path) -> None:
    others = [f"other{number}*" for number in range(499)]
    write(vault, {"last.md": "text", "over.md": "text"})
    for patterns, files, told in (
        ([*others, "last*"], {"over.md"}, []),
        ([*others, "last*", "over*"], {"over.md"}, ["Only the first 500 patterns are used."]),
    ):
        write(vault, {IGNORE_FILE: "\n".join(patterns)})
        listing = list_vault(vault, DEFAULTS)
        assert listing.files.keys() == files
        assert [one.reason.removesuffix(" Delete some.") for one in listing.skipped] == told


@pytest.mark.parametrize("pattern", ["*a" * 11 + "b.md", "**a" * 11 + "b.md"])
def test_a_pattern_that_would_take_forever_is_refused(vault: Path, pattern: str) -> None:
    write(vault, {"a" * 200 + ".md": "text", IGNORE_FILE: pattern})
    with processor_seconds(10):
        listing = list_vault(vault, DEFAULTS)
    assert len(listing.files) == 1
    assert "has too many wildcards" in listing.skipped[0].reason


@pytest.mark.parametrize("depths", [3, 4, 6])
def test_patterns_for_any_depth_take_bounded_time(vault: Path, depths: int) -> None:
    write(vault, {"a/" * 100 + "x.md": "text", IGNORE_FILE: "**/a/" * depths + "b.md"})
    with processor_seconds(2):
        listing = list_vault(vault, DEFAULTS)
        assert len(listing.files) == 1
        assert bool(listing.skipped) == (depths > 3)


@pytest.mark.parametrize("ignore", [("Templates",), ("/Templates/**",), ("T*s/",)])
def test_patterns_in_the_settings(vault: Path, ignore: tuple[str, ...]) -> None:
    write(vault, dict.fromkeys(NOTES, "text"))
    assert listed_notes(vault, replace(DEFAULTS, ignore=ignore)) == without(*TEMPLATES)


@pytest.mark.parametrize(
    ("filters", "ignored"),
    [
        ([], ()),
        (["Templates/"], TEMPLATES),
        (["templates/"], TEMPLATES),
        (["Templates/deep/"], ("Templates/deep/t.md",)),
        (["draft.md"], ("draft.md",)),
        (["/^work/"], ("work/a.md", "work/old/b.md")),
        (["/old|draft/"], ("work/old/b.md", "draft.md")),
        (["", "/", 7, None, "nowhere/"], ()),
    ],
)
def test_obsidians_excluded_files(
    vault: Path, filters: list[object], ignored: tuple[str, ...]
) -> None:
    settings = json.dumps({"userIgnoreFilters": filters, "theme": "obsidian"})
    write(vault, {**dict.fromkeys(NOTES, "text"), OBSIDIAN_FILE: settings})
    assert listed_notes(vault) == without(*ignored)


@pytest.mark.parametrize("graph", ["", "work/", "a/Gru\u0308ße/"])
@pytest.mark.parametrize(
    "copy",
    [
        "logseq/bak/pages/a/2026-04-12T10_00_00.000Z.Desktop.md",
        "logseq/version-files/base/pages/a.md",
        "logseq/.recycle/a.md",
    ],
)
def test_logseqs_copies(vault: Path, graph: str, copy: str) -> None:
    everything = Settings(ignore=())
    other = "other/logseq/bak/b.md"
    write(vault, {"a.md": "new", f"{graph}{copy}": "old", other: "x"})
    assert set(list_vault(vault, everything).files) == {"a.md", f"{graph}{copy}", other}
    write(vault, {f"{graph}logseq/config.edn": "{}"})
    assert set(list_vault(vault, everything).files) == {"a.md", other}
    assert not IgnoreRules(vault, everything).is_note(f"{graph}{copy}")


@pytest.mark.parametrize(
    "folder",
    [
        "$RECYCLE.BIN",
        "System Volume Information",
        "__MACOSX",
        "lost+found",
        "@eaDir",
        "#recycle",
        "#snapshot",
        "@Recycle",
        "@Recently-Snapshot",
        "~snapshot",
        "project/.venv/Lib/site-packages",
        "venv/lib/python3.11/site-packages",
        "usr/lib/python3/dist-packages",
        "site/bower_components",
    ],
)
def test_folders_of_systems_and_programs(vault: Path, folder: str) -> None:
    write(vault, {"a.md": "", f"{folder}/b.md": "", f"work/{folder.lower()}/deep/er/c.md": ""})
    assert set(list_vault(vault, Settings(ignore=())).files) == {"a.md"}
    rules = IgnoreRules(vault, DEFAULTS)
    assert rules.program_folder(f"work/{folder}/deep/er/c.md") == f"work/{folder}"
    assert rules.program_folder("work/a.md") == ""


@pytest.mark.parametrize(
    "path",
    [
        *(f"{name}/a.md" for name in "vendor target venv env build dist bak recycle".split()),
        "Recycler/a.md",
        "snapshot/a.md",
        "tag #recycle/a.md",
        "$RECYCLE.BIN.md",
        "#recycle.md",
        "lost and found/a.md",
        "logseq/pages/a.md",
    ],
)
def test_names_that_a_person_may_give_are_notes(vault: Path, path: str) -> None:
    write(vault, {path: "", "logseq/config.edn": "{}"})
    assert list(list_vault(vault, DEFAULTS).files) == [path]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"userIgnoreFilters": 7}', "[" * 5000, "\0", '{"userIgnoreFilters\xff']
)
def test_invalid_obsidian_settings_ignore_nothing(vault: Path, text: str) -> None:
    write(vault, {**dict.fromkeys(NOTES, "text"), OBSIDIAN_FILE: text, IGNORE_FILE + "/x": text})
    assert listed_notes(vault) == sorted(NOTES)


@pytest.mark.parametrize(
    "expression",
    [
        "/(a+)+$/",
        "/(/",
        "/a*a*a*a*a*b/",
        "/(a|a)*b/",
        "/a*a*a*a*b/",
        "/a*?a*?a*?a*?b/",
        f"/{'a?' * 40}{'a' * 40}b/",
        f"/{'(a|aa)' * 40}b/",
        r"/(a*)(a*)\1\2b/",
        "/(?P<x>a*)(?P=x)*b/",
        "/a{1,99}a{1,99}a{1,99}a{1,99}b/",
        "/[]a]*[]a]*[]a]*[]a]*b/",
        "/(?x)(a+) +$/",
    ],
)
def test_a_slow_regular_expression_is_refused(vault: Path, expression: str) -> None:
    write(
        vault,
        {"a" * 200 + ".md": "x", OBSIDIAN_FILE: json.dumps({"userIgnoreFilters": [expression]})},
    )
    with processor_seconds(10):
        listing = list_vault(vault, DEFAULTS)
    assert len(listing.files) == 1
    assert [item.path for item in listing.skipped] == [OBSIDIAN_FILE]
    assert expression in listing.skipped[0].reason


@pytest.mark.parametrize(
    "expression",
    [
        r"/.*\.excalidraw\.md$/",
        r"/^daily\/\d+-\d+-\d+\.md$/",
        "/(draft|old|[*+?]+)/",
        r"/\(copy\)?/",
        "/a?b*?c/",
    ],
)
def test_usual_regular_expressions_are_used(vault: Path, expression: str) -> None:
    write(vault, {"a.md": "x", OBSIDIAN_FILE: json.dumps({"userIgnoreFilters": [expression]})})
    assert list_vault(vault, DEFAULTS).skipped == ()


def test_no_rules_of_a_vault_stall_the_comparison(vault: Path) -> None:
    """Matching a name once went on for ever and held Python's lock, so that the window froze."""
    expressions = ["/[^z]*[^z]*[^z]*z\\./", "/a*a*b/", "/a*b/", "/(a|aa)(a|aa)(a|aa)b/"] * 50
    write(vault, {OBSIDIAN_FILE: json.dumps({"userIgnoreFilters": expressions})})
    write(vault, {IGNORE_FILE: "\n".join(["*a*a*b", "*a*a*a*b", "**/a*/**/*a/**/*b"] * 30)})
    names = ["a" * 150, "/".join(["a" * 250] * 3)]
    write(vault, {f"{name}.md": "x" for name in names})
    with processor_seconds(6 * len(names)):
        assert list(list_vault(vault, DEFAULTS).files) == [f"{names[0]}.md"]


def test_a_path_too_long_for_an_expression_counts_as_excluded(vault: Path) -> None:
    expression = r"/.*(draft|secret).*\.md$/"
    write(vault, {OBSIDIAN_FILE: json.dumps({"userIgnoreFilters": [expression]})})
    rules = IgnoreRules(vault, DEFAULTS)
    assert rules.is_note("a" * 150 + "/open b.md")
    assert not rules.is_note("a" * 150 + "/secret b.md")
    assert not rules.is_note("/".join(["a" * 150] * 3) + "/b.md")


def test_plain_patterns_stay_below_many_with_stars(vault: Path) -> None:
    starred = [f"*{number}*x*" for number in range(30)]
    write(vault, {IGNORE_FILE: "\n".join([*starred, "private/"])})
    rules = IgnoreRules(vault, DEFAULTS)
    assert not rules.is_note("private/a.md")
    assert not rules.is_note("a0x.md")
    assert [item.path for item in rules.problems] == [IGNORE_FILE] * 10


def test_an_invalid_pattern_is_reported(vault: Path) -> None:
    write(vault, {"a.md": "", "b.md": "", IGNORE_FILE: "b.md\n!\n[z-a]\n"})
    listing = list_vault(vault, DEFAULTS)
    assert list(listing.files) == ["a.md"]
    assert [item.reason for item in listing.skipped] == [
        "Pattern 2 (“!”) is not valid. Correct it.",
        "Pattern 3 (“[z-a]”) is not valid. Correct it.",
    ]


@pytest.mark.parametrize("typed", ["NFC", "NFD"])
@pytest.mark.parametrize("on_disk", ["NFC", "NFD"])
@pytest.mark.parametrize("pattern", ["Tägebuch", "Täge*/", "/Tägebuch/**"])
def test_accents_may_be_characters_of_their_own(
    vault: Path, pattern: str, typed: Literal["NFC", "NFD"], on_disk: Literal["NFC", "NFD"]
) -> None:
    write(vault, {normalize(on_disk, "Tägebuch/a.md"): "", "b.md": ""})
    pattern = normalize(typed, pattern)
    assert list(list_vault(vault, Settings(ignore=(pattern,))).files) == ["b.md"]
    write(vault, {IGNORE_FILE: pattern})
    assert list(list_vault(vault, DEFAULTS).files) == ["b.md"]
    obsidian = normalize(typed, "Tägebuch/")
    write(vault, {IGNORE_FILE: "", OBSIDIAN_FILE: json.dumps({"userIgnoreFilters": [obsidian]})})
    assert list(list_vault(vault, DEFAULTS).files) == ["b.md"]


def test_folders_may_be_nested_as_deeply_as_a_path_allows(vault: Path) -> None:
    """A path of four hundred folders was once too deep for Python's recursion."""
    rules = IgnoreRules(vault, Settings(ignore=("old",)))
    assert rules.is_note(f"{'a/' * 2000}n.md")
    assert not rules.is_note(f"{'a/' * 1000}old/{'a/' * 1000}n.md")


def test_an_ignore_file_that_cannot_be_used_is_reported(vault: Path) -> None:
    """Its patterns were once ignored without a message."""
    write(vault, {"a.md": "", IGNORE_FILE: "# much\n" * 10_000 + "a.md\n"})
    listing = list_vault(vault, DEFAULTS)
    assert [(item.path, item.reason.code) for item in listing.skipped] == [
        (IGNORE_FILE, "file_unreadable")
    ]


class TestWhileTheFolderIsWatched:
    @pytest.fixture
    def watched(self, vault: Path, tmp_path: Path) -> Iterator[WatchedVault]:
        write(vault, dict.fromkeys(NOTES, "text"))
        watched = WatchedVault(vault, tmp_path / "index.sqlite")
        watched.start_and_wait()
        yield watched
        watched.index.close()

    @pytest.mark.parametrize(
        ("file", "rules"),
        [
            (IGNORE_FILE, "Templates/\n"),
            (OBSIDIAN_FILE, json.dumps({"userIgnoreFilters": ["Templates/"]})),
        ],
    )
    def test_a_change_takes_effect_at_once(
        self, watched: WatchedVault, file: str, rules: str
    ) -> None:
        write(watched.vault, {file: rules})
        watched.listener.until(lambda: watched.indexed_digests().keys() == set(without(*TEMPLATES)))
        watched.listener.until_idle()
        write(watched.vault, {"Templates/t.md": "Not looked at.", "a.md": "Looked at."})
        watched.listener.until(lambda: "a.md" in watched.listener.reports[-1].changed)
        assert watched.indexed_digests().keys() == set(without(*TEMPLATES))
        (watched.vault / file).unlink()
        watched.listener.until(lambda: watched.indexed_digests().keys() == set(NOTES))
        watched.assert_like_new()

    def test_ignoring_everything_is_not_a_missing_folder(self, watched: WatchedVault) -> None:
        write(watched.vault, {f"{n}.md": "text" for n in range(20)})
        watched.listener.until(watched.converged)
        write(watched.vault, {IGNORE_FILE: "*\n"})
        watched.listener.until(lambda: not watched.indexed_digests())
        assert not watched.listener.errors
