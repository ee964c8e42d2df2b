"""Compares the words in the preview of each section with those in its source.

    python -m tests.markdown.fidelity [--mkdocs] [FOLDER ...]

``--mkdocs`` reads them as pages of a MkDocs site. Without folders: the sample vault and those of
``../shared/eval``. The words of the source are told by GitHub's own parser (cmark), of what is left
once the syntax is taken away that GitHub does not know and that the preview does not show. Prints
what differs and exits with 1 if anything does.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cmarkgfm

from notesearch.config import resources
from notesearch.markdown.bounds import Check, never_cancel
from notesearch.markdown.render.mkdocs import MkDocs, extensions
from notesearch.markdown.render.qt_html import CUT_NOTICE
from notesearch.markdown.render.section_html import rendered
from notesearch.markdown.sections.section_texts import outline, read_at
from notesearch.results import Scope
from tests.markdown.html_compare import words

MKDOCS = "--mkdocs"
EVAL = Path(__file__).resolve().parents[3] / "shared" / "eval" / "vaults"

CONFIG = """markdown_extensions: [admonition, def_list, footnotes, attr_list, md_in_html,
  pymdownx.arithmatex, pymdownx.caret, pymdownx.details, pymdownx.keys, pymdownx.mark,
  pymdownx.superfences, pymdownx.tasklist, pymdownx.tilde, pymdownx.tabbed]"""

_CODE = re.compile(
    r"^([ \t>]*)(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t>]*\2[`~]*[ \t]*$|\Z)"
    r"|(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)\3(?!`)",
    re.DOTALL | re.MULTILINE,
)
_BEFORE_CODE = re.compile(
    r"%%(?:(?!%%)[\s\S])*%%(?=[ \t]*$)"  # a hidden comment, code included
    r"|!?\[\[[^\[\]|\n]*\|([^\[\]\n]*)\]\]",  # a link that shows other words than its target
    re.MULTILINE,
)
_INDENT = 4
_CONTAINER = re.compile(r' *(?:(?:!!!|\?\?\?\+?)[ \t]+[\w-]|===[!+]?[ \t]+")')
_IDEOGRAPH = re.compile("([\u3400-\u9fff])")
_FORMULA = re.compile(r"(?<![\\$`])\$(?!\s)([^$`\n]+)(?<!\s)\$(?![\d$])")
_DISPLAYED = re.compile(r"\$\$((?:(?!\$\$|\n[ \t]*\n)[^`]){1,5000})\$\$")
_FOOTNOTE = re.compile(r"\[\^[^\]\n]+\]:?")
_FENCE = re.compile(r"^([ \t>]*(?:`{3,}|~{3,}))[^\n`]*$", re.MULTILINE)
_START = r"^([ \t>]*)"
_GONE = [
    (re.compile(pattern, re.MULTILINE), replacement)
    for pattern, replacement in (
        (r"%%[^%]*%%", " "),
        (r"(?:^|(?<=\s))\^[A-Za-z0-9-]+[ \t]*$", ""),
        (r"(?i)!\[\[[^\]\n]*\.(?:png|jpe?g|gif|svg|webp)[^\]\n]*\]\]", " "),
        (r"^([ \t]+)\d+[.)][ \t]", r"\1- "),
        (r"!\[[^\[\]]*\]\([^()\n]*\)", " "),
        (r"!?\[\[[^\[\]|\n]*\|([^\[\]\n]*)\]\]", r"\1"),
        (_START + r"\[!([^\]\n|]+)(?:\|[^\]\n]*)?\][+-]?[ \t]*(?=\S)", r"\1"),
        (_START + r":{3,}[ \t]*(?:[\w-]+[ \t]*)?(?:\{[^}\n]*\})?", r"\1"),
        (_START + r"(?:!!!|\?\?\?)\+?[ \t]+[\w-]+[ \t]*", r"\1"),
        (r"[ \t]*\{:?[ \t]*[#.][^{}\n]*\}[ \t]*$", ""),
        (r"^([ \t>]*[-*+][ \t]+)\[[^\]\n]\][ \t]", r"\1"),
        (r"\]\([^()\s]*\)", "]()"),
        (r"<!--(?:(?!-->)[\s\S])*-->", " "),
        (r"(?i)<(script|style)\b(?:(?!</\1>)[\s\S])*</\1>", " "),
    )
]


class Site:
    """The context of a page of a MkDocs site with all extensions."""

    def __init__(self) -> None:
        self._mkdocs = MkDocs(60.0)
        self.answered = 0

    def html(self, source: str, first_line: int, check: Check = never_cancel) -> str | None:
        """Return ``source`` as MkDocs reads it."""
        self._mkdocs.ready(60)
        html = self._mkdocs.to_html(source, first_line, extensions(CONFIG))
        self.answered += html is not None
        return html

    def ready(self, seconds: float) -> bool:
        """Wait for as long as it takes."""
        return self._mkdocs.ready(60 + seconds)

    def link(self, target: str, *, relative: bool) -> str:
        """Take every link as it is."""
        return target

    def embedded(self, _target: str) -> None:
        """Embed nothing."""

    def block(self, _reference: str) -> str:
        """Know no block."""
        return ""

    def picture(self, _target: str) -> None:
        """Know no picture."""

    def close(self) -> None:
        """End the process."""
        self._mkdocs.close()


@dataclass(frozen=True, slots=True)
class Difference:
    """Words of one section that are missing, and words that were added."""

    path: str
    line: int
    lost: tuple[str, ...]
    invented: tuple[str, ...]


def source_words(source: str) -> Counter[str]:
    """Return the words that a reader of ``source`` should see."""
    source = _FENCE.sub(r"\1", _flattened(source))
    source = _DISPLAYED.sub(_as_code, source)
    source = _FORMULA.sub(_as_code, _BEFORE_CODE.sub(_before_code, source))
    kept: list[str] = []
    at = 0
    for code in _CODE.finditer(source):
        kept += [_without_syntax(source[at : code.start()]), code[0]]
        at = code.end()
    html = cmarkgfm.github_flavored_markdown_to_html(
        "".join([*kept, _without_syntax(source[at:])]), cmarkgfm.Options.CMARK_OPT_UNSAFE
    )
    return counted(html)


def counted(html: str) -> Counter[str]:
    """Return the words of ``html``; single characters for text without spaces."""
    said = _IDEOGRAPH.sub(r" \1 ", " ".join(words(html)))
    return Counter(map(str.casefold, said.split()))


def _flattened(source: str) -> str:
    """Return ``source`` with the content of MkDocs containers moved to the left margin."""
    lines: list[str] = []
    opened: list[int] = []
    for line in source.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        while opened and line.strip() and indent < opened[-1] + _INDENT:
            opened.pop()
        lines.append(line[min(indent, _INDENT * len(opened)) :])
        if _CONTAINER.match(line):
            opened.append(indent)
    return "\n".join(lines)


def _as_code(formula: re.Match[str]) -> str:
    """Protect formulas, in which GitHub would read emphasis and escapes."""
    return f"`` {' '.join(formula[1].split())} ``".replace("\\|", "|")


def _before_code(hidden: re.Match[str]) -> str:
    return hidden[1] or " "


def _without_syntax(text: str) -> str:
    for pattern, replacement in _GONE:
        text = pattern.sub(replacement, text)
    return text


def compare(path: str, line: int, source: str, site: "Site | None" = None) -> Difference | None:
    """Return the difference between ``source`` and its preview as a page of ``site``."""
    html = rendered(source, first_line=line, seconds=-1, context=site).html
    written = set(re.findall(r"[^\W_]+", _IDEOGRAPH.sub(r" \1 ", source.casefold())))
    written_as = source
    if site:  # where footnotes are numbered
        source = _FOOTNOTE.sub(" ", source)
    if CUT_NOTICE in html:
        return None
    shown, expected = counted(html), source_words(source)
    lost, invented = expected - shown, shown - expected
    # What the two read differently, such as a footnote's label, is no loss while it is there.
    lost = Counter({word: n for word, n in lost.items() if shown[word] < min(n, expected[word])})
    numbered = site is not None and "[^" in written_as
    invented = Counter(
        {
            word: n
            for word, n in invented.items()
            if word not in written and not (numbered and word.isdecimal())
        }
    )
    if not lost and not invented:
        return None
    return Difference(path, line, tuple(lost), tuple(invented))


def sections(folder: Path) -> Iterator[tuple[str, int, str]]:
    """Yield path, line and source of each section, as the preview would show it."""
    for file in sorted(folder.rglob("*.md")):
        yield from sections_of(file, folder)


def sections_of(file: Path, folder: Path) -> Iterator[tuple[str, int, str]]:
    """Yield the sections of one note."""
    text = file.read_text("utf-8", errors="replace")
    path = file.relative_to(folder).as_posix()
    for link in outline(path, text):
        yield path, link.line, read_at(path, text, link.line, Scope.SECTION).text


def main() -> None:
    """Compare all sections of the folders."""
    names = [name for name in sys.argv[1:] if name != MKDOCS]
    folders = [Path(name) for name in names]
    if not folders:
        folders = [resources() / "sample-vault", *(p for p in sorted(EVAL.iterdir()) if p.is_dir())]
    site = Site() if MKDOCS in sys.argv else None
    wrong = 0
    for folder in folders:
        count = different = 0
        for path, line, source in sections(folder):
            found = compare(path, line, source, site)
            count += 1
            different += found is not None
            if found:
                print(f"{folder.name}/{path}:{line} lost {found.lost} invented {found.invented}")
        wrong += different
        print(f"{folder.name}: {count} sections, {different} differ", flush=True)
    if site:
        print(f"{site.answered} sections were rendered by Python-Markdown")
        site.close()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
