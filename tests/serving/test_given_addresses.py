"""Every address that an answer gives is taken back, whatever notes and headings are called."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st
from mcp_types import TextContent

from notesearch.cli.output import WITH_LINES, format_lines
from notesearch.libraries import NoteLibraries
from notesearch.serving import mcp_tools
from notesearch.serving.mcp_tools import TOOLS
from notesearch.serving.served_text import on_one_line
from notesearch.serving.served_vaults import ServedVault, ServedVaults
from tests.folders import write
from tests.indexed import without_model

_TOOLS = {tool.name: tool for tool in TOOLS}
_ODD = st.sampled_from(
    " .#:%>›[](){}|^\\'\"`<&?*~$!,;=@+_-0123456789ß日é\u0301\u200b\x01\t\U0001f9ad"
)
_names = st.text(
    _ODD | st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1, max_size=14
)


@contextmanager
def served(*vaults: dict[str, str]) -> Iterator[tuple[NoteLibraries, ServedVaults]]:
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        folders = [folder / f"vault {n}" for n in range(len(vaults))]
        for one, notes in zip(folders, vaults, strict=True):
            write(one, notes)
        with NoteLibraries.open(
            folders, home=folder / "home", settings=without_model(folder)
        ) as libraries:
            for library in libraries:
                library.refresh()
            answering = ServedVaults({one: ServedVault(libraries[one]) for one in libraries.names})
            yield libraries, answering
            answering.close()


def read(vaults: ServedVaults, path: str, section: str = "") -> str:
    answer = _TOOLS["read_note"].call(vaults, {"path": path, "section": section}, structured=False)
    (content,) = answer.content
    assert isinstance(content, TextContent)
    assert not answer.is_error, (path, section, content.text)
    return content.text


# A folder takes longer to index than its notes.
@settings(max_examples=20)
@given(st.lists(st.tuples(_names, _names), min_size=1, max_size=8, unique_by=itemgetter(0)))
@example([("0", "#\xad")])
@example([("«", "#")])
@example([(" › ", "0")])
@example([("0", "#^")])
@example([("0\x1f\\r", "0"), ("1", "#\x1f\\r")])
@example([("\x1f\\r", "0")])
@example([("\x1f\\r\\n\\t\\x07\\x5c", "\x1f\\t\\n\\r\\u200b\\x5cn")])
@example([("0", "^"), ("1", "^¡"), ("`\x1f", "'")])
@example([(" ", "0"), ("\r", "0"), ("\t", "0"), ("T", "0")])
def test_every_given_address_is_taken_back(named: list[tuple[str, str]]) -> None:
    notes = {
        f"{name[:60]}.md": f"first\n\n## {heading}\n\nquokka {n} here\n"
        for n, (name, heading) in enumerate(named)
    }
    with served(notes, {"other.md": "# Other\n\nquokka other here\n"}) as (libraries, vaults):
        result = libraries.search("quokka", limit=20, mode="words")
        folders = {name: libraries[name].vault for name in libraries.names}
        told = mcp_tools.search_text(
            result, [], libraries.names, mcp_tools.Quotation(of_several=True)
        )
        heads = re.findall(r"^\d+\. (.*) \((?:score|section)", told, re.MULTILINE)
        lines = [list(format_lines(folders, result, name)) for name in WITH_LINES]
        for section, breadcrumb, *printed in zip(result.sections, heads, *lines, strict=True):
            library, own = libraries[section.vault], section.passage.split("\n")[-1]
            path, heading = section.path, section.section
            place = on_one_line(f"{path}:{section.passage_line}")
            assert breadcrumb.startswith(f"{section.vault}/{place}")
            for address in (
                breadcrumb.removeprefix(f"{section.vault}/"), place, path,
                f"{path}:{section.line}", f"{path}::chunk_0", f"{path}#{heading}",
                on_one_line(f"{path}#{heading}"),
            ):  # fmt: skip
                assert own in library.read(address).text, address
                assert own in read(vaults, f"{section.vault}/{address}"), address
            named_so = on_one_line("/".join(section.section_path))
            assert own in library.read(path, f"{named_so} (line {section.line})").text
            for line in printed:
                assert own in library.read(line).text, line
