"""Albert and Ulauncher: their programming interfaces are faked, the search is the real one."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.integrations.conftest import INTEGRATIONS, opened


def _module(name: str, **content: object) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(content)
    return module


def _loaded(name: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Import a file as its launcher does."""
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


class TestAlbert:
    @pytest.fixture
    def plugin(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
        record = SimpleNamespace
        albert = _module(
            "albert",
            PluginInstance=type("PluginInstance", (), {}),
            GeneratorQueryHandler=type("GeneratorQueryHandler", (), {}),
            **dict.fromkeys(("Icon", "Item", "QueryContext"), object),
            Action=lambda name, text, do: record(name=name, text=text, do=do),
            StandardItem=lambda name, text, subtext, icon, actions: record(
                id=name, text=text, subtext=subtext, icon=icon, actions=actions
            ),
            makeThemeIcon=str,
            runDetachedProcess=lambda words: subprocess.run(words, check=True),
        )
        monkeypatch.setitem(sys.modules, "albert", albert)
        file = INTEGRATIONS / "albert" / "notesearch" / "__init__.py"
        plugin = _loaded("albert_notesearch", file, monkeypatch).Plugin()
        yield plugin
        plugin._search.close()

    def test_lists_sections_and_opens_one_at_its_line(
        self, plugin: Any, vault: Path, editor_log: Path
    ) -> None:
        ((ramen,),) = plugin.items(SimpleNamespace(query="ramen bowl", isValid=True))
        assert ramen.text == "Japan › Food › Ramen"
        assert ramen.subtext == "A bowl of ramen costs 900 yen & more."
        ramen.actions[0].do()
        assert editor_log.read_text() == f"{vault}/travel/japan.md\n9"

    def test_answers_no_query_that_was_replaced(self, plugin: Any) -> None:
        assert list(plugin.items(SimpleNamespace(query="ramen", isValid=False))) == []

    def test_says_what_is_wrong(self, plugin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "/nowhere")
        ((row,),) = plugin.items(SimpleNamespace(query="ramen", isValid=True))
        assert "install it" in row.subtext


class TestUlauncher:
    @pytest.fixture
    def extension(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
        class Extension:
            def __init__(self) -> None:
                self.listeners: dict[type, Any] = {}

            def subscribe(self, kind: type, listener: object) -> None:
                self.listeners[kind] = listener

        names: dict[str, dict[str, object]] = {
            "client.EventListener": {"EventListener": type("EventListener", (), {})},
            "client.Extension": {"Extension": Extension},
            "shared.action.ExtensionCustomAction": {"ExtensionCustomAction": list},
            "shared.action.HideWindowAction": {"HideWindowAction": list},
            "shared.action.RenderResultListAction": {"RenderResultListAction": list},
            "shared.event": {"ItemEnterEvent": list, "KeywordQueryEvent": str},
            "shared.item.ExtensionResultItem": {"ExtensionResultItem": SimpleNamespace},
        }
        for name, content in names.items():
            module = _module(f"ulauncher.api.{name}", **content)
            monkeypatch.setitem(sys.modules, module.__name__, module)
        main = _loaded("ulauncher_main", INTEGRATIONS / "ulauncher" / "main.py", monkeypatch)
        extension = main.NoteSearchExtension()
        yield extension
        extension.search.close()

    def test_lists_sections_and_opens_one_at_its_line(
        self, extension: Any, vault: Path, editor_log: Path
    ) -> None:
        query = SimpleNamespace(get_argument=lambda: "ramen bowl")
        (ramen,) = extension.listeners[str].on_event(query, extension)
        assert ramen.name == "Japan › Food › Ramen"
        assert ramen.description == "A bowl of ramen costs 900 yen & more."
        chosen = SimpleNamespace(get_data=lambda: ramen.on_enter)
        extension.listeners[list].on_event(chosen, extension)
        assert opened(editor_log) == f"{vault}/travel/japan.md\n9"

    def test_lists_nothing_before_a_word(self, extension: Any) -> None:
        query = SimpleNamespace(get_argument=lambda: None)
        assert extension.listeners[str].on_event(query, extension) == []

    def test_says_what_is_wrong(self, extension: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "/nowhere")
        query = SimpleNamespace(get_argument=lambda: "ramen")
        (row,) = extension.listeners[str].on_event(query, extension)
        assert "install it" in row.description

    def test_its_manifest_names_files_that_are_there(self) -> None:
        import json

        folder = INTEGRATIONS / "ulauncher"
        manifest = json.loads((folder / "manifest.json").read_text())
        assert (folder / manifest["icon"]).is_file()
