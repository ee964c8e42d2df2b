"""Writes docs/commands.md from the commands themselves: ``python packaging/commands_page.py``.

With ``--print`` it is printed.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from notesearch.cli.main import main

PAGE = Path(__file__).resolve().parents[1] / "docs" / "commands.md"

_HEAD = """# Commands

`notesearch DIR` opens the window on a folder. Every command takes `--help`; those that print
results have `--json`, and then nothing but JSON goes to standard output. Exit status: 0 found,
1 nothing found (of `doctor`: something is wrong), 2 wrong use or an error.
"""


def page() -> str:
    """Return the page."""
    return "\n".join([_HEAD, *_described(main, "notesearch")])


def _described(command: click.Command, name: str) -> Iterator[str]:
    if isinstance(command, click.Group):
        for word in sorted(command.commands):
            yield from _described(command.commands[word], f"{name} {word}")
        return
    context = click.Context(command)
    given = [p.make_metavar(context) for p in command.params if isinstance(p, click.Argument)]
    yield f"## `{' '.join([name, *given])}`\n"
    yield " ".join((command.help or "").split("\n\n")[0].split()) + "\n"
    options = [p for p in command.params if isinstance(p, click.Option) and not p.hidden]
    if options:
        yield "| option | what it does |\n|---|---|"
        for option in options:
            names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
            value = "" if option.is_flag else f" `{option.make_metavar(context)}`"
            text = " ".join((option.help or "").split())
            yield f"| {names}{value.replace('|', ' ')} | {text} |"
        yield ""


if __name__ == "__main__":
    if "--print" in sys.argv:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        sys.stdout.write(page())
    else:
        PAGE.write_text(page(), encoding="utf-8")
