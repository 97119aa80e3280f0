"""An additive model written by hand, so that every number of a picture is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from weaklearn.base.rows import Rows
from weaklearn.base.trees.term import Axis, Term, TermSum
from weaklearn.engines import Engine
from weaklearn.estimators.gradient.additive_edit import Editing
from weaklearn.inspection.explanation import explain, scale_of
from weaklearn.intake.schema import Schema
from weaklearn.losses import Squared

AGES = [20.0, 35.0, 50.0, 65.0, np.nan, 80.0]
TOWNS = ["Oslo", "Bergen", "Oslo", None, "Voss", "Bergen"]
DAYS = ["2024-01-01", "2024-02-01", None, "2024-06-01", "2024-03-01", "2025-01-01"]


def table(repeat: int = 1) -> pd.DataFrame:
    """Ages, towns, days and the hours waited, each but the last with a missing value."""
    waited = pd.to_timedelta(np.arange(6) * 90, unit="min")
    frame = pd.DataFrame(
        {"age": AGES, "town": TOWNS, "day": pd.to_datetime(DAYS), "waited": waited}
    )
    return pd.concat([frame] * repeat, ignore_index=True)


class Handmade(Editing, BaseEstimator):
    """What an additive estimator is once it is fitted."""

    explain = explain

    def __init__(self, schema: Schema, ensemble: TermSum, outputs: tuple[str, ...] = ()) -> None:
        self._schema, self.ensemble_, self._outputs = schema, ensemble, outputs
        self._loss = Squared()

    def fit(self, X: object, y: object) -> Handmade:
        return self

    def _rows(self, X: object) -> Rows:
        return Rows(self._schema.read(X), X, Engine(1))

    def _explained_scale(self) -> str:
        return scale_of(self._loss, None)

    def _output_name(self, k: int) -> str:
        return self._outputs[k]

    def decision_function(self, X: object) -> np.ndarray:
        F = self.ensemble_(self._rows(X))
        return F[:, 0] if F.shape[1] == 1 else F


def handmade(outputs: tuple[str, ...] = ()) -> Handmade:
    """Terms of a number, a category, a date, a duration and two pairs."""
    schema, _ = Schema.learn(table())
    age = Axis(0, np.array([30.0, 60.0]), ends=(20.0, 80.0))
    town = Axis(1, None, 3)  # Bergen, Oslo, Voss
    day = Axis(2, np.array([1.5, 3.5]))
    waited = Axis(3, np.array([2.5]))
    axes = [(age,), (town,), (day,), (waited,), (age, town), (town, day)]
    rng, K = np.random.default_rng(3), max(1, len(outputs))
    terms = tuple(_term(rng, each, K, schema) for each in axes)
    return Handmade(schema, TermSum(np.linspace(-0.5, 0.5, K), terms), outputs)


def _term(rng: np.random.Generator, axes: tuple[Axis, ...], K: int, schema: Schema) -> Term:
    rows = Rows(schema.read(table()), None, Engine(1))
    shape = tuple(axis.n_cells for axis in axes)
    counts = np.zeros(shape)
    np.add.at(counts, tuple(axis.places(rows.column(axis.feature)) for axis in axes), 1.0)
    values = rng.normal(size=(*shape, K))
    width = rng.uniform(0.1, 0.4, size=values.shape)
    return Term(axes, values, values - width, values + width, counts)
