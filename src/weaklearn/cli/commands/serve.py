"""``weaklearn serve``: a model that answers over HTTP."""

from __future__ import annotations

import click

from .. import option
from ..data import model_at
from ..output import say

_HERE = ("127.0.0.1", "localhost", "::1")


@click.command(
    epilog="""\b
Examples:
  weaklearn serve model.weak --port 8000
  curl -d '{"rows": [{"age": 50, "town": "Oslo"}], "reasons": 3}' \\
      http://127.0.0.1:8000/predict"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="The port; a free one by default."
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="0.0.0.0 opens it to other machines."
)
@click.option(
    "--threads", type=click.IntRange(1, 64), default=4, show_default=True, help="Requests at once."
)
@click.option(
    "--max-rows",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    help="Rows in a request.",
)
@click.option(
    "--max-body", type=option.SIZE, default="1M", show_default=True, help="Bytes in a request."
)
@click.option(
    "--timeout",
    type=click.IntRange(1, 600),
    default=10,
    show_default=True,
    help="Seconds in which a request must have come whole.",
)
def command(
    model: str, port: int, host: str, threads: int, max_rows: int, max_body: int, timeout: int
) -> int:
    """Answer requests for predictions of MODEL in JSON, until Ctrl-C.

    POST /predict takes {"rows": [...]}; "reasons": 3 adds the columns that did most, "flags": true
    values that training never had. GET / describes the model; /health, /metrics (for Prometheus)
    and /drift are there to watch it. The address is printed.
    """
    from ...serving import Service, serve

    service = Service(model_at(model), max_rows=max_rows, max_body=max_body)
    if host not in _HERE:
        say("Whoever reaches this machine can ask the model: there is no password.")
    serve(
        service,
        host=host,
        port=port,
        threads=threads,
        timeout=timeout,
        announce=lambda address: click.echo(address),
    )
    say("The server is closed.")
    return 0
