"""Rules that no example speaks against: conjunctions, disjunctions, rectangles."""

from __future__ import annotations

import numpy as np

from ...base.rows import Rows
from ...base.sample import Sample
from ...base.types import Bools
from ...intake import parameters
from ...intake.cells import refuse_no_bits
from ...intake.schema import Schema
from ...prediction import simple
from ...theory import bounds
from .base import CompressedClassifier, Facts


class BitsClassifier(CompressedClassifier):
    """A rule on columns of 0 and 1 that keeps the variables which no example speaks against."""

    def _check_cells(self, rows: Rows, schema: Schema) -> None:
        """Refuses every cell that is neither 0 nor 1."""
        refuse_no_bits(rows, schema, self._rule)

    def _against(self, rows: Rows, positive: Bools, j: int) -> Bools:
        """The examples that rule variable j out."""
        raise NotImplementedError

    def _learn(self, sample: Sample, positive: Bools) -> Facts:
        d = sample.cells.n_features
        kept = [j for j in range(d) if not self._against(sample, positive, j).any()]
        return {"kept_": np.array(kept, np.int64)}

    def _keep(self, rows: Rows, positive: Bools) -> list[int]:
        """For every variable ruled out an example that does."""
        against = (self._against(rows, positive, j) for j in range(rows.cells.n_features))
        return [int(np.argmax(found)) for found in against if found.any()]

    def _kappa(self, d: int) -> int | None:
        return d


@parameters.declared
class MonomialClassifier(BitsClassifier):
    """``classes_[1]`` where all variables of a set are 1: a conjunction without negations.

    The set holds every variable that is 1 in all examples of ``classes_[1]``: all variables if
    there is no such example, and where it is empty the rule always holds. Columns must hold 0 and 1
    and nothing else, which is why scikit-learn's checks, which pass other numbers, do not apply.

    Guarantee: if some such conjunction errs on no example then this one does not, and it has all of
    the variables of every such one.

    Attributes
    ----------
    kept_ : ndarray of int
        The columns in the set, rising.
    error_ : float
        The weighted training error.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import MonomialClassifier
    >>> X = [[1, 0, 1], [1, 1, 1], [0, 1, 1], [1, 0, 0]]
    >>> model = MonomialClassifier().fit(X, [1, 1, 0, 0])
    >>> model.kept_.tolist(), model.sample_size(eps=0.1, delta=0.05)
    ([0, 2], 51)

    References
    ----------
    Schapire and Freund, Boosting: Foundations and Algorithms, Exercise 2-3.
    """

    _rule = "a monomial"

    def _against(self, rows: Rows, positive: Bools, j: int) -> Bools:
        return np.asarray(positive & (rows.column(j) == 0))

    _upper = simple.all_kept

    def sample_size(self, eps: float, delta: float, n_features: int | None = None) -> int:
        """Examples after which a consistent monomial has a true error of at most eps.

        ceil((d ln 2 + ln(1/delta)) / eps), with probability at least 1 - delta: there are 2^d of
        them. ``n_features`` is d, and known of a fitted model.
        """
        return int(bounds.pac_finite_m(self._width(n_features) * np.log(2), eps, delta))


@parameters.declared
class DisjunctionClassifier(BitsClassifier):
    """``classes_[1]`` where any variable of a set is 1: a disjunction without negations.

    The set holds every variable that is 0 in all examples of ``classes_[0]``: all variables if
    there is no such example, and where it is empty the rule never holds. Columns must hold 0 and 1
    and nothing else, which is why scikit-learn's checks, which pass other numbers, do not apply.

    Guarantee: if some such disjunction errs on no example then this one does not, and it has all of
    the variables of every such one.

    Attributes
    ----------
    kept_ : ndarray of int
        The columns in the set, rising.
    error_ : float
        The weighted training error.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import DisjunctionClassifier
    >>> X = [[1, 0, 1], [0, 0, 1], [0, 1, 0], [0, 0, 0]]
    >>> model = DisjunctionClassifier().fit(X, ["spam", "spam", "fine", "fine"])
    >>> model.classes_.tolist(), model.kept_.tolist()
    (['fine', 'spam'], [0, 2])
    >>> model.sample_size(eps=0.1, delta=0.05)
    51

    References
    ----------
    Blum, Hopcroft and Kannan, Foundations of Data Science, section 6.2.1.
    """

    _rule = "a disjunction"

    def _against(self, rows: Rows, positive: Bools, j: int) -> Bools:
        return np.asarray(~positive & (rows.column(j) == 1))

    _upper = simple.any_kept

    def sample_size(self, eps: float, delta: float, n_features: int | None = None) -> int:
        """Examples after which a consistent disjunction has a true error below eps.

        The whole number from (d ln 2 + ln(1/delta)) / eps on, with probability at least 1 - delta.
        ``n_features`` is d, and known of a fitted model.
        """
        return int(np.ceil(bounds.disjunction_m(self._width(n_features), eps, delta)))


@parameters.declared
class RectangleClassifier(CompressedClassifier):
    """``classes_[1]`` where every column lies within its range over the examples of that class.

    Without an example of it the rectangle is empty, with ``lower_`` above ``upper_``. The rule
    minimises no error: it is meant for labels that some rectangle explains, weights count only as
    being there or not, and one stray positive example widens it.

    Guarantee: if some rectangle errs on no example then this one does not, and it lies within every
    such one. At most 2d examples rebuild it, of d columns.

    Attributes
    ----------
    lower_, upper_ : ndarray of shape (d,)
        The ends of the rectangle, which belong to it.
    error_ : float
        The weighted training error.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import RectangleClassifier
    >>> X = [[0, 0], [1, 2], [2, 1], [3, 1], [1, 5]]
    >>> model = RectangleClassifier().fit(X, ["no", "yes", "yes", "no", "no"])
    >>> model.lower_.tolist(), model.upper_.tolist(), model.error_
    ([1.0, 1.0], [2.0, 2.0], 0.0)
    >>> model.sample_size(eps=0.1, delta=0.05)
    256

    References
    ----------
    Schapire and Freund, Boosting: Foundations and Algorithms, Exercises 2-4 and 2-5.
    """

    _rule = "a rectangle"

    def _learn(self, sample: Sample, positive: Bools) -> Facts:
        inside = [sample.column(j)[positive] for j in range(sample.cells.n_features)]
        return {
            "lower_": np.array([x.min(initial=np.inf) for x in inside]) + 0.0,  # -0 is 0
            "upper_": np.array([x.max(initial=-np.inf) for x in inside]) + 0.0,
        }

    _upper = simple.in_rectangle

    def _kappa(self, d: int) -> int | None:
        return 2 * d

    def _keep(self, rows: Rows, positive: Bools) -> list[int]:
        """For every column a positive example that is least, and one that is greatest."""
        ups = np.flatnonzero(positive)
        if len(ups) == 0:
            return []
        inside = [rows.column(j)[ups] for j in range(rows.cells.n_features)]
        return [int(ups[i]) for x in inside for i in (np.argmin(x), np.argmax(x))]
