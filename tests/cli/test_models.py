"""The command ``models``, with the built-in model and small generated ones."""

import io
import json
import os
import shutil
import sys
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from notesearch.config import BUILTIN_MODEL, Paths, Settings
from notesearch.errors import ModelError
from notesearch.library import NoteLibrary
from notesearch.models import add
from notesearch.models import listed as listed_models
from tests.command_line import Run
from tests.embedding import tiny_model

E5 = "intfloat/multilingual-e5-small"

ListModels = Callable[[], dict[str, dict[str, object]]]


@pytest.fixture
def paths(home: Path, run: Run) -> Paths:
    """The program's folders, with two small installed models."""
    paths = Paths.choose(home)
    paths.models.mkdir(parents=True)
    tiny_model.write(paths.models / "three")
    tiny_model.write(paths.models / "owner--six", pooling=["mean", "max"])
    record = {"name": "owner/six", "revision": "0123"}
    (paths.models / "owner--six" / "notesearch.json").write_text(json.dumps(record))
    return paths


@pytest.fixture
def list_models(run: Run, paths: Paths) -> ListModels:
    """Run ``models list`` and return the models by name."""

    def run_list() -> dict[str, dict[str, object]]:
        answer = json.loads(run("models", "list", "--json").stdout)
        return {model["name"]: model for model in answer["models"]}

    return run_list


def use(run: Run, model: str) -> None:
    assert run("models", "use", model).exit_code == 0


def installed(paths: Paths) -> set[str]:
    """Return the names of all files and folders among the installed models, hidden ones too."""
    return {path.name for path in paths.models.iterdir()}


class TestList:
    @pytest.mark.parametrize(
        ("model", "facts"),
        [
            (BUILTIN_MODEL, {"kind": "built-in"}),
            ("three", {"kind": "installed", "chosen": False}),
            ("owner/six", {"kind": "installed", "revision": "0123"}),
            (E5, {"kind": "suggested", "licence": "MIT"}),
        ],
    )
    def test_says_what_each_model_is(
        self, list_models: ListModels, model: str, facts: dict[str, object]
    ) -> None:
        assert list_models()[model].items() >= facts.items()

    def test_suggests_ten_models_with_licence_and_size(self, list_models: ListModels) -> None:
        suggested = [model for model in list_models().values() if model["kind"] == "suggested"]
        assert len(suggested) == 10
        assert all(model["licence"] and model["size"] for model in suggested)

    def test_says_how_quick_a_suggested_model_was(self, list_models: ListModels) -> None:
        assert "passages/s" in str(list_models()[E5]["measured"])

    @pytest.mark.usefixtures("paths")
    def test_is_what_the_command_prints_by_itself(self, run: Run) -> None:
        output = run("models").stdout
        assert "three" in output
        assert "ONNX" in output

    def test_has_a_suggested_model_once_if_it_is_installed_without_its_owner(
        self, list_models: ListModels, paths: Paths
    ) -> None:
        (paths.models / "three").rename(paths.models / "multilingual-e5-small")
        names = [name for name in list_models() if "multilingual-e5-small" in name]
        assert names == ["multilingual-e5-small"]

    @pytest.mark.usefixtures("paths")
    def test_mentions_a_missing_extra(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("notesearch.models.extra_is_installed", lambda: False)
        assert "1.2 GB" in run("models").stderr

    def test_hides_a_model_that_is_being_added(self, list_models: ListModels, paths: Paths) -> None:
        tiny_model.write(paths.models / ".copied.new")
        names = {name for name, model in list_models().items() if model["kind"] == "installed"}
        assert names == {"three", "owner/six"}

    def test_deletes_what_killed_processes_left(
        self, paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A process that ended while it added a model left a copy of it in a hidden folder."""
        for left in (".copied.new", ".unpacked.zip.new"):
            tiny_model.write(paths.models / left)
            os.utime(paths.models / left, (0, 0))
        drafts = list[set[str]]()

        def list_before_failing(_draft: Path, _target: Path) -> None:
            with ThreadPoolExecutor() as other:
                other.submit(listed_models, paths, Settings()).result()
            drafts.append({name for name in installed(paths) if (paths.models / name).is_dir()})
            raise OSError(28, "disk full")

        monkeypatch.setattr("notesearch.models.take_place", list_before_failing)
        with pytest.raises(ModelError, match="disk full"):
            add(paths, tiny_model.write(tmp_path / "new"))
        (during,) = drafts
        (draft_in_use,) = during - {"three", "owner--six"}
        assert draft_in_use.endswith(".new")
        assert installed(paths) == {"three", "owner--six"}


class TestUse:
    def test_saves_the_model_in_the_settings(self, run: Run, paths: Paths) -> None:
        use(run, "three")
        assert Settings.load(paths).model == "three"

    @pytest.mark.usefixtures("paths")
    def test_keeps_the_vectors_of_the_former_model(self, run: Run) -> None:
        use(run, "three")
        run("index")
        use(run, "owner/six")
        run("index")
        vectors = json.loads(run("models", "list", "--json").stdout)["vectors"]
        uses = {vector["name"]: vector["searched"] for vector in vectors}
        assert uses == {"owner/six": True, "three": False}
        assert "kept for later use" in run("models").stdout

    def test_indexing_reports_a_damaged_model(self, run: Run, paths: Paths) -> None:
        use(run, "three")
        (paths.models / "three" / "model.onnx").write_bytes(b"cut short")
        indexing = run("index")
        assert "0 passages embedded" in indexing.stdout
        assert "Install it again" in indexing.stderr

    @pytest.mark.usefixtures("paths")
    def test_reranking_needs_a_chosen_reranker(self, run: Run) -> None:
        search = run("search", "--rerank", "a")
        assert search.exit_code == 2
        assert "No reranker is chosen" in search.stderr


@pytest.mark.usefixtures("paths")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("use nowhere", "There is no model “nowhere” here"),
        ("remove nowhere", "no installed model"),
        (f"remove {BUILTIN_MODEL}", "no installed model"),
        ("remove ..", "no installed model"),
        ("remove ", "no installed model"),
        ("remove .", "no installed model"),
        ("remove three/../three", "no installed model"),
        ("compare nowhere", "Nothing to compare with yet"),
    ],
)
def test_a_missing_model_is_reported(run: Run, words: str, message: str) -> None:
    run("index")
    answer = run("models", *words.split(" "))
    assert answer.exit_code == 2
    assert message in answer.stderr


class TestRemove:
    def test_deletes_the_model(self, run: Run, paths: Paths) -> None:
        assert "Freed" in run("models", "remove", "owner/six").stdout
        assert installed(paths) == {"three"}

    @pytest.mark.parametrize(
        ("used", "name"),
        [("owner/six", "owner/six"), ("owner/six", "owner--six"), ("three", "three")],
    )
    def test_keeps_the_model_in_use(self, run: Run, paths: Paths, used: str, name: str) -> None:
        use(run, used)
        assert "Choose another one first" in run("models", "remove", name).stderr
        assert installed(paths) == {"three", "owner--six"}

    @pytest.mark.usefixtures("paths")
    def test_deletes_vectors_of_other_models_only(self, run: Run) -> None:
        use(run, "three")
        run("index")
        use(run, "owner/six")
        run("index")
        assert " vectors were deleted" in run("models", "remove", "--vectors", "three").stdout
        refusal = run("models", "remove", "--vectors", "owner/six")
        assert refusal.exit_code == 2
        assert "owner/six is in use" in refusal.stderr
        (vectors,) = json.loads(run("models", "list", "--json").stdout)["vectors"]
        assert vectors["name"] == "owner/six"


class TestCompare:
    @pytest.mark.usefixtures("paths")
    def test_measures_each_model(self, run: Run) -> None:
        use(run, "three")
        run("index")
        rows = json.loads(run("models", "compare", "three", "owner/six", "--json").stdout)
        assert [row["name"] for row in rows] == ["three", "owner/six"]
        assert rows[0]["agreement"] == 1.0
        assert all(row["passages_per_s"] > 0 and row["memory_mb"] > 10 for row in rows)
        figures = [figure for row in rows for figure in row.values() if isinstance(figure, float)]
        assert figures == [round(figure, 3) for figure in figures]

    def test_takes_passages_from_the_notes(self, run: Run, paths: Paths, vault: Path) -> None:
        use(run, "three")
        run("index")
        with NoteLibrary.open(vault, home=paths, settings=Settings(model="three")) as library:
            passages = library.vectors.sample(100)
        notes = "\n".join(note.read_text() for note in vault.rglob("*.md"))
        assert passages
        assert [passage for passage in passages if passage not in notes] == []


class TestStats:
    def test_names_the_former_model_while_it_is_still_used(
        self, run: Run, paths: Paths, vault: Path
    ) -> None:
        use(run, "three")
        run("index")
        use(run, "owner/six")
        with NoteLibrary.open(vault, home=paths) as library:
            library.refresh(patience=0)
        line = "\n           three is used until all its vectors are ready\n"
        assert line in run("stats").stdout
        run("index")
        assert line.strip() not in run("stats").stdout

    def test_names_the_engine_before_it_is_loaded(self, run: Run, paths: Paths) -> None:
        engine = "ONNX Runtime on the processor"
        assert json.loads(run("stats", "--json").stdout)["engine"] == "", "the model is missing"
        replace(Settings.load(paths), model=BUILTIN_MODEL).save(paths)
        assert json.loads(run("stats", "--json").stdout)["engine"] == engine
        assert f"{BUILTIN_MODEL} ({engine})" in run("stats").stdout


class TestOfferOfAMultilingualModel:
    """``stats`` offers one if the model in use knows only English, and many notes are in German."""

    OFFER = "knows only English"

    @pytest.fixture
    def german_notes(self, run: Run, paths: Paths, vault: Path) -> None:
        """Twenty notes in German, and the model “three”, whose languages nobody knows."""
        replace(Settings.load(paths), model="three").save(paths)
        text = "# Umzug\n\nDie Kisten sind zu schwer, und der Wagen kommt erst am Montag.\n"
        for number in range(20):
            (vault / f"umzug {number}.md").write_text(text, "utf-8")
        run("index")

    @pytest.fixture
    def builtin(self, german_notes: None, paths: Paths) -> None:
        """The same notes, and the built-in model, which knows only English."""
        replace(Settings.load(paths), model=BUILTIN_MODEL).save(paths)

    @pytest.mark.usefixtures("paths")
    def test_is_not_made_for_english_notes(self, run: Run) -> None:
        assert self.OFFER not in run("stats").stdout

    @pytest.mark.usefixtures("german_notes")
    def test_comes_with_the_languages_of_the_notes(self, run: Run) -> None:
        assert "\nLanguages  de " in run("stats").stdout
        languages = json.loads(run("stats", "--json").stdout)["languages"]
        shares = {language["language"]: language["share"] for language in languages}
        assert shares.keys() == {"de", "en"}
        assert 0.5 < sum(shares.values()) <= 1, "the rest is in no known language"

    @pytest.mark.usefixtures("german_notes")
    def test_is_not_made_if_the_languages_of_the_model_are_unknown(self, run: Run) -> None:
        assert self.OFFER not in run("stats").stdout

    @pytest.mark.usefixtures("builtin")
    def test_says_what_it_costs_and_how_to_accept(self, run: Run) -> None:
        output = run("stats").stdout
        assert self.OFFER in output
        assert "136 MB to download once, about 1 min to read your notes, 1 MB more" in output
        assert f"models download --use {E5}" in output

    @pytest.mark.usefixtures("builtin")
    def test_does_not_speak_of_a_download_once_it_is_installed(
        self, run: Run, paths: Paths
    ) -> None:
        (paths.models / "intfloat--multilingual-e5-small").mkdir()
        assert f"“notesearch models use {E5}” does this." in run("stats").stdout

    @pytest.mark.usefixtures("builtin")
    def test_is_not_made_if_few_of_all_notes_are_in_german(self, run: Run, vault: Path) -> None:
        (vault / "numbers.md").write_text("4711 0815\n" * 5000, "utf-8")
        assert run("index").exit_code == 0
        assert self.OFFER not in run("stats").stdout


class TestAdd:
    def test_installs_a_folder_without_its_programs(
        self, run: Run, paths: Paths, tmp_path: Path
    ) -> None:
        source = tiny_model.write(tmp_path / "brought")
        (source / "run.py").write_text("raise SystemExit")
        assert "models use brought" in run("models", "add", str(source)).stdout
        use(run, "brought")
        assert not (paths.models / "brought" / "run.py").exists()

    def test_installs_an_archive(self, run: Run, paths: Paths, tmp_path: Path) -> None:
        source = tiny_model.write(tmp_path / "on stick" / "brought")
        archive = shutil.make_archive(str(tmp_path / "brought"), "zip", source.parent)
        assert "models use brought" in run("models", "add", archive).stdout
        use(run, "brought")
        assert [name for name in installed(paths) if name.startswith(".")] == []

    @pytest.mark.parametrize(
        ("current", "path"),
        [("model", "."), ("model/1_Pooling", ".."), (".", "model"), (".", "{models}/model")],
    )
    def test_takes_any_path_and_keeps_other_models(
        self,
        run: Run,
        home: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        current: str,
        path: str,
    ) -> None:
        """ "." and ".." once stood for all models or all indexes, and these were deleted."""
        models = home / "data" / "models"
        (models / "other").mkdir(parents=True)
        tiny_model.write(tmp_path / "model")
        if "{models}" in path:
            tiny_model.write(models / "model")
        monkeypatch.chdir(tmp_path / current)
        assert run("models", "add", path.format(models=models)).exit_code == 0
        assert {folder.name for folder in models.iterdir()} == {"other", "model"}
        assert (models / "model" / "model.onnx").is_file()
        assert (models / "model" / "1_Pooling" / "config.json").is_file()

    def test_says_that_a_folder_has_no_model(self, run: Run, vault: Path) -> None:
        answer = run("models", "add", str(vault))
        assert answer.exit_code == 2
        assert f"The folder {vault} contains no embedding model." in answer.stderr

    @pytest.fixture
    def sources(self, tmp_path: Path) -> Path:
        """A folder with archives and folders that cannot be installed."""
        folder = tmp_path / "sources"
        folder.mkdir()
        with zipfile.ZipFile(folder / "odd.zip", "w") as archive:
            archive.writestr("modules.json", "[]")
        odd = (folder / "odd.zip").read_bytes()
        directory = odd.index(b"PK\x01\x02")
        (folder / "broken.zip").write_bytes(b"PK nothing")
        (folder / "flipped.zip").write_bytes(flipped_archive())
        encrypted = with_byte(with_byte(odd, 6, 1), directory + 8, 1)
        (folder / "encrypted.zip").write_bytes(encrypted)
        packed = with_byte(with_byte(odd, 8, 99), directory + 10, 99)
        (folder / "packed in no known way.zip").write_bytes(packed)
        bomb = bytearray(odd)  # says that its file has almost four gigabytes
        bomb[directory + 24 : directory + 28] = b"\xf0" * 4
        (folder / "bomb.zip").write_bytes(bomb)
        os.mkfifo(folder / "pipe.zip")
        os.mkfifo(tiny_model.write(folder / "a pipe inside") / "more.json")
        described = {"architectures": ["BertForSequenceClassification"]}
        tiny_model.put(folder / "an endless reranker", "config.json", described)
        (folder / "an endless reranker" / "model.onnx").symlink_to("/dev/zero")
        return folder

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
    @pytest.mark.parametrize("name", ["broken.zip", "flipped.zip"])
    def test_refuses_a_damaged_archive(
        self, run: Run, paths: Paths, sources: Path, name: str
    ) -> None:
        assert_refused(run, sources / name)
        assert installed(paths) == {"three", "owner--six"}

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
    @pytest.mark.parametrize(
        "name",
        [
            "odd.zip",
            "encrypted.zip",
            "packed in no known way.zip",
            "bomb.zip",
            "pipe.zip",
            "a pipe inside",
            "an endless reranker",
        ],
    )
    def test_refuses_what_it_cannot_install(
        self, run: Run, paths: Paths, sources: Path, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        """The command once waited for a pipe, and ended in a traceback for an encrypted archive."""
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000))
        assert_refused(run, sources / name)
        assert installed(paths) == {"three", "owner--six"}


def assert_refused(run: Run, source: Path) -> None:
    """Try to add ``source``, and check that one line says why this is impossible."""
    answer = run("models", "add", str(source))
    assert answer.exit_code == 2
    assert answer.stderr.count("\n") == 1
    assert ".new" not in answer.stderr, "the folder into which an archive is unpacked"


def with_byte(content: bytes, position: int, value: int) -> bytes:
    changed = bytearray(content)
    changed[position] = value
    return bytes(changed)


def flipped_archive() -> bytes:
    """Return an archive in which the first byte of the packed text is wrong."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modules.json", "[]" * 1000)
    return with_byte(file.getvalue(), 30 + len("modules.json"), 0xFF)
