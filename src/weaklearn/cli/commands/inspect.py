"""``weaklearn inspect``: what a model file holds."""

from __future__ import annotations

import click

from .. import option, output


@click.command(
    epilog="""\b
Examples:
  weaklearn inspect model.weak
  weaklearn inspect model.weak --json"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@option.as_json
def command(model: str, as_json: bool) -> int:
    """Print kind, versions, columns, parameters and fingerprint of MODEL, without building it."""
    from ...persistence.save_load import inspect as contents_at

    found = contents_at(model)
    if as_json:
        record = {name: getattr(found, name) for name in found.__dataclass_fields__}
        origin = found.origin
        record["origin"] = None if origin is None else origin.in_words()
        output.show_json(record)
    else:
        output.show(found.table())
    return 0
