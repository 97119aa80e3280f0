"""The score of a model on rows that copies of it were fitted without."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.loss import EVENTS, Loss
from ..base.messages.warnings import suppressed_warnings
from ..base.offered import fact
from ..base.sample import take_rows
from ..base.types import Floats
from ..intake.splitting import unfitted_copy
from ..prediction.rows import classes_of
from .metric import FOLDS, mean


def judged_by_score(model: Any, predicted: Any, y: Any) -> bool:
    """Whether errors of single numbers do not tell how good a model is: one of several targets or
    quantiles, of times of events, or of queries.
    """
    loss = fact(model, "_loss")
    if classes_of(model) is not None or not isinstance(loss, Loss):
        return False
    several = np.ndim(predicted) == 2 or np.ndim(y) == 2
    return several or loss.target == EVENTS or loss.whole_queries


def by_score(model: Any, X: Any, y: Any, qid: Any) -> dict[str, Any]:
    """The section of a card: the model's own score of folds, as one metric."""
    ids, n, unit = None, len(y), "rows"
    if model._loss.whole_queries:
        model.score(X, y, qid=qid)  # which refuses ids that are none
        known: dict[Any, int] = {}
        ids = np.array([known.setdefault(each, len(known)) for each in np.asarray(qid).tolist()])
        n, unit = len(known), "queries"
    if n < 2 * FOLDS:
        return {"note": f"there are fewer than {2 * FOLDS} {unit}; metrics need as many"}
    metric = mean("score", _fold_scores(model, X, y, ids))
    how = f"the score of {FOLDS}-fold cross-validation; 95 % interval of its mean over the folds"
    return {"how": how, "n_rows": len(y), "metrics": [metric.in_words()]}


def _fold_scores(model: Any, X: Any, y: Any, qid: Any) -> Floats:
    """The score of each fold, by a copy fitted to the others; a query is in one fold whole."""
    from sklearn.model_selection import GroupKFold, KFold  # heavy, and rarely needed

    y = np.asarray(y) if isinstance(y, (list, tuple)) else y
    shuffled = KFold(FOLDS, shuffle=True, random_state=0)
    splitter: Any = shuffled if qid is None else GroupKFold(FOLDS)
    found = []
    with suppressed_warnings():
        for inside, outside in splitter.split(np.zeros(len(y)), groups=qid):
            ids = [{} if qid is None else {"qid": qid[part]} for part in (inside, outside)]
            copy = unfitted_copy(model)
            copy.fit(take_rows(X, inside), take_rows(y, inside), **ids[0])
            found.append(copy.score(take_rows(X, outside), take_rows(y, outside), **ids[1]))
    return np.array(found, np.float64)
