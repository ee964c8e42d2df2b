"""Chooses the Python that the program is installed with, before its environment is made.

It is the one that runs this, or the system's own where that is clearly faster: tools that keep
several versions compile Python without profiles by default, with which a search takes a tenth
longer and a command a quarter. Builds do not say so alike, so that both are measured.
Prints the path; runs on the standard library.
"""

import subprocess
import sys
from pathlib import Path

SYSTEM = Path("/usr/bin/python3")

OLDEST = (3, 11)

_FASTER = 1.25
"""So many times as fast another has to be: who calls one by its name mostly means it."""

_TURNS = 3

_MEASURE = """
import importlib.util, sys, time

def work():
    counts = {}
    for number in range(40_000):
        pair = number % 1000, str(number)
        counts[pair[0]] = counts.get(pair[0], 0) + len(pair[1])
    return sorted(counts.items(), key=lambda item: item[1])

def took():
    began = time.process_time()
    work()
    return time.process_time() - began

fills = importlib.util.find_spec("ensurepip") is not None
print(*sys.version_info[:2], int(fills), min(took() for _ in range(5)))
"""


def seconds(interpreter: str) -> float:
    """Return what the same work takes; infinity where the program could not be installed."""
    command = [interpreter, "-I", "-c", _MEASURE]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
        major, minor, fills, took = done.stdout.split()
    except (OSError, ValueError, subprocess.SubprocessError):
        return float("inf")
    suits = (int(major), int(minor)) >= OLDEST and fills == "1"
    return float(took) if suits else float("inf")


def chosen(own: str, other: str) -> str:
    """Return the faster one, measured in turns; ``own`` where ``other`` is not clearly so."""
    times: dict[str, list[float]] = {own: [], other: []}
    for _ in range(_TURNS):
        for interpreter, found in times.items():
            found.append(seconds(interpreter))
    return other if min(times[other]) * _FASTER < min(times[own]) else own


def main() -> None:
    """Print the path of the one to be taken, and on standard error where it is not this one."""
    own = sys.executable
    if not SYSTEM.exists() or SYSTEM.resolve() == Path(own).resolve():
        print(own)
        return
    found = chosen(own, str(SYSTEM))
    if found != own:
        print(
            f"Installing with {found}, which is faster than {own} (make PYTHON=... decides).",
            file=sys.stderr,
        )
    print(found)


if __name__ == "__main__":
    main()
