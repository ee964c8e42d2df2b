"""The process that indexes is killed at any moment; nothing is half done, and nothing is lost.

Its contents, with vectors, and its answers must equal those of a new index
(``tests/index_contents.py``). ``make attack`` kills sixty times, the suite about six times.
"""

import contextlib
import itertools
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.index import doctor
from notesearch.index.vault_index import VaultIndex
from notesearch.status import Part
from notesearch.store import recovery
from notesearch.store.db import Connection
from notesearch.store.store import Store
from tests import index_contents
from tests.attack.killed_processes import KilledProcesses
from tests.attack.test_flips import exchange
from tests.faults.quick_model import OtherModel, QuickModel
from tests.folders import write
from tests.store import invariants

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks and kills as Linux does")

SETTINGS = Settings()
TIMES, SHORT_TIMES, PARTS = 60, 4, 4
_WORDS = "otter beaver river bank reed fish stone water weir pond".split()


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


@pytest.fixture
def processes(vault: Path, index: Path) -> Iterator[KilledProcesses]:
    made = KilledProcesses(vault, index)
    yield made
    made.close()


def note(chance: random.Random, name: str) -> str:
    parts = [
        f"## {chance.choice(_WORDS)} {n}\n\n{' '.join(chance.choices(_WORDS, k=80))}\n"
        for n in range(chance.randrange(1, 6))
    ]
    return f"# {name}\n\n" + "\n".join(parts)


def change(chance: random.Random, vault: Path) -> None:
    """Edit, add, rename and delete about a third of the notes."""
    notes = sorted(vault.rglob("*.md"))
    for path in chance.sample(notes, len(notes) // 3):
        match chance.randrange(5):
            case 0:
                path.unlink()
            case 1:
                path.rename(path.with_name(f"r{chance.randrange(10**9)}.md"))
            case _:
                path.write_text(note(chance, path.stem))
    for _ in range(max(0, 60 - len(notes)) + 3):
        name = f"n{chance.randrange(10**9)}"
        write(vault, {f"d{chance.randrange(5)}/{name}.md": note(chance, name)})


def damage(chance: random.Random, index: Path) -> None:
    """In one of ten calls, damage the index, so that a process is also killed while it rebuilds."""
    if chance.random() < 0.1 and index.exists():
        content = bytearray(index.read_bytes())
        content[:100] = bytes(100)
        index.write_bytes(content)


def assert_whole(index: Path) -> None:
    """Check that the index is consistent, though it may not have the latest changes."""
    if not index.exists():
        return
    if any(problem.part is Part.FILE for problem in recovery.check(index)):
        assert index.read_bytes()[:16] == bytes(16), "only what the test itself damaged"
        return
    assert recovery.check(index) == ()
    invariants.check(index)


def indexed(vault: Path, index: Path, model: QuickModel | None = None) -> QuickModel:
    model = model or QuickModel()
    made = VaultIndex(vault, SETTINGS, Store(index), lambda: model)
    made.refresh(lambda _: None)
    made.close()
    return model


def kill(processes: KilledProcesses, vault: Path, index: Path, times: int, seed: int) -> None:
    """Change the folder, index it, kill and check, until ``times`` processes were killed."""
    chance = random.Random(seed)
    killed, longest = 0, 0.15
    for number in itertools.count(1):
        change(chance, vault)
        damage(chance, index)
        said = processes.work_for(chance.uniform(0.0, longest), "index")
        assert said in {"killed", "done 0"}
        killed += said == "killed"
        longest = max(0.02, longest * (1.2 if said == "killed" else 0.8))
        assert_whole(index)
        if number % 3 == 0:
            indexed(vault, index)
            assert index_contents.of(index) == index_contents.from_scratch(
                vault, SETTINGS, QuickModel()
            )
            if killed >= times:
                return


@pytest.mark.fault(
    "J1",
    fault="SIGKILL while notes are read, written or embedded",
    outcome="After hundreds of kills the index equals a new one",
)
@pytest.mark.fault(
    "E6, E7",
    row="E6, E7, E9",
    fault="A model's process dies, hangs or forks",
    outcome="There is none: a thread runs the model",
)
def test_j01_killed_at_any_moment(processes: KilledProcesses, vault: Path, index: Path) -> None:
    kill(processes, vault, index, SHORT_TIMES, seed=1)


@pytest.mark.attack
@pytest.mark.fault("J1")
@pytest.mark.fault(
    "K5",
    row="K5, K9, K11",
    fault="Indexing, repairing, changing the model or the list of vaults is killed at any moment",
    tries="60, 15, 15 and 60 kills",
    outcome="After the next run the index equals a new one; the list is the old or the new",
)
@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", range(100, 100 + PARTS))
def test_k05_killed_sixty_times(
    processes: KilledProcesses, vault: Path, index: Path, seed: int
) -> None:
    kill(processes, vault, index, TIMES // PARTS, seed)


def delete_rows(index: Path) -> None:
    with contextlib.closing(Connection(index, writer=True)) as connection:
        connection.sql.execute("delete from section where id % 5 = 0")


def delete_vectors(index: Path) -> None:
    with contextlib.closing(Connection(index, writer=True)) as connection:
        connection.sql.execute("delete from embedding where id % 2")


def exchange_pages(index: Path) -> None:
    content = bytearray(index.read_bytes())
    exchange(content, random.Random(len(content)))
    index.write_bytes(content)


def kill_repairs(
    processes: KilledProcesses, vault: Path, index: Path, times: int, seed: int
) -> None:
    """Damage the index, repair it, kill and check, until ``times`` processes were killed."""
    chance = random.Random(seed)
    write(vault, {f"{n}.md": note(chance, f"Note {n}") for n in range(40)})
    indexed(vault, index)
    whole, expected = index.read_bytes(), index_contents.of(index)
    killed, longest = 0, 0.5
    for damaged in itertools.cycle((delete_rows, delete_vectors, exchange_pages)):
        for file in index.parent.glob(f"{index.name}*"):
            file.unlink()
        index.write_bytes(whole)
        damaged(index)
        said = processes.work_for(chance.uniform(0.0, longest), "repair")
        assert said in {"killed", "done 0"}
        killed += said == "killed"
        longest = max(0.02, longest * (1.2 if said == "killed" else 0.8))
        made = VaultIndex(vault, SETTINGS, Store(index), QuickModel)
        assert doctor.repair(made, lambda _: None).problems == ()
        made.close()
        indexed(vault, index)
        assert index_contents.of(index) == expected, damaged.__name__
        if killed >= times:
            return


def kill_changes(
    processes: KilledProcesses, vault: Path, index: Path, times: int, seed: int
) -> None:
    """Change between two models, and kill that, until ``times`` processes were killed."""
    chance = random.Random(seed)
    write(vault, {f"{n}.md": note(chance, f"Note {n}") for n in range(40)})
    indexed(vault, index)
    killed, longest = 0, 0.3
    for number in itertools.count(1):
        change(chance, vault)
        work = chance.choice(("index", "change"))
        said = processes.work_for(chance.uniform(0.0, longest), work)
        assert said in {"killed", "done 0"}
        killed += said == "killed"
        longest = max(0.02, longest * (1.2 if said == "killed" else 0.8))
        assert_whole(index)
        if number % 3 == 0:
            model = OtherModel() if work == "change" else QuickModel()
            indexed(vault, index, model)
            assert index_contents.of(index) == index_contents.from_scratch(vault, SETTINGS, model)
            if killed >= times:
                return


@pytest.mark.attack
@pytest.mark.fault("K9")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("killing", [kill_repairs, kill_changes])
def test_k09_killed_while_it_repairs_or_changes(
    processes: KilledProcesses,
    vault: Path,
    index: Path,
    killing: Callable[[KilledProcesses, Path, Path, int, int], None],
) -> None:
    killing(processes, vault, index, TIMES // PARTS, 7)


@pytest.mark.fault("J1")
def test_j01_the_next_start_embeds_only_what_is_missing(
    processes: KilledProcesses, vault: Path, index: Path
) -> None:
    chance = random.Random(5)
    write(vault, {f"{n}.md": note(chance, f"Note {n}") for n in range(120)})
    seconds = 0.25
    store = Store(index)
    done = 0
    for _ in range(30):
        index.unlink(missing_ok=True)
        said = processes.work_for(seconds, "index")
        if said == "killed" and index.exists():
            store.prepare()
            done = store.reader().counts().embedded
            if done:
                break
        seconds *= 1.2 if said == "killed" else 0.8
    assert done, "never killed while it embedded"
    model = indexed(vault, index)
    passages = {text for text in model.embedded if text.startswith("[")}
    with_all = len(passages) + done
    assert with_all == store.reader().counts().embedded
    store.close()
    assert index_contents.of(index) == index_contents.from_scratch(vault, SETTINGS, QuickModel())
