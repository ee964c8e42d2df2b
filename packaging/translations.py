"""Updates the translation files from the texts in the code: ``make translations``.

Adds new texts to resources/translations/*.ts, where they are translated, and builds the .qm files.
With ``--check``, writes nothing and fails if a file is not up to date.
"""

import argparse
import ast
import filecmp
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from notesearch.messages import SENTENCES

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "translations"
_PLAIN = ["-no-obsolete", "-locations", "none", "-no-ui-lines"]


def main() -> int:
    """Update the files, or check them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        make(FOLDER)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
        make(Path(folder))
        old = [p.name for p in FOLDER.iterdir() if not filecmp.cmp(p, Path(folder, p.name), False)]
    if old:
        print(f"Not those of the code, run “make translations”: {', '.join(sorted(old))}")
    return bool(old)


def make(folder: Path) -> None:
    """Update all files in ``folder``."""
    with tempfile.TemporaryDirectory() as drafts:
        windows = Path(drafts) / "windows.py"
        windows.write_text("\n".join(_windows()), encoding="utf-8")
        library = Path(drafts) / "library.py"
        library.write_text("\n".join(_sentences()), encoding="utf-8")
        # ``messages.for_one`` has the English plural forms of the library's sentences.
        _make(folder, "en", ["-pluralonly"], windows)
        _make(folder, "de", [], windows, library)


def _windows() -> Iterator[str]:
    """Yield a line that ``lupdate`` can read for each text of the windows.

    ``lupdate`` itself would take the names of classes for the contexts of texts.
    """
    for file in sorted((ROOT / "notesearch" / "gui").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {"translate", "tr"}:
                text = _literal(ast.literal_eval(node.args[0]))
                comments = (k.value for k in node.keywords if k.arg == "comment")
                comment = next(map(ast.unparse, comments), "None")
                count = ", 1" if len(node.args) > 1 else ""
                yield f"QCoreApplication.translate('', {text}, {comment}{count})"


def _sentences() -> Iterator[str]:
    """Yield such a line for each sentence of the library. Those with ``{count}`` have plurals."""
    for text in dict.fromkeys(text for text in SENTENCES.values() if re.sub(r"\{.*?\}", "", text)):
        if "{count}" in text:
            yield f"QCoreApplication.translate('library', {_literal(text)}, None, 1)"
        else:
            yield f"QT_TRANSLATE_NOOP('library', {_literal(text)})"


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _make(folder: Path, language: str, options: list[str], *sources: Path) -> None:
    texts = folder / f"notesearch_{language}.ts"
    _run("lupdate", *options, *_PLAIN, "-target-language", language, *sources, "-ts", texts)
    _run("lrelease", texts, "-qm", texts.with_suffix(".qm"))


def _run(tool: str, *arguments: str | Path) -> None:
    program = Path(sys.executable).with_name(f"pyside6-{tool}")
    subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
