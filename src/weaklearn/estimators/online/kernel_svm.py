"""The support vector machine in the scaling of the textbook; the halfspace of least hinge loss."""

from __future__ import annotations

from dataclasses import field
from math import inf, sqrt
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...base.messages.warnings import PassesWarning, deferred_warnings, warn
from ...base.offered import fact
from ...engines import choose
from ...inspection import linear_explanation
from ...intake import parameters
from ...intake.label_kind import score_of_labels
from ...intake.numeric_rows import kernel_of, read_points
from ...online.kernels import Kernel, Linear
from ...online.points import Points, take
from ...online.svm import Machine, climb_kernel, climb_rows, least_hinge
from ...prediction import kernels
from ...production.provenance import after_fit
from ...uncertainty.conformal import SetPrediction
from ..fit import column_names
from ..model import Model, in_one_step
from .distinct_examples import BySign, Distinct, read_distinct, with_constant


@parameters.declared
class KernelSVMClassifier(BySign, SetPrediction, ClassifierMixin, Model):
    r"""The support vector machine: few mistakes, and a wide margin.

    .. math:: \min_w |w|^2 + C \sum_i \xi_i, \quad y_i\, w \cdot x_i \ge 1 - \xi_i, \; \xi_i \ge 0

    There is no factor 1/2, so that C is twice that of most libraries, and no intercept unless asked
    for. Behind a kernel w.x is a sum of kernels with the support vectors. It is solved by dual
    coordinate ascent: a_i <- clip(a_i + 2 (1 - y_i f(x_i)) / K_ii, 0, C), with w = 1/2 sum a_i y_i
    x_i. The linear kernel keeps w itself; where its features are few and badly scaled, an
    interior-point method helps. Other kernels move groups of multipliers together as well.

    Guarantee: at every step the primal objective is at least the dual one, and the optimum lies
    between the two: ``duality_gap_`` is how far from it the machine can be. Rows with a_i = 0 have
    margins y f(x) of at least 1, rows with a_i = C of at most 1.

    Parameters
    ----------
    kernel : {"linear", "polynomial", "all_products", "string"}, Kernel or function
        A kernel by its name, one of ``weaklearn.online.kernels``, or any function of two examples
        that is an inner product. The string kernel compares texts: X is a list of them.
    degree : int, default 2
        Of the polynomial kernel; for the string kernel the length of substrings. At most 10,000.
    C : float, default 1.0
        The cost of a unit of slack. Large values lead to the hard margin, where there is one.
    tol : float, default 1e-4
        The duality gap to reach, or 1e-9 of the objective if that is more.
    max_passes : int, default 1000
        Passes over the rows, or rounds over groups of them, at most; a warning tells where they
        did not suffice.
    fit_intercept : bool, default False
        Whether a constant feature of 1 is added, for the linear kernel. Its weight counts in |w|.

    Attributes
    ----------
    duality_gap_, primal_objective_, dual_objective_ : float
    alpha_ : ndarray
        The multiplier a_i of every row of X, at most C times its weight.
    support_vectors_, dual_coef_ : ndarray or list of str, ndarray
        For kernels: f(x) is the sum of dual_coef times K(support vector, x); dual_coef is a_i y_i
        / 2, and equal rows are one.
    coef_, intercept_ : ndarray
        For the linear kernel: w.
    margin_ : float
        1/|w|, the distance of rows with margin 1 from the separator.
    history_ : History
        ``primal``, ``dual`` and ``gap``, whenever they were looked at.
    mistakes_ : int
        How many training rows are on the wrong side, or on the border.
    n_support_, n_iter_, converged_, classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import KernelSVMClassifier
    >>> circle = [[0, 0], [0.5, 0], [0, -0.5], [2, 0], [0, 2], [-1.5, 1.5]]
    >>> model = KernelSVMClassifier(kernel="polynomial", C=100).fit(circle, list("iiiooo"))
    >>> model.predict([[0.2, 0.2], [3, 3]]).tolist()
    ['i', 'o']
    >>> model.duality_gap_ < 1e-4
    True

    References
    ----------
    Blum, Hopcroft and Kannan, Foundations of Data Science, sections 6.5 and 6.6.
    """

    score = score_of_labels

    explain = linear_explanation.explain
    _is_linear = property(lambda self: fact(self, "coef_") is not None)

    kernel: Any = field(default="linear", kw_only=False)
    degree: int = 2
    C: float = 1.0
    tol: float = 1e-4
    max_passes: int = 1000
    fit_intercept: bool = False
    n_jobs: int | None = None

    def _check_parameters(self) -> None:
        kernel = kernel_of(self.kernel, self.degree)
        parameters.real("C", self.C, 0.0, 1e100)
        parameters.real("tol", self.tol, 0.0, 1e100)
        parameters.integer("max_passes", self.max_passes, 1)
        if parameters.switch("fit_intercept", self.fit_intercept) and kernel != Linear():
            raise ValueError(
                "fit_intercept=True goes with kernel='linear' alone; other kernels may have a "
                "constant feature of their own, as the polynomial one does."
            )

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Finds the machine of weighted rows; an integer weight is so many copies."""
        self._check_parameters()
        kernel = kernel_of(self.kernel, self.degree)
        engine = choose(self.n_jobs)
        with deferred_warnings():
            batch = read_distinct(
                X, y, sample_weight, kernel=kernel, engine=engine, name=type(self).__name__
            )
            machine = self._climbed(kernel, batch, engine.threads)
            self._doubt(machine)
        self._keep(kernel, batch, machine)
        return self

    def _climbed(self, kernel: Kernel, batch: Distinct, threads: int) -> Machine:
        cap = float(self.C) * batch.count
        how: dict[str, Any] = {
            "tol": float(self.tol),
            "most": int(self.max_passes),
            "threads": threads,
        }
        if kernel == Linear():
            rows = with_constant(batch.points) if self.fit_intercept else batch.points
            return climb_rows(rows, batch.y, cap, **how)
        return climb_kernel(kernel, batch.points, batch.y, cap, **how)

    def _doubt(self, machine: Machine) -> None:
        if not machine.converged:
            warn(
                f"the duality gap is {machine.gap:.3g} after max_passes={self.max_passes}, or has "
                f"come to rest, and tol={self.tol:g} was asked for; scale the columns of X, lower "
                "C, or allow more passes.",
                PassesWarning,
            )

    def _keep(self, kernel: Kernel, batch: Distinct, machine: Machine) -> None:
        names = ("feature_names_in_", "n_features_in_", "coef_", "intercept_")
        for name in (*names, "support_vectors_", "dual_coef_"):
            self.__dict__.pop(name, None)
        schema = batch.schema
        self.__dict__.update({"_schema": None} if schema is None else column_names(schema))
        support = np.flatnonzero(machine.a)
        if machine.w is not None:
            d = self.n_features_in_
            self.coef_ = machine.w[None, :d].copy()
            self.intercept_ = machine.w[d:] if self.fit_intercept else np.zeros(1)
        else:
            self.support_vectors_ = take(batch.points, support)
            self.dual_coef_ = (machine.a * batch.y / 2)[support]
        self.classes_ = batch.classes
        self.alpha_ = batch.share(machine.a)
        self.n_support_ = len(support)
        self.mistakes_ = batch.examples(machine.g <= 0)
        self.history_ = machine.history
        self.n_iter_ = len(machine.history) - 1
        self.converged_ = machine.converged
        self._squared_length = float((machine.a * machine.g).sum() / 2)
        self._origin = after_fit(batch.sample)

    # --------------------------------------------------------------------------------- predicting

    decision_function = kernels.decision_function

    @property
    def _kernel(self) -> Kernel:
        return kernel_of(self.kernel, self.degree)

    def _points(self, X: Any) -> Points:
        check_is_fitted(self, "alpha_")
        return read_points(self._schema, X)

    @property
    def duality_gap_(self) -> float:
        """How far the objective can be from the optimum."""
        check_is_fitted(self, "alpha_")
        return float(self.history_["gap"][-1])

    @property
    def primal_objective_(self) -> float:
        """|w|^2 + C times the slack."""
        check_is_fitted(self, "alpha_")
        return float(self.history_["primal"][-1])

    @property
    def dual_objective_(self) -> float:
        """The sum of the multipliers less |w|^2: no w has a smaller primal objective."""
        check_is_fitted(self, "alpha_")
        return float(self.history_["dual"][-1])

    @property
    def margin_(self) -> float:
        """1/|w|."""
        check_is_fitted(self, "alpha_")
        return 1 / sqrt(self._squared_length) if self._squared_length > 0 else inf

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        texts = isinstance(self.kernel, str) and self.kernel == "string"
        tags.input_tags.string = texts
        tags.input_tags.two_d_array = not texts
        return tags


@parameters.declared
class HingeLPClassifier(BySign, SetPrediction, ClassifierMixin, Model):
    r"""The halfspace whose total hinge loss on the training rows is least, by a linear program.

    .. math:: \min_w \sum_i \xi_i, \quad y_i\, w \cdot x_i \ge 1 - \xi_i, \quad \xi_i \ge 0

    There is no intercept unless asked for.

    Guarantee: no halfspace has a smaller total. It is 0 where, and only where, some halfspace has
    all rows strictly on their sides, and never below the number of rows that are mistaken.

    Parameters
    ----------
    fit_intercept : bool, default False
        Whether a constant feature of 1 is added.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The weights, in one row.
    hinge_loss_ : float
        The total hinge loss of the training rows, each as often as it counts.
    duality_gap_ : float
        By how much it exceeds the bound of the dual program: 0 up to rounding.
    mistakes_ : int
        How many training rows are on the wrong side, or on the border.
    classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import HingeLPClassifier
    >>> model = HingeLPClassifier().fit([[1.0, 0.5], [2.0, -1.0], [-1.0, 0.3]], [1, 1, 0])
    >>> model.hinge_loss_, model.predict([[3.0, 0.0]]).tolist()
    (0.0, [1])

    References
    ----------
    Blum, Hopcroft and Kannan, Foundations of Data Science, section 6.5.
    """

    score = score_of_labels

    explain = linear_explanation.explain
    _is_linear = True

    fit_intercept: bool = False
    n_jobs: int | None = None

    def _check_parameters(self) -> None:
        parameters.switch("fit_intercept", self.fit_intercept)

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Solves the program of weighted rows; an integer weight is so many copies."""
        self._check_parameters()
        with deferred_warnings():
            batch = read_distinct(
                X,
                y,
                sample_weight,
                kernel=Linear(),
                engine=choose(self.n_jobs),
                name=type(self).__name__,
            )
            rows = with_constant(batch.points) if self.fit_intercept else batch.points
            found = least_hinge(rows, batch.y, batch.count)
        assert batch.schema is not None
        self.__dict__.pop("feature_names_in_", None)
        self.__dict__.update(column_names(batch.schema))
        d = batch.schema.n_features
        self.coef_ = found.w[None, :d].copy()
        self.intercept_ = found.w[d:].copy() if self.fit_intercept else np.zeros(1)
        self.hinge_loss_ = found.total
        self.duality_gap_ = found.total - found.bound
        self.mistakes_ = batch.examples(found.margins <= 0)
        self.classes_ = batch.classes
        self._origin = after_fit(batch.sample)
        return self

    decision_function = kernels.decision_function

    def _points(self, X: Any) -> Points:
        check_is_fitted(self, "coef_")
        return read_points(self._schema, X)
