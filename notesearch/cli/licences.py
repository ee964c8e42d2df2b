"""The command ``licences``: what the program is made of, in full."""

import click


@click.command()
def licences() -> None:
    """Print the licences of the program and of all that it is made of."""
    from notesearch.licences import licence_text

    click.echo(licence_text(), nl=False)
