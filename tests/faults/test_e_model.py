"""Group E: what becomes of a search where the model cannot be used, or gives nonsense."""

import json
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from notesearch.cli.main import main
from notesearch.config import BUILTIN_MODEL, Paths, Settings, resources
from notesearch.embedding import torch_engine
from notesearch.errors import ModelError
from notesearch.library import NoteLibrary
from notesearch.serving.served_vaults import ServedVault
from tests import index_contents
from tests.command_line import Run
from tests.embedding import tiny_model
from tests.faults.quick_model import QuickModel
from tests.folders import write

NOTES = {"a.md": "# Otters\n\nThey swim.\n", "b.md": "# Beavers\n\nThey build.\n"}


def is_missing(model: Path) -> None:
    shutil.rmtree(model)


def is_cut_short(model: Path) -> None:
    graph = model / "onnx/model_qint8.onnx"
    graph.write_bytes(graph.read_bytes()[:100_000])


def is_a_page_of_the_web(model: Path) -> None:
    (model / "onnx/model_qint8.onnx").write_text("<!doctype html><title>404</title>")


def has_a_pickle_for_weights(model: Path) -> None:
    """A pickle would run the program in it as soon as it is read."""
    (model / "onnx/model_qint8.onnx").unlink()
    (model / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'touch ran'\ntR.")


def has_an_endless_description(model: Path) -> None:
    (model / "sentence_bert_config.json").write_text('{"a":' * 50_000)


def has_endless_steps(model: Path) -> None:
    (model / "modules.json").write_text("[" * 100_000)


def has_a_pipe_for_a_tokenizer(model: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no pipes in folders here")
    (model / "tokenizer.json").unlink()
    os.mkfifo(model / "tokenizer.json")


def names_foreign_code(model: Path) -> None:
    (model / "modules.json").write_text(json.dumps([{"type": "evil.module.Transformer"}]))
    write(model, {"evil/__init__.py": "", "evil/module.py": "open('ran', 'w')"})


def needs_the_extra(model: Path) -> None:
    if torch_engine.is_installed():
        pytest.skip("the extra is installed")
    (model / "onnx/model_qint8.onnx").unlink()
    (model / "model.safetensors").write_bytes(b"")


Damage = Callable[[Path], None]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The folder of a model that a test may damage: a copy of the built-in one."""
    return shutil.copytree(resources() / "models" / BUILTIN_MODEL, tmp_path / "model")


@pytest.mark.fault("E3, E4")
@pytest.mark.fault(
    "E2",
    row="E2 to E4",
    fault="A model is cut short or changed, runs code, or names files outside",
    outcome="Refused in a sentence; hashes are compared, pickles never read",
)
@pytest.mark.fault("E1", fault="No model, no network", outcome="Words answer; a sentence says why")
@pytest.mark.parametrize(
    "damage",
    [
        is_missing, is_cut_short, is_a_page_of_the_web, has_an_endless_description,
        has_endless_steps, has_a_pipe_for_a_tokenizer, has_a_pickle_for_weights, names_foreign_code,
    ],
)  # fmt: skip
def test_e01_to_e04_words_answer_without_the_model(
    vault: Path, model: Path, tmp_path: Path, damage: Damage
) -> None:
    """No code is run, a sentence says why meaning is off, and a good model works later."""
    damage(model)
    write(vault, NOTES)
    settings = Settings(model=str(model))
    with NoteLibrary.open(vault, settings=settings) as library:
        library.refresh()
        found = library.search("otters")
        assert [section.path for section in found.sections] == ["a.md"]
        assert not found.meaning
        assert not library.search("otters", mode="meaning").sections
        problem = library.status().meaning_problem
        assert "model" in problem
        assert problem.endswith(".")
        assert "Traceback" not in problem
    assert not list(tmp_path.rglob("ran"))
    shutil.rmtree(model, ignore_errors=True)
    shutil.copytree(resources() / "models" / BUILTIN_MODEL, model)
    with NoteLibrary.open(vault, settings=settings) as library:
        library.refresh()
        assert library.status().meaning
        assert not library.status().pending


class FaultyModel(QuickModel):
    """Gives unusable vectors for some texts."""

    def __init__(self, nonsense: float) -> None:
        super().__init__()
        self.nonsense = nonsense

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        made = super().embed_passages(texts)
        for row, text in enumerate(texts):
            if "swim" in text:
                made[row] = self.nonsense
        return made


@pytest.mark.fault(
    "D12",
    fault="A vector that is zero or not finite",
    outcome="Left out; words find the passage",
)
@pytest.mark.parametrize("nonsense", [np.nan, np.inf, -np.inf, 0.0])
def test_d12_a_vector_that_is_none(vault: Path, nonsense: float) -> None:
    write(vault, NOTES)
    with NoteLibrary.open(vault, embedder=FaultyModel(nonsense)) as library:
        library.refresh()
        assert library.status().pending == 0, "it does not hold up the others"
        assert [section.path for section in library.search("swim", mode="words").sections] == [
            "a.md"
        ]
        assert library.status().meaning, "of the others"
        assert list(library.related("b.md")) == []
        (named,) = library.check().problems
        assert named.text == "1 passage has no vector, and none is being computed."


@pytest.mark.fault("J7", fault="Another model", outcome="As E13; words stay")
@pytest.mark.fault(
    "E13",
    fault="Another model",
    outcome="The old one answers until the new has all vectors",
)
def test_e13_j07_another_model_makes_its_own_vectors(vault: Path) -> None:
    write(vault, NOTES)
    with NoteLibrary.open(vault, embedder=QuickModel()) as library:
        library.refresh()
    other = QuickModel()
    other.fingerprint = "other"
    with NoteLibrary.open(vault, embedder=other) as library:
        # Until then words answer, and no vector of the first meets a query of the second.
        assert library.search("otters").sections
        assert not library.search("otters").meaning
        library.refresh()
        assert len(other.embedded) == len(set(other.embedded)) > 0
        index = Path(library.status().index_path)
    assert index_contents.of(index) == index_contents.from_scratch(vault, Settings(), other)


class TiredModel(QuickModel):
    """Fails while another program has the memory of the GPU."""

    tired = False

    def count_tokens(self, text: str) -> int:
        return len(text) // 3  # so it knows every word

    def embed_query(self, text: str) -> NDArray[np.float32]:
        if self.tired:
            raise ModelError("model_memory_full")
        return super().embed_query(text)


def test_words_answer_while_the_model_fails(vault: Path) -> None:
    """The whole search once failed, not only the search by meaning."""
    write(vault, NOTES)
    model = TiredModel()
    with NoteLibrary.open(vault, embedder=model) as library:
        library.refresh()
        model.tired = True
        found = library.search("otters")
        assert found.sections[0].path == "a.md"
        assert "not enough memory for the embedding model" in library.lost_meaning(found)
        assert library.status().meaning_problem.code == "model_memory_full"
        with pytest.raises(ModelError):
            library.search("otters", mode="meaning")
        assert library.search("otters", mode="words").sections
        model.tired = False
        assert library.lost_meaning(library.search("otters")) == ""
        assert not library.status().meaning_problem


@pytest.fixture(params=[is_missing, is_cut_short, needs_the_extra])
def without_meaning(request: pytest.FixtureRequest, vault: Path, model: Path) -> None:
    """An up-to-date index of a folder whose model in the settings cannot be used."""
    request.param(model)
    write(vault, NOTES)
    Settings(model=str(model)).with_vault(vault).save(Paths.choose())
    with NoteLibrary.open(vault) as library:
        library.refresh()


@pytest.mark.usefixtures("without_meaning")
def test_a_search_command_says_once_that_only_words_were_searched(run: Run) -> None:
    told = "Only words were searched. "
    searched = run("search", "otters")
    assert searched.exit_code == 0
    assert searched.stderr.count(told) == 1
    several = CliRunner().invoke(main, ["search", "--stdin"], "otters\nrivers\n")
    assert several.stderr.count(told) == 1
    assert "Only words" not in run("search", "otters", "--mode", "words").stderr


@pytest.mark.usefixtures("without_meaning")
def test_stats_and_doctor_say_why_there_is_no_search_by_meaning(run: Run) -> None:
    assert "model" in json.loads(run("stats", "--json").stdout)["meaning_problem"]
    remarks = json.loads(run("doctor", "--json").stdout)["remarks"]
    assert any("model" in remark for remark in remarks)


@pytest.mark.usefixtures("without_meaning")
def test_servers_say_it_with_every_answer_and_to_an_agent_once(vault: Path) -> None:
    with NoteLibrary.open(vault) as library:
        served = ServedVault(library)
        assert "model" in served.stats()[1].problem
        result = library.search("otters")
        lost = library.lost_meaning(result)
        assert [served.remarks(result) for _ in range(2)] == [[lost], [lost]]
        assert [served.remarks(result, once=True) for _ in range(2)] == [[lost], []]
        assert served.remarks(result) == [lost], "others have not read what one agent has"


@pytest.fixture
def former_model(run: Run, vault: Path, home: Path) -> str:
    """An index by one model, another one in the settings that is not there; what is said of it."""
    paths = Paths.choose(home)
    tiny_model.write(paths.models / "three")
    write(vault, NOTES)
    Settings(model="three").with_vault(vault).save(paths)
    run("index")
    Settings(model="gone").with_vault(vault).save(paths)
    return "Search by meaning still uses the model three. There is no embedding model “gone” here."


@pytest.mark.parametrize(("mode", "times"), [("hybrid", 1), ("meaning", 1), ("words", 0)])
def test_a_search_command_says_that_the_former_model_answers(
    run: Run, former_model: str, mode: str, times: int
) -> None:
    searched = run("search", "red", "--mode", mode, "--json")
    assert searched.stderr.count(former_model) == times
    remarks = json.loads(searched.stdout)["remarks"]
    assert sum(remark.startswith(former_model) for remark in remarks) == times


def test_stats_name_the_former_model(run: Run, former_model: str) -> None:
    stats = json.loads(run("stats", "--json").stdout)
    assert stats["former_model"] == "three"
    assert stats["meaning"] is True
    assert "gone" in stats["meaning_problem"]


def test_servers_name_the_former_model_to_an_agent_once(vault: Path, former_model: str) -> None:
    with NoteLibrary.open(vault) as library:
        served = ServedVault(library)
        passages = library.passages("red")
        for answer in (library.search("red"), passages):
            (remark,) = served.remarks(answer)
            assert remark.startswith(former_model)
        assert [len(served.remarks(passages, once=True)) for _ in range(2)] == [1, 0]
