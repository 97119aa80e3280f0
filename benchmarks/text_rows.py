"""The row of texts: stumps about terms on a sparse matrix."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import scipy.sparse as sp

from . import measure
from .data import Data
from .peers import ADABOOST, OURS
from .rows import Outcome, Row, Run


@cache
def documents(quick: bool) -> Data:
    """Documents of some 115 terms out of 100,000, a tenth of which two topics use unequally."""
    n, m, d = (2_000, 1_000, 10_000) if quick else (20_000, 5_000, 100_000)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n + m)
    often = 1 / np.arange(1, d + 1) ** 0.9
    tilt = np.exp(rng.normal(0, 0.5, d) * (rng.random(d) < 0.1))
    term = rng.permutation(d)
    length = np.maximum(5, rng.poisson(130, n + m))
    place, column = [], []
    for topic, weight in enumerate((often * tilt, often / tilt)):
        own = np.flatnonzero(y == topic)
        chances = np.cumsum(weight) / weight.sum()
        drawn = np.searchsorted(chances, rng.random(length[own].sum()))
        place.append(np.repeat(own, length[own]))
        column.append(term[np.minimum(drawn, d - 1)])
    where = (np.concatenate(place), np.concatenate(column))
    X = sp.csr_matrix((np.ones(length.sum()), where), shape=(n + m, d))
    X.data[:] = 1  # which document contains which term
    return Data("documents", X[:n], y[:n], X[n:], y[n:])


def text(run: Run) -> Outcome:
    of, rounds = documents(run.quick), run.rounds(100)
    ADABOOST.load()
    made = {OURS.name: OURS, ADABOOST.name: ADABOOST}
    played = {OURS.name: rounds, ADABOOST.name: min(rounds, run.peer_rounds)}
    calls = {
        name: lambda name=name, peer=peer: peer.make(played[name], run.threads).fit(of.X, of.y)
        for name, peer in made.items()
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seconds, models = measure.interleaved(calls, run.repeat)
        if played[ADABOOST.name] < rounds:  # a round costs what every other one does
            seconds[ADABOOST.name] *= rounds / played[ADABOOST.name]
            models[ADABOOST.name] = ADABOOST.make(rounds, run.threads).fit(of.X, of.y)
    quality = {
        name: {"accuracy": float(np.mean(model.predict(of.X_test) == of.y_test))}
        for name, model in models.items()
    }
    size = (of.X.data.nbytes + of.X.indices.nbytes + of.X.indptr.nbytes) / 2**20
    notes = [
        f"{len(of.y):,} documents, {of.X.shape[1]:,} terms, {of.X.nnz:,} entries, {size:.0f} MB",
        f"{ADABOOST.name}: {played[ADABOOST.name]} rounds, scaled to {rounds}",
    ]
    return Outcome(seconds, "s", quality, notes, fair=("accuracy", 0.0))


ROWS = (
    Row(
        "text",
        "20,000 documents, 100,000 terms, sparse, 100 rounds of AdaBoost, whole fit",
        "scikit-learn AdaBoost on the same matrix",
        100,
        300,
        text,
    ),
)
