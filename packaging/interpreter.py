"""Chooses the Python that the program is installed with, before its environment is made.

Prints the path of the interpreter that runs this script. If that one was compiled without
profile-guided optimisation, as version managers do by default, prints the system's instead: without
it, a search takes a tenth longer and a command a quarter. Needs only the standard library.
"""

import subprocess
import sys
import sysconfig
from pathlib import Path

SYSTEM = Path("/usr/bin/python3")
"""Assumed to be compiled with profiles, as distributions do, even if its options do not say so."""

OLDEST = (3, 11)

_SUITS = f"""
import importlib.util, sys
sys.exit(not (sys.version_info[:2] >= {OLDEST} and importlib.util.find_spec("ensurepip")))
"""


def is_plain() -> bool:
    """Return whether the running interpreter was compiled without profiles, by its own options."""
    options = sysconfig.get_config_var("CONFIG_ARGS")
    return isinstance(options, str) and "--enable-optimizations" not in options


def suits(interpreter: Path) -> bool:
    """Return whether the program can be installed with ``interpreter``."""
    command = [str(interpreter), "-I", "-c", _SUITS]
    try:
        return not subprocess.run(command, capture_output=True, check=False, timeout=20).returncode
    except (OSError, subprocess.SubprocessError):
        return False


def main() -> None:
    """Print the path of the interpreter to use; if it is not the running one, say so on stderr."""
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
