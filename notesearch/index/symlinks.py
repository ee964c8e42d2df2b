"""Where symbolic links in the folder lead, and what tells one folder from another."""

import stat
from dataclasses import dataclass
from pathlib import Path

Identity = tuple[int, int]
"""Device and inode of a folder."""


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """The target of a link.

    Attributes:
        real: The file or folder it leads to.
        folder: The same for a folder; for a file, the folder it is in.
        identity: The identity of ``folder``.
    """

    real: Path
    folder: Path
    identity: Identity

    @property
    def is_folder(self) -> bool:
        """Whether the link leads to a folder."""
        return self.real == self.folder


def target_of(link: Path) -> LinkTarget | None:
    """Return the target of ``link``; None if it does not exist now."""
    try:
        real = link.resolve(strict=True)
        folder = real if stat.S_ISDIR(real.stat().st_mode) else real.parent
        return LinkTarget(real, folder, folder_identity(folder))
    except (OSError, RuntimeError):
        return None


def folder_identity(folder: Path) -> Identity:
    """Return the identity of ``folder``, which another folder of the same name does not share.

    Raises:
        OSError: It does not exist.
    """
    status = folder.stat()
    return status.st_dev, status.st_ino
