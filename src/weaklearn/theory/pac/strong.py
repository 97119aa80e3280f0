"""A strong learner from a weak one, by the book: the number of examples, rounds and tries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...base.messages.warnings import BoostingWarning, warn
from ..bias_and_variance.variation import seed_of
from .planning import Plan, plan
from .supply import Supply


def strong_learner(
    booster: Any,
    source: Any,
    gamma: float,
    eps: float,
    delta: float,
    *,
    bits: float | None = None,
    vc_dim: int | None = None,
    success_probability: float = 1.0,
    weighted: bool = False,
    most_examples: int = 1_000_000,
    random_state: Any = None,
) -> Plan:
    """Plans the boosting of a weak learner, draws as many examples as it takes, and boosts.

    Where the weak learner has the edge gamma in every round, the vote errs on none of its examples,
    and its true error is at most eps, except with probability delta. The plan comes back with the
    vote as its ``model``; or without one, where it takes more than ``most_examples`` examples, or
    more than there are. A vote that errs on some of its examples is warned of: the promise of an
    edge was broken, and nothing is guaranteed.

    Parameters
    ----------
    booster : a boosted classifier, such as GammaMajorityClassifier(estimator)
        A copy of it is given ``n_estimators``, and ``gamma`` where it has such a parameter. Where
        ``success_probability`` is below 1, it is given ``resample`` too: each round tries again
        until a rule has the edge.
    source : function of (n, rng) that returns n fresh examples (X, y), or a pair (X, y)
    gamma, eps, delta, bits, vc_dim, success_probability, weighted
        As in ``plan``. AdaBoost gives votes of different size, which takes ``weighted=True``.
    most_examples : int, default 1,000,000
    random_state : None, int or Generator

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn import GammaMajorityClassifier
    >>> def draw(n, rng):  # two cuts among 16 places: stumps have the edge 1/6
    ...     x = rng.integers(0, 16, size=(n, 1))
    ...     return x, np.where((x[:, 0] > 4) & (x[:, 0] < 11), 1, -1)
    >>> strong = strong_learner(GammaMajorityClassifier(), draw, 1 / 6, 0.1, 0.05, bits=6)
    >>> strong.m, strong.T, strong.consistent
    (6650, 159, True)
    >>> X, y = draw(10_000, np.random.default_rng(99))
    >>> bool(strong.model.score(X, y) > 0.9)
    True
    >>> strong_learner(GammaMajorityClassifier(), draw, 0.001, 0.1, 0.05, bits=6).model is None
    True
    """
    made = plan(
        gamma,
        eps,
        delta,
        bits=bits,
        vc_dim=vc_dim,
        success_probability=success_probability,
        weighted=weighted,
    )
    seed = seed_of(random_state)
    supply = Supply(source, seed)
    if made.m > (most_examples if supply.left is None else min(most_examples, supply.left)):
        return made
    X, y = supply.take(made.m)
    model = _instructed(booster, made, seed).fit(X, y)
    errors = int(np.sum(np.asarray(model.predict(X)) != np.asarray(y)))
    if errors:
        warn(
            f"the vote of {made.T} rounds errs on {errors} of its {made.m} examples: the weak "
            f"learner did not keep its promise of the edge {gamma:g}, and the error may be above "
            f"eps={eps:g}; lower gamma, or give the learner more freedom.",
            BoostingWarning,
        )
    elif not weighted and _differ(model):
        warn(
            "the votes differ in size, and the plan is for a plain majority: pass weighted=True, "
            "or boost by GammaMajorityClassifier.",
            BoostingWarning,
        )
    return replace(made, model=model, consistent=errors == 0)


def _instructed(booster: Any, made: Plan, seed: int) -> Any:
    """A copy of a booster with the parameters of a plan."""
    from ...learners.foreign import fresh  # scikit-learn is not light

    copy = fresh(booster, seed, 0)
    known = copy.get_params(deep=False)
    wanted: dict[str, Any] = {"n_estimators": made.T}
    if "gamma" in known and known.get("alpha") is None:
        wanted["gamma"] = made.gamma
    if made.success_probability < 1:
        if "resample" not in known:
            raise TypeError(
                f"{type(booster).__name__} has no parameter resample, which a learner that may "
                "fail needs; pass GammaMajorityClassifier or AdaBoostClassifier."
            )
        wanted["resample"] = {
            "gamma": made.gamma,
            "delta": made.delta / 2,
            "success_probability": made.success_probability,
            "on_failure": "fail",
        }
    return copy.set_params(**wanted)


def _differ(model: Any) -> bool:
    votes = np.asarray(model.estimator_weights_)
    return bool(len(votes) > 1 and np.ptp(votes) > 0)
