"""Commands that change the list of vaults, the settings or an index are killed at any moment.

Afterwards the settings are the former or the new ones, each index answers as before or is made
again, and the next command leaves nothing behind. ``make attack`` kills sixty times.
"""

import itertools
import os
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from tests import index_contents
from tests.attack.killed_processes import KilledProcesses
from tests.command_line import Run
from tests.folders import write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks and kills as Linux does")

TIMES, SHORT_TIMES = 60, 6


@pytest.fixture
def processes(vault: Path, tmp_path: Path) -> Iterator[KilledProcesses]:
    made = KilledProcesses(vault, tmp_path / "none")
    yield made
    made.close()


@pytest.fixture
def listed(run: Run, home: Path, tmp_path: Path) -> dict[str, Path]:
    """Three folders by name, each with an index; the last two are in the list."""
    folders = {name: tmp_path / name for name in ("Pond", "Reeds", "Weir")}
    for name, folder in folders.items():
        write(folder, {f"{n}.md": f"# {name} {n}\n\nHerons wade.\n" for n in range(5)})
        run("vaults", "add", str(folder))
        run("index", "--vault", name)
    run("vaults", "remove", "Pond")
    return folders


def command(chance: random.Random, folders: dict[str, Path], settings: Settings) -> list[str]:
    """Return a command that adds, renames or removes one of the folders."""
    folder = chance.choice([*folders.values()])
    name = next((v.label for v in settings.listed if v.path == str(folder)), "")
    removing = [["vaults", "remove", name], ["vaults", "remove", name, "--delete-index"]]
    naming = ["vaults", "add", str(folder), "--name", f"{folder.name} {chance.randrange(10**6)}"]
    return chance.choice([naming, *removing] if name else [naming])


def files(home: Path) -> set[str]:
    return {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()}


def kill_commands(
    processes: KilledProcesses,
    run: Run,
    home: Path,
    folders: dict[str, Path],
    times: int,
    seed: int,
) -> None:
    """Run and kill commands, and check what they leave, until ``times`` commands were killed."""
    chance, paths = random.Random(seed), Paths.choose(home)
    indexes = {name: paths.index_file(folder) for name, folder in folders.items()}
    expected = {name: index_contents.of(index) for name, index in indexes.items()}
    killed, longest = 0, 0.1
    for _ in itertools.count():
        before, copy = paths.settings_file.read_bytes(), home.with_name("copy")
        words = command(chance, folders, Settings.load(paths))
        shutil.copytree(home, copy)
        assert run(*words, NOTESEARCH_HOME=str(copy)).exit_code == 0, words
        after, left = (copy / "config/settings.toml").read_bytes(), files(copy)
        shutil.rmtree(copy)
        said = processes.work_for(chance.uniform(0.0, longest), "notesearch", *words)
        assert said in {"killed", "done 0"}, words
        killed += said == "killed"
        longest = max(0.01, longest * (1.2 if said == "killed" else 0.8))
        assert paths.settings_file.read_bytes() in {before, after}, words
        for draft in paths.config.glob("*.new"):
            os.utime(draft, (0, 0))  # as if it were left a while ago
        if paths.settings_file.read_bytes() == before:
            assert run(*words).exit_code == 0, words
        assert files(home) <= left, words
        for name, folder in folders.items():
            run("index", "--vault", str(folder))
            assert index_contents.of(indexes[name]) == expected[name], words
        if killed >= times:
            return


@pytest.mark.fault("K11")
def test_k11_a_command_is_killed(
    processes: KilledProcesses, run: Run, home: Path, listed: dict[str, Path]
) -> None:
    kill_commands(processes, run, home, listed, SHORT_TIMES, seed=1)


@pytest.mark.attack
@pytest.mark.fault("K11")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", [2, 3])
def test_k11_killed_sixty_times(
    processes: KilledProcesses, run: Run, home: Path, listed: dict[str, Path], seed: int
) -> None:
    kill_commands(processes, run, home, listed, TIMES // 2, seed)
