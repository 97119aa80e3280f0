"""The rows about explanations: Shapley values of the same trees, by this library and by shap."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from . import data, measure, tree_peers
from .rows import Outcome, Row, Run

ROWS_EXPLAINED = 500


def _for_shap(tree: Any, vote: float) -> dict[str, Any]:
    """A tree of thresholds as shap's TreeExplainer takes it."""
    leaf = tree.is_leaf
    return {
        "children_left": np.where(leaf, -1, tree.first).astype(int),
        "children_right": np.where(leaf, -1, tree.first + 1).astype(int),
        "children_default": np.where(leaf, -1, tree.first + tree.missing).astype(int),
        "features": np.where(leaf, -2, tree.feature).astype(int),
        "thresholds": tree.threshold,
        "values": vote * tree.values[tree.value],
        "node_sample_weight": tree.count.astype(float),
    }


def _explained(run: Run, interactions: bool) -> Outcome:
    if find_spec("shap") is None:
        return Outcome({}, notes=["shap skipped: not installed"])
    import shap

    of, rounds = data.a(run.quick), run.rounds(100)
    ours = tree_peers.contenders(31)["weaklearn"]
    model = run.model(ours, of, rounds, run.threads)
    X = np.ascontiguousarray(of.X[: (10 if interactions else ROWS_EXPLAINED)])
    trees = [_for_shap(tree, vote) for vote, each in model.ensemble_ for tree in each]
    theirs = shap.TreeExplainer({"trees": trees}, feature_perturbation="tree_path_dependent")
    if interactions:
        calls = {
            "weaklearn": lambda: model.interactions(X).values,
            "shap": lambda: np.asarray(theirs.shap_interaction_values(X)),
        }
    else:
        calls = {
            "weaklearn": lambda: model.explain(X).contributions,
            "shap": lambda: np.asarray(theirs.shap_values(X, check_additivity=False)),
        }
    seconds, found = measure.interleaved(calls, run.repeat)
    apart = float(
        np.abs(found["weaklearn"] - found["shap"].reshape(found["weaklearn"].shape)).max()
    )
    return Outcome(seconds, notes=[f"largest difference of two values: {apart:.1e}"])


def contributions(run: Run) -> Outcome:
    return _explained(run, False)


def pairs(run: Run) -> Outcome:
    return _explained(run, True)


ROWS = (
    Row(
        "shap", f"contributions of {ROWS_EXPLAINED} rows, 100 trees of 31 leaves", "shap",
        1, None, contributions,
    ),
    Row("shap-interactions", "interactions of 10 rows, the same trees", "shap", 1, None, pairs),
)  # fmt: skip
