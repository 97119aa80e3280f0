"""HalvingClassifier: a vote of the hypotheses that were never wrong."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...intake import parameters
from ...intake.known_classes import check_two
from ...intake.labels import codes_among, read_labels
from ...online.halving import HalvingLearner
from ...online.protocol import Trace, pairs
from ...production.provenance import fitted_now
from ...uncertainty.conformal import Counted, SetPrediction, two_sided
from ..model import Model, in_one_step

OnEmpty = Literal["raise", "positive"]


@parameters.declared
class HalvingClassifier(SetPrediction, ClassifierMixin, Model):
    """The majority of all hypotheses that are consistent with the examples so far.

    Hypotheses are functions from x to -1 or +1, or the rows of a table of their answers, in which
    case an example is the number of a column (which is why scikit-learn's general checks do not
    apply). With ``sizes``, the lengths of the hypotheses in a prefix-free code, each votes with
    weight 2^-size: generalised halving. A tied vote is +1.

    Guarantee: where one of the hypotheses is never wrong, at most lg |H| mistakes, and with sizes
    at most the size of that hypothesis.

    One example at a time: ``predict(x)``, then ``update(x, y)``. Many: ``fit``, ``partial_fit``,
    and ``run``, which gives a trace. Labels are -1 and +1, or those of ``fit``.

    Parameters
    ----------
    hypotheses : list of functions, or table of -1 and +1
        A table has one row a hypothesis.
    sizes : sequence of int, optional
        Lengths in a code; refused where their Kraft sum exceeds 1, as no prefix-free code has them.
    on_empty : {"raise", "positive"}, default "raise"
        What to do where no hypothesis is left: refuse the example, or predict +1 for ever.

    Attributes
    ----------
    alive_ : ndarray
        The hypotheses never wrong so far, by number.
    mistakes_ : int
        How often a label was mistaken before it was known.
    bound_ : float
        How many mistakes there can be, where the target is among the hypotheses.
    classes_ : ndarray
        -1 and +1, or the labels of ``fit``.

    Examples
    --------
    >>> from weaklearn import HalvingClassifier
    >>> thresholds = [lambda x, t=t: 1 if x >= t else -1 for t in range(8)]
    >>> model = HalvingClassifier(thresholds)
    >>> [(model.predict(x), model.update(x, 1 if x >= 5 else -1)) for x in (3, 5, 4)]
    [(1, True), (1, False), (1, True)]
    >>> model.alive_.tolist(), model.mistakes_, model.bound_
    ([5], 2, 3.0)

    References
    ----------
    Blum, Hopcroft and Kannan, Foundations of Data Science, section 6.4.2.
    """

    hypotheses: Any = field(default=None, kw_only=False)
    sizes: Any = None
    on_empty: OnEmpty = "raise"

    conservative = False
    _in_order = True  # learning goes by the order of examples
    _hows = ("split",)

    def _check_parameters(self) -> None:
        self.online()

    def online(self) -> HalvingLearner:
        """The same learner under the protocol, of nothing yet."""
        parameters.one_of("on_empty", self.on_empty, OnEmpty)
        if self.hypotheses is None:
            raise ValueError(
                "hypotheses=None is not allowed: it must be functions from x to -1 or +1, or a "
                "table of such answers."
            )
        return HalvingLearner(self.hypotheses, self.sizes, self.on_empty)

    def _learner(self) -> HalvingLearner:
        """A learner with the hypotheses that are still consistent."""
        learner = self.online()
        if hasattr(self, "_mask"):
            if len(self._mask) != learner.n_hypotheses:
                raise ValueError(
                    f"hypotheses holds {learner.n_hypotheses}, and learning began with "
                    f"{len(self._mask)}; set them back, or call fit."
                )
            learner.mask, learner.mistakes = self._mask.copy(), self.mistakes_
        return learner

    @in_one_step
    def fit(self, X: Any, y: Any) -> Self:
        """Goes over examples once, in their order; what was learnt before is forgotten.

        Any two labels will do: the first in order stands for -1, the second for +1.
        """
        examples = _examples(X)
        classes, codes = read_labels(y, len(examples), estimator_name=type(self).__name__)
        check_two(classes, type(self).__name__)
        signs = 2 * codes - 1
        if set(classes.tolist()) <= {-1, 1}:
            signs, classes = classes[codes], np.array([-1, 1])
        elif len(classes) == 1:
            raise ValueError(
                f"y holds one class only, {classes.tolist()[0]!r}, and it is not known whether the "
                "hypotheses call it -1 or +1; label examples by -1 and +1, or pass both classes."
            )
        learner = self.online()
        learner.run(examples, signs)
        self._keep(learner, classes)
        return self

    @in_one_step
    def partial_fit(self, X: Any, y: Any) -> Self:
        """Learns from examples in one pass, in their order."""
        self.run(X, y)
        return self

    @in_one_step
    def run(self, sequence: Any, labels: Any = None) -> Trace:
        """As ``partial_fit``, with a trace; also of a list of pairs (x, y)."""
        examples = list(pairs(sequence if labels is None else _examples(sequence), labels))
        classes, learner = self._known(), self._learner()
        y = [label for _, label in examples]
        codes = codes_among(classes, y, len(y), "y") if y else np.zeros(0, np.int64)
        trace = learner.run([x for x, _ in examples], 2 * codes - 1)
        self._keep(learner, classes)
        guesses = classes[(trace.predictions > 0).astype(np.intp)]
        return replace(trace, predictions=guesses, labels=classes[codes])

    def update(self, x: Any, y: Any) -> bool:
        """Learns that x has label y; whether that had been mistaken."""
        return bool(self.run([(x, y)]).mistake_flags[0])

    def _known(self) -> NDArray[Any]:
        """-1 and +1, unless a fit had other labels."""
        return getattr(self, "classes_", np.array([-1, 1]))

    def _keep(self, learner: HalvingLearner, classes: NDArray[Any]) -> None:
        self._mask, self.mistakes_, self.classes_ = learner.mask, learner.mistakes, classes
        self._origin = fitted_now()

    def predict(self, X: Any) -> Any:
        """The label of an example, or of each row of a matrix (or item of a list of columns)."""
        learner, classes = self._learner(), self._known()
        table = not all(callable(h) for h in self.hypotheses)
        many = hasattr(X, "iloc") or np.ndim(X) == 2 or (table and np.ndim(X) == 1)
        signs = [learner.predict(x) for x in (_examples(X) if many else [X])]
        labels = np.asarray(classes[(np.array(signs, np.int64) > 0).astype(np.intp)])
        return labels if many else labels.tolist()[0]

    def _judged_cells(self, X: Any) -> Counted:
        return Counted(len(_examples(X)))

    def _label_scores(self, X: Any) -> NDArray[np.float64]:
        learner = self._learner()
        return two_sided(np.array([learner.decision(x) for x in _examples(X)], np.float64))

    @property
    def alive_(self) -> NDArray[np.intp]:
        """The hypotheses never wrong so far, by number."""
        check_is_fitted(self, "_mask")
        return np.flatnonzero(self._mask)

    @property
    def bound_(self) -> float:
        """lg |H|, or the largest size of a hypothesis that is left."""
        check_is_fitted(self, "_mask")
        if self.sizes is None or not self._mask.any():
            return self.online().bound()
        return float(np.asarray(self.sizes)[self._mask].max())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.two_d_array = False
        return tags


def _examples(X: Any) -> list[Any]:
    """Examples one by one: rows of a matrix or of a frame, items of a list."""
    values = X.to_numpy() if hasattr(X, "to_numpy") else X
    return list(values)
