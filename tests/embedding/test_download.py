"""Downloads from the hub: only needed files, checked, and continued after an interruption."""

import itertools
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from notesearch.embedding import download, torch_engine
from notesearch.embedding.model_loader import load_embedder
from notesearch.errors import ModelError, TaskStoppedError
from tests.embedding import tiny_model
from tests.embedding.hub import REVISION, Hub, serving
from tests.small_disk import small_disk

UNUSED_FILES = {
    "pytorch_model.bin": b"a pickle",
    "model.safetensors": b"weights",
    "evil.py": b"open('ran', 'w')",
    "README.md": b"read me",
    "openvino/openvino_model.bin": b"another format",
    "onnx/model_O3.onnx": b"another graph",
}
NAME = "some/model"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub with one model; this process knows no other hub."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    from huggingface_hub import constants

    hub = Hub.of_folder(tiny_model.write(tmp_path / "published"))
    hub.files |= UNUSED_FILES
    with serving(hub) as address:
        hub.address = address
        for name, value in {"ENDPOINT": address, "HF_HUB_OFFLINE": False}.items():
            monkeypatch.setattr(constants, name, value)
        template = f"{address}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr("huggingface_hub.hf_api.ENDPOINT", address, raising=False)
        monkeypatch.setattr(torch_engine, "is_installed", lambda: False)
        monkeypatch.setattr(torch_engine, "may_have_gpu", lambda: False)
        yield hub


def silent(_arrived: int, _total: int) -> None: ...


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """The folder for downloaded models, which does not exist yet."""
    return tmp_path / "models"


@pytest.mark.fault("E3, E4")
def test_unused_files_are_not_downloaded(hub: Hub, models: Path) -> None:
    folder = download.download(download.look_up(NAME), models, silent)
    assert folder == models / "some--model"
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    assert files == {*hub.files} - {*UNUSED_FILES} | {"notesearch.json"}
    assert load_embedder(NAME, models).dimensions == 3


def test_a_look_up_gets_only_the_description(hub: Hub) -> None:
    download.look_up(NAME)
    assert hub.sent_bytes < 5000


def test_one_revision_is_downloaded_and_recorded(hub: Hub, models: Path) -> None:
    offer = download.look_up(NAME)
    folder = download.download(offer, models, silent)
    assert offer.revision == REVISION
    assert json.loads((folder / "notesearch.json").read_text())["revision"] == REVISION
    files = [request for request in hub.requests if "/resolve/" in request]
    assert files
    assert all(REVISION in request for request in files)


@pytest.mark.usefixtures("hub")
def test_progress_grows_to_the_size_that_was_offered(models: Path) -> None:
    progress: list[tuple[int, int]] = []
    offer = download.look_up(NAME)
    download.download(offer, models, lambda *bytes_: progress.append(bytes_))
    assert progress == sorted(progress)
    assert progress[-1] == (offer.size, offer.size)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_nobody_else_can_open_what_was_downloaded(hub: Hub, models: Path) -> None:
    before = os.umask(0)
    try:
        download.download(download.look_up(NAME), models, silent)
    finally:
        os.umask(before)
    paths = [models, *models.rglob("*")]
    assert [path for path in paths if path.stat().st_mode & 0o077] == []


def test_with_the_extra_weights_are_downloaded_too(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch_engine, "is_installed", lambda: True)
    names = {file.name for file in download.look_up(NAME).files}
    assert {"model.safetensors", "model.onnx"} <= names
    assert not names & {"pytorch_model.bin", "evil.py"}


def test_without_a_graph_the_extra_is_needed(hub: Hub) -> None:
    for name in ("model.onnx", "onnx/model_O3.onnx"):
        del hub.files[name]
    with pytest.raises(ModelError, match="Install the extra"):
        download.look_up(NAME)


def test_with_the_extra_no_graph_is_needed(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_engine, "is_installed", lambda: True)
    for name in ("model.onnx", "onnx/model_O3.onnx"):
        del hub.files[name]
    assert "model.safetensors" in {file.name for file in download.look_up(NAME).files}


def test_a_file_that_points_out_of_the_folder(hub: Hub) -> None:
    hub.files["../evil.json"] = b"{}"
    with pytest.raises(ModelError, match="refers to a place outside its folder"):
        download.look_up(NAME)


@pytest.mark.parametrize("name", ["./folder", "a b/c", "--x"])
def test_what_cannot_be_a_name_is_no_trouble_with_the_connection(hub: Hub, name: str) -> None:
    with pytest.raises(ModelError, match=r"is not the name of a model\. Give it as OWNER/NAME"):
        download.look_up(name)


@pytest.mark.fault("E2")
def test_corrupted_downloads_are_deleted(hub: Hub, models: Path) -> None:
    hub.damaged_file = "tokenizer.json"
    with pytest.raises(ModelError, match="differs from the published file"):
        download.download(download.look_up(NAME), models, silent)
    assert not (models / "some--model").exists()
    hub.damaged_file = ""
    assert download.download(download.look_up(NAME), models, silent).is_dir()


def test_an_interrupted_download_continues(
    hub: Hub, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A download that was cancelled inside a large file continues there."""
    hub.files["model.safetensors"] = os.urandom(40_000_000)
    monkeypatch.setattr(torch_engine, "is_installed", lambda: True)
    offer = download.look_up(NAME)

    def cancelled(arrived: int, _total: int) -> None:
        if arrived > 15_000_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download.download(offer, models, cancelled)
    assert not (models / "some--model").exists()
    hub.requests.clear()
    seen: list[int] = []
    download.download(offer, models, lambda arrived, _total: seen.append(arrived))
    assert not any("1_Pooling" in request for request in hub.requests), "it was complete"
    (start,) = hub.starts
    assert start > 10_000_000, "the rest was asked for, not the whole"
    late = [arrived for arrived in seen if arrived > start]
    steps = [after - before for before, after in itertools.pairwise(late)]
    assert max(steps) <= 2_000_000, "so long a person who cancels waits"


@pytest.fixture
def resize(models: Path) -> Iterator[Callable[[int], None]]:
    """Put the folder of models on a small disk; return a function that sets its megabytes."""
    models.mkdir(mode=0o700)
    with small_disk(models, 1) as resize:
        yield resize


@pytest.mark.fault("E2")
def test_a_full_disk_is_named_and_the_download_continues_when_there_is_room(
    hub: Hub, models: Path, resize: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.files["model.safetensors"] = os.urandom(40_000_000)
    monkeypatch.setattr(torch_engine, "is_installed", lambda: True)
    offer = download.look_up(NAME)
    with pytest.raises(ModelError, match=r"needs [0-9,]+ more bytes, but only") as full:
        download.download(offer, models, silent)
    assert full.value.fields["size"] == offer.size, "refused before anything was downloaded"

    def shrink(arrived: int, _total: int) -> None:
        if 15_000_000 < arrived < 16_000_000:
            resize(20)

    resize(60)
    with pytest.raises(ModelError, match=r"needs [0-9,]+ more bytes, but only") as full:
        download.download(offer, models, shrink)
    missing = full.value.fields["size"]
    assert isinstance(missing, int)
    assert missing < offer.size - 15_000_000, "what is there counts"
    hub.starts.clear()
    resize(45)  # room for the rest, but not for all of it once more
    assert download.download(offer, models, silent).is_dir()
    (start,) = hub.starts
    assert start > 15_000_000


def test_a_folder_that_cannot_be_written_is_no_trouble_with_the_connection(
    hub: Hub, models: Path
) -> None:
    models.write_text("not a folder")
    with pytest.raises(ModelError, match=r"cannot be written to .*models: .*exists"):
        download.download(download.look_up(NAME), models, silent)


def test_a_download_waits_until_another_of_the_same_model_has_ended(hub: Hub, models: Path) -> None:
    """“Cancel”, then “Use it”: the two once wrote into the same file."""
    offer = download.look_up(NAME)
    is_writing, may_end = threading.Event(), threading.Event()

    def cancelled(arrived: int, _total: int) -> None:
        if arrived:
            is_writing.set()
            may_end.wait(20)
            raise TaskStoppedError("task_stopped")

    seen: list[int] = []

    def waiting(arrived: int, _total: int) -> None:
        seen.append(arrived)
        may_end.set()

    with ThreadPoolExecutor() as threads:
        first = threads.submit(download.download, offer, models, cancelled)
        assert is_writing.wait(20)
        second = threads.submit(download.download, offer, models, waiting)
        assert second.result(20) == models / "some--model"
        assert isinstance(first.exception(), TaskStoppedError)
    assert seen[0] == 0, "nothing arrived while the first one wrote"
    assert [file.name for file in models.iterdir()] == ["some--model"]


def test_a_download_that_waits_for_another_can_be_cancelled(hub: Hub, models: Path) -> None:
    offer = download.look_up(NAME)
    second: list[BaseException | None] = []

    def cancelled(_arrived: int, _total: int) -> None:
        raise TaskStoppedError("task_stopped")

    def start_second(_arrived: int, _total: int) -> None:
        if not second:
            with ThreadPoolExecutor() as threads:
                asked = threads.submit(download.download, offer, models, cancelled)
                second.append(asked.exception(20))

    assert download.download(offer, models, start_second).is_dir()
    assert isinstance(second[0], TaskStoppedError)


def test_a_downloaded_model_needs_no_hub(hub: Hub, models: Path) -> None:
    offer = download.look_up(NAME)
    hub.requests.clear()
    download.download(offer, models, silent)
    assert [request for request in hub.requests if f"/resolve/{REVISION}/" not in request] == []
    hub.requests.clear()
    model = load_embedder(NAME, models)
    assert model.embed_query("red").shape == (3,)
    assert hub.requests == []


def test_an_unknown_name(hub: Hub) -> None:
    with pytest.raises(ModelError, match="no model “some/other” on Hugging Face"):
        download.look_up("some/other")


def test_an_unreachable_hub(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match=r"Downloads are off|cannot be reached"):
        download.look_up(NAME)


def test_the_hub_learns_nothing_of_the_program(hub: Hub) -> None:
    download.look_up(NAME)
    assert not any("notesearch" in agent for agent in hub.agents)
    posts = [request for request in hub.requests if not request.startswith(("GET", "HEAD"))]
    assert posts == []


@pytest.mark.fault("E5")
def test_a_new_process_contacts_only_the_endpoint(hub: Hub, models: Path) -> None:
    code = f"""
import sys
def watch(event, arguments):
    if event == "socket.connect" and arguments[1][0] != "127.0.0.1":
        print(event, arguments)
sys.addaudithook(watch)
from pathlib import Path
from notesearch.embedding import download
download.download(download.look_up({NAME!r}), Path({str(models)!r}), lambda *_: None)
"""
    environment = {**os.environ, "HF_ENDPOINT": hub.address, "HF_HUB_OFFLINE": "0"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True,
        env=environment, timeout=60,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("", "")
    assert (models / "some--model").is_dir()
