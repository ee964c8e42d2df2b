"""A state to photograph, and the desktop it is seen on."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.screens.stage import Pictures, Stage

Shoot = Callable[[Stage], Pictures]


@dataclass(frozen=True, slots=True)
class Desk:
    """The settings of a desktop.

    Attributes:
        locale: The user's language and country.
        points: Size of its font.
        reverse: Whether the layout is right to left.
        contrast: Whether the desktop asks for high contrast.
        screen: Width and height in pixels before scaling.
        mounts: Whether the state mounts a disk of its own, which ends with the program.
    """

    locale: str = "en_US"
    points: float = 10.0
    reverse: bool = False
    contrast: bool = False
    screen: tuple[int, int] = (3840, 2160)
    mounts: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """A state of the program: how to reach it, and how to take its picture.

    Attributes:
        sketch: The sketch of the design for both themes (``main``), or one file.
        desk: The desktop on which it is seen.
    """

    name: str
    sketch: str
    shoot: Shoot
    desk: Desk = Desk()
