"""A plain Python function as a weak learner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Hypothesis, WeakLearner

if TYPE_CHECKING:
    from ..base.distribution import Distribution
    from ..base.sample import Rows, Sample


@dataclass(frozen=True)
class FunctionHypothesis(Hypothesis):
    """Whatever the function returned: called with X it answers -1 or +1 (a class number for K > 2)."""

    rule: Callable[[Any], Any]
    n_classes: int

    def __call__(self, rows: Rows) -> NDArray[np.int64]:
        answers = np.asarray(self.rule(rows.raw))
        if answers.shape != (len(rows),):
            raise ValueError(
                f"the hypothesis returned an array of shape {answers.shape} for {len(rows)} rows; "
                "it must return one answer a row."
            )
        allowed = range(-1, 2) if self.n_classes <= 2 else range(-1, self.n_classes)
        if not np.isin(answers, list(allowed)).all():
            found = answers[~np.isin(answers, list(allowed))][0]
            raise ValueError(
                f"the hypothesis answered {found!r}; allowed are {allowed[0]} to {allowed[-1]}."
            )
        return answers.astype(np.int64)


@dataclass(frozen=True)
class FunctionLearner(WeakLearner):
    """Calls function(X, y, D) -> hypothesis with the user's own X, labels -1/+1 (0 .. K-1) and D."""

    function: Callable[[Any, NDArray[Any], NDArray[np.float64]], Callable[[Any], Any]]

    def bind(self, sample: Sample) -> Callable[..., FunctionHypothesis]:
        def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> FunctionHypothesis:
            rule = self.function(sample.raw, z, D.array)
            if not callable(rule):
                raise TypeError(
                    f"the learner function returned {type(rule).__name__}; "
                    "it must return a callable that maps X to answers."
                )
            return FunctionHypothesis(rule, sample.n_classes)

        return learn
