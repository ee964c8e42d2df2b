"""Photographs the real program in every state: ``make screens``.

    python -m tests.screens [--only main,quick] [--themes light] [--scales 1] [--sketches FOLDER]

The pictures are put into build/screens, with a page that shows each, beside its sketch if a folder
of sketches is given. No display is needed. The documentation shows main and facets in light, quick
and actions in dark, at 1x.
"""

import argparse
import html
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.screens.state import State
from tests.screens.states import STATES

OUT = Path("build") / "screens"
WORK = Path("build").resolve() / "screens-work"
_LIMIT_S = 120


def main() -> int:
    """Take the pictures, those of each state and scale in a process of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="names of states")
    parser.add_argument("--themes", default="light,dark")
    parser.add_argument("--scales", default="1,2", help="pixels for each of the screen's")
    parser.add_argument("--sketches", type=Path, help="a folder of pictures to compare with")
    chosen = parser.parse_args()
    shutil.rmtree(WORK, ignore_errors=True)  # one state damages the index of the next run
    OUT.mkdir(parents=True, exist_ok=True)
    only = chosen.only.split(",") if chosen.only else [state.name for state in STATES]
    states = [state for state in STATES if state.name in only]
    themes, scales = chosen.themes.split(","), chosen.scales.split(",")
    with ThreadPoolExecutor(len(scales)) as jobs:
        failed = sum(jobs.map(partial(_take_all, states, themes), scales), start=list[str]())
    (OUT / "index.html").write_text(_page(states, chosen.sketches), encoding="utf-8")
    for name in failed:
        print(f"not taken: {name}", file=sys.stderr)
    print(f"{OUT / 'index.html'}: {len(states)} states")
    return bool(failed)


def _take_all(states: list[State], themes: list[str], scale: str) -> list[str]:
    """Take the pictures of one scale in a folder of its own; return the states without one."""
    work = WORK / scale
    work.mkdir(parents=True)
    return [state.name for state in states if not _take(state, themes, scale, work)]


def picture_name(state: State, theme: str, scale: str) -> str:
    """Return the file of a picture: ``main_dark.png``, ``main_dark@2x.png``."""
    return f"{state.name}_{theme}{'' if scale == '1' else f'@{scale}x'}.png"


def _take(state: State, themes: list[str], scale: str, work: Path) -> bool:
    program = [*_apart(state), sys.executable, "-m", "tests.screens.shooting"]
    files = [f"{theme}={OUT / picture_name(state, theme, scale)}" for theme in themes]
    screen = work / "screen.json"
    width, height = state.desk.screen
    size = {"name": "screen", "x": 0, "y": 0, "width": width, "height": height, "dpr": 1}
    screen.write_text(json.dumps({"screens": [size]}), encoding="utf-8")
    surroundings = {
        **os.environ,
        "QT_QPA_PLATFORM": f"offscreen:configfile={screen}",
        "QT_SCALE_FACTOR": scale,
        "LC_ALL": f"{state.desk.locale}.UTF-8",
    }
    surroundings.pop("LANGUAGE", None)
    try:
        command = [*program, state.name, str(work), *files]
        done = subprocess.run(command, env=surroundings, timeout=_LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def sketch_name(state: State, theme: str) -> str:
    """Return the file of the sketch of a state."""
    return state.sketch if state.sketch.endswith(".png") else f"{state.sketch}_{theme}.png"


def _apart(state: State) -> list[str]:
    """Return the beginning of a command that gives a state its own mounts, if it has any."""
    root = [] if os.geteuid() == 0 else ["--map-root-user"]
    return ["unshare", *root, "--mount"] if state.desk.mounts else []


def _page(states: list[State], sketches: Path | None) -> str:
    rows = [
        f"<h2>{html.escape(state.name)} {theme}</h2>{_image(Path(picture_name(state, theme, '1')))}"
        f"{_image(sketches / sketch_name(state, theme)) if sketches and state.sketch else ''}"
        for state in states
        for theme in ("light", "dark")
    ]
    style = "body{background:#777}img{width:48%;vertical-align:top;margin:4px}"
    return f"<!doctype html><meta charset=utf-8><style>{style}</style>{''.join(rows)}"


def _image(file: Path) -> str:
    return f'<img src="{html.escape(file.as_posix())}">'


if __name__ == "__main__":
    sys.exit(main())
