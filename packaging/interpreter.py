"""Chooses the Python that the program is installed with, before its environment is made.

It is the one that runs this, but the system's own where this one was compiled without profiles, as
tools that keep several versions do by default: a search takes a tenth longer with it, and a command
a quarter. Prints the path; runs on the standard library.
"""

import subprocess
import sys
import sysconfig
from pathlib import Path

SYSTEM = Path("/usr/bin/python3")
"""Distributions compile theirs with profiles, though what it says of itself does not tell."""

OLDEST = (3, 11)

_SUITS = f"""
import importlib.util, sys
sys.exit(not (sys.version_info[:2] >= {OLDEST} and importlib.util.find_spec("ensurepip")))
"""


def is_plain() -> bool:
    """Return whether the one that runs this says that it was compiled without profiles."""
    options = sysconfig.get_config_var("CONFIG_ARGS")
    return isinstance(options, str) and "--enable-optimizations" not in options


def suits(interpreter: Path) -> bool:
    """Return whether the program can be installed with that one."""
    command = [str(interpreter), "-I", "-c", _SUITS]
    try:
        return not subprocess.run(command, capture_output=True, check=False, timeout=20).returncode
    except (OSError, subprocess.SubprocessError):
        return False


def main() -> None:
    """Print the path of the one to be taken, and on standard error where it is not this one."""
    own = sys.executable
    if is_plain() and SYSTEM.resolve() != Path(own).resolve() and suits(SYSTEM):
        print(
            f"Installing with {SYSTEM}: {own} was compiled without profiles, and is slower"
            " (make PYTHON=... decides).",
            file=sys.stderr,
        )
        own = str(SYSTEM)
    print(own)


if __name__ == "__main__":
    main()
