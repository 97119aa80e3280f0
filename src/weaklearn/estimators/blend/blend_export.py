"""Blends: explained by column, and as the intermediate form that exports write."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.types import Floats
from ...export.link import IDENTITY, SIGMOID, SOFTMAX, SURE, Link
from ...export.model_ir import ModelIR
from ...inspection.explanation import Explanation
from ...inspection.rule_text import feature_name
from ...inspection.shapley import RawColumns
from ...inspection.tree_sum import TreeSum, second_share
from ...prediction.rows import classes_of, two_classes
from ..trees.bag_export import inputs_of, sum_of

if TYPE_CHECKING:
    from .strong import Strong


def explain(self: Strong, X: Any, *, positive: Any = None) -> Explanation:
    """What every column adds to the score of every row: its Shapley value, exactly.

    Every model of a blend is a sum of trees, or of functions of one and two columns, and so is the
    blend; what two columns do together in the glass box is shared by both. Scores are log-odds, one
    a class for more than two classes, and numbers for a regression.

    ``positive`` is the class, of two, whose score it is: the model's own, else ``classes_[1]``.

    >>> import numpy as np
    >>> from weaklearn import StrongRegressor
    >>> X = np.arange(80.0).reshape(40, 2) % 7
    >>> model = StrongRegressor(parts=["gradient", "glass_box"]).fit(X, X[:, 0] * X[:, 1])
    >>> bool(np.allclose(model.explain(X).scores, model.predict(X)))
    True
    """
    rows, schema = self._rows(X), self._schema
    base, two = self.intercept_.copy(), two_classes(self)
    parts = np.zeros((len(rows), schema.n_features, len(base)))
    for model, factor in zip(self.estimators_, self.factors_.tolist(), strict=True):
        if factor and len(rows):
            why = model.explain(rows.raw)
            why = why.of(two[1]) if why.classes else why
            base += factor * np.asarray(why.base)
            each: Floats = factor * why.contributions.reshape(len(rows), len(why.features), -1)
            for k, columns in enumerate(why.features):
                for j in columns:
                    parts[:, j] += each[:, k] / len(columns)
    classes, several = classes_of(self), len(base) > 1
    scale = "prediction" if classes is None else "score"
    return Explanation(
        base=base if several else float(base[0]),
        contributions=parts if several else parts[:, :, 0],
        names=tuple(feature_name(schema, j) for j in range(schema.n_features)),
        features=tuple((j,) for j in range(schema.n_features)),
        outputs=tuple(map(str, classes)) if several and classes is not None else (),
        scale=f"log-odds of {classes[1]}" if classes is not None and len(classes) == 2 else scale,
        cells=RawColumns(rows, ()),
        classes=() if several else two,
    ).of_positive(self, positive)


def _scaled(model: Any, factor: float) -> TreeSum:
    """The sum of trees of a model times a factor; of the shares of two classes the second."""
    found = sum_of(model)
    if found.n_outputs == 2:
        found = second_share(found)
    addends = tuple(replace(each, vote=each.vote * factor) for each in found.addends)
    return replace(found, base=found.base * factor, addends=addends)


def model_ir(self: Strong, as_trees: bool) -> ModelIR:
    """The intermediate form of a blend: the sum of all trees of its models, terms as trees too."""
    everything = list(range(self._schema.n_features))
    members = [
        (model, everything, _scaled(model, factor))
        for model, factor in zip(self.estimators_, self.factors_.tolist(), strict=True)
        if factor
    ]
    classes: Any = classes_of(self)
    K = 0 if classes is None else len(classes)
    known = np.array([]) if classes is None else classes
    sources, read = inputs_of(self._schema, members, known)
    sums = [summed for _, _, summed in members]
    base = sum((summed.base for summed in sums), self.intercept_)
    form = {0: IDENTITY, 1: SURE, 2: SIGMOID}.get(K, SOFTMAX)
    return ModelIR(
        f"{type(self).__name__}, a blend of {len(members)} models",
        self._schema.n_features,
        sources,
        (),
        tuple(base.tolist()),
        Link(form),
        tuple(known.tolist()),
        branches=tuple(
            member.branching(addend)
            for member, summed in zip(read, sums, strict=True)
            for addend in summed.addends
        ),
    )
