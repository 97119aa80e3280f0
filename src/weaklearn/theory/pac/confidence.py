"""Boosting the confidence: several tries, and fresh examples to choose among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import bounds
from .examples import Supply, seed_of, trained
from .planning import check_share


@dataclass(frozen=True)
class Confident:
    """The best of k models, and how they were chosen from.

    ``errors`` are those on ``n_validation`` examples that none of them was trained on; a single
    model is not chosen, and has none.
    """

    model: Any
    chosen: int
    errors: NDArray[np.float64] = field(repr=False)
    k: int
    n_examples: int
    n_validation: int


def boost_confidence(
    learner: Any,
    source: Any,
    eps: float,
    delta: float,
    *,
    success_probability: float = 0.5,
    n_examples: int | None = None,
    random_state: Any = None,
) -> Confident:
    """Makes a learner that sometimes succeeds one that almost always does.

    If a model trained on ``n_examples`` examples has an error of at most e with probability
    ``success_probability``, then the model chosen here has an error of at most e + eps, except with
    probability delta: k models are trained, each on examples of its own, so many that all fail with
    probability delta/2 at most; and that of the fewest errors on further examples is chosen, the
    first of equals, so many that with probability 1 - delta/2 no error is off by more than eps/2.
    To get from half of the error wanted to all of it, pass the other half as eps.

    Parameters
    ----------
    learner : anything with fit and predict
    source : function of (n, rng) that returns n fresh examples (X, y), or a pair (X, y)
        A pair is divided: what choosing takes is set apart, the rest are as many chunks as there
        are models.
    eps, delta : float
    success_probability : float, default 0.5
        The chance that one model is good. (The chance that it fails is one minus this.)
    n_examples : int, optional
        Examples for each model; with a function that draws them it must be given.
    random_state : None, int or Generator

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn import AdaBoostClassifier
    >>> from weaklearn.testing import FlakyLearner
    >>> def draw(n, rng):
    ...     x = rng.random((n, 1))
    ...     return x, np.where(x[:, 0] > 0.4, 1, -1)
    >>> flaky = AdaBoostClassifier(FlakyLearner(success_probability=0.5), n_estimators=1)
    >>> sure = boost_confidence(flaky, draw, eps=0.2, delta=0.01, n_examples=50)
    >>> sure.k, sure.n_validation
    (8, 404)
    >>> X, y = draw(1000, np.random.default_rng(99))
    >>> bool(sure.model.score(X, y) > 0.9)
    True

    Reference: Schapire (1990); Shalev-Shwartz and Ben-David, Understanding Machine Learning,
    Exercise 10.1, with k for delta/2 as its hint needs.
    """
    check_share("eps", eps)
    check_share("delta", delta)
    k = int(bounds.confidence_k_success(success_probability, delta=delta / 2))
    n_validation = 0 if k == 1 else int(bounds.confidence_validation(k=k, eps=eps, delta=delta))
    seed = seed_of(random_state)
    supply = Supply(source, seed)
    n = _chunk(supply, n_examples, k, n_validation)
    models = [trained(learner, *supply.take(n), seed, s) for s in range(k)]
    if k == 1:
        return Confident(models[0], 0, np.zeros(0), 1, n, 0)
    X, y = supply.take(n_validation)
    errors = np.array([np.mean(np.asarray(model.predict(X)) != np.asarray(y)) for model in models])
    chosen = int(np.argmin(errors))
    return Confident(models[chosen], chosen, errors, k, n, n_validation)


def _chunk(supply: Supply, n_examples: int | None, k: int, n_validation: int) -> int:
    """How many examples each model is trained on."""
    if supply.left is None:
        if n_examples is None:
            raise ValueError("n_examples is None: say how many examples each model is to draw.")
        return int(n_examples)
    n = (supply.left - n_validation) // k if n_examples is None else int(n_examples)
    needed = n_validation + k * max(n, 1)
    if needed > supply.left:
        raise ValueError(
            f"X has {supply.left} rows: {k} models and {n_validation} rows to choose among them "
            f"take at least {needed}; pass more rows, or a larger eps or delta."
        )
    return n
