"""The client of Dask's that is in use."""

from __future__ import annotations

from typing import Any


def current_client() -> Any:
    """The current client; raises where there is none, or one that fits cannot use."""
    try:
        from distributed import get_client
    except ImportError:
        raise ImportError(
            "fits on a Dask cluster need dask and distributed: pip install 'weaklearn[dask]'."
        ) from None
    try:
        client = get_client()
    except ValueError:
        raise RuntimeError(
            "dask collections are fitted on a cluster, and no client of one is running: begin with "
            "`from dask.distributed import Client; client = Client()`, which starts a cluster on "
            "this machine, or with Client('tcp://address-of-the-scheduler:8786')."
        ) from None
    if client.asynchronous:
        raise TypeError("fit needs a client that is not asynchronous: pass asynchronous=False.")
    return client
