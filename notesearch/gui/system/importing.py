"""Loads Qt without what Qt for Python puts in the place of Python's own ``import``.

That is there for programs that ask for other spellings of Qt's names. To find those it reads the
source of every module that is imported from then on, numpy's and all of ours; none of them asks.
"""

import builtins


def load_qt() -> None:
    """Import Qt, and have all else imported as before."""
    own = builtins.__import__
    import PySide6.QtWidgets  # noqa: F401

    builtins.__import__ = own
