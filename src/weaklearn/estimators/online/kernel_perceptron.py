"""KernelPerceptron: the perceptron on a map that is never written out."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...base.history import History
from ...base.messages.value_text import row_number
from ...base.messages.warnings import PassesWarning, deferred_warnings, warn
from ...base.offered import fact
from ...base.types import Floats
from ...engines import resolve_threads
from ...intake import parameters
from ...intake.known_classes import check_two, first_classes, same_classes
from ...intake.label_kind import score_of_labels
from ...intake.labels import (
    coded_labels,
    codes_among,
    doubt_classes,
    read_labels,
    warn_of_constant_columns,
)
from ...intake.numeric_rows import is_constant, kernel_of, learn_points, read_points
from ...intake.schema import Schema
from ...online.kernel_perceptron import Mistakes, OnlineKernelPerceptron, go_over
from ...online.kernels import Kernel
from ...online.points import Points, count, take
from ...online.protocol import Trace
from ...prediction import kernels
from ...production.provenance import fitted_now
from ...uncertainty.conformal import SetPrediction
from ..fit import column_names
from ..model import Model, in_one_step
from .distinct_examples import BySign


@parameters.declared
class KernelPerceptron(BySign, SetPrediction, ClassifierMixin, Model):
    """The perceptron behind a kernel: it keeps the rows it was wrong on.

    The score of x is the sum of y_i K(x_i, x) over the mistakes so far; a row is a mistake where y
    times its score is at most 0. ``fit`` goes over the rows in their order until a whole pass is
    clean; ``partial_fit`` goes over them once. With the linear kernel this is the perceptron.

    Guarantee: where some unit vector w* separates the mapped rows with y (w*.phi(x)) >= gamma, and
    K(x, x) is at most R^2, at most (R/gamma)^2 mistakes are made, over all passes together.

    Parameters
    ----------
    kernel : {"linear", "polynomial", "all_products", "string"}, Kernel or function
        A kernel by its name, "polynomial" by default, one of ``weaklearn.online.kernels``, or any
        function of two examples that is an inner product. The string kernel compares texts: X is a
        list of them.
    degree : int, default 2
        Of the polynomial kernel; for the string kernel the length of substrings. At most 10,000.
    max_passes : int, default 100
        Where no pass is clean, ``fit`` ends after so many with a warning, and the state with the
        fewest training errors is kept.
    shuffle : bool, default False
        Whether ``fit`` draws a new order of the rows for each pass; of use where they are sorted.
    random_state : None, int below 2**32, RandomState or Generator
        Seeds these orders.

    Attributes
    ----------
    support_vectors_, dual_coef_ : ndarray or list of str, ndarray
        The rows mistaken, and how often, with the sign of their label.
    mistakes_ : int
        How often a row was mistaken, in all passes.
    history_ : History
        One row a pass of ``fit``: ``mistakes``, fewest ``errors`` so far.
    n_iter_, converged_, classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import KernelPerceptron
    >>> X = [[0, 0], [1, 1], [0, 1], [1, 0]]
    >>> model = KernelPerceptron(kernel="polynomial", degree=2).fit(X, [0, 0, 1, 1])
    >>> model.predict(X).tolist(), model.converged_
    ([0, 0, 1, 1], True)

    References
    ----------
    Blum, Hopcroft and Kannan, Foundations of Data Science, section 6.6.
    """

    score = score_of_labels

    kernel: Any = field(default="polynomial", kw_only=False)
    degree: int = 2
    max_passes: int = 100
    shuffle: bool = False
    random_state: Any = None
    n_jobs: int | None = None

    _in_order = True  # learning goes by the order of rows

    def _check_parameters(self) -> None:
        kernel_of(self.kernel, self.degree)
        parameters.integer("max_passes", self.max_passes, 1)
        parameters.switch("shuffle", self.shuffle)
        if not isinstance(self.random_state, (np.random.RandomState, np.random.Generator)):
            parameters.seed("random_state", self.random_state)

    # ----------------------------------------------------------------------------------- learning

    @in_one_step
    def fit(self, X: Any, y: Any) -> Self:
        """Goes over the rows in their order until a pass is clean, or ``max_passes`` times.

        What was learnt before is forgotten.
        """
        self._check_parameters()
        kernel, name = kernel_of(self.kernel, self.degree), type(self).__name__
        with deferred_warnings():
            schema, points = learn_points(kernel, X, name)
            classes, codes = read_labels(y, count(points), estimator_name=name)
            check_two(classes, name)
            doubt_classes(classes, len(codes))
            if schema is not None and len(classes) > 1 and is_constant(points):
                warn_of_constant_columns()
            signs = coded_labels(codes, len(classes)).astype(np.float64)
            points, signs = _without_zeros(kernel, points, signs)
            threads = resolve_threads(self.n_jobs)
            seed = parameters.seed("random_state", self.random_state)
            order = seed if self.shuffle else None
            pocket = go_over(kernel, points, signs, int(self.max_passes), threads, order)
            if not pocket.clean:
                warn(
                    f"{name} made mistakes in each of {len(pocket.history)} passes: no separator "
                    f"behind this kernel may exist. The state with the fewest training errors was "
                    f"kept, {pocket.errors} of {len(signs)}; more max_passes, shuffle=True "
                    "or another kernel may do better.",
                    PassesWarning,
                )
        kept = np.flatnonzero(pocket.times)
        self._keep(schema, classes, take(points, kept), pocket.times[kept])
        self.mistakes_ = pocket.mistakes
        self.history_ = pocket.history
        self.n_iter_ = len(pocket.history)
        self.converged_ = pocket.clean
        self._seed = seed
        return self

    @in_one_step
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learns from rows in one pass, in their order; a batch, or a single row.

        ``classes`` lists all labels there will be; the first call must have it, unless the labels
        are -1 and +1.
        """
        self.run(X, y, classes)
        return self

    @in_one_step
    def run(self, X: Any, y: Any, classes: Any = None) -> Trace:
        """As ``partial_fit``, with a trace: each row is predicted before its label is learnt."""
        self._check_parameters()
        kernel, name = kernel_of(self.kernel, self.degree), type(self).__name__
        begun = fact(self, "dual_coef_") is not None
        with deferred_warnings():
            if begun:
                schema, points = self._schema, read_points(self._schema, X)
                known = same_classes(self.classes_, classes)
                state = Mistakes(kernel, self.support_vectors_, self.dual_coef_)
            else:
                schema, points = learn_points(kernel, X, name)
                known = first_classes(classes, y, count(points))
                check_two(known, name)
                state = Mistakes(kernel)
            codes = codes_among(known, y, count(points), "y")
            signs = coded_labels(codes, len(known)).astype(np.float64)
            scores, wrong = state.learn(points, signs, resolve_threads(self.n_jobs))
        before = self.mistakes_ if begun else 0
        if not begun:
            self.history_, self.n_iter_, self.converged_ = History(), 0, False
        vectors = points[:0] if state.points is None else state.points
        self._keep(schema, known, vectors, state.coefficients)
        self.mistakes_ = before + int(np.count_nonzero(wrong))
        guesses = (scores > 0).astype(np.intp) * (len(known) - 1)
        return Trace(known[guesses], known[codes], scores, wrong)

    def online(self) -> OnlineKernelPerceptron:
        """The same learner under the protocol ``predict(x)``, ``update(x, y)``, of nothing yet."""
        self._check_parameters()
        return OnlineKernelPerceptron(kernel_of(self.kernel, self.degree))

    def _keep(
        self, schema: Schema | None, classes: NDArray[Any], points: Points, signs: Floats
    ) -> None:
        for name in ("feature_names_in_", "n_features_in_"):
            self.__dict__.pop(name, None)
        self.__dict__.update({"_schema": None} if schema is None else column_names(schema))
        self.classes_ = classes
        self.support_vectors_, self.dual_coef_ = points, signs
        self._origin = fitted_now()

    # --------------------------------------------------------------------------------- predicting

    decision_function = kernels.decision_function

    @property
    def _kernel(self) -> Kernel:
        return kernel_of(self.kernel, self.degree)

    def _points(self, X: Any) -> Points:
        check_is_fitted(self, "dual_coef_")
        return read_points(self._schema, X)


def _without_zeros(kernel: Kernel, points: Points, signs: Floats) -> tuple[Points, Floats]:
    """The rows that the kernel does not map to 0, with a warning of those that it does."""
    some = kernel.diagonal(points) > 0
    if some.all():
        return points, signs
    why = "a vector of length 0 behind the kernel, which no separator has strictly on a side"
    if not some.any():
        raise ValueError(f"Every row of X is {why}; take another kernel.")
    warn(
        f"{len(some) - int(some.sum())} row(s) of X, the first of them row "
        f"{row_number(int(np.argmin(some)))}, are {why}; they were left out."
    )
    return take(points, np.flatnonzero(some)), signs[some]
