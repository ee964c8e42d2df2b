"""Formats of search results for scripts, editors and terminals, and completion."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from notesearch.cli.main import main
from notesearch.config import Paths, Settings
from tests.command_line import Run
from tests.folders import write


class TestFormats:
    def test_paths(self, run: Run, vault: Path) -> None:
        result = run("search", "reeds", "--format", "paths")
        assert (result.exit_code, result.stdout) == (0, f"{vault}/river.md\n")

    def test_paths_that_end_in_nul(self, run: Run, vault: Path) -> None:
        write(vault, {"odd\n\x1b[1mname.md": "Reeds too."})
        found = run("search", "reeds", "-0").stdout
        assert sorted(found.split("\0")) == [
            "",
            f"{vault}/odd\n\x1b[1mname.md",
            f"{vault}/river.md",
        ]

    def test_paths_and_lines(self, run: Run, vault: Path) -> None:
        lines = run("search", "reeds", "--format", "path:line").stdout.splitlines()
        assert lines == [f"{vault}/river.md:13", f"{vault}/river.md:11"]

    def test_markdown(self, run: Run, vault: Path) -> None:
        write(vault, {"a [b].md": "# Otters*\n\nThey swim.\n"})
        assert run("search", "otters", "--format", "markdown").stdout == (
            "## [Otters\\*](<a [b].md>)\n\n**Otters\\*** (line 1)\n\n> They swim.\n\n"
        )

    def test_links_of_markdown_lead_to_any_file(self, run: Run, vault: Path) -> None:
        write(vault, {"a #1 <5%?\n.md": "# Otters\n\nThey swim.\n"})
        printed = run("search", "otters", "--format", "markdown").stdout
        assert printed.startswith("## [Otters](<a %231 %3C5%25%3F%0A.md>)\n\n")

    def test_json_is_one_of_them(self, run: Run, vault: Path) -> None:
        found = json.loads(run("search", "reeds", "--format", "json").stdout)
        assert found["folders"] == {"vault": str(vault)}
        assert found["results"][0]["path"] == "river.md"

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (("--json", "--format", "paths"), "Use either --json or another --format."),
            (("--format", "text", "-0"), "-0 only works with --format paths, path:line or line."),
            (("--stdin",), "Give either a query or --stdin."),
            (("--open", "9"), "Only 2 sections found. Give --open a smaller number."),
        ],
    )
    def test_contradicting_options_are_refused(
        self, run: Run, words: tuple[str, ...], told: str
    ) -> None:
        result = run("search", "reeds", *words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert told in result.stderr

    def test_titles_and_headings_are_links_in_a_terminal(self, run: Run, vault: Path) -> None:
        write(vault, {"a b.md": "# Otters\n\nThey swim.\n"})
        shown = run("search", "otters", FORCE_COLOR="1").stdout
        targets = set(re.findall(r"\x1b\]8;id=\d+;(.+?)\x1b", shown))
        assert targets == {f"file://{vault}/a%20b.md"}
        assert "\x1b" not in run("search", "otters").stdout


class TestWhyANoteIsNotAmongTheResults:
    @pytest.mark.parametrize(
        ("query", "note", "told"),
        [
            ("reeds", "river",
             ("It is number 1 of 1 note, with the section “Reeds”.\n"
             "By words alone it is number 1.\n")),
            ("reeds", "peak", "It contains none of your words.\n"),
            ("reeds tag:water", "peak.md",
             ("None of its sections matches tag:water.\n"
             "It contains none of your words.\n")),
        ],
    )  # fmt: skip
    def test_a_sentence_tells_each_reason(self, run: Run, query: str, note: str, told: str) -> None:
        result = run("search", query, "--why-not", note, "--mode", "words")
        assert (result.exit_code, result.stdout) == (0, told)

    def test_a_note_that_does_not_exist_is_nothing_found(self, run: Run) -> None:
        result = run("search", "reeds", "--why-not", "lake", "--mode", "words")
        assert (result.exit_code, result.stdout) == (1, "No note or heading is called “lake”.\n")

    @pytest.mark.parametrize("file", ["old/plan.md", "old/plan.txt"])
    def test_an_ignored_file_of_any_kind_is_named_without_suffix(
        self, run: Run, vault: Path, file: str
    ) -> None:
        write(vault, {file: "Reeds.\n", ".notesearchignore": "old/\n"})
        told = run("search", "reeds", "--why-not", "plan", "--mode", "words").stdout
        assert told == f"“{file}” is ignored: it is hidden, or a rule leaves it out.\n"

    def test_json_has_its_code_and_fields(self, run: Run) -> None:
        result = run("search", "reeds", "tag:water", "--why-not", "hills/peak.md", "--json")
        assert json.loads(result.stdout) == {
            "query": "reeds tag:water",
            "note": "hills/peak.md",
            "reasons": [
                {"code": "absence_filtered", "message": "None of its sections matches tag:water.",
                 "filters": ["tag:water"]},
                {"code": "absence_wordless",
                 "message": "It contains none of your words."},
            ],
        }  # fmt: skip

    def test_each_query_of_standard_input_gets_a_line(self, run: Run) -> None:
        assert run("sections", "river").exit_code == 0  # the folder is indexed
        words = ["search", "--stdin", "--why-not", "river", "--json", "--mode", "words"]
        result = CliRunner().invoke(main, words, input="reeds\nsnow\n", catch_exceptions=False)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        codes = [[reason["code"] for reason in one["reasons"]] for one in answers]
        assert codes == [["absence_ranked", "absence_by_words"], ["absence_wordless"]]


class TestQueriesFromStandardInput:
    def test_each_line_is_a_query(self, run: Run, home: Path) -> None:
        result = subprocess.run(
            [sys.executable, "-m", "notesearch", "search", "--stdin", "--json"],
            input="reeds\n\nnothinglikeit\nsnow\n", capture_output=True, text=True, check=False,
        )  # fmt: skip
        found = [json.loads(line) for line in result.stdout.splitlines()]
        assert [one["query"] for one in found] == ["reeds", "nothinglikeit", "snow"]
        assert [bool(one["results"]) for one in found] == [True, False, True]
        assert result.returncode == 0

    def test_invalid_text_is_skipped(self, run: Run) -> None:
        result = subprocess.run(
            [sys.executable, "-m", "notesearch", "search", "--stdin", "--format", "paths"],
            input=b"r\xe9eds\nsnow\n", capture_output=True, check=False,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip
        assert result.stdout.endswith(b"peak.md\n")
        assert (result.returncode, b"Traceback" in result.stderr) == (0, False)

    @pytest.mark.skipif(os.name != "posix", reason="closed by its number")
    def test_closed_standard_input_is_an_error(self, run: Run) -> None:
        words = [sys.executable, "-m", "notesearch", "search", "--stdin", "--mode", "words"]
        shell = ["bash", "-c", 'exec 0<&-; exec "$@"', "bash", *words]
        result = subprocess.run(shell, capture_output=True, check=False)
        told = "notesearch: Standard input is closed. Send the queries to it, one per line.\n"
        assert (result.returncode, result.stdout, result.stderr.decode()) == (2, b"", told)

    def test_none_finds_nothing(self, run: Run) -> None:
        assert run("search", "--stdin").exit_code == 1
        assert "There is no query. Give some words" in run("search").stderr


class TestOpening:
    @pytest.fixture
    def opened(self, run: Run, vault: Path, home: Path, tmp_path: Path) -> Path:
        """Use an editor that writes its arguments to a file."""
        told = tmp_path / "told"
        script = f"import sys; open({str(told)!r}, 'w').write(' '.join(sys.argv[1:]))"
        (tmp_path / "editor.py").write_text(script)
        editor = f"'{sys.executable}' '{tmp_path / 'editor.py'}' {{path}} {{line}}"
        settings = Settings(model="none", vault=str(vault), editor=editor)
        settings.save(Paths.choose(home))
        return told

    @pytest.mark.parametrize(("words", "line"), [(("--open",), 13), (("--open", "2"), 11)])
    def test_the_first_or_another_section(
        self, run: Run, vault: Path, opened: Path, words: tuple[str, ...], line: int
    ) -> None:
        result = run("search", "reeds", *words)
        assert (result.exit_code, result.stdout) == (0, "")
        assert opened.read_text() == f"{vault}/river.md {line}"

    @pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
    def test_an_interrupt_goes_to_the_editor(self, opened: Path) -> None:
        script = opened.with_name("editor.py")
        interrupts = "import os, signal; os.kill(os.getppid(), signal.SIGINT)\n"
        script.write_text(interrupts + script.read_text())
        words = [sys.executable, "-m", "notesearch", "search", "reeds", "--open"]
        result = subprocess.run(words, capture_output=True, check=False)
        assert (result.returncode, result.stdout) == (0, b"")
        assert opened.exists()

    @pytest.mark.parametrize(
        ("place", "line"),
        [("river.md", 5), ("river.md:9-11", 9), ("river.md:11", 11), ("river.md#Reeds", 13)],
    )
    def test_what_would_be_read(
        self, run: Run, vault: Path, opened: Path, place: str, line: int
    ) -> None:
        result = run("read", place, "--open")
        assert (result.exit_code, result.stdout) == (0, "")
        assert opened.read_text() == f"{vault}/river.md {line}"

    def test_a_note_that_is_not_there_opens_nothing(self, run: Run, opened: Path) -> None:
        assert run("read", "nothing.md", "--open").exit_code == 1
        assert not opened.exists()

    def test_without_results_nothing_is_opened(self, run: Run, opened: Path) -> None:
        assert run("search", "nothinglikeit", "--open").exit_code == 1
        assert not opened.exists()


class TestWithoutAnIndex:
    @pytest.mark.fault("H12")
    def test_it_names_the_command_that_makes_one(self, run: Run, vault: Path) -> None:
        result = run("search", "reeds", "--no-update")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            f"notesearch: The notes in {vault} are not indexed yet. Run “notesearch index”.\n"
        )


class TestCompletion:
    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_is_set_up_by_a_command(self, run: Run, shell: str) -> None:
        script = run("completion", shell).stdout
        assert f"_NOTESEARCH_COMPLETE={shell}_complete" in script

    @pytest.mark.parametrize(
        ("typed", "completed"),
        [
            ("notesearch rel", {"related"}),
            ("notesearch read r", {"river.md"}),
            ("notesearch read the", {"hills/peak.md"}),
            ("notesearch read river.md b", {"Banks"}),
            ("notesearch related river.md ", {"River", "Banks", "Reeds"}),
            ("notesearch read nothinglikeit ", set()),
        ],
    )
    def test_knows_commands_notes_and_headings(
        self, run: Run, typed: str, completed: set[str]
    ) -> None:
        run("index")
        words = typed.split(" ")
        environment = {
            "_NOTESEARCH_COMPLETE": "bash_complete",
            "COMP_WORDS": typed,
            "COMP_CWORD": str(len(words) - 1),
        }
        shown = CliRunner(env=environment).invoke(main, prog_name="notesearch").stdout
        assert {line.partition(",")[2] for line in shown.split()} == completed
