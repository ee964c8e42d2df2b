"""The command ``models``: listing, choosing, downloading, exporting, removing, comparing."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from notesearch.cli.ending import visible
from notesearch.cli.library import opened
from notesearch.cli.options import json_option, vault_option
from notesearch.cli.output import print_json
from notesearch.cli.settings import load_settings
from notesearch.config import Paths
from notesearch.errors import IndexFileError

SAMPLE = 200
"""Passages of the user's own that models are compared on."""

_MB = 1_000_000


@click.group(invoke_without_command=True)
@click.pass_context
def models(ctx: click.Context) -> None:
    """Choose, download, export, remove and compare embedding models and rerankers."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(listed)


@models.command("list")
@vault_option
@json_option
def listed(vault: Path | None = None, as_json: bool = False) -> None:
    """List the models that are here, those suggested, and the vectors kept of each."""
    from notesearch import models as ours

    paths = Paths.choose()
    settings = load_settings(paths)
    found = ours.listed(paths, settings)
    kept = _vectors(vault) if vault or settings.vault else ()
    if as_json:
        print_json({"models": [asdict(m) for m in found], "vectors": [asdict(v) for v in kept]})
        return
    for model in found:
        mark = "*" if model.chosen else " "
        size = f"{model.size / _MB:,.0f} MB" if model.size else ""
        click.echo(f"{mark} {visible(model.name):<62} {model.kind:<10} {size:>8}  {model.remark}")
    for one in kept:
        use = "searched" if one.searched else "kept for when it is chosen again"
        click.echo(f"  {one.vectors:,} vectors of {visible(one.name)}: {one.size:,} bytes, {use}")
    if not ours.extra_is_installed():
        click.echo(
            "Models without an ONNX file, GPUs and exporting need the extra"
            " “notesearch[sentence-transformers]”, about 1.2 GB (5 GB with CUDA).", err=True,
        )  # fmt: skip


def _vectors(vault: Path | None) -> tuple[Any, ...]:
    try:
        with opened(vault) as library:
            return library.vectors.all()
    except IndexFileError:
        return ()  # nothing is indexed yet


@models.command()
@click.argument("name")
def use(name: str) -> None:
    """Choose the model NAME, or the one in a folder; searching goes on meanwhile."""
    from notesearch import models as ours

    paths = Paths.choose()
    chosen = ours.choose(paths, load_settings(paths), name)
    chosen.write(paths, ["model", "reranker"])
    if chosen.reranker == name:
        click.echo(f"“notesearch search --rerank” asks {visible(name)} from now on.")
    else:
        click.echo(
            f"{visible(name)} is used from now on. Until its vectors are ready, which"
            " “notesearch index” waits for, the former model answers."
        )


@models.command()
@click.argument("name")
@click.option("--revision", help="A branch, tag or commit of it, instead of the newest.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def download(name: str, revision: str | None, yes: bool) -> None:
    """Download the model NAME (owner/name) from the hub; interrupted, it goes on the next time."""
    from notesearch import models as ours

    offer = ours.look_up(name, revision)
    click.echo(f"{visible(name)} at {offer.revision[:12]}: {offer.size / _MB:,.0f} MB.", err=True)
    if not yes:
        click.confirm("Download it?", abort=True, err=True)
    last = -1

    def shown(arrived: int, total: int) -> None:
        nonlocal last
        percent = 100 * arrived // max(total, 1)
        if percent != last and sys.stderr.isatty():
            click.echo(f"\r{percent:3} %", nl=False, err=True)
        last = percent

    path = ours.bring(offer, Paths.choose(), shown)
    click.echo(f"\r{visible(str(path))}\n“notesearch models use {visible(name)}” chooses it.")


@models.command()
@click.argument("name")
@vault_option
def export(name: str, vault: Path | None) -> None:
    """Make an ONNX file in int8 of the model NAME, or of the one in a folder; needs the extra."""
    from notesearch import models as ours

    made = ours.export(Paths.choose(), name, _sample(vault))
    click.echo(
        f"{visible(str(made.path))}: {made.size / _MB:,.0f} MB\n"
        f"Cosine to the model {made.cosine:.4f}, the same ten nearest of your passages:"
        f" {made.agreement:.0%}, {made.faster:.1f} times as fast.\n"
        "Notes that the model embedded before are embedded anew when they are next indexed."
    )


@models.command()
@click.argument("name")
@click.option("--vectors", is_flag=True, help="Delete only the vectors that are kept of it.")
@vault_option
def remove(name: str, vectors: bool, vault: Path | None) -> None:
    """Delete the installed model NAME, or the vectors that the index keeps of it."""
    from notesearch import models as ours

    paths = Paths.choose()
    if not vectors:
        size = ours.remove(paths, load_settings(paths), name)
        click.echo(f"{size / _MB:,.0f} MB are free again.")
        return
    with opened(vault) as library:
        kept = [one for one in library.vectors.all() if one.name == name and not one.searched]
        for one in kept:
            library.vectors.forget(one.fingerprint)
    click.echo(f"{sum(one.vectors for one in kept):,} vectors were deleted.")


@models.command()
@click.argument("names", nargs=-1, required=True)
@vault_option
@json_option
def compare(names: tuple[str, ...], vault: Path | None, as_json: bool) -> None:
    """Measure models on your own passages: speed, memory, and agreement with the first one."""
    from notesearch import models as ours

    paths, texts = Paths.choose(), _sample(vault)
    found = [ours.measure(paths, name, texts) for name in names]
    first = found[0]["vectors"]
    rows = []
    for name, one in zip(names, found, strict=True):
        numbers = {key: round(value, 2) for key, value in one.items() if isinstance(value, float)}
        near = ours.agreement(first, one["vectors"])
        rows.append({"name": name, "engine": one["engine"], **numbers, "agreement": round(near, 3)})
    if as_json:
        print_json(rows)
        return
    for row in rows:
        click.echo(
            f"{visible(str(row['name']))} ({row['engine']}): loaded in {row['load_s']} s,"
            f" {row['passages_per_s']} passages/s, {row['query_ms']} ms for a query,"
            f" {row['memory_mb']} MB of memory, agreement {row['agreement']:.0%}"
        )


def _sample(vault: Path | None) -> Sequence[str]:
    with opened(vault) as library:
        texts = library.vectors.sample(SAMPLE)
    if not texts:
        raise IndexFileError("passages_missing")
    return texts
