"""The command ``models``, with the built-in model and small generated ones."""

import json
import os
import shutil
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from notesearch.config import BUILTIN_MODEL, Paths, Settings
from notesearch.embedding.model_folder import take_place
from notesearch.errors import ModelError
from notesearch.library import NoteLibrary
from notesearch.models import add
from notesearch.models import listed as listed_models
from tests.command_line import Run
from tests.embedding import tiny_model


@pytest.fixture
def paths(home: Path, run: Run) -> Paths:
    """The program's folders, with two small installed models."""
    made = Paths.choose(home)
    made.models.mkdir(parents=True)
    tiny_model.write(made.models / "three")
    tiny_model.write(made.models / "owner--six", pooling=["mean", "max"])
    record = {"name": "owner/six", "revision": "0123"}
    (made.models / "owner--six" / "notesearch.json").write_text(json.dumps(record))
    Settings.load(made)
    return made


def listed(run: Run) -> dict[str, dict[str, object]]:
    found = json.loads(run("models", "list", "--json").stdout)
    return {model["name"]: model for model in found["models"]}


def test_the_list(run: Run, paths: Paths) -> None:
    found = listed(run)
    assert found[BUILTIN_MODEL]["kind"] == "built-in"
    assert (found["three"]["kind"], found["three"]["chosen"]) == ("installed", False)
    assert found["owner/six"]["revision"] == "0123"
    suggested = [model for model in found.values() if model["kind"] == "suggested"]
    assert len(suggested) == 10
    assert all(model["licence"] and model["size"] for model in suggested)
    assert found["intfloat/multilingual-e5-small"]["licence"] == "MIT"
    assert "passages/s" in str(found["intfloat/multilingual-e5-small"]["measured"])
    told = run("models").stdout
    assert "three" in told
    assert "ONNX" in told


def test_a_suggested_model_that_was_added_is_listed_once(run: Run, paths: Paths) -> None:
    (paths.models / "three").rename(paths.models / "multilingual-e5-small")  # without its owner
    names = [name for name in listed(run) if "multilingual-e5-small" in name]
    assert names == ["multilingual-e5-small"]


def test_a_missing_extra_is_mentioned(
    run: Run, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notesearch.models.extra_is_installed", lambda: False)
    assert "1.2 GB" in run("models").stderr


def test_vectors_of_another_model_are_kept_and_removed(run: Run, paths: Paths) -> None:
    assert run("models", "use", "three").exit_code == 0
    assert Settings.load(paths).model == "three"
    run("index")
    run("models", "use", "owner/six")
    run("index")
    vectors = json.loads(run("models", "list", "--json").stdout)["vectors"]
    assert [(one["name"], one["searched"]) for one in vectors] == [
        ("owner/six", True), ("three", False),
    ]  # fmt: skip
    assert "kept for later use" in run("models").stdout
    assert " vectors were deleted" in run("models", "remove", "--vectors", "three").stdout
    done = run("models", "remove", "--vectors", "owner/six")
    assert (done.exit_code, "owner/six is in use" in done.stderr) == (2, True)
    assert len(json.loads(run("models", "list", "--json").stdout)["vectors"]) == 1


def test_stats_show_the_model_in_use_meanwhile(run: Run, paths: Paths, vault: Path) -> None:
    run("models", "use", "three")
    run("index")
    run("models", "use", "owner/six")
    with NoteLibrary.open(vault, home=paths) as library:
        library.refresh(patience=0)
    assert "\n           three is used until all its vectors are ready\n" in run("stats").stdout
    run("index")
    assert "answers" not in run("stats").stdout


def test_stats_show_the_engine_before_it_is_loaded(run: Run, paths: Paths) -> None:
    assert json.loads(run("stats", "--json").stdout)["engine"] == "", "the model is not there"
    replace(Settings.load(paths), model=BUILTIN_MODEL).save(paths)
    assert json.loads(run("stats", "--json").stdout)["engine"] == "ONNX Runtime on the processor"
    assert f"{BUILTIN_MODEL} (ONNX Runtime on the processor)" in run("stats").stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("use", "nowhere"), "There is no model “nowhere” here"),
        (("remove", "nowhere"), "no installed model"),
        (("remove", BUILTIN_MODEL), "no installed model"),
        (("remove", ".."), "no installed model"),
        (("remove", ""), "no installed model"),
        (("remove", "."), "no installed model"),
        (("remove", "three/../three"), "no installed model"),
        (("compare", "nowhere"), "Nothing to compare with yet"),
    ],
)
def test_what_is_not_there(run: Run, paths: Paths, words: tuple[str, ...], told: str) -> None:
    run("index")
    done = run("models", *words)
    assert done.exit_code == 2
    assert told in done.stderr


def test_indexing_reports_a_damaged_model(run: Run, paths: Paths) -> None:
    run("models", "use", "three")
    (paths.models / "three" / "model.onnx").write_bytes(b"cut short")
    done = run("index")
    assert "0 passages embedded" in done.stdout
    assert "Install it again" in done.stderr


def test_a_model_in_use_is_not_removed(run: Run, paths: Paths) -> None:
    run("models", "use", "owner/six")
    for name in ("owner/six", "owner--six"):
        assert "Choose another one first" in run("models", "remove", name).stderr
    run("models", "use", "three")
    assert "Choose another one first" in run("models", "remove", "three").stderr
    assert "Freed" in run("models", "remove", "owner/six").stdout
    assert not (paths.models / "owner--six").exists()


def test_models_are_compared_on_the_users_passages(run: Run, paths: Paths) -> None:
    run("models", "use", "three")
    run("index")
    rows = json.loads(run("models", "compare", "three", "owner/six", "--json").stdout)
    assert [row["name"] for row in rows] == ["three", "owner/six"]
    assert rows[0]["agreement"] == 1.0
    assert all(row["passages_per_s"] > 0 and row["memory_mb"] > 10 for row in rows)
    figures = [figure for row in rows for figure in row.values() if isinstance(figure, float)]
    assert figures == [round(figure, 3) for figure in figures]


def test_the_compared_passages_are_in_the_notes(run: Run, paths: Paths, vault: Path) -> None:
    run("models", "use", "three")
    run("index")
    with NoteLibrary.open(vault, home=paths, settings=Settings(model="three")) as library:
        texts = library.vectors.sample(100)
    notes = "\n".join(note.read_text() for note in vault.rglob("*.md"))
    assert texts
    assert [text for text in texts if text not in notes] == []


def test_reranking_needs_a_chosen_reranker(run: Run, paths: Paths) -> None:
    done = run("search", "--rerank", "a")
    assert done.exit_code == 2
    assert "No reranker is chosen" in done.stderr


GERMAN = "# Umzug\n\nDie Kisten sind zu schwer, und der Wagen kommt erst am Montag.\n"


def test_a_multilingual_model_is_offered_where_notes_are_not_english(
    run: Run, paths: Paths, vault: Path
) -> None:
    assert "knows only English" not in run("stats").stdout
    replace(Settings.load(paths), model="three").save(paths)
    for number in range(20):
        (vault / f"umzug {number}.md").write_text(GERMAN, "utf-8")
    run("index")
    shares = json.loads(run("stats", "--json").stdout)["languages"]
    assert {"de", "en"} == {one["language"] for one in shares}
    assert 0.5 < sum(one["share"] for one in shares) <= 1, "the rest is in no known language"
    told = run("stats").stdout
    assert "\nLanguages  de " in told
    assert "knows only English" not in told, "nobody knows what the model in use can do"
    replace(Settings.load(paths), model=BUILTIN_MODEL).save(paths)
    told = run("stats").stdout
    assert "knows only English" in told
    assert "136 MB to download once, about 1 min to read your notes, 1 MB more" in told
    assert "models download --use intfloat/multilingual-e5-small" in told
    (paths.models / "intfloat--multilingual-e5-small").mkdir()
    assert (
        "“notesearch models use intfloat/multilingual-e5-small” does this." in run("stats").stdout
    )
    (vault / "numbers.md").write_text("4711 0815\n" * 5000, "utf-8")
    assert run("index").exit_code == 0
    assert "knows only English" not in run("stats").stdout, "few of all notes are in German"


def test_a_model_is_installed_from_a_folder(run: Run, paths: Paths, tmp_path: Path) -> None:
    source = tiny_model.write(tmp_path / "brought")
    (source / "run.py").write_text("raise SystemExit")
    told = run("models", "add", str(source)).stdout
    assert "models use brought" in told
    assert run("models", "use", "brought").exit_code == 0
    assert not (paths.models / "brought" / "run.py").exists()


def test_a_model_is_installed_from_a_file(run: Run, paths: Paths, tmp_path: Path) -> None:
    source = tiny_model.write(tmp_path / "on stick" / "brought")
    archive = shutil.make_archive(str(tmp_path / "brought"), "zip", source.parent)
    assert "models use brought" in run("models", "add", archive).stdout
    assert run("models", "use", "brought").exit_code == 0
    assert [one.name for one in paths.models.iterdir() if one.name.startswith(".")] == []


def test_what_is_no_model_is_not_installed(run: Run, paths: Paths, tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK nothing")
    flipped = tmp_path / "flipped.zip"
    with zipfile.ZipFile(flipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modules.json", "[]" * 1000)
    content = bytearray(flipped.read_bytes())
    content[30 + len("modules.json")] = 0xFF  # the first byte of the packed text
    flipped.write_bytes(content)
    for source in (broken, flipped, tmp_path):
        done = run("models", "add", str(source))
        assert done.exit_code == 2
        assert "Traceback" not in done.stderr
    assert {one.name for one in paths.models.iterdir()} == {"three", "owner--six"}


@pytest.mark.parametrize("named", [".", "..", "model", "installed"])
def test_a_model_can_be_added_by_any_path(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    """ "." and ".." once stood for all models or all indexes, and these were deleted."""
    models = home / "data" / "models"
    (models / "other").mkdir(parents=True)
    source = tiny_model.write(tmp_path / "model")
    monkeypatch.chdir({".": source, "..": source / "1_Pooling"}.get(named, tmp_path))
    if named == "installed":
        named = str(models / "model")
        tiny_model.write(models / "model")
    assert run("models", "add", named).exit_code == 0
    assert {path.name for path in models.iterdir()} == {"other", "model"}
    assert (models / "model" / "model.onnx").is_file()
    assert (models / "model" / "1_Pooling" / "config.json").is_file()


def test_a_list_deletes_what_killed_processes_left(
    paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that ended while it added a model left a copy of it in a hidden folder."""
    for killed in (".copied.new", ".unpacked.zip.new"):
        tiny_model.write(paths.models / killed)
        os.utime(paths.models / killed, (0, 0))
    seen = list[set[str]]()

    def full(_draft: Path, _target: Path) -> None:
        with ThreadPoolExecutor() as other:
            other.submit(listed_models, paths, Settings()).result()
        seen.append({path.name for path in paths.models.iterdir() if path.is_dir()})
        raise OSError(28, "disk full")

    monkeypatch.setattr("notesearch.models.take_place", full)
    with pytest.raises(ModelError, match="disk full"):
        add(paths, tiny_model.write(tmp_path / "new"))
    ((kept_draft,),) = [names - {"three", "owner--six"} for names in seen]
    assert kept_draft.endswith(".new")
    assert {path.name for path in paths.models.iterdir()} == {"three", "owner--six"}


def test_a_model_takes_the_place_of_a_link_or_another_folder(tmp_path: Path) -> None:
    """Until the new one is in its place, the former one is kept."""
    for name in ("folder", "link", "nothing"):
        target, draft = tmp_path / name, tmp_path / f".{name}.new"
        if name == "folder":
            tiny_model.write(target)
        elif name == "link":
            target.symlink_to(tiny_model.write(tmp_path / "elsewhere"))
        tiny_model.write(draft)
        (draft / "new.txt").write_text("new")
        take_place(draft, target)
        assert (target / "new.txt").read_text() == "new"
        with pytest.raises(FileNotFoundError):
            take_place(draft, target)
        assert (target / "new.txt").read_text() == "new"
    assert (tmp_path / "elsewhere" / "model.onnx").is_file()
    assert {path.name for path in tmp_path.iterdir()} == {"folder", "link", "nothing", "elsewhere"}


def test_a_folder_without_a_model_lacks_a_file(run: Run, vault: Path) -> None:
    told = run("models", "add", str(vault))
    assert told.exit_code == 2
    assert f"The folder {vault} contains no embedding model." in told.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
def test_a_model_that_cannot_be_added_is_named(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command once waited for a pipe, and ended in a traceback for an encrypted archive."""
    os.mkfifo(tmp_path / "pipe.zip")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000))
    with zipfile.ZipFile(tmp_path / "odd.zip", "w") as archive:
        archive.writestr("modules.json", "[]")
    content = (tmp_path / "odd.zip").read_bytes()
    for name, at, value in (("encrypted.zip", 8, 1), ("packed.zip", 10, 99)):
        changed = bytearray(content)
        changed[content.index(b"PK\x01\x02") + at] = value
        changed[at - 2] = value
        (tmp_path / name).write_bytes(changed)
    os.mkfifo(tiny_model.write(tmp_path / "tiny") / "more.json")
    described = {"architectures": ["BertForSequenceClassification"]}
    tiny_model.put(tmp_path / "reranker", "config.json", described)
    (tmp_path / "reranker" / "model.onnx").symlink_to("/dev/zero")
    bomb = bytearray(content)  # says that its file has almost four gigabytes
    bomb[content.index(b"PK\x01\x02") + 24 : content.index(b"PK\x01\x02") + 28] = b"\xf0" * 4
    (tmp_path / "bomb.zip").write_bytes(bomb)
    archives = ("odd.zip", "pipe.zip", "encrypted.zip", "packed.zip", "bomb.zip")
    for name in (*archives, "tiny", "reranker"):
        told = run("models", "add", str(tmp_path / name))
        assert told.exit_code == 2, name
        assert told.stderr.count("\n") == 1
        assert ".new" not in told.stderr  # the folder into which an archive is unpacked
    models = home / "data" / "models"
    assert not models.exists() or {one.name for one in models.iterdir()} <= {"three", "owner--six"}
