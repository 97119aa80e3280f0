"""A fitted model's summary for notebooks."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from ..base.messages.table import printable


def with_summary(model: Any, page: str) -> str:
    """scikit-learn's HTML of the estimator, followed by a summary of the fit."""
    if not hasattr(model, "ensemble_"):
        return page
    facts = [f"{model.n_iter_} rounds", f"stopped: {model.stop_reason_}"]
    if model.n_iter_ > 0 and model._train_accuracy is not None:
        facts.insert(0, f"training accuracy {model._train_accuracy:.4f}")
    try:
        shares = model.feature_importances_
        names = getattr(model, "feature_names_in_", None)
        order = np.argsort(-shares, kind="stable")[:5]
        named = [f"x[{j}]" if names is None else printable(names[j]) for j in order]
        shown = [f"{name} {shares[j]:.2f}" for name, j in zip(named, order, strict=True)]
        facts.append("strongest features: " + ", ".join(shown))
    except AttributeError:
        pass
    line = " &middot; ".join(html.escape(fact) for fact in facts)
    return f"{page}<p style='font-family:monospace;margin:.4em 0'>{line}</p>"
