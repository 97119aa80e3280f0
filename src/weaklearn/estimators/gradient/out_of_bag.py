"""What the bags of a glass box say of the examples that they did without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...intake.weights import for_all_rows

if TYPE_CHECKING:
    from ...intake.prepare import Prepared
    from .additive import AdditiveModel
    from .additive_fit import TermDescent


def out_of_bag(model: AdditiveModel, prepared: Prepared, descent: TermDescent) -> dict[str, Any]:
    """Scores of examples by the bags that did without them, and how good they are.

    There is one for every row of X; NaN where all bags learnt from it, or it has no weight.
    """
    F, times = descent.unseen_scores()
    everyone = for_all_rows(F.T, prepared.used)
    facts = {
        "oob_decision_function_": everyone[:, 0] if len(F) == 1 else everyone,
        "oob_loss_": descent.side.loss(),
    }
    inside = np.flatnonzero(times)
    if descent.side.n_unseen > 0:
        weight, y = times[inside].astype(np.float64), prepared.sample.y[inside]
        if prepared.sample.importance is not None:
            weight *= prepared.sample.importance[inside]
        partitions = prepared.sample.engine.collective
        facts["oob_score_"] = model._oob_score(F.T[inside], y, weight, partitions)
    return facts
