"""Every text that a user sees is passed to a translating function."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

GUI = Path(__file__).parents[2] / "notesearch" / "gui"

TEXT = re.compile(
    r"[\w,;:.!?]{2,} +[“(]?[A-Za-z]{2,}"  # words
    r"|^[“(]?[A-Z][a-z]{2,}"  # a word that begins something
    r"|[a-z]…|[a-z]{2}:? $|^ [a-z]{2}"  # what something is glued to
)
KEYS = re.compile(
    r"((Ctrl|Alt|Shift|Meta)\b.*|Space|Tab|Return|Enter|Esc|Back[sS]pace|Ins|Insert|Del|Delete|"
    r"Home|End|Page_Up|Page_Down|PgUp|PgDown|Left|Right|Up|Down|Pause|Print)"
)
CODE = re.compile(r"([A-Z][a-z]+){2,}( \| None)?|tuple\[.*")
"""Names of classes and signals."""
MARKUP = re.compile(r"</?[a-z][^>]*(>|$)")

TRANSLATES = {"translate", "tr", "QT_TRANSLATE_NOOP"}

READ_BY_NOBODY = {
    "os.environ.get", "QKeySequence", "re.compile", "setObjectName", "setProperty", "property",
    "log.info", "log.warning", "log.exception", "setStyle", "setStyleSheet", "removeprefix",
    "Path", "TypeVar",
}  # fmt: skip
"""Functions whose arguments no user sees."""

WITHOUT_TEXTS = {
    "appearance.py": "names of fonts, style sheets",
    "desktop_entry.py": "what desktops read",
    "icons.py": "drawings",
    "instance_server.py": "what programs say to each other",
    "obsidian_link.py": "names of folders",
    "preview_style.py": "style sheets",
    "svg.py": "what pictures may contain",
    "single_instance.py": "what the command line says",
}

NAMES = {
    "editors.py": {"VS Code", "VS Code Insiders", "Cursor", "Windsurf", "Obsidian"},
    "folder_chooser.py": {"Notes", "Documents/notes", "Documents/Notes"},
    "keys.py": {"page up", "page down"},
    "portal_shortcut.py": {"Register", "Activated", "Close"},
    "about_page.py": {"Python", "notesearch "},
    "editor_page.py": {"Obsidian", "Trip to Japan.md", "Kyoto", "Food"},
    "global_shortcut.py": {"notesearch quick", "try again"},
    "results_delegate.py": {"etaoin shrdlu"},
    "worker_threads.py": {"The request was "},  # for the log
    "main_window.py": {"notesearch ", "side by side"},
}
"""Names of programs and internal words, which are not translated."""


def test_every_text_is_translated() -> None:
    for file in GUI.rglob("*.py"):
        if file.name in WITHOUT_TEXTS:
            continue
        known = NAMES.get(file.name, set())
        found = list(untranslated(file.read_text(encoding="utf-8")))
        assert [one for one in found if one[1] not in known] == [], file
        assert known <= {text for _, text in found}, f"not there any more: {file}"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('label.setText("Copy")', ["Copy"]),
        ('label.setText(f"Opens: {link}")', ["Opens: "]),
        ('f"<h4>In this section</h4>{lines}"', ["<h4>In this section</h4>"]),
        ('HINT = "No notes folder yet"', ["No notes folder yet"]),
        ('label.setText(f"{number} of {all}")', [" of "]),
        ('label.setText(translate("Copy"))', []),
        ('tr("%Ln note(s)", 2)', []),
        ('def made() -> "Window":\n    """Return a window."""', []),
        ('action.make(key, "Ctrl+K")', []),
        ('list.setStyleSheet(f"QListView {{ color: {text}; }}")', []),
        ('log.info("the file is gone: %s", file)', []),
        ('NAMES = "window raised base".split()', []),
        ('NAMES = "The window is raised".split()', ["The window is raised"]),
        ('name.split("not there")', ["not there"]),
    ],
)
def test_which_literals_count_as_texts(code: str, found: list[str]) -> None:
    assert [text for _, text in untranslated(code)] == found


def untranslated(code: str) -> Iterator[tuple[int, str]]:
    """Yield the literals that look like text for users, each with its line."""
    tree = ast.parse(code)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        text = node.value
        named = KEYS.fullmatch(text) or CODE.fullmatch(text)
        if TEXT.search(MARKUP.sub("", text)) and not named and not _is_seen_by_nobody(node, above):
            yield node.lineno, text


def _is_seen_by_nobody(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Return whether no user sees it: a docstring, a type, an argument, or a table of words."""
    if _is_table_of_words(node, above):
        return True
    while not isinstance(parent := above[node], ast.stmt):
        if isinstance(parent, ast.arg):
            return True
        if isinstance(parent, ast.Call):
            called = ast.unparse(parent.func)
            names = {called, called.rpartition(".")[2]}
            return bool(names & (TRANSLATES | READ_BY_NOBODY))
        node = parent
    if isinstance(parent, ast.FunctionDef):
        return node is parent.returns
    if isinstance(parent, ast.AnnAssign):
        return node is parent.annotation
    return isinstance(parent, ast.Expr) and isinstance(node, ast.Constant)


def _is_table_of_words(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Return whether it is a text of lower-case words, or pairs with a colon, that is split."""
    parent = above[node]
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and isinstance(parent, ast.Attribute)
        and parent.attr == "split"
        and all(re.fullmatch(r"[a-z_0-9-]+|\S+:\S+", word) for word in node.value.split())
    )
