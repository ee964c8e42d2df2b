"""The command ``models``: lists, chooses, downloads, removes and compares models."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from notesearch.cli.options import CommandGroup, complete_model, json_option, vault_option
from notesearch.cli.output import print_json
from notesearch.cli.terminal import is_terminal, load_settings, visible
from notesearch.cli.vaults import open_library
from notesearch.config import Paths
from notesearch.errors import IndexFileError, ModelError
from notesearch.messages import counted

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary

_SAMPLE = 200
_MB = 1_000_000


@click.group(cls=CommandGroup, invoke_without_command=True)
@click.pass_context
def models(ctx: click.Context) -> None:
    """Choose, download, remove and compare models.

    These are embedding models, for search by meaning, and rerankers.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(listed)


@models.command("list")
@vault_option
@json_option
def listed(vault: Path | None = None, as_json: bool = False) -> None:
    """List installed and suggested models.

    Also lists how many vectors of each the index has.
    """
    from notesearch import models as library_models

    paths = Paths.choose()
    settings = load_settings(paths)
    known_models = library_models.listed(paths, settings)
    stored_vectors = _vectors(vault) if vault or settings.vault else ()
    if as_json:
        print_json(
            {
                "models": [asdict(m) for m in known_models],
                "vectors": [asdict(v) for v in stored_vectors],
            }
        )
        return
    for model in known_models:
        mark = "*" if model.chosen else " "
        size = f"{model.size / _MB:,.0f} MB" if model.size else ""
        score = f"retrieval score {model.score}" if model.score else ""
        more = "".join(f", {text}" for text in (model.licence, score, model.measured) if text)
        remark = f"{model.remark}{more}"
        click.echo(f"{mark} {visible(model.name):<62} {model.kind:<10} {size:>8}  {remark}")
    for stored in stored_vectors:
        use = "in use" if stored.searched else "kept for later use"
        vectors = f"{counted(stored.vectors, 'vector')} of {visible(stored.name)}"
        click.echo(f"  {vectors}: {counted(stored.size, 'byte')}, {use}")
    if not library_models.extra_is_installed():
        click.echo(
            "Models without an ONNX file, and GPUs, need the extra"
            " “notesearch[sentence-transformers]”, about 1.2 GB (5 GB with CUDA).",
            err=True,
        )


def _vectors(vault: Path | None) -> tuple[Any, ...]:
    try:
        with open_library(vault) as library:
            return library.vectors.all()
    except IndexFileError:
        return ()  # no index yet


@models.command()
@click.argument("name", shell_complete=complete_model)
def use(name: str) -> None:
    """Use the model NAME, or the model in a folder, from now on."""
    from notesearch import models as library_models

    paths = Paths.choose()
    chosen = library_models.choose(paths, load_settings(paths), name)
    chosen.write(paths, ["model", "reranker"])
    if chosen.reranker == name:
        click.echo(f"“notesearch search --rerank” uses {visible(name)} from now on.")
    else:
        click.echo(
            f"{visible(name)} is used from now on. Until its vectors are ready, search uses the"
            " previous model. “notesearch index” returns when they are ready."
        )


@models.command()
@click.argument("name")
@click.option("--revision", help="A branch, tag or commit. Default: the newest.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.option("--use", "uses", is_flag=True, help="Switch to it after the download.")
@click.pass_context
def download(ctx: click.Context, name: str, revision: str | None, yes: bool, uses: bool) -> None:
    """Download the model NAME from Hugging Face.

    NAME is OWNER/NAME there. An interrupted download continues.
    """
    from notesearch import models as library_models

    offer = library_models.look_up(name, revision)
    click.echo(f"{visible(name)} at {offer.revision[:12]}: {offer.size / _MB:,.0f} MB.", err=True)
    if not yes:
        click.confirm("Download it?", abort=True, err=True)
    last = -1

    def shown(arrived: int, total: int) -> None:
        nonlocal last
        percent = 100 * arrived // max(total, 1)
        if percent != last and is_terminal(sys.stderr):
            click.echo(f"\r{percent:3} %", nl=False, err=True)
        last = percent

    path = library_models.download(offer, Paths.choose().models, shown)
    click.echo(f"\r{visible(str(path))}")
    if uses:
        ctx.invoke(use, name=name)
    else:
        click.echo(f"To use it, run “notesearch models use {visible(name)}”.")


@models.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path))
def add(source: Path) -> None:
    """Install the model in the folder or ZIP file SOURCE.

    This needs no network.
    """
    from notesearch import models as library_models

    name = library_models.add(Paths.choose(), source)
    click.echo(f"To use it, run “notesearch models use {visible(name)}”.")


@models.command()
@click.argument("name", shell_complete=complete_model)
@click.option("--vectors", is_flag=True, help="Delete only its stored vectors.")
@vault_option
def remove(name: str, vectors: bool, vault: Path | None) -> None:
    """Delete the installed model NAME, or its vectors in the index."""
    from notesearch import models as library_models

    paths = Paths.choose()
    if not vectors:
        size = library_models.remove(paths, load_settings(paths), name)
        click.echo(f"Freed {size / _MB:,.0f} MB.")
        return
    with open_library(vault) as library:
        click.echo(f"{_forget_vectors(library, name):,} vectors were deleted.")


def _forget_vectors(library: "NoteLibrary", name: str) -> int:
    """Delete the vectors of the model ``name`` from the index; return their number.

    Raises:
        ModelError: The vectors are in use.
    """
    named = [stored for stored in library.vectors.all() if stored.name == name]
    unused = [stored for stored in named if not stored.searched]
    if named and not unused:
        raise ModelError("model_in_use", name=name)
    for stored in unused:
        library.vectors.forget(stored.fingerprint)
    return sum(stored.vectors for stored in unused)


@models.command()
@click.argument("names", nargs=-1, required=True, shell_complete=complete_model)
@vault_option
@json_option
def compare(names: tuple[str, ...], vault: Path | None, as_json: bool) -> None:
    """Compare models on your own passages.

    This measures speed, memory, and agreement: the share of results that the first one finds, too.
    """
    from notesearch import models as library_models

    paths = Paths.choose()
    texts = _sample(vault)
    measured = library_models.compare(paths, names, texts)
    if as_json:
        print_json([_rounded(asdict(model)) for model in measured])
        return
    for model in measured:
        click.echo(
            f"{visible(model.name)} ({model.engine}): loaded in {model.load_s:.2f} s,"
            f" {model.passages_per_s:.2f} passages/s, {model.query_ms:.2f} ms for a query,"
            f" {model.memory_mb:.2f} MB of memory, agreement {model.agreement:.0%}"
        )


def _rounded(figures: dict[str, object]) -> dict[str, object]:
    return {
        name: round(figure, 3) if isinstance(figure, float) else figure
        for name, figure in figures.items()
    }


def _sample(vault: Path | None) -> Sequence[str]:
    with open_library(vault) as library:
        texts = library.vectors.sample(_SAMPLE)
    if not texts:
        raise IndexFileError("passages_missing")
    return texts
