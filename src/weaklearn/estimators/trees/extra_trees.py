"""ExtraTreesClassifier and ExtraTreesRegressor: trees of all examples, cuts drawn at random."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

from ...base.added_field import ADDED
from ...intake import parameters
from .averages import ClassAverage, NumberAverage
from .criteria import Criterion, NumberCriterion
from .forest import Forest
from .tree_parameters import MaxFeatures


@parameters.declared_in_order
class ExtraTreesClassifier(ClassAverage, Forest):
    """Extremely randomised trees: of each feature tried one cut, drawn at random; the best is kept.

    As in a random forest k features are drawn at each node, and for each of them one cut: anywhere
    between the least and the largest value at the node, each place as likely, or any set of the
    categories there. Of these k tests the best is asked. Every tree sees all examples, unless
    ``bootstrap=True``. The cuts are drawn by seed, tree, node and column, whatever the order of
    rows. A drawn cut that gains nothing is asked too, if no other gains more, so that trees grow
    until leaves are pure.

    Cuts fall anywhere between values; with more than 255 values in a column, they do not part those
    of one bin unless ``exact=True``. Missing values follow the better side, or stand alone where
    that gains more.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "gain_ratio", "sqrt", "error"}, default "gini"
        What a test should lower: Gini's index; entropy (also "log_loss"); C4.5's gain ratio; the
        sum of sqrt(p (1 - p)); the error.
    max_features : {"sqrt", "log2"}, int, float or None, default "sqrt"
        For how many features a cut is drawn at each split: a number, a share, or None for all.
    bootstrap : bool, default False
        Draw a bag for each tree; without, every tree sees all examples.
    monotonic_cst : array of -1, 0, 1, or dict from column name, optional
        Columns along which the probability of the second class may only rise (1) or fall (-1).
    oob_score : bool or function of (y, predicted), default False
        Score every example by the trees whose bag left it out; accuracy by default.
    calibrate : "auto" or None, default "auto"
        With ``bootstrap=True`` probabilities are calibrated as those of a random forest are.

    Attributes
    ----------
    trees_, estimators_, estimators_samples_, classes_, n_classes_, n_features_in_,
    feature_names_in_, feature_importances_, calibration_, oob_score_, oob_decision_function_,
    oob_coverage_

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from weaklearn import ExtraTreesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = ExtraTreesClassifier(bootstrap=True, oob_score=True).fit(X, y)
    >>> round(forest.oob_score_, 2), forest.score(X, y)
    (0.95, 1.0)

    Reference: Geurts, Ernst and Wehenkel (2006), Extremely randomized trees.
    """

    splitter = "random"
    _criteria = Criterion

    criterion: Criterion = "gini"
    max_features: MaxFeatures = "sqrt"
    bootstrap: bool = False
    class_weight: Any = None
    calibrate: Literal["auto", None] = field(default="auto", metadata=ADDED)


@parameters.declared_in_order
class ExtraTreesRegressor(NumberAverage, Forest):
    """Extremely randomised trees for numbers: of each feature one cut, drawn at random.

    Grown as those of ExtraTreesClassifier, with a cut for every feature at each node.

    Parameters
    ----------
    criterion : {"squared_error", "friedman_mse", "absolute_error", "poisson"}, \
default "squared_error"
        What a test should lower: the squared error (also "friedman_mse"); the absolute error,
        leaves then answering the median; half the Poisson deviance, for counts and rates, where
        no leaf answers 0.
    max_features : {"sqrt", "log2"}, int, float or None, default 1.0
        For how many features a cut is drawn at each split: a number, a share, or None for all.
    bootstrap : bool, default False
        Draw a bag for each tree; without, every tree sees all examples.
    oob_score : bool or function of (y, predicted), default False
        Score every example by the trees whose bag left it out; R^2 by default.

    Attributes
    ----------
    trees_, estimators_, estimators_samples_, n_features_in_, feature_names_in_,
    feature_importances_, oob_score_, oob_prediction_, oob_coverage_

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from weaklearn import ExtraTreesRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = ExtraTreesRegressor(bootstrap=True, oob_score=True).fit(X, y)
    >>> round(forest.oob_score_, 1), forest.predict_std(X[:3]).shape
    (0.4, (3,))

    Reference: Geurts, Ernst and Wehenkel (2006), Extremely randomized trees.
    """

    splitter = "random"

    criterion: NumberCriterion = "squared_error"
    max_features: MaxFeatures = 1.0
    bootstrap: bool = False
