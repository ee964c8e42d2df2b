"""Neovim, Vim and Emacs, each without a screen."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.integrations.conftest import INTEGRATIONS


def run(*words: object, **variables: object) -> subprocess.CompletedProcess[str]:
    """Run an editor; it must end by itself."""
    return subprocess.run(
        [str(word) for word in words],
        env={**os.environ, **{name: str(value) for name, value in variables.items()}},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(program), reason=f"there is no {program}")


@needs("nvim")
def test_telescope(vault: Path) -> None:
    folder = INTEGRATIONS / "neovim"
    path = f"set runtimepath^={folder}"
    spec = folder / "test" / "telescope_spec.lua"
    words = ("--headless", "--clean", "--cmd", path, "-c", f"luafile {spec}", "-c", "quit")
    done = run("nvim", *words, "-c", "cquit", VAULT=vault)
    assert "1 passed, 0 failed" in done.stderr, done.stderr


@pytest.mark.parametrize(
    "editor", [pytest.param("vim", marks=needs("vim")), pytest.param("nvim", marks=needs("nvim"))]
)
def test_quickfix(editor: str, vault: Path, tmp_path: Path) -> None:
    script = tmp_path / "test.vim"
    script.write_text(
        "Notes 900 'yen' | $(touch x)\n"
        "Notes ramen bowl\n"
        "let tries = 0\n"
        "while empty(getqflist()) && tries < 300\n"
        "  sleep 100m\n"
        "  let tries += 1\n"
        "endwhile\n"
        "let found = []\n"
        "for one in getqflist()\n"
        "  let file = fnamemodify(bufname(one.bufnr), ':p')\n"
        "  call add(found, file . ' ' . one.lnum . ' ' . one.text)\n"
        "endfor\n"
        f"call writefile(found + [getqflist({{'title': 1}}).title], '{tmp_path}/found')\n"
        "qall!\n"
    )
    plugin = INTEGRATIONS / "vim" / "plugin" / "notesearch.vim"
    quiet = ["--headless", "--clean"] if editor == "nvim" else ["-es", "-u", "NONE", "-N"]
    run(editor, *quiet, "-S", plugin, "-S", script)
    found = (tmp_path / "found").read_text().splitlines()
    assert found == [
        f"{vault}/travel/japan.md 9 Food › Ramen: A bowl of ramen costs 900 yen & more.",
        "Notes: ramen bowl",
    ]
    assert not (tmp_path / "x").exists()


@needs("emacs")
def test_consult(vault: Path, tmp_path: Path) -> None:
    if run("emacs", "--batch", "--eval", "(require 'consult)").returncode:
        pytest.skip("Emacs has no consult")
    for name in ("consult-notesearch.el", "consult-notesearch-test.el"):
        shutil.copy(INTEGRATIONS / "emacs" / name, tmp_path)
    strict = "(setq byte-compile-error-on-warn t)"
    compiled = run(
        "emacs", "--batch", "-L", tmp_path, "--eval", strict,
        "-f", "batch-byte-compile", tmp_path / "consult-notesearch.el",
    )  # fmt: skip
    assert compiled.returncode == 0, compiled.stderr
    tests = ("-l", "consult-notesearch-test", "-f", "ert-run-tests-batch-and-exit")
    done = run("emacs", "--batch", "-L", tmp_path, *tests, VAULT=vault)
    assert done.returncode == 0, done.stderr
