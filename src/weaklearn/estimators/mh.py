"""AdaBoostMHClassifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.hypothesis import WeakLearner
from ..base.sample import Sample
from ..boosters import AdaBoostMH
from ..theory.evidence import Evidence
from ..theory.label_certificates import by_hamming_loss
from . import parameters
from .label_boosting import LabelBoosting


@parameters.declared
class AdaBoostMHClassifier(LabelBoosting):
    """AdaBoost.MH: every label a question of its own, one stump for all of them.

    Weights are on pairs of an example and a label, which the example has or has not. In every
    round one test parts the examples, the same for all labels, and each side answers label l with
    its confidence c = 1/2 ln((W+ + s)/(W- + s)), W+ and W- being the weights there of the examples
    that have the label and of those that have not. The test is the one that makes
    2 sum sqrt(W+ W-) least, over sides and labels. The label with the largest sum of answers is
    predicted; or, where y is a table of labels, those whose sum is above 0.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        Exact stumps by default; "tree" is a tree of depth 3 by the same criterion. Of a
        DecisionTreeClassifier of this library its limits and ``categorical`` count, and missing
        values take a branch of their own. All other learners tell two groups of examples apart, and
        are found in turns with a sign for each label, as under ``form="product"``.
    n_estimators : int, default 100
        Rounds to play at most.
    learning_rate : float, default 1.0
        Factor on every vote.
    smoothing : float, optional
        s, in shares of the weight; None means 1/(mK), m examples and K labels.
    form : {"partition", "product"}, default "partition"
        "product" has answers u_l g(x) with signs u and g: one rule g, which speaks for some labels
        and against the others, and votes 1/2 ln((1 + r)/(1 - r)), r its correlation.
    on_perfect : {"stop", "smooth"}, default "stop"
        A rule that answers every label of every example rightly outvotes all others and ends the
        game, or is one like others.
    min_weight_fraction_leaf, class_weight, early_stopping, validation_fraction, n_iter_no_change,
    tol, scoring, warm_start, callbacks, calibrate, unseen, random_state, n_jobs, verbose
        As in ``AdaBoostClassifier``. Of a table of labels early stopping looks at the share that is
        right; ``score`` is stricter, the share of rows with all labels right.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_
        ``classes_`` are the labels: where y is a table, the names of its columns, or their numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from weaklearn import AdaBoostMHClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AdaBoostMHClassifier(n_estimators=20).fit(X, y)
    >>> round(model.score(X, y), 2)
    0.99
    >>> print(model.certify(X, y)[0].verdict)
    holds

    Several labels a row, as a table of 0 and 1:

    >>> Y = [[int(a > 3), int(b > 3)] for a, b in X[:, 1:3]]
    >>> AdaBoostMHClassifier(n_estimators=5).fit(X, Y).predict(X[:2]).tolist()
    [[1, 0], [0, 0]]

    Reference: Schapire and Singer (1999), Machine Learning 37.
    """

    smoothing: float | None = None
    form: str = "partition"

    _takes_several: ClassVar[bool] = True

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("form", self.form, ["partition", "product"])
        if self.smoothing is not None:
            parameters.real("smoothing", self.smoothing, None, 1e6, least=0.0)

    @property
    def _of_products(self) -> bool:
        return self.form == "product"

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        return AdaBoostMH(float(self.learning_rate), self.on_perfect)

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        return by_hamming_loss(evidence)
