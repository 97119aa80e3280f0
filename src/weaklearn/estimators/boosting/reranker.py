"""BoostReranker."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ...base.messages.table import Table
from ...boosters.rerank import Reranking, pairs_from
from ...intake import parameters
from ...prediction import rerank
from ...prediction.rerank import Candidate, read_lists
from ...production.provenance import fitted_now
from ..model import Model, in_one_step


@parameters.declared
class BoostReranker(Model):
    """Puts the best candidate of each list first: a base score, corrected by boosted features.

    Made for the lists that a parser, a translator or a search returns: every candidate has the
    log-likelihood of the system that proposed it, and features that it shows. The score is
    w_0 times the log-likelihood plus the weights of its features, found one feature a round.

    Parameters
    ----------
    n_estimators : int, default 100
        Rounds; a feature may be chosen more than once.
    smoothing : float, default 0.001
        In shares of the loss; keeps the weight of a feature without exception finite.
    w0 : float, optional
        The weight of the log-likelihood; None finds that of least loss.

    Attributes
    ----------
    w0_ : float
    weights_ : dict from feature to weight, of all features seen in training
    history_ : the facts of each round
    n_iter_, stop_reason_

    Examples
    --------
    >>> from weaklearn import BoostReranker
    >>> lists = [
    ...     [{"loglik": -2.0, "features": ["verb"]}, {"loglik": -1.0, "features": ["noun"]}],
    ...     [{"loglik": -3.0, "features": ["verb"]}, {"loglik": -1.5, "features": []}],
    ... ]
    >>> model = BoostReranker(n_estimators=5).fit(lists)  # the first of each list is the best
    >>> model.predict(lists).tolist(), model.score(lists)
    ([0, 0], 1.0)
    """

    n_estimators: int = 100
    smoothing: float = 0.001
    w0: float | None = None

    def _check_parameters(self) -> None:
        parameters.integer("n_estimators", self.n_estimators, 1)
        parameters.real("smoothing", self.smoothing, None, 1e6, least=0.0)
        if self.w0 is not None:
            parameters.real("w0", self.w0, None, 1e6, least=-1e6)

    @in_one_step
    def fit(self, groups: Any, y: Any = None) -> Self:
        """Learns from lists of candidates.

        Parameters
        ----------
        groups : list of lists of candidates
            A candidate is a dict of ``loglik`` (default 0), ``features`` (default none) and
            ``importance`` (default 1: what it costs to put it above the best), or a tuple of the
            first two, or of all three.
        y : list of whole numbers, optional
            Which candidate of each list is the best; by default the first.
        """
        self._check_parameters()
        lists = read_lists(groups)
        best = _best(y, lists)
        names = sorted({f for each in lists for c in each for f in c.features}, key=_sort_key)
        number = {name: k for k, name in enumerate(names)}
        ahead: list[float] = []
        importance: list[float] = []
        entries: list[tuple[int, int, int]] = []
        for each, first in zip(lists, best, strict=True):
            for j, other in enumerate(each):
                if j == first or other.importance == 0:
                    continue
                pair = len(ahead)
                ahead.append(each[first].loglik - other.loglik)
                importance.append(other.importance)
                entries += [(pair, number[f], 1) for f in each[first].features - other.features]
                entries += [(pair, number[f], -1) for f in other.features - each[first].features]
        if not ahead:
            raise ValueError("groups holds no list of two candidates: there is nothing to learn.")
        booster = Reranking(float(self.smoothing), None if self.w0 is None else float(self.w0))
        pairs = pairs_from(np.array(ahead), np.array(importance), entries, len(names))
        w0, weights, history, stop = booster.play(pairs, self.n_estimators)
        self.w0_, self.history_ = w0, history
        self.weights_ = dict(zip(names, weights.tolist(), strict=True))
        self.n_iter_, self.stop_reason_ = len(history), str(stop)
        self._origin = fitted_now()
        return self

    def _lists(self, groups: Any) -> list[list[Candidate]]:
        check_is_fitted(self, "weights_")
        return rerank.lists_to_score(self, groups)

    decision_function = rerank.decision_function
    predict = rerank.predict

    def score(self, groups: Any, y: Any = None) -> float:
        """The share of the lists whose best candidate is alone on top."""
        scores = self.decision_function(groups)
        best = _best(y, read_lists(groups))
        right = [bool((np.delete(F, k) < F[k]).all()) for F, k in zip(scores, best, strict=True)]
        return float(np.mean(right))

    def rules(self, n: int | None = None) -> Table:
        """The features with their weights, the strongest first."""
        check_is_fitted(self, "weights_")
        chosen = [(f, w) for f, w in self.weights_.items() if w != 0]
        chosen.sort(key=lambda item: (-abs(item[1]), _sort_key(item[0])))
        rows: list[tuple[Any, ...]] = [
            ("log-likelihood", self.w0_),
            *((str(f), w) for f, w in chosen),
        ]
        return Table("rules", ["feature", "weight"], rows if n is None else rows[: n + 1])


def _sort_key(feature: Hashable) -> tuple[str, Any]:
    number = isinstance(feature, (int, float)) and not isinstance(feature, bool)
    return ("", feature) if number else (type(feature).__name__, str(feature))


def _best(y: Any, lists: list[list[Candidate]]) -> list[int]:
    """The number of the best candidate of each list."""
    if y is None:
        return [0] * len(lists)
    numbers = np.asarray(y)
    if numbers.shape != (len(lists),) or numbers.dtype.kind not in "iu":
        raise ValueError(
            f"y has shape {numbers.shape} and type {numbers.dtype}; pass the number of the best "
            f"candidate of each of the {len(lists)} lists."
        )
    for i, (k, each) in enumerate(zip(numbers.tolist(), lists, strict=True)):
        if not 0 <= k < len(each):
            raise ValueError(f"y[{i}] is {k}, and groups[{i}] has candidates 0 to {len(each) - 1}.")
    return [int(k) for k in numbers]
