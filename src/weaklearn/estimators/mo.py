"""AdaBoostMOClassifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.hypothesis import WeakLearner
from ..base.output_code import all_pairs, exhaustive, one_vs_all, random_code
from ..base.sample import Sample
from ..boosters import AdaBoostMO
from ..theory.evidence import Evidence
from ..theory.label_certificates import by_code
from . import parameters
from .column import show
from .label_boosting import LabelBoosting

Code = NDArray[np.int8]

CODES = ["one-vs-all", "all-pairs", "random", "exhaustive"]
_MOST_EXHAUSTIVE = 12  # classes: 2047 bits


@parameters.declared
class AdaBoostMOClassifier(LabelBoosting):
    """AdaBoost.MO: every class has a word of bits, and the bits are learnt.

    Bits are labels that several classes may share; AdaBoost.MH learns them, one stump for all. A
    row is given the class whose word the scores F of its bits fit best. Long words far apart
    correct some wrong bits.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        As in ``AdaBoostMHClassifier``.
    n_estimators : int, default 100
        Rounds to play at most.
    learning_rate : float, default 1.0
        Factor on every vote.
    smoothing : float, optional
        As in ``AdaBoostMHClassifier``; None means 1/(ms), m examples and s bits.
    code : {"one-vs-all", "all-pairs", "random", "exhaustive"} or table, default "random"
        One bit a class; one for every two classes, which says nothing of the others; about 10 lg K
        bits drawn at random, of many draws the one whose words differ most; all 2^(K-1) - 1 ways to
        part K classes in two (of 12 at most); or the words themselves, a row for each class in
        sorted order, of -1, +1 and 0 where a bit says nothing.
    decoding : {"loss", "hamming"}, default "loss"
        The class with the least sum of exp(-word F), or the fewest bits whose sign is another,
        where a 0 counts half; the first on ties.
    on_perfect : {"stop", "smooth"}, default "stop"
        A rule that answers every bit of every example rightly outvotes all others and ends the
        game, or is one like others.
    min_weight_fraction_leaf, class_weight, early_stopping, validation_fraction, n_iter_no_change,
    tol, scoring, warm_start, callbacks, calibrate, unseen, random_state, n_jobs, verbose
        As in ``AdaBoostClassifier``; ``random_state`` seeds random codes too.

    Attributes
    ----------
    code_ : array of shape (classes, bits)
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from weaklearn import AdaBoostMOClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AdaBoostMOClassifier(n_estimators=20, code="exhaustive").fit(X, y)
    >>> model.code_.tolist()
    [[1, 1, 1], [1, -1, -1], [-1, 1, -1]]
    >>> model.score(X, y) > 0.95
    True

    Reference: Schapire and Singer (1999), Machine Learning 37; Allwein, Schapire and Singer (2000),
    JMLR 1.
    """

    smoothing: float | None = None
    code: Any = "random"
    decoding: str = "loss"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("decoding", self.decoding, ["loss", "hamming"])
        if self.smoothing is not None:
            parameters.real("smoothing", self.smoothing, None, 1e6, least=0.0)
        check_code(self.code)

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        code = code_for(self.code, sample, self._code_seed)
        words = tuple(tuple(word) for word in code.tolist())
        return AdaBoostMO(float(self.learning_rate), self.on_perfect, words, self.decoding)

    @property
    def _code_seed(self) -> int:
        if self.warm_start and hasattr(self, "ensemble_"):  # the code to go on with
            return self._seed
        return parameters.seed("random_state", self.random_state)

    @property
    def code_(self) -> Code:
        """The words, a row for each class."""
        code: Code = self.ensemble_.code
        return code

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        return by_code(evidence)


def check_code(code: Any) -> None:
    """Refuses what is neither the name of a code nor a table of -1, 0 and +1."""
    if isinstance(code, str):
        parameters.one_of("code", code, CODES)
        return
    _table(code)


def _table(code: Any) -> Code:
    listed = ", ".join(repr(name) for name in CODES)
    allowed = f"it must be one of {listed}, or a table of -1, 0 and +1 with a row for each class"
    try:
        table = np.array(code, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"code={show(code)} is not allowed: {allowed}.") from None
    if table.ndim != 2 or table.size == 0:
        raise ValueError(f"code={show(code)} is not allowed: {allowed}.")
    strange = np.argwhere(~np.isin(table, (-1, 0, 1)))
    if len(strange):
        row, bit = strange[0].tolist()
        raise ValueError(
            f"code[{row}][{bit}] is {table[row, bit]:g}, which is not allowed: {allowed}."
        )
    return table.astype(np.int8)


def code_for(code: Any, sample: Sample, seed: int) -> Code:
    """The words of the classes of a sample."""
    K = sample.n_classes
    if not isinstance(code, str):
        return _suited(_table(code), sample)
    if code == "exhaustive" and K > _MOST_EXHAUSTIVE:
        raise ValueError(
            f"code='exhaustive' is not allowed: {K} classes would take 2^{K - 1} - 1 bits, and at "
            f"most {_MOST_EXHAUSTIVE} classes can be coded so; use code='random'."
        )
    if code == "random":
        return random_code(K, seed)
    return {"one-vs-all": one_vs_all, "all-pairs": all_pairs, "exhaustive": exhaustive}[code](K)


def _suited(table: Code, sample: Sample) -> Code:
    """A given code, which must tell the classes of the sample apart."""
    classes = np.asarray(sample.classes).tolist()
    if len(table) != len(classes):
        raise ValueError(
            f"code has {len(table)} words and y has {len(classes)} classes: pass a word for each, "
            "in sorted order."
        )
    seen: dict[tuple[int, ...], Any] = {}
    for label, word in zip(classes, map(tuple, table.tolist()), strict=True):
        if not any(word):
            raise ValueError(f"the word of class {label!r} in code holds zeros only.")
        if word in seen:
            raise ValueError(
                f"the words of classes {seen[word]!r} and {label!r} in code are equal, so that the "
                "two could not be told apart: give every class a word of its own."
            )
        seen[word] = label
    return table
