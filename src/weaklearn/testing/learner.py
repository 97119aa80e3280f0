"""Checks of the weak learner's interface."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import Form, Hypothesis, WeakLearner
from ..base.messages.value_text import show
from ..base.rows import Rows
from ..base.sample import WRONG, Sample, take_rows
from ..estimators.boosting.weak_learner import learner_for
from .booster import noisy_rows, sample_of


def check_learner(estimator: Any, *, n_classes: int = 2) -> None:
    """Calls a weak learner and raises an AssertionError that says which part of its interface it
    breaks.

    ``estimator`` is anything that boosters take: a learner of this library or one that inherits
    from ``weaklearn.base.WeakLearner``, a scikit-learn classifier, a function of (X, y, D). Asked
    the same question twice it must answer the same, and must leave rows, labels and weights as they
    are. Its hypotheses must give every row one allowed answer, whatever other rows there are, and
    none where there are no rows; and what they say to be right must be right.

    >>> from weaklearn.learners import StumpLearner
    >>> check_learner(StumpLearner())
    >>> check_learner(lambda X, y, D: lambda rows: np.sign(rows[:, 0] - rows[:, 0].mean()))
    Traceback (most recent call last):
        ...
    AssertionError: a hypothesis of <lambda> answers 50 rows otherwise than among the others
    """
    learner = learner_for(estimator, False, 1, 0)
    X, y = noisy_rows(n_classes)
    X = np.where(np.isnan(X), -1.0, X)  # gaps are for those who take them
    sample = sample_of(X, y)
    try:
        _check(_name(estimator), learner, sample)
    except (ValueError, TypeError) as error:
        raise AssertionError(str(error)) from error


def _name(estimator: Any) -> str:
    return getattr(estimator, "__name__", type(estimator).__name__)


def _check(name: str, learner: WeakLearner, sample: Sample) -> None:
    weights = 1.0 + np.arange(len(sample)) % 7
    X, y = sample.raw.copy(), sample.y.copy()
    D = sample.weighed(weights / weights.sum())
    before = D.array
    h = learner.bind(sample)(D, sample.y, 3)
    assert isinstance(h, Hypothesis), (
        f"{name} answers with {type(h).__name__}, which is no weaklearn.base.Hypothesis"
    )
    assert learner.form.includes(h.form), (
        f"{name} says that its hypotheses have the form {learner.form.name}; one has {h.form.name}"
    )
    answers = np.asarray(h(sample))
    assert np.array_equal(sample.raw, X), f"{name} changed X"
    assert np.array_equal(sample.y, y), f"{name} changed the labels"
    assert np.array_equal(D.array, before), f"{name} changed the distribution"
    again = learner.bind(sample)(sample.weighed(weights / weights.sum()), sample.y, 3)
    assert np.array_equal(np.asarray(again(sample)), answers), (
        f"{name} asked the same question twice gives two answers: seed what is random by the key"
    )
    _check_answers(name, h, sample, answers)
    _check_rows_alone(name, h, sample, answers)
    _check_correctness(name, h, sample, D.mass(sample.correctness(h), WRONG), before, answers)


def _check_answers(name: str, h: Hypothesis, sample: Sample, answers: NDArray[Any]) -> None:
    assert answers.shape == (len(sample),), (
        f"a hypothesis of {name} gives an array of shape {answers.shape} for {len(sample)} rows"
    )
    if h.form is not Form.CLASSES:
        h.number_answers(sample)
        return
    allowed = [-1, 0, 1] if sample.binary else [-1, *range(sample.n_classes)]
    strange = ~np.isin(answers, allowed)
    assert not strange.any(), (
        f"a hypothesis of {name} answers {show(answers[strange][0])} in row "
        f"{int(np.argmax(strange))}; allowed are {allowed}"
    )


def _check_rows_alone(name: str, h: Hypothesis, sample: Sample, answers: NDArray[Any]) -> None:
    alike = np.flatnonzero(answers == answers.max())
    for rows in (alike, np.arange(0, len(sample), 7), np.zeros(0, np.intp)):
        some = Rows(sample.cells.take(rows), take_rows(sample.raw, rows), sample.engine)
        assert np.array_equal(np.asarray(h(some)), answers[rows]), (
            f"a hypothesis of {name} answers {len(rows)} rows otherwise than among the others"
        )


def _check_correctness(
    name: str,
    h: Hypothesis,
    sample: Sample,
    error: float,
    D: NDArray[np.float64],
    answers: NDArray[Any],
) -> None:
    if h.form is not Form.CLASSES:
        answers = np.sign(answers)
    abstained = answers == (0 if sample.binary else -1)
    found = float(D @ ((answers != sample.y) & ~abstained))
    assert abs(error - found) <= 1e-9, (
        f"a hypothesis of {name} judges itself to err on {error:.6g} of the weight; its answers "
        f"err on {found:.6g}"
    )
