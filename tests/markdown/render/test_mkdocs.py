"""Notes of MkDocs sites: rendered by Python-Markdown in a child process, if that works."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.library import NoteLibrary
from notesearch.markdown.render import mkdocs, render
from notesearch.markdown.render.mkdocs import MkDocs, extensions
from notesearch.markdown.render.section_html import rendered
from tests.folders import write
from tests.markdown.safe_html import check

CONFIG = """site_name: A site
markdown_extensions:
  - admonition
  - attr_list
  - def_list
  - footnotes
  - toc:
      permalink: true
  - pymdownx.details
  - pymdownx.superfences:
      custom_fences:
        - name: mermaid
          class: mermaid
          format: !!python/name:pymdownx.superfences.fence_code_format
  - pymdownx.tabbed:
      alternate_style: true
  - pymdownx.tasklist
  - pymdownx.arithmatex
  - pymdownx.snippets:
      base_path: /etc
  - os
  - no.such.extension
"""


OWN = Settings(model="no model")
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    folder = tmp_path_factory.mktemp("site")
    write(folder / "vault", {"site/mkdocs.yml": CONFIG, "site/docs/a.md": "a", "own.md": "b"})
    with (
        pytest.MonkeyPatch.context() as patch,
        NoteLibrary.open(folder / "vault", home=folder / "home", settings=OWN) as opened,
    ):
        patch.setattr(opened._mkdocs._child, "_seconds", PATIENCE_S)
        yield opened


def shown(library: NoteLibrary, source: str, path: str = "site/docs/a.md") -> str:
    assert library.links(path).ready(60)
    html = render(source, first_line=10, around=library.links(path))
    check(html)
    return html


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('!!! warning "Hot"\n    stove', '<p class="callout-title">Hot</p>\n<p>stove</p>'),
        ("!!! tip\n    stove", '<td class="bar-tip" width="3"></td>'),
        ("??? note\n    folded", "<p>folded</p>"),
        ('=== "A"\n\n    one\n\n=== "B"\n\n    two', '<p class="callout-title">B</p>'),
        ("Term\n:   meaning", "<dt>Term</dt>\n<dd>meaning</dd>"),
        ("words[^1]\n\n[^1]: note", "note"),
        ("- [x] done", '<li class="task"><img src="ui:checked"> done</li>'),
        ("```python\ndef f(): pass\n```", '<span class="k">def</span>'),
        ("so $x^2$ is", '<p>so <img src="math:'),
        ("$$\nx^2\n$$", '<p class="formula"><img src="math:'),
        ("text\n{: .red }", "<p>text</p>"),
        ("Shopping:\n- milk", "<p>Shopping:\n- milk</p>"),
        ("## Part\n\ntext\n\n### Sub", '<h2 id="line-10">Part</h2>'),
        ("## Part\n\ntext\n\n### Sub", '<h3 id="line-14">Sub</h3>'),
        ("| a |\n|---|\n| b |", '<table class="grid"'),
        ("| a | b |\n|---|---|\n| [[N|x]] | c |", '>[[N|x]]</td>\n<td align="left">c</td>'),
        ("| a | b |\n|---|---|\n| c | d | e | f |", '>c</td>\n<td align="left">d | e | f</td>'),
        ("| a | b |\n|---|---|\n| `c|d` | e |", '<code>c|d</code></td>\n<td align="left">e</td>'),
        ("| a |\n|---|\n| c | d |", ">c | d</td>"),
        ("**粗体（注）**后", "<strong>粗体（注）</strong>后"),
        ('--8<-- "passwd"', "passwd"),
    ],
)
def test_a_site_is_rendered_with_its_extensions(
    library: NoteLibrary, source: str, expected: str
) -> None:
    assert expected in shown(library, source)


def test_tabs_are_shown_one_below_the_other(library: NoteLibrary) -> None:
    html = shown(library, '=== "A"\n\n    one\n\n=== "B"\n\n    two')
    assert re.sub(r"\s*<[^>]*>\s*", " ", html).split() == ["A", "one", "B", "two"]


def test_other_notes_use_the_default_dialect(library: NoteLibrary) -> None:
    assert "<ul>" in shown(library, "Shopping:\n- milk", "own.md")


def test_the_settings_decide(tmp_path: Path, library: NoteLibrary) -> None:
    for dialect, expected in (("mkdocs", "<p>Shopping:\n- milk</p>"), ("default", "<ul>")):
        settings = Settings(model=str(tmp_path / "none"), dialect=dialect)
        with NoteLibrary.open(library.vault, home=tmp_path, settings=settings) as opened:
            for path in ("own.md", "site/docs/a.md"):
                assert expected in shown(opened, "Shopping:\n- milk", path)


def test_only_safe_extensions_are_used() -> None:
    names = [name for name, _ in extensions(CONFIG)]
    assert "admonition" in names
    assert "pymdownx.tabbed" in names
    assert not {"os", "pymdownx.snippets", "toc", "no.such.extension"} & set(names)
    assert all(not options.get("custom_fences") for _, options in extensions(CONFIG))


PYTHON = """markdown_extensions:
  - !!python/name:os.system
  - pymdownx.snippets: {base_path: [/], check_paths: false, url_download: true}
  - pymdownx.superfences:
      custom_fences:
        - {name: a, format: !!python/object/apply:os.system ["exit 7"]}
  - pymdownx.emoji: {emoji_index: !!python/name:os.system }
  - ../evil
"""


def test_python_in_a_configuration_is_not_run(library: NoteLibrary) -> None:
    """Nor can a page read files."""
    known = {"tables", "pymdownx.superfences", "pymdownx.highlight"}
    assert {name for name, _ in extensions(PYTHON)} == known
    (library.vault / "wicked").mkdir()
    (library.vault / "wicked" / "mkdocs.yml").write_text(PYTHON)
    html = shown(library, '--8<-- "/etc/passwd"\n\n```a\nx\n```', "wicked/a.md")
    assert "/etc/passwd" in html
    assert "root" not in html


@pytest.mark.parametrize(
    "config",
    ["", "[", "a: &a [*a]", "markdown_extensions: 7", "markdown_extensions: [[a], {b: [c]}, null]",
     "- just\n- a list", "a: " + "[" * 1000, "\0", "markdown_extensions:\n  ? [a]\n  : b"],
)  # fmt: skip
def test_any_configuration_is_read(config: str) -> None:
    assert [name for name, _ in extensions(config)] == ["tables", "fenced_code"]


HANGS = {
    "brackets": "[" * 8000,
    "lists": "- " * 600 + "a",
    "divs": "<div>" * 3000,
}


@pytest.mark.fault("C7")
@pytest.mark.fault("C5, C6")
@pytest.mark.parametrize("name", HANGS)
def test_the_default_dialect_renders_what_takes_too_long(
    library: NoteLibrary, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = library._mkdocs._child
    assert child.ready(60)
    monkeypatch.setattr(child, "_seconds", mkdocs.TIME_LIMIT)
    started = time.monotonic()
    html = shown(library, f"{HANGS[name]}\n\n==marked==")
    assert time.monotonic() - started < mkdocs.TIME_LIMIT + 5  # on a busy machine
    assert len(html) > 100
    monkeypatch.setattr(child, "_seconds", PATIENCE_S)
    assert "<p>warm again" in shown(library, "warm again"), "another process answers"


def test_without_a_process_the_default_dialect_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/python")
    site = MkDocs()
    assert site.to_html("a", 1, extensions("")) is None
    assert site.ready(0), "there is nothing to wait for"


def test_no_section_waits_for_the_process_to_start(library: NoteLibrary) -> None:
    """The first section is shown in the default dialect, and again when the process is ready."""
    home = library.vault.parent / "second"
    with NoteLibrary.open(library.vault, home=home, settings=OWN) as opened:
        opened._mkdocs._child._seconds = PATIENCE_S
        around = opened.links("site/docs/a.md")
        started = time.thread_time()
        first = rendered("Shopping:\n- milk", context=around, seconds=0)
        assert time.thread_time() - started < mkdocs.TIME_LIMIT
        assert "<ul>" in first.html
        assert not first.whole
        assert around.ready(60)
        second = rendered("Shopping:\n- milk", context=around, seconds=0)
        assert "<p>Shopping:\n- milk</p>" in second.html
        assert second.whole
