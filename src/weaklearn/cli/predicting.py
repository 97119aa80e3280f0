"""``weaklearn predict``: predictions of a file, chunk by chunk."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import data, sink
from .fault import Fault
from .fitting import shaped
from .output import say


def predict(
    model_path: str,
    path: str,
    output: str | None,
    *,
    probabilities: bool,
    keep: tuple[str, ...],
    ignore: tuple[str, ...],
    text: tuple[str, ...],
    threads: int | None,
    as_json: bool,
    **reading: Any,
) -> int:
    """Runs ``weaklearn predict``."""
    model = data.model_at(model_path)
    if threads is not None and "n_jobs" in model.get_params(deep=False):
        model.set_params(n_jobs=threads)
    if probabilities and not hasattr(model, "predict_proba"):
        raise Fault(f"{type(model).__name__} has no probabilities; leave --probabilities out.")
    n_rows = 0
    with sink.opened(output, as_json) as target:
        pieces = (
            data.texts_for(path, reading, text=text, keep=keep)
            if text
            else data.chunks_for(model, path, reading, keep=keep, ignore=ignore)
        )
        for X, kept in pieces:
            found = prediction_columns(model, shaped(model, X, text), probabilities)
            taken = [name for name in kept.names if name in found]
            if taken:
                raise Fault(
                    f"--keep {taken[0]} is not possible: a column of predictions has that name; "
                    "rename the column of the data."
                )
            target.write({**kept.to_dict(), **found})
            n_rows += len(X)
    if output not in (None, "-"):
        say(f"{n_rows:,} predictions written to {output}.")
    return 0


def prediction_columns(model: Any, X: Any, probabilities: bool) -> dict[str, Any]:
    """The predictions of rows by column name: one column per output, and per class on request."""
    predicted = np.asarray(model.predict(X))
    if predicted.ndim == 1:
        found = {"prediction": predicted}
    else:
        names = getattr(model, "quantile", None)
        listed = names if isinstance(names, (list, tuple)) else range(predicted.shape[1])
        found = {
            f"prediction {name}": predicted[:, k] for k, name in zip(range(len(listed)), listed)
        }
    if probabilities:
        P = np.asarray(model.predict_proba(X))
        found |= {f"probability {label}": P[:, k] for k, label in enumerate(model.classes_)}
    return found
