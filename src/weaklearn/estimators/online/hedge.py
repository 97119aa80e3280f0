"""Hedge: a mixture of actions that follows the best of them."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ...base.messages.value_text import show
from ...base.offered import fact
from ...base.types import Floats
from ...intake import parameters
from ...intake.numeric_rows import learn_lines, read_lines, without_missing
from ...intake.schema import Schema
from ...online.experts import MOST_ETA, HedgeTrace, Mixture, tuned
from ...production.provenance import fitted_now
from ...theory.bounds import mw_bound
from ..fit import column_names
from ..model import Model, in_one_step


@parameters.declared
class Hedge(Model):
    """Multiplicative weights over n actions whose losses, between 0 and 1, come round by round.

    In each round the mixture p, in proportion to the weights, suffers the loss p.l, and then every
    weight is multiplied by e^(-eta l_i). A table of losses has one row a round and one column an
    action; there are no labels, and nothing for scikit-learn's general checks.

    Guarantee: on any losses, the total is at most (eta min_i L_i + ln n)/(1 - e^-eta), where L_i is
    the total of action i. With eta = ln(1 + sqrt(2 ln n / T)) the average regret after T rounds is
    at most sqrt(2 ln n / T) + ln n / T.

    One round at a time: ``p_``, then ``update(losses)``. Where actions give advice in [0, 1],
    ``predict(x)`` is the mixture of what they say and ``update(x, y)`` charges each |x_i - y|.
    Many: ``fit``, ``partial_fit``, and ``run`` with its trace.

    Parameters
    ----------
    eta : float, optional
        The rate; without it the one above, for ``n_rounds``.
    n_rounds : int, optional
        How many rounds there will be; without it as many as the first table has rows.

    Attributes
    ----------
    p_ : ndarray
        The mixture for the next round.
    losses_ : ndarray
        The total loss of each action.
    total_loss_, best_loss_, regret_, bound_ : float
        The total of the mixtures, that of the best action, their difference, and the bound on the
        total.
    eta_, t_ : float, int
    n_features_in_, feature_names_in_
        The number and the names of the actions.

    Examples
    --------
    >>> from weaklearn import Hedge
    >>> model = Hedge(eta=0.5).fit([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> round(model.total_loss_, 4), model.best_loss_, round(model.bound_, 4)
    (1.6086, 1.0, 3.0324)
    >>> model.p_.round(4).tolist()
    [0.3775, 0.6225]

    References
    ----------
    Freund and Schapire (1997), A decision-theoretic generalization of on-line learning and an
    application to boosting.
    """

    eta: float | None = field(default=None, kw_only=False)
    n_rounds: int | None = None

    # Set by fit.
    n_features_in_: int = field(init=False)
    _schema: Schema = field(init=False)

    conservative = False
    _in_order = True  # learning goes by the order of rows

    def _check_parameters(self) -> None:
        if self.eta is not None:
            parameters.real("eta", self.eta, 0.0, MOST_ETA)
        if self.n_rounds is not None:
            parameters.integer("n_rounds", self.n_rounds, 1, None, "None")

    # ----------------------------------------------------------------------------------- learning

    @in_one_step
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learns from rounds of losses; what was learnt before is forgotten."""
        fresh = type(self)(**self.get_params())
        fresh.partial_fit(X)
        self.__dict__.pop("feature_names_in_", None)
        self.__dict__.update(vars(fresh))
        return self

    @in_one_step
    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Learns from more rounds of losses."""
        self._play(X, keep=False)
        return self

    @in_one_step
    def run(self, X: Any) -> HedgeTrace:
        """As ``partial_fit``, with a trace: mixtures, losses and regret of every round."""
        return self._play(X, keep=True)

    @in_one_step
    def update(self, x: Any, y: Any = None) -> float:
        """Learns from one round of losses, or of advice x with outcome y; the mixture's loss."""
        row = np.asarray(x, np.float64)
        if y is not None:
            row = np.abs(row - parameters.real("y", y, None, 1.0, least=0.0))
        return float(self._play(row[None], keep=False, table=False).losses[0])

    def _play(self, X: Any, keep: bool, table: bool = True) -> HedgeTrace:
        self._check_parameters()
        if fact(self, "losses_") is not None:
            losses, mixture = _losses(read_lines(self._schema, X)), self._mixture()
        else:
            schema, rows = learn_lines(X, type(self).__name__)
            losses = _losses(rows)
            mixture = self._new(losses, table)
            self.__dict__.pop("feature_names_in_", None)
            self.__dict__.update(column_names(schema))
        trace = mixture.lose(losses, keep)
        self.losses_, self.total_loss_ = mixture.totals, mixture.suffered
        self.eta_, self.t_ = mixture.eta, mixture.t
        self._origin = fitted_now()
        return trace

    def _new(self, losses: Floats, table: bool) -> Mixture:
        n = losses.shape[1]
        if self.eta is not None:
            return Mixture(n, float(self.eta))
        if self.n_rounds is None and not table:
            raise ValueError(
                "eta=None and n_rounds=None leave open how fast to learn where rounds come one by "
                "one; set eta, or the number of rounds there will be."
            )
        T = len(losses) if self.n_rounds is None else int(self.n_rounds)
        return Mixture(n, tuned(max(n, 2), T))

    def _mixture(self) -> Mixture:
        mixture = Mixture(len(self.losses_), self.eta_)
        mixture.totals, mixture.suffered = self.losses_, self.total_loss_
        mixture.t = self.t_
        return mixture

    # --------------------------------------------------------------------------------- describing

    def predict(self, X: Any) -> Any:
        """The mixture of numbers, one an action: p.x, or that of each row of a table."""
        if np.ndim(X) == 1:
            return float(self.predict(np.asarray(X, np.float64)[None])[0])
        if fact(self, "losses_") is None:  # all weights are equal
            return np.asarray(X, np.float64).mean(axis=1)
        rows = without_missing(read_lines(self._schema, X), self._schema)
        dense = rows if isinstance(rows, np.ndarray) else rows.toarray()
        return (dense * self.p_).sum(axis=1)

    @property
    def p_(self) -> Floats:
        """The mixture for the next round."""
        check_is_fitted(self, "losses_")
        return self._mixture().p

    @property
    def best_loss_(self) -> float:
        """The total loss of the best single action."""
        check_is_fitted(self, "losses_")
        return float(self.losses_.min())

    @property
    def regret_(self) -> float:
        """What was lost beyond the best single action."""
        check_is_fitted(self, "losses_")
        return self.total_loss_ - self.best_loss_

    @property
    def bound_(self) -> float:
        """What the theorem bounds the total loss by."""
        return float(mw_bound(self.best_loss_, self.n_features_in_, self.eta_))


def _losses(rows: Any) -> Floats:
    """Losses between 0 and 1; what is none is named."""
    losses = np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64)
    bad = ~((losses >= 0) & (losses <= 1))
    if bad.any():
        i, j = np.argwhere(bad)[0]
        raise ValueError(
            f"round {i}, action {j} has the loss {show(float(losses[i, j]))}; the theorem asks for "
            "losses from 0 to 1: scale them."
        )
    return losses
