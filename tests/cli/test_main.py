"""The commands: their output, exit statuses and errors."""

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from tests.command_line import NOTES, Run
from tests.folders import snapshot, write


@pytest.fixture(autouse=True)
def vault_is_untouched(vault: Path) -> Iterator[None]:
    """No command may change a note."""
    yield
    assert not list(vault.rglob("*.sqlite*"))


class TestSearch:
    def test_prints_notes_and_their_sections(self, run: Run) -> None:
        run("index")
        result = run("search", "reeds", "--mode", "words")
        assert result.exit_code == 0
        assert result.stdout.splitlines() == [
            "River river.md",
            "  Banks › Reeds line 13",
            "    They bend.",
            "  Banks line 9",
            "    Reeds grow there.",
            "",
        ]
        assert result.stderr == ""

    def test_takes_several_words(self, run: Run) -> None:
        assert "The peak" in run("search", "snow", "lies").stdout

    @pytest.mark.parametrize("words", [["snow lies"], ["snow", "lies", "-n", "1"], ["snow/lies"]])
    def test_needs_no_command(self, run: Run, words: list[str]) -> None:
        assert "The peak" in run(*words).stdout

    @pytest.mark.parametrize(
        ("words", "near"),
        [(["serch", "snow"], "search"), (["snow", "lies"], ""), (["picture's", "snow"], "")],
    )
    def test_a_misspelt_command_is_told(self, run: Run, words: list[str], near: str) -> None:
        result = run(*words)
        assert "The peak" in result.stdout
        assert (f"Did you mean “notesearch {near}”?" in result.stderr) == bool(near)

    @pytest.mark.parametrize("words", [["help"], ["help", "search"], ["help", "models", "list"]])
    def test_help_is_a_command_too(self, run: Run, words: list[str]) -> None:
        assert run(*words).stdout == run(*words[1:], "--help").stdout

    @pytest.mark.parametrize(("words", "command"), [(["reeds"], "search"), (["."], "open")])
    def test_help_without_a_command_is_about_what_would_run(
        self, run: Run, words: list[str], command: str
    ) -> None:
        assert run(*words, "--help").stdout == run(command, "--help").stdout

    def test_help_may_be_searched_for(self, run: Run) -> None:
        assert "They bend" in run("reeds", "--", "--help").stdout

    def test_help_on_an_unknown_command_does_not_speak_of_a_search(self, run: Run) -> None:
        result = run("help", "serch")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "No such command “serch”. Did you mean “search”?" in result.stderr

    def test_help_suggests_no_hidden_command(self, run: Run) -> None:
        assert "Did you mean" not in run("help", "pictur").stderr

    def test_takes_a_query_that_looks_like_an_option(self, run: Run) -> None:
        assert run("search", "--", "-reeds", "--json").exit_code in {0, 1}

    @pytest.mark.parametrize(
        "words",
        [
            *(["-nothing reeds"], ["-x", "reeds"], ["reeds", "-40"], ["reeds", "--nothing-such"]),
            *(["-n", "1", "reeds", "-x"], ["-n1", "reeds", "-v", "--mode=words"]),
            *(["--mode", "words", "--", "reeds", "-n"], ["reeds", "--null", "--", "-0"]),
        ],
    )
    def test_a_word_with_a_minus_that_is_no_option_is_part_of_the_query(
        self, run: Run, words: list[str]
    ) -> None:
        assert "river.md" in run("search", *words).stdout

    def test_one_line_for_each_result(self, run: Run, vault: Path) -> None:
        found = run("search", "reeds", "--format", "line").stdout.splitlines()
        assert found[0] == f"{vault}/river.md:13: Banks › Reeds: They bend."
        ended = run("search", "reeds", "--format", "line", "--print0").stdout
        assert ended.split("\0")[0] == found[0]

    @pytest.mark.parametrize(
        ("variable", "editor", "said"),
        [
            ("EDITOR", "echo", "{path}"),
            ("VISUAL", "echo -w", "-w {path}"),
            ("EDITOR", "{bin}/vi", "+13 {path}"),
            ("EDITOR", "'{bin}/my editors/vi' --cmd \"set nu\"", "--cmd set nu +13 {path}"),
            ("EDITOR", "{bin}/hx", "{path}:13"),
            ("EDITOR", "{bin}/code --wait", "--wait --goto {path}:13"),
        ],
    )
    def test_opens_the_editor_of_the_environment(
        self, run: Run, vault: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str],
        variable: str, editor: str, said: str,
    ) -> None:  # fmt: skip
        (tmp_path / "my editors").mkdir()
        for name in ("vi", "hx", "code", "my editors/vi"):
            script = tmp_path / name
            script.write_text('#!/bin/sh\necho "$@"\n')
            script.chmod(0o755)
        command = editor.format(bin=tmp_path)
        run("search", "reeds", "--open", **{"VISUAL": " ", variable: command})
        assert capfd.readouterr().out.strip() == said.format(path=vault / "river.md")

    @pytest.mark.skipif(sys.platform != "linux", reason="other systems have another opener")
    @pytest.mark.parametrize(
        ("opener", "display", "status"),
        [("exit 0", ":0", 0), ("exit 3", ":0", 2), ("exit 0", "", 2), ("", ":0", 2)],
        ids=["opens", "no program for it", "no display", "no opener"],
    )
    def test_says_when_nothing_opened(
        self, run: Run, tmp_path: Path, opener: str, display: str, status: int
    ) -> None:
        write(tmp_path, {"bin/xdg-open": f"#!/bin/sh\n{opener}\n"} if opener else {"bin/x": ""})
        for file in (tmp_path / "bin").iterdir():
            file.chmod(0o755)
        place = {"PATH": str(tmp_path / "bin"), "DISPLAY": display, "WAYLAND_DISPLAY": ""}
        done = run("search", "reeds", "--open", VISUAL="", EDITOR="", **place)
        assert (done.exit_code, "Nothing opened" in done.stderr) == (status, status == 2)

    def test_a_heading_without_text_has_no_empty_line(self, run: Run, vault: Path) -> None:
        write(vault, {"bare.md": "Tasks\n\n## Sweep the chimney\n"})
        lines = run("search", "chimney", "--mode", "words").stdout.splitlines()
        assert lines == ["bare bare.md", "  Sweep the chimney line 3", ""]

    def test_names_the_editor_of_the_settings_that_did_not_open(
        self, run: Run, vault: Path, home: Path
    ) -> None:
        write(vault, {".obsidian/app.json": "{}"})
        paths = Paths.choose(home)
        replace(Settings.load(paths), editor="obsidian").save(paths)
        done = run("search", "reeds", "--open", DISPLAY="", WAYLAND_DISPLAY="")
        assert done.exit_code == 2
        assert "“obsidian” did not open. Choose another “editor”" in done.stderr

    def test_says_that_a_quote_is_not_closed(self, run: Run) -> None:
        done = run("search", "reeds", "--open", VISUAL="'my editor")
        assert done.exit_code == 2
        assert "The editor command “'my editor” has an unclosed quote." in done.stderr

    @pytest.mark.skipif(os.name == "nt", reason="the command is one of Unix")
    def test_says_that_an_editor_failed(self, run: Run) -> None:
        done = run("search", "reeds", "--open", VISUAL="false")
        assert done.exit_code == 2
        assert "“false” failed with status 1." in done.stderr

    def test_does_not_correct_by_three_slips(self, run: Run, vault: Path) -> None:
        write(vault, {"docs.md": "# Docs\n\nRead the docs.\n"})
        done = run("search", "docker", "--mode", "words")
        assert (done.exit_code, "Showing results" in done.stderr) == (1, False)

    @pytest.mark.parametrize("word", ["--limt", "--formt", "--no-updat"])
    def test_a_misspelt_option_is_no_part_of_the_query(self, run: Run, word: str) -> None:
        result = run("search", "reeds", word)
        assert result.exit_code == 2
        assert "No such option" in result.stderr

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (("search", "-n", "0", "x"), "“0” is not a whole number of at least 1. See “"),
            (("search", "-n", "many", "x"), "“many” is not a whole number of at least 1. See “"),
            (("search", "x", "-n"), "Option “-n” requires an argument. See “notesearch search --"),
            (("search", "x", "--vault"), "“--vault” requires an argument. See “notesearch search"),
            (("serve", "--port", "99999"), "“99999” is not a whole number from 0 to 65,535. See"),
            (("search", "--mode", "fuzzy", "x"), "“words”, “meaning”. See “notesearch search --"),
            (("read",), "Missing argument “PATH”. See “notesearch read --help”."),
            (("completion",), "Choose from: bash, zsh, fish. See “notesearch completion --help”."),
            (("index", "a", "b"), "unexpected extra argument (b). See “notesearch index --help”."),
            (("mcp", "--port", "80"), "--port works only with --http. Add --http."),
            (("--vault", ""), "it is empty. See “notesearch --help”."),
            (("--fullscreen",), "No such option “--fullscreen”. See “notesearch --help”."),
            (("search", "x", "--limt", "3"), "No such option “--limt”. Did you mean “--limit”?"),
            (("help", "sarch"), "No such command “sarch”. Did you mean “search”?"),
            (("help", "zzz"), "No such command “zzz”. See “notesearch --help”."),
            (("models", "use", "none"), "There is no model “none” here. Get it with “notesearch"),
        ],
    )
    def test_wrong_use_is_one_line_with_one_action(
        self, run: Run, words: tuple[str, ...], told: str
    ) -> None:
        result = run(*words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("notesearch: ")
        assert told in result.stderr.replace("“main ", "“notesearch ")  # as click's runner names it
        assert result.stderr.count("\n") == 1

    @pytest.mark.parametrize("command", [[], ["search"], ["read"], ["models"]])
    def test_help_has_a_short_option(self, run: Run, command: list[str]) -> None:
        assert run(*command, "-h").stdout == run(*command, "--help").stdout

    def test_marks_matches_in_colour_on_a_terminal(self, run: Run) -> None:
        assert "\x1b[1;33mReeds" in run("search", "reeds", FORCE_COLOR="1").stdout
        assert "\x1b" not in run("search", "reeds", NO_COLOR="1").stdout

    @pytest.mark.parametrize("words", [("",), (" ", "\u200b")])
    def test_asks_for_a_query(self, run: Run, words: tuple[str, ...]) -> None:
        run("index")
        result = run("search", "--mode", "words", "--", *words)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == "The query is empty. Add a word or a filter.\n"

    @pytest.mark.parametrize(
        ("typed", "told"),
        [
            ("nothinglikeit", "No sections match “nothinglikeit”."),
            ("***", "There is nothing to search for in “***”. Add a word or a filter."),
            ("-", "There is nothing to search for in “-”. Add a word or a filter."),
            ("reeds path:hills", "No notes match “path:hills” and “reeds” together."),
        ],
    )
    def test_reports_that_nothing_was_found(self, run: Run, typed: str, told: str) -> None:
        run("index")
        result = run("search", "--mode", "words", "--", typed)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert told in result.stderr.replace("“main ", "“notesearch ")  # as click's runner names it
        assert result.stderr.count("\n") == 1

    def test_names_words_that_no_note_has(self, run: Run) -> None:
        assert "Not in any note: nothinglikeit." in run("search", "nothinglikeit").stderr

    def test_explains_each_result(self, run: Run) -> None:
        lines = run("search", "--explain", "reeds").stdout.splitlines()
        assert lines[3].startswith(
            "    named as the query · by words 1 · not by meaning · in headings · score "
        )
        assert lines[6].startswith("    by words 2 · not by meaning · in body · score ")

    @pytest.mark.parametrize(
        ("typed", "told"),
        [
            ("tag:water -tag:fire", "tag:water -tag:fire"),
            ("(tag:water OR path:hills)", "tag:water OR path:hills"),
            ('-"deep water"', '-"deep water"'),
        ],
    )
    def test_explains_filters(self, run: Run, typed: str, told: str) -> None:
        lines = run("search", "--explain", f"reeds {typed}").stdout.splitlines()
        assert f" · filters {told} · score " in lines[3]

    def test_explains_the_order_of_filters_alone(self, run: Run) -> None:
        lines = run("search", "--explain", "tag:water").stdout.splitlines()
        assert lines[3] == "    newest first · filters tag:water"

    def test_names_the_filter_that_matches_nothing(self, run: Run) -> None:
        result = run("search", "tag:wat")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.endswith("No notes match “tag:wat”. Did you mean tag:water?\n")
        assert "No sections match" not in result.stderr
        result = run("search", "reeds tag:wat", "--mode", "words")
        assert result.stderr.startswith("No notes match “tag:")
        found = json.loads(run("search", "--json", "tag:wat").stdout)
        assert found["unmet"] == [{"filter": "tag:wat", "near": ["tag:water"], "together": []}]

    def test_json_names_words_that_no_note_has(self, run: Run) -> None:
        assert json.loads(run("search", "--json", "nothinglikeit").stdout)["missing"] == [
            "nothinglikeit"
        ]
        found = json.loads(run("search", "--json", "reeds nothinglikeit").stdout)
        assert (bool(found["results"]), found["missing"]) == (True, ["nothinglikeit"])
        assert json.loads(run("search", "--json", "reeds").stdout)["missing"] == []
        found = json.loads(run("search", "--json", "reeds type:foo").stdout)
        assert found["not_filters"] == ["type:foo"]
        assert "Searched for “type:foo” as text" in run("search", "reeds type:foo").stderr
        assert "Not found: nothinglikeit." in run("search", "reeds nothinglikeit").stderr
        told = run("search", 'reeds "blue moon"', "--mode", "words").stderr
        assert told.endswith("Not found: “blue moon”.\n")

    def test_says_that_even_the_best_is_not_close(self, run: Run) -> None:
        run("index")
        words = ["reeds", "zzqx", "vvbn", "wwkj", "xxpl", "--mode", "words"]
        told = run("search", *words).stderr
        assert told.startswith("Nothing close was found; these are the nearest. Not found: zzqx,")
        found = json.loads(run("search", "--json", *words).stdout)
        assert found["remarks"] == [
            "Nothing close was found; these are the nearest.",
            "Not found: zzqx, vvbn, wwkj, xxpl.",
        ]
        assert run("search", "reeds", "--mode", "words").stderr == ""

    def test_suggests_filters_for_a_misspelt_one(self, run: Run) -> None:
        told = run("search", "reeds tga:water", "--mode", "words").stderr
        assert "“tga:water” as text: not a filter. Similar filters: “tag:water”." in told

    def test_bounds(self, run: Run) -> None:
        assert run("search", "reeds", "-n", "1").stdout.count("line") == 1
        result = run("search", "reeds", "--per-note", "1")
        assert result.stdout.count("line") == 1
        assert "1 more in this note" in result.stdout

    def test_finds_changes(self, run: Run, vault: Path) -> None:
        run("search", "reeds")
        write(vault, {"new.md": "Otters swim."})
        assert "Otters" in run("search", "otters").stdout
        (vault / "new.md").unlink()
        assert run("search", "otters").exit_code == 1

    def test_can_leave_the_index_as_it_is(self, run: Run, vault: Path) -> None:
        run("search", "reeds")
        write(vault, {"new.md": "Otters swim."})
        assert run("search", "otters", "--no-update").exit_code == 1

    def test_by_meaning_needs_the_model(self, run: Run) -> None:
        result = run("search", "--mode", "meaning", "water")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "model" in result.stderr


class TestSearchJson:
    def test_matches_the_contract(self, run: Run, vault: Path) -> None:
        os.utime(vault / "river.md", (1_700_000_000, 1_700_000_000))
        run("index")
        result = run("search", "--json", "banks")
        assert result.stderr.startswith("notesearch: Only words were searched. There is no emb")
        assert result.stderr.count("\n") == 1
        found = json.loads(result.stdout)
        took, of_note = found.pop("took_ms"), found["results"][0]["score"]
        score = found["results"][0]["sections"][0]["score"]
        percent = found["results"][0]["sections"][0]["percent"]
        assert 0 < percent <= 100
        assert took >= 0
        assert of_note >= score > 0
        assert found == {
            "folders": {"vault": str(vault)},
            "query": "banks",
            "mode": "hybrid",
            "total": 2,
            "remarks": [result.stderr.strip().removeprefix("notesearch: ")],
            "spelling": [],
            "without": [],
            "missing": [],
            "not_filters": [],
            "unmet": [],
            "unanswered": [],
            "results": [
                {
                    "path": "river.md",
                    "title": "River",
                    "score": of_note,
                    "tags": ["water"],
                    "category": "land",
                    "modified": "2023-11-14T22:13:20+00:00",
                    "page_word_count": 7,
                    "properties": {},
                    "sections": [
                        {
                            "section": "Banks",
                            "section_path": ["Banks"],
                            "level": 2,
                            "line": 9,
                            "end_line": 12,
                            "chunk_index": 0,
                            "total_chunks": 1,
                            "snippet": "Reeds grow there.",
                            "score": score,
                            "why": {
                                "words_rank": 1,
                                "meaning_rank": None,
                                "fields": ["headings"],
                                "filters": [],
                                "named": True,
                            },
                            "passage_line": 11,
                            "passage_end_line": 11,
                            "percent": percent,
                            "cosine": None,
                        },
                        found["results"][0]["sections"][1],
                    ],
                    "vault": "vault",
                }
            ],
        }

    @pytest.mark.parametrize("query", ["nothinglikeit", "", "NEAR(", '"', "\U0001f9ad", "é\u202e"])
    def test_is_json_even_without_results(self, run: Run, query: str) -> None:
        result = run("search", "--json", "--", query)
        found = json.loads(result.stdout)
        assert (result.exit_code, found["results"], found["total"]) == (1, [], 0)

    def test_has_the_whole_passage(self, run: Run, vault: Path) -> None:
        text = "Otters swim. " * 80
        write(vault, {"new.md": text})
        found = json.loads(run("search", "--json", "otters").stdout)
        assert found["results"][0]["sections"][0]["snippet"] == text.strip()

    @pytest.mark.parametrize("mode", ["hybrid", "words", "meaning"])
    def test_works_in_each_mode(self, run: Run, home: Path, vault: Path, mode: str) -> None:
        Settings(vault=str(vault)).save(Paths.choose(home))
        found = json.loads(run("search", "--json", "--mode", mode, "reeds").stdout)
        assert found["mode"] == mode
        best = found["results"][0]["sections"][0]
        assert best["section"] in {"Reeds", "Banks"}
        assert (best["why"]["words_rank"] is None) is (mode == "meaning")
        assert (best["why"]["meaning_rank"] is None) is (mode == "words")


class TestRelated:
    @pytest.fixture
    def run_by_meaning(self, run: Run, home: Path, vault: Path) -> Run:
        """Run commands with the built-in model."""
        Settings(vault=str(vault)).save(Paths.choose(home))
        write(vault, {"pond.md": "# Pond\n\n## Edge\n\nReeds and rushes grow at the water.\n"})
        return run

    def test_prints_sections_of_other_notes(self, run_by_meaning: Run) -> None:
        result = run_by_meaning("related", "river", "Banks")
        assert result.exit_code == 0
        near, snippet = result.stdout.splitlines()
        assert near.endswith(" Edge pond.md line 3")
        assert snippet == "    Reeds and rushes grow at the water."

    def test_reading_does_not_wait_for_vectors(self, run_by_meaning: Run) -> None:
        assert run_by_meaning("read", "The peak").stdout == "Snow lies on it.\n"
        assert json.loads(run_by_meaning("stats", "--json").stdout)["pending"]

    def test_says_that_nothing_is_close(self, run_by_meaning: Run, vault: Path) -> None:
        far = "Nothing close was found; these are the nearest.\n"
        assert far not in run_by_meaning("related", "river", "Banks").stderr
        write(vault, {"pond.md": "# Pond\n\n## Edge\n\nStones lie at the edge of a road.\n"})
        assert far in run_by_meaning("related", "river", "Banks").stderr

    def test_prints_sections_of_the_same_note_on_request(self, run_by_meaning: Run) -> None:
        assert " River river.md line 5" not in run_by_meaning("related", "river", "Banks").stdout
        assert (
            " River river.md line 5"
            in run_by_meaning("related", "river", "Banks", "--own-note").stdout
        )

    def test_as_json(self, run_by_meaning: Run) -> None:
        (found,) = json.loads(
            run_by_meaning("related", "river", "Banks", "--json", "-n", "1").stdout
        )
        assert (found["path"], found["title"], found["section"]) == ("pond.md", "Pond", "Edge")
        assert found["why"]["meaning_rank"] == 1

    def test_reports_that_nothing_is_similar(self, run_by_meaning: Run) -> None:
        run_by_meaning("index")
        result = run_by_meaning("related", "peak")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == "No section has a similar meaning.\n"

    def test_needs_vectors(self, run: Run) -> None:
        result = run("related", "river")
        assert result.exit_code == 2
        assert result.stderr.startswith("notesearch: ")


class TestIndex:
    def test_prints_the_changes(self, run: Run, vault: Path) -> None:
        assert run("index").stdout.startswith("2 added, 0 changed, 0 moved, 0 removed, 0 passages")
        (vault / "river.md").rename(vault / "stream.md")
        assert run("index").stdout.startswith("0 added, 0 changed, 1 moved, 0 removed, ")

    def test_as_json(self, run: Run) -> None:
        report = json.loads(run("index", "--json").stdout)
        assert sorted(report) == [
            "added", "changed", "elsewhere", "embedded", "moved", "moved_from", "removed",
            "seconds", "unread",
        ]  # fmt: skip
        assert report["added"] == ["hills/peak.md", "river.md"]

    @pytest.mark.parametrize(
        ("content", "told"),
        [
            (b"\0\1\2" * 1000, "can be read. “notesearch stats” says why."),
            (None, "no Markdown files"),
        ],
    )
    def test_says_why_there_is_nothing_to_search(
        self, run: Run, tmp_path: Path, content: bytes | None, told: str
    ) -> None:
        """A folder whose notes could not be read was said to have none."""
        folder = tmp_path / "notes"
        folder.mkdir()
        if content:
            (folder / "a.md").write_bytes(content)
        assert told in run("index", "--vault", str(folder)).stderr

    def test_leaves_the_notes_alone(self, run: Run, vault: Path) -> None:
        before = snapshot(vault)
        for words in (
            ["index"],
            ["search", "x"],
            ["read", "river"],
            ["sections", "river"],
            ["stats"],
        ):
            run(*words)
        assert snapshot(vault) == before


class TestReadAndSections:
    def test_find_a_note_by_its_name_that_is_not_indexed_yet(self, run: Run, vault: Path) -> None:
        assert run("index").exit_code == 0
        write(vault, {"new/heron.md": "# Heron\n\nIt stands still.\n"})
        assert run("read", "heron").stdout == "# Heron\n\nIt stands still.\n"
        (vault / "new" / "heron.md").rename(vault / "egret.md")
        assert "Heron" in run("sections", "egret").stdout
        gone = run("read", "heroine")
        assert (gone.exit_code, gone.stdout) == (1, "")

    def test_read_prints_a_note(self, run: Run) -> None:
        result = run("read", "river.md")
        assert result.stdout == NOTES["river.md"].split("---\n")[2]

    def test_read_prints_a_section(self, run: Run) -> None:
        shown = "## Banks\n\nReeds grow there.\n\n### Reeds\n\nThey bend.\n"
        assert run("read", "River", "banks").stdout == shown
        assert run("read", "river", "Banks/Reeds").stdout == "### Reeds\n\nThey bend.\n"

    @pytest.mark.parametrize(
        ("place", "read"),
        [
            ("river.md:13", "### Reeds\n\nThey bend.\n"),
            ("river.md:9-11", "## Banks\n\nReeds grow there.\n"),
            ("river:11-9", "## Banks\n\nReeds grow there.\n"),
            ("river.md#Reeds", "### Reeds\n\nThey bend.\n"),
            ("{vault}/river.md:13", "### Reeds\n\nThey bend.\n"),
        ],
    )
    def test_read_takes_lines(self, run: Run, vault: Path, place: str, read: str) -> None:
        assert run("read", place.format(vault=vault)).stdout.rstrip() == read.rstrip()

    @pytest.mark.parametrize("place", ["river.md:99", "river.md:99-120", "river.md:120-99"])
    def test_read_says_that_a_note_has_fewer_lines(self, run: Run, place: str) -> None:
        result = run("read", place)
        assert (result.exit_code, result.stdout) == (1, "")
        assert (
            result.stderr == "notesearch: river.md has only 15 lines. Choose a range within them.\n"
        )

    @pytest.mark.parametrize("place", ["./hills/peak.md", "./hills/../hills/peak.md:1-9"])
    def test_read_takes_paths_in_the_notes_with_a_dot_from_elsewhere(
        self, run: Run, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
    ) -> None:
        (elsewhere := tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(elsewhere)
        assert "Snow lies on it.\n" in run("read", "--vault", str(vault), place).stdout
        elsewhere.rmdir()
        assert "Snow lies on it.\n" in run("read", "--vault", str(vault), place).stdout

    @pytest.mark.parametrize("place", ["./peak.md", "../hills/peak.md", "./peak.md:1-9"])
    def test_read_takes_paths_from_the_current_folder(
        self, run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch, place: str
    ) -> None:
        monkeypatch.chdir(vault / "hills")
        assert "Snow lies on it.\n" in run("read", place).stdout
        assert "Snow lies on it.\n" in run("read", "--vault", vault.name, place).stdout

    def test_every_place_that_is_printed_is_read_again(self, run: Run) -> None:
        for place in run("search", "reeds", "--format", "path:line").stdout.splitlines():
            assert run("read", place).exit_code == 0

    def test_read_finds_a_note_by_title_without_any_index(self, run: Run) -> None:
        assert run("read", "The peak").stdout == "Snow lies on it.\n"

    def test_read_as_json(self, run: Run) -> None:
        found = json.loads(run("read", "--json", "river", "reeds").stdout)
        assert found == {
            "path": "river.md", "title": "River", "section": "Reeds",
            "section_path": ["Banks", "Reeds"], "level": 3, "line": 13, "end_line": 15,
            "text": "### Reeds\n\nThey bend.", "words": 2, "page_word_count": 7,
            "continuation": "", "properties": {}, "vault": "vault",
        }  # fmt: skip

    def test_sections_lists_them(self, run: Run) -> None:
        assert run("sections", "river").stdout.splitlines() == [
            "     5       2 words  River",
            "     9       3 words    Banks",
            "    13       2 words      Reeds",
        ]

    def test_one_word_is_no_words(self, run: Run, vault: Path) -> None:
        write(vault, {"one.md": "# One\n\nword\n"})
        assert run("sections", "one").stdout == "     1        1 word  One\n"

    def test_sections_as_json(self, run: Run) -> None:
        found = json.loads(run("sections", "--json", "hills/peak").stdout)
        peak = {
            "section": "The peak", "section_path": ["The peak"], "level": 0, "line": 4,
            "end_line": 4, "full_end_line": 4, "words": 4, "full_words": 4,
        }  # fmt: skip
        assert found == {
            "path": "hills/peak.md", "sections": [peak], "total": 1, "page_word_count": 4,
            "continuation": "", "vault": "vault",
        }  # fmt: skip

    def test_a_note_without_sections_has_none(self, run: Run, vault: Path) -> None:
        write(vault, {"empty.md": ""})
        listed = run("sections", "empty")
        assert (listed.exit_code, listed.stdout) == (1, "")
        assert listed.stderr.endswith("“empty.md” is empty, so it has no sections.\n")
        assert run("read", "empty").stdout == "\n"

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("read", "lake"), "No note is called “lake”. Search for a word that it contains."),
            (("sections", "lake"), "No note is called “lake”. Search for a word that it contains."),
            (("read", "../x"), "No note is called “../x”. Search for a word that it contains."),
            (("read", "x" * 5000), f"No note is called “{'x' * 250} … {'x' * 250}”. Search for"),
            (("read", "river", "sea"), "river.md has no section “sea”. Its sections: River;"),
        ],
    )
    def test_missing_notes_and_sections_are_named(
        self, run: Run, words: tuple[str, ...], message: str
    ) -> None:
        run("index")
        result = run(*words)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert result.stderr.startswith(f"notesearch: {message}")
        assert result.stderr.count("\n") == 1


class TestStats:
    def test_dates_are_those_of_iso_8601(self, run: Run) -> None:
        run("index")
        assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", run("stats").stdout)

    def test_counts(self, run: Run, vault: Path) -> None:
        shown = run("stats").stdout
        assert f"Folder     {vault}\n" in shown
        assert "Notes      2 (" in shown
        assert "Sections   4\n" in shown
        assert "Not read" not in shown

    def test_separates_unread_notes_from_those_with_a_remark(self, run: Run, vault: Path) -> None:
        write(vault, {"old.md": "Grüße aus Köln".encode("latin-1"), "binary.md": bytes(99)})
        shown = run("stats").stdout
        assert "Not read   binary.md: It is not a text file.\n" in shown
        assert "Remark     old.md: It was read as Windows-1252, not UTF-8.\n" in shown
        for command in ("stats", "index"):
            unread = json.loads(run(command, "--json").stdout)["unread"]
            assert {note["path"]: note["searched"] for note in unread} == {
                "old.md": True,
                "binary.md": False,
            }

    def test_as_json(self, run: Run, vault: Path, home: Path) -> None:
        status = json.loads(run("stats", "--json").stdout)
        assert status["vault"] == str(vault)
        assert (status["notes"], status["sections"], status["words"]) == (2, 4, 11)
        assert status["note_bytes"] == sum(len(text) for text in NOTES.values())
        assert Path(status["index_path"]).is_relative_to(home)
        assert status["index_bytes"] > 0
        assert datetime.fromisoformat(status["last_scan"]).year >= 2024
        assert status["unread"] == []


class TestWhichVault:
    def test_comes_from_the_option(self, run: Run, tmp_path: Path) -> None:
        write(tmp_path / "other", {"x.md": "Otters swim."})
        assert "Otters" in run("search", "--vault", str(tmp_path / "other"), "otters").stdout

    def test_comes_from_the_environment(self, run: Run, tmp_path: Path) -> None:
        write(tmp_path / "other", {"x.md": "Otters swim."})
        other = str(tmp_path / "other")
        assert "Otters" in run("search", "otters", NOTESEARCH_VAULT=other).stdout

    def test_defaults_to_the_one_used_last(self, run: Run) -> None:
        assert run("search", "reeds").exit_code == 0

    @pytest.mark.parametrize("mark", [".obsidian/app.json", ".logseq/x", "logseq/config.edn"])
    def test_is_the_one_around_the_current_folder(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str
    ) -> None:
        write(tmp_path / "other", {mark: "", "deep/down/a.md": "A badger.\n"})
        monkeypatch.chdir(tmp_path / "other/deep/down")
        assert "badger" in run("search", "badger").stdout

    @pytest.mark.parametrize("docs", ["docs", "text/en"])
    @pytest.mark.parametrize("here", ["{}", "{}/deep", "", "theme"])
    def test_is_the_one_of_mkdocs(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: str, docs: str
    ) -> None:
        named = f"site_name: A\ndocs_dir: {docs}  # notes\n" if docs != "docs" else ""
        written = {"mkdocs.yml": named, f"{docs}/deep/a.md": "A badger.\n", "theme/x.css": ""}
        write(tmp_path / "site", written)
        monkeypatch.chdir(tmp_path / "site" / here.format(docs))
        assert "badger" in run("search", "badger").stdout
        assert run("read", "deep/a.md").stdout == "A badger.\n"

    @pytest.mark.parametrize("docs", ["{}/private", "../private", "..", "linked"])
    def test_is_never_led_out_of_a_site_by_its_mkdocs_file(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, docs: str
    ) -> None:
        written = {"site/mkdocs.yml": f"docs_dir: {docs.format(tmp_path)}\n", "private/a.md": "Owl"}
        write(tmp_path, written)
        (tmp_path / "site" / "linked").symlink_to(tmp_path / "private")
        monkeypatch.chdir(tmp_path / "site")
        assert run("search", "owl").exit_code == 1

    def test_is_the_listed_one_around_the_current_folder(
        self, run: Run, vault: Path, home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        other = tmp_path / "other"
        write(other, {"a.md": "A badger.\n"})
        settings = Settings.load(Paths.choose(home))
        settings.with_vault(vault).with_vault(other).with_vault(vault).save(Paths.choose(home))
        assert run("search", "badger").exit_code == 1
        monkeypatch.chdir(other)
        assert run("search", "badger").exit_code == 0
        assert run("search", "reeds", "--vault", str(vault)).exit_code == 0

    def test_is_the_indexed_one_around_the_current_folder(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(tmp_path / "other", {"deep/a.md": "A badger.\n"})
        assert run("index", "--vault", str(tmp_path / "other")).exit_code == 0
        monkeypatch.chdir(tmp_path / "other" / "deep")
        assert run("search", "badger").exit_code == 0

    @pytest.mark.parametrize("command", ["index", "stats", "doctor"])
    def test_may_follow_the_command(
        self, run: Run, tmp_path: Path, vault: Path, home: Path, command: str
    ) -> None:
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "note.md").write_text("A badger.\n")
        replace(Settings.load(Paths.choose(home)), vault="").save(Paths.choose(home))
        run("index", str(tmp_path / "other"))
        assert run(command, str(tmp_path / "other")).exit_code == 0
        assert "badger" in run("search", "badger", "--vault", str(tmp_path / "other")).stdout
        twice = run(command, str(vault), "--vault", str(vault))
        assert (twice.exit_code, "is named twice" in twice.stderr) == (2, True)

    def test_is_named_if_its_name_is_nearly_right(self, run: Run) -> None:
        result = run("search", "reeds", "--vault", "vualt")
        assert result.exit_code == 2
        told = "No notes folder is called “vualt”. Use one of these: vault."
        assert told in result.stderr

    def test_must_be_given_at_first(self, run: Run, vault: Path, home: Path) -> None:
        Settings().save(Paths.choose(home))
        result = run("search", "reeds")
        assert result.exit_code == 2
        assert "--vault, or add it once with “notesearch vaults add FOLDER”." in result.stderr
        assert result.stdout == ""
        assert run("vaults", "add", str(vault)).exit_code == 0
        assert run("search", "reeds").exit_code == 0

    def test_is_the_only_one_in_the_list(self, run: Run, home: Path) -> None:
        replace(Settings.load(Paths.choose(home)), vault="").save(Paths.choose(home))
        assert run("search", "reeds").exit_code == 0

    def test_must_be_chosen_among_several(self, run: Run, vault: Path, home: Path) -> None:
        listed = Settings.load(Paths.choose(home)).with_vault(vault / "hills")
        replace(listed, vault="").save(Paths.choose(home))
        said = "with --vault: “vault” or “hills”"
        assert f"{said}; or take all with --all." in run("search", "reeds").stderr
        assert f"{said}." in run("stats").stderr
