"""A state to photograph, and the desktop it is seen on."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.screens.stage import Pictures, Stage

Shoot = Callable[[Stage], Pictures]


@dataclass(frozen=True, slots=True)
class Desk:
    """What a desktop asks of its programs.

    Attributes:
        locale: The user's language and country.
        points: Size of its font.
        reverse: One reads from right to left.
        contrast: High contrast is wanted.
        screen: Width and height in pixels before scaling.
        mounts: The state mounts a disk of its own, which ends with the program.
    """

    locale: str = "en_US"
    points: float = 10.0
    reverse: bool = False
    contrast: bool = False
    screen: tuple[int, int] = (3840, 2160)
    mounts: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """How to come to it and take its picture.

    Attributes:
        sketch: That of the design, of both themes: ``main``; or one file: ``var/big_main.png``.
        desk: Where it is seen.
    """

    name: str
    sketch: str
    shoot: Shoot
    desk: Desk = Desk()
