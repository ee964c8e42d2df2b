"""The rules of the layout: who may import whom, one door per library, and late imports."""

import ast
import re
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "notesearch"
FILES = sorted(PACKAGE.rglob("*.py"))

LEAVES = {
    "notes", "note_addresses", "results", "status", "messages", "errors", "files",
    "private_files", "processes", "config", "function_words",
}  # fmt: skip
MAY_IMPORT = {
    "notes": {"messages"},
    "note_addresses": {"errors", "notes"},
    "messages": set[str](),
    "function_words": set[str](),
    "files": set[str](),
    "results": {"notes", "messages"},
    "status": {"messages"},
    "errors": {"messages"},
    "private_files": {"files"},
    "config": {"errors", "files", "notes", "messages", "private_files"},
    "opened_sections": {"errors", "notes", "private_files"},
    "processes": set[str](),
    "markdown": LEAVES,
    "embedding": LEAVES,
    "store": LEAVES,
    "formats": LEAVES,
    "index": LEAVES | {"formats", "markdown", "embedding", "store"},
    "search": LEAVES | {"markdown", "embedding", "store"},
    "library": LEAVES
    | {"markdown", "embedding", "store", "index", "search"}
    | {"note_links", "note_lookup", "opened_sections"},
    "libraries": LEAVES | {"library", "embedding", "index", "search"},
    "note_links": LEAVES | {"markdown", "index"},
    "note_lookup": LEAVES | {"markdown", "index", "search"},
    "wire": {"notes", "results", "messages", "status"},
    "serving": LEAVES | {"library", "libraries", "wire"},
    "cli": LEAVES
    | {
        "library",
        "libraries",
        "wire",
        "gui",
        "serving",
        "licences",
        "models",
        "opened_sections",
    }
    | {"embedding.model_loader"},  # a search loads the model while it imports the library
    "models": LEAVES | {"embedding"},
    "gui": LEAVES
    | {
        "library",
        "libraries",
        "opened_sections",
        "licences",
        "markdown.render",
        "models",
    },
    "licences": {"config"},
    "__main__": {"cli", "errors", "gui.system"},
    "__init__": {"libraries", "library"},
}
"""The parts that each part may import. Only ``cli`` may import other front ends."""

DOORS = {
    "PySide6": ["gui/"],
    "shiboken6": ["gui/"],
    "jeepney": ["gui/system/"],
    "apsw": ["store/"],
    "sqlite_vec": ["store/db.py"],
    "sqlite3": [],
    "watchdog": ["index/watcher.py"],
    "pathspec": ["index/ignore_rules.py"],
    "pypdfium2": ["formats/pdf.py"],
    "orgparse": ["formats/org.py"],
    "onnxruntime": ["embedding/"],
    "tokenizers": ["embedding/"],
    "torch": ["embedding/"],
    "sentence_transformers": ["embedding/"],
    "transformers": ["embedding/"],
    "onnx": ["embedding/"],
    "huggingface_hub": ["embedding/"],
    "markdown_it": ["markdown/"],
    "mdit_py_plugins": ["markdown/"],
    "markdown": ["markdown/render/mkdocs_process.py"],
    "pymdownx": [],
    "nh3": ["markdown/render/sanitizer.py"],
    "pygments": ["markdown/render/"],
    "ziamath": ["markdown/render/formula_drawing.py"],
    "yaml": ["markdown/sections/yaml_mapping.py"],
    "Stemmer": ["store/stemming.py"],
    "mcp": ["serving/mcp_server.py"],
    "mcp_types": ["serving/mcp_server.py", "serving/mcp_tools.py"],
    "pydantic": ["serving/"],
    "starlette": ["serving/http_api.py", "serving/http_server.py"],
    "uvicorn": ["serving/http_server.py"],
    "click": ["cli/"],
    "rich": ["cli/"],
}

HEAVY = ("PySide6", "numpy", "onnxruntime", "tokenizers", "torch", "sentence_transformers",
         "markdown_it", "pygments", "apsw", "watchdog", "rich", "yaml", "mcp", "pydantic",
         "starlette", "uvicorn")  # fmt: skip
ABSTRACT = "NotImplementedError"
BEFORE_PAINT = ("jeepney", "numpy", "onnxruntime", "tokenizers", "torch", "sentence_transformers",
                "markdown_it", "pygments", "apsw", "watchdog", "rich", "yaml", "mcp", "pydantic",
                "starlette", "uvicorn")  # fmt: skip


def place(file: Path) -> str:
    """Return the file's path inside the package."""
    return file.relative_to(PACKAGE).as_posix()


@cache
def imports(file: Path) -> Sequence[str]:
    """Return the full names of all modules that ``file`` imports, wherever it does."""
    names = list[str]()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{name.name}" for name in node.names]
    return names


def part(name: str) -> str:
    """Return the part of the program that a module name belongs to: its first word."""
    return name.removeprefix("notesearch.").split(".")[0]


def imported(files: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield the place of each file with each name that it imports."""
    return ((place(file), name) for file in files for name in imports(file))


def points_down(file: str, name: str) -> bool:
    """Return whether a file may import ``name``."""
    own, inner = part(file.removesuffix(".py").replace("/", ".")), name.removeprefix("notesearch.")
    allowed = MAY_IMPORT[own]
    if not name.startswith("notesearch.") or part(name) == own or inner == "__version__":
        return True
    return part(name) in allowed or ".".join(inner.split(".")[:2]) in allowed


def test_imports_point_down() -> None:
    assert [pair for pair in imported(FILES) if not points_down(*pair)] == []


ROOMS = ("system", "widgets", "preview", "results", "session", "window", "quick", "settings")
"""The rooms of ``gui/``, from the lowest: each may import only itself and those before it."""


def room(name: str) -> str:
    """Return the room of ``gui/`` in which a module is, or that of the files at its top."""
    inner = name.removeprefix("notesearch.gui.").split(".")[0]
    return inner if inner in ROOMS else "top"


def test_rooms_of_the_windows_import_one_way() -> None:
    wrong = []
    for file, name in imported((PACKAGE / "gui").rglob("*.py")):
        own = file.split("/")[1]
        if own in ROOMS and name.startswith("notesearch.gui.") and room(name) in ROOMS:
            wrong += [(file, name)] * (ROOMS.index(room(name)) > ROOMS.index(own))
    assert wrong == []


def test_the_top_of_the_windows_is_short() -> None:
    assert len(list((PACKAGE / "gui").glob("*.py"))) <= 8 + 1  # and __init__.py


def test_what_is_painted_with_ends_with_the_painting() -> None:
    """If an error leaves a painter behind, the next painter ends the process."""
    texts = [file.read_text("utf-8") for file in FILES]
    painters = sum(text.count("QPainter(") for text in texts)
    assert painters == sum(text.count("    with QPainter(") for text in texts) > 10


def test_the_servers_for_agents_and_for_http_do_not_know_each_other() -> None:
    for ours, other in (("mcp", "http"), ("http", "mcp")):
        for file in (PACKAGE / "serving").glob(f"{ours}_*.py"):
            assert not [n for n in imports(file) if n.startswith(f"notesearch.serving.{other}_")]


def test_each_library_has_one_door() -> None:
    wrong = []
    for file, name in imported(FILES):
        doors = DOORS.get(name.split(".")[0])
        if doors is not None and not file.startswith(tuple(doors)):
            wrong.append((file, name))
    assert wrong == []


def test_half_of_all_functions_are_short() -> None:
    functions = [
        (node.end_lineno or 0) - node.lineno + 1
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    assert statistics.median(functions) <= 10


def raised_by(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the names of the errors that a function raises itself, not by a function inside it."""
    open_nodes: list[ast.AST] = list(function.body)
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, ast.Raise) and node.exc:
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            yield ast.unparse(raised).rpartition(".")[2]
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            open_nodes += ast.iter_child_nodes(node)


def called_by_others(file: Path) -> Iterator[ast.FunctionDef]:
    """Yield the public functions of a module and the public methods of its classes."""
    module = ast.parse(file.read_text("utf-8"))
    methods = [node.body for node in module.body if isinstance(node, ast.ClassDef)]
    for node in chain(module.body, *methods):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


def test_who_calls_is_told_which_errors_come() -> None:
    """The docstring of each public function names them, or refers to another function."""
    untold = []
    for file in FILES:
        for function in called_by_others(file):
            told = ast.get_docstring(function) or ""
            errors = {name for name in raised_by(function) if name.endswith("Error")}
            if "raises" not in told and not all(map(told.__contains__, errors - {ABSTRACT})):
                untold.append(f"{place(file)}: {function.name} raises {errors}")
    assert untold == []


def loaded_by(code: str) -> set[str]:
    """Run ``code`` in a fresh interpreter and return the first words of all loaded modules."""
    shown = "\nimport sys; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code + shown], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_the_command_line_starts_without_anything_heavy() -> None:
    # “email” comes with the lists of installed packages, which only models are looked for in.
    assert not loaded_by("import notesearch.cli.main").intersection({*HEAVY, "email"})


def test_the_package_loads_the_library_at_its_first_use() -> None:
    assert "notesearch.library" not in loaded_by("import notesearch")
    loaded = loaded_by("from notesearch import NoteLibrary, NoteLibraries")
    assert not loaded.intersection(HEAVY) - {"apsw"}


def test_asking_the_program_that_runs_loads_next_to_nothing() -> None:
    loaded = loaded_by("import notesearch.__main__, notesearch.gui.system.single_instance")
    more = loaded - loaded_by("pass")
    slow = ("socket", "selectors", "enum", "contextlib", "collections", "functools", "typing", "re")
    assert not more.intersection(slow)


def test_nothing_heavy_is_loaded_before_the_first_paint() -> None:
    loaded = loaded_by("import notesearch.gui.app, notesearch.gui.window.main_window")
    assert not loaded.intersection(BEFORE_PAINT)


def test_no_module_name_hides_what_it_does() -> None:
    vague = ("manager", "service", "helper", "utils", "handler")
    assert [place(file) for file in FILES if any(word in file.stem for word in vague)] == []


def test_no_group_of_a_pattern_is_possessive() -> None:
    """Python before 3.11.5 matches too much with them (python/cpython#106052)."""
    possessive = re.compile(r"\)(?:[*+?]|\{[\d,]+\})\+")
    assert [file for file in FILES if possessive.search(file.read_text("utf-8"))] == []


def test_the_launchers_share_one_client() -> None:
    tracked = ["git", "ls-files", "-s", "integrations"]
    listed = subprocess.run(
        tracked, cwd=PACKAGE.parent, capture_output=True, text=True, check=False
    ).stdout
    clients = [line.split()[0] for line in listed.splitlines() if "notesearch_client" in line]
    assert sorted(clients) in ([], ["100644", *["120000"] * 3])  # [] without git
