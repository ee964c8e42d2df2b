"""Writes docs/commands.md from the commands themselves: ``python packaging/commands_page.py``.

With ``--print``, prints the page instead; with ``--man``, prints it in the markup of man pages.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from notesearch.cli.main import main

PAGE = Path(__file__).resolve().parents[1] / "docs" / "commands.md"

_HEAD = """# Commands

`notesearch DIR` opens the window for a folder. `notesearch WORDS` is short for
`notesearch search WORDS`. Every command takes `--help`. Exit status: 0 found, 1 nothing found or
no such note (for `doctor`: something is wrong), 2 wrong use or an error.

These options mean the same in all commands that take them:
"""

_SHARED = {
    "--vault": "The notes folder, or its name in the list; may be repeated where there is `--all`."
    " Default: the one that contains the current folder, else the one used last.",
    "--all": "All folders in the list, as one.",
    "--json": "Print JSON, and nothing else, on standard output.",
}


def page() -> str:
    """Return the page in Markdown."""
    shared = [f"* `{name}`: {text}" for name, text in _SHARED.items()]
    return "\n".join([_HEAD, *shared, "", *_described(main, "notesearch")])


def man() -> str:
    """Return all commands and their options in the markup of man pages."""
    lines = []
    for name, command in _commands(main, "notesearch"):
        lines += [f".SS {_plain(_usage(name, command))}", _plain(_said(command))]
        for names, value, text in _options(command):
            lines += [".TP", f".B {_plain(' '.join([', '.join(names), value]).strip())}"]
            lines.append(_plain(text))
    return "\n".join(lines)


def _described(root: click.Command, first: str) -> Iterator[str]:
    for name, command in _commands(root, first):
        yield f"## `{_usage(name, command)}`\n"
        options = list(_options(command))
        shared = [f"`{names[0]}`" for names, _, _ in options if names[0] in _SHARED]
        takes = f" Takes {', '.join(shared)}." if shared else ""
        yield f"{_said(command)}{takes}\n"
        options = [option for option in options if option[0][0] not in _SHARED]
        if options:
            for names, value, text in options:
                shown = ", ".join(f"`{name}`" for name in names) + (f" `{value}`" if value else "")
                yield f"* {shown}: {text}"
            yield ""


def _commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield name, command
        return
    if command.invoke_without_command and command is not main:
        yield name, command
    for word in sorted(command.commands):
        if not command.commands[word].hidden:
            yield from _commands(command.commands[word], f"{name} {word}")


def _usage(name: str, command: click.Command) -> str:
    context = click.Context(command)
    given = [p.make_metavar(context) for p in command.params if isinstance(p, click.Argument)]
    return " ".join([name, *given])


def _said(command: click.Command) -> str:
    return " ".join((command.help or "").split("\n\n")[0].split())


def _options(command: click.Command) -> Iterator[tuple[list[str], str, str]]:
    """Yield each option's names, the placeholder of its value (empty for a flag), and its help."""
    context = click.Context(command)
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            value = "" if option.is_flag else option.make_metavar(context)
            names = [*option.opts, *option.secondary_opts]
            yield names, value, " ".join((option.help or "").split())


def _plain(text: str) -> str:
    """Return ``text`` with the markup characters of man pages escaped."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")


if __name__ == "__main__":
    if {"--print", "--man"} & set(sys.argv):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        sys.stdout.write(man() if "--man" in sys.argv else page())
    else:
        PAGE.write_text(page(), encoding="utf-8")
