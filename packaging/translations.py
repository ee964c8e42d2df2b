"""Updates the translation files from the texts in the code: ``make translations``.

Adds new texts to resources/translations/*.ts, where they are translated, and builds the .qm files.
With ``--check``, writes nothing and fails if a file is not up to date.
"""

import argparse
import filecmp
import json
import re
import shutil
import subprocess
import sys
import tempfile
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
    sources = sorted(map(str, (ROOT / "notesearch" / "gui").rglob("*.py")))
    with tempfile.TemporaryDirectory() as drafts:
        sentences = str(_sentences(Path(drafts)))
        _make(folder, "en", ["-pluralonly"], sources)  # ``messages.for_one`` has the sentences'
        _make(folder, "de", [], [*sources, sentences])


def _sentences(folder: Path) -> Path:
    """Write the library's sentences into a file that ``lupdate`` can read; return its path.

    Those with a ``{count}`` have plural forms.
    """
    texts = dict.fromkeys(text for text in SENTENCES.values() if re.sub(r"\{.*?\}", "", text))
    file = folder / "messages.py"
    lines = (
        f"QCoreApplication.translate('library', {_literal(text)}, None, 1)"
        if "{count}" in text
        else f"QT_TRANSLATE_NOOP('library', {_literal(text)})"
        for text in texts
    )
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _make(folder: Path, language: str, options: list[str], sources: list[str]) -> None:
    texts = folder / f"notesearch_{language}.ts"
    _run("lupdate", *options, *_PLAIN, "-target-language", language, *sources, "-ts", texts)
    _run("lrelease", texts, "-qm", texts.with_suffix(".qm"))


def _run(tool: str, *arguments: str | Path) -> None:
    program = Path(sys.executable).with_name(f"pyside6-{tool}")
    subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
