"""Objects that may be in place of one of our files, so that nobody can read it."""

import os
from collections.abc import Callable
from pathlib import Path


def folder(place: Path) -> None:
    place.mkdir()


def pipe(place: Path) -> None:
    os.mkfifo(place)


def link_to_itself(place: Path) -> None:
    place.symlink_to(place)


def dead_link(place: Path) -> None:
    place.symlink_to("nowhere")


def endless(place: Path) -> None:
    place.symlink_to("/dev/zero")


def too_large(place: Path) -> None:
    with place.open("wb") as made:
        made.truncate(1 << 30)


def missing(_: Path) -> None:
    pass


UNREADABLE: list[Callable[[Path], None]] = [
    folder, pipe, link_to_itself, dead_link, endless, too_large, missing,
]  # fmt: skip
