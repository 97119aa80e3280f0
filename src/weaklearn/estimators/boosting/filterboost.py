"""FilterBoostClassifier."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

from ...base.booster import Booster, Stop
from ...base.history import History
from ...base.sample import Sample
from ...boosters import FilterBoost
from ...intake import parameters
from ..fit import FitInputs, with_callbacks
from .classifier import TwoClassBoosting
from .filtering import NEED_ALL_ROWS, FilteredRounds, fit_from_stream


@parameters.declared
class FilterBoostClassifier(TwoClassBoosting):
    """FilterBoost: boosting from examples that are drawn, looked at, and forgotten.

    An example passes a filter with probability 1/(1 + exp(y F)): those that the vote gets clearly
    right hardly ever do. From some that pass a rule is learnt, from others its edge is estimated,
    no more closely than its vote needs. Boosting ends when the filter lets nothing through for so
    long that the error must be below ``epsilon``. ``fit_stream`` takes examples from an oracle, as
    many as it needs; ``fit`` draws them from a table. 1/(1 + exp(-F)) is the probability of the
    second class.

    Parameters
    ----------
    epsilon : float above 0 and below 1, default 0.05
        The error to reach.
    delta : float above 0 and below 1, default 0.05
        The probability with which the guarantees may fail.
    tau : float above 0 and below 1, default 0.5
        How well edges are estimated: to within a factor of 1 + 2 tau. A smaller one needs more
        examples.
    n_samples : int, default 1000
        How many examples that passed each rule is learnt from.
    n_edge : int, default 100000
        How many examples an edge may take to be estimated; one that needs more counts as none, and
        the rounds end.
    exact : bool, default False
        Whether a table is summed up instead of drawn from; the run is then AdaBoost.L.
    learning_rate : float, default 1.0
        Must be 1: votes follow from the edges.
    multiclass : {"ovr", "pairs"}, default "ovr"
        More than two classes of a table are boosted one against the rest, or every two against one
        another; a stream has two.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_
        ``history_`` has the estimated ``edge`` of each round, its ``draws``, how many ``passed``.

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn import FilterBoostClassifier
    >>> rng = np.random.default_rng(0)
    >>> def examples():
    ...     while True:
    ...         X = rng.normal(size=(500, 2))
    ...         yield X, np.where(X[:, 0] + X[:, 1] > 0, "up", "down")
    >>> model = FilterBoostClassifier(n_estimators=30, epsilon=0.1).fit_stream(examples())
    >>> X, y = next(examples())
    >>> model.score(X, y) > 0.9
    True
    """

    epsilon: float = 0.05
    delta: float = 0.05
    tau: float = 0.5
    n_samples: int = 1000
    n_edge: int = 100_000
    exact: bool = False

    _fixed_votes = "votes follow from the estimates of the edges"

    _product_bounds = False

    def _check_parameters(self) -> None:
        super()._check_parameters()
        for name in ("epsilon", "delta", "tau"):
            parameters.real(name, getattr(self, name), 0.0, 1.0, strict=True)
        parameters.integer("n_samples", self.n_samples, 1, 2**31 - 1)
        parameters.integer("n_edge", self.n_edge, 1, 2**31 - 1)
        parameters.switch("exact", self.exact)

    def _booster_of_two(self, sample: Sample) -> FilterBoost:
        return FilterBoost(
            float(self.epsilon),
            float(self.delta),
            float(self.tau),
            int(self.n_samples),
            int(self.n_edge),
            bool(self.exact),
        )

    def _inputs(self, *given: Any, **named: Any) -> FitInputs:
        inputs = super()._inputs(*given, **named)
        return replace(inputs, booster=_seeded(inputs.booster, inputs.seed))

    def _advice(self, stop: Stop) -> str:
        if stop is not Stop.SPENT:
            return super()._advice(stop)
        return (
            f"A round learns from n_samples={self.n_samples} examples that pass the filter, and "
            "estimates an edge from more: give the oracle more examples, or an endless iterator, "
            "or set n_samples lower; or use fit on a table."
        )

    def _train_score(self, ensemble: Any, sample: Sample, history: History) -> float | None:
        streamed = "train_error" not in history
        return None if streamed else super()._train_score(ensemble, sample, history)

    # -------------------------------------------------------------------------------- from a stream

    @with_callbacks
    def fit_stream(self, oracle: Any) -> Self:
        """Fits the boosting rounds on a stream of examples of two classes.

        Parameters
        ----------
        oracle : iterator, iterable, or function
            Gives examples, drawn independently: each item, or answer of the function, is one
            example (x, y) or a batch (X, y) of any container that ``fit`` takes. It may be endless;
            where it ends (a function answers None), the rounds so far are the model. The
            first ``n_samples`` examples tell the kinds of the columns and the two classes.
        """
        fit_from_stream(self, oracle, FilteredRounds, NEED_ALL_ROWS | {"exact": False})
        return self


def _seeded(booster: Booster, seed: int) -> Booster:
    """The booster, or those of a panel, with the seed of their draws."""
    if isinstance(booster, FilterBoost):
        return replace(booster, seed=seed)
    return replace(booster, booster=_seeded(booster.booster, seed))  # type: ignore[attr-defined, type-var]
