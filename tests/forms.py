"""Every classifier in its forms, what each can learn from, and how it must bear a refusal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import weaklearn
from tests.trials import TRIALS
from weaklearn import (
    AdaBoostClassifier,
    AdaBoostLClassifier,
    AdaBoostM2Classifier,
    AdaBoostMHClassifier,
    AdaBoostMOClassifier,
    AdaBoostMRClassifier,
    AdditiveBoostingClassifier,
    ADTreeClassifier,
    AllPairsBooster,
    AnyBoostClassifier,
    BaggingClassifier,
    BoosTexterClassifier,
    CoordinateBoostClassifier,
    DecisionStumpClassifier,
    GentleBoostClassifier,
    GradientBoostingClassifier,
    LPBoostClassifier,
    MadaBoostClassifier,
    MajorityOfThreeClassifier,
    NormalBoostClassifier,
    OneVsRestBooster,
    RandomForestClassifier,
    RealAdaBoostClassifier,
    SlipperClassifier,
    ThresholdClassifier,
)
from weaklearn.registry import ROWS, Row, class_of

METHODS = ("predict", "predict_proba", "predict_log_proba", "decision_function")
STAGED = ("staged_predict", "staged_predict_proba", "staged_decision_function")


@dataclass(frozen=True)
class Form:
    """A way to build a classifier.

    ``native``: by our own learners; ``kinds``: takes any column; ``fits``: how well at least it
    fits what one threshold separates.
    """

    name: str
    make: Callable[..., Any]
    n_classes: int = 2
    native: bool = True
    kinds: bool = True
    fits: float = 1.0

    @property
    def X(self) -> Any:
        return sample()[0]

    @property
    def y(self) -> Any:
        return sample()[self.n_classes - 1]

    def fit(self, X: Any = None, y: Any = None, **given: Any) -> Any:
        """A new model, fitted; on the common sample where X is not given."""
        X, y = (self.X if X is None else X), (self.y if y is None else y)
        return self.make().fit(X, y, **given)


@cache
def sample() -> tuple[Any, Any, Any]:
    """Sixty rows of four numbers, and their labels of two and of three classes; all read-only."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(60, 4))
    two = (X[:, 0] + X[:, 1] + rng.normal(scale=0.3, size=60) > 0).astype(int)
    three = np.digitize(X[:, 0] + 0.3 * X[:, 1], [-0.5, 0.5])
    for array in (X, two, three):
        array.flags.writeable = False
    return X, two, three


ADABOOST = Form("adaboost", partial(AdaBoostClassifier, n_estimators=5))
SAMME = Form("samme", partial(AdaBoostClassifier, n_estimators=5, multiclass="samme"), 3)
M1 = Form("m1", partial(AdaBoostClassifier, n_estimators=5, multiclass="m1"), 3)
OVR = Form("ovr", partial(AdaBoostClassifier, n_estimators=5, multiclass="ovr"), 3)
TREE = Form(
    "tree",
    partial(AdaBoostClassifier, estimator=DecisionTreeClassifier(max_depth=1), n_estimators=5),
    native=False,
    kinds=False,
)
STUMP = Form("stump", DecisionStumpClassifier)
STUMP3 = Form("stump3", DecisionStumpClassifier, 3)
THRESHOLD = Form("threshold", ThresholdClassifier, kinds=False)
# Rules on plain numbers; the bounded ones know nothing of what lies outside their examples.
BOUNDED = [
    Form("union", partial(weaklearn.IntervalUnionClassifier, n_max=2), kinds=False),
    Form("rectangle", weaklearn.RectangleClassifier, kinds=False),
]
PLAIN = [
    THRESHOLD,
    *BOUNDED,
    Form("pieces", weaklearn.ThreePieceClassifier, kinds=False),
    Form("means", weaklearn.CentroidClassifier, kinds=False, fits=0.9),
    Form("means3", weaklearn.CentroidClassifier, 3, kinds=False, fits=0.9),
]

ANY = Form("anyboost", partial(AnyBoostClassifier, n_estimators=5))
ANY3 = Form("anyboost3", partial(AnyBoostClassifier, n_estimators=5, step="line_search"), 3)
REAL = Form("real", partial(RealAdaBoostClassifier, n_estimators=5))
REAL3 = Form("real3", partial(RealAdaBoostClassifier, n_estimators=5), 3)

BAGGING = Form("bagging", partial(BaggingClassifier, "stump", n_estimators=5), fits=0.95)
FOREST = Form("forest", partial(RandomForestClassifier, n_estimators=5), fits=0.95)
FOREST3 = Form("forest3", partial(RandomForestClassifier, n_estimators=5), 3, fits=0.95)

GROWN = Form("grown", weaklearn.DecisionTreeClassifier)
GROWN3 = Form("grown3", weaklearn.DecisionTreeClassifier, 3)
WOODS = Form("woods", partial(AdaBoostClassifier, "tree", n_estimators=5))
WOODS3 = Form("woods3", partial(AdaBoostClassifier, "tree", n_estimators=5), 3)

_steep = {"learning_rate": 1.0, "min_samples_leaf": 1, "subsample": 1.0, "max_features": 1.0}
GRADIENT = Form("gradient", partial(GradientBoostingClassifier, n_estimators=5, **_steep))
GRADIENT3 = Form("gradient3", partial(GradientBoostingClassifier, n_estimators=5, **_steep), 3)
# By the best cuts: of a few examples the defaults draw them, and five rounds are then too few.
_glass = {"n_estimators": 5, "n_bags": 2, "max_leaf_nodes": 4, "n_pairs": 10, **_steep}
GLASS = Form("glass", partial(AdditiveBoostingClassifier, **_glass))
GLASS3 = Form("glass3", partial(AdditiveBoostingClassifier, **_glass), 3)


def _played(row: Row) -> Form:
    """A booster of the registry with five rounds on two classes."""
    given = {**TRIALS.get(row.name, {}), "n_estimators": 5}
    return Form(
        row.command or row.name, partial(class_of(row), **given), fits=_FITS.get(row.name, 1.0)
    )


_FITS = {"SlipperClassifier": 0.9}  # a rule is drawn, and may miss a few rows
# Every booster of the registry on two classes, those with forms of their own above left out.
_OWN = {"AdaBoostClassifier", "RealAdaBoostClassifier", "AnyBoostClassifier"}
_PLAYED = {
    row.name: _played(row)
    for row in ROWS.values()
    if row.schemes
    and row.name not in _OWN
    and row.predicts == "classes"
    and "n_estimators" in TRIALS.get(row.name, {})
    and row.family.title != "Ranking"
}
# More classes are played side by side by one panel, and a few stand for all there.
_THREE = [
    Form("mada3", partial(MadaBoostClassifier, n_estimators=5), 3),
    Form("normal3", partial(NormalBoostClassifier, n_estimators=5, epsilon=0.01), 3),
    Form("logistic3", partial(AdaBoostLClassifier, n_estimators=5), 3),
    Form("lp3", partial(LPBoostClassifier, n_estimators=5), 3),
    Form("coordinate3", partial(CoordinateBoostClassifier, n_estimators=5, loss="logistic"), 3),
    Form("m2 of three", partial(AdaBoostM2Classifier, n_estimators=5), 3),
    Form("pairs", partial(AdaBoostClassifier, n_estimators=5, multiclass="pairs"), 3),
    Form("adtree3", partial(ADTreeClassifier, n_estimators=5), 3),
    Form("slipper3", partial(SlipperClassifier, n_estimators=5), 3, fits=0.9),
    Form("mr3", partial(AdaBoostMRClassifier, n_estimators=5), 3),
    Form("mo3", partial(AdaBoostMOClassifier, n_estimators=5, code="all-pairs"), 3),
    Form("mh3", partial(AdaBoostClassifier, n_estimators=5), 3),
    Form("mh of trees", partial(AdaBoostMHClassifier, "tree", n_estimators=5), 3),
    Form("texter", partial(BoosTexterClassifier, n_estimators=5)),
    Form("texter3", partial(BoosTexterClassifier, form="discrete", n_estimators=5), 3),
]
_GENTLE3 = Form("gentle3", partial(GentleBoostClassifier, n_estimators=5), 3)
_SET = [
    Form("robust", partial(NormalBoostClassifier, n_estimators=5, epsilon=0.01, robust=True)),
    Form("ball", partial(CoordinateBoostClassifier, n_estimators=5, radius=5.0)),
]
CANON = [*_PLAYED.values(), *_THREE, _GENTLE3, *_SET]


def _named(*names: str) -> list[Form]:
    return [form for form in CANON if form.name in names]


# A rule without error has a vote like any other, and boosting goes on.
EQUAL = [
    *_named("smoothboost", "gentleboost", "filterboost", "gamma-majority", "alpha-boost", "bbm"),
    _GENTLE3,
]
# Models to be read.
ALTERNATING = _named("adtree", "adtree3")
RULE_SETS = _named("slipper", "slipper3")
# Rules that answer every label at once.
LABELS = _named(
    *("adaboost-mh", "mh3", "mh of trees", "mo3", "adaboost-mr", "mr3", "texter", "texter3")
)

# Estimators around another, whose parameters are those of that one.
REDUCED = [
    Form("reduced", partial(OneVsRestBooster, AdaBoostClassifier(n_estimators=5)), 3),
    Form("paired", partial(AllPairsBooster, RealAdaBoostClassifier(n_estimators=5)), 3),
]

# A game of three rounds, however many are asked for.
THREES = [
    Form("majority3", MajorityOfThreeClassifier),
    Form("majority3 of three", MajorityOfThreeClassifier, 3),
]

# Rows are read, coded and scored by what all boosters share: as to data, a few of each kind stand
# for all, while parameters are tried on every one.
STANDING_FOR_ALL = {
    *("madaboost", "mada3", "normalboost", "normal3", "logistic3", "gentleboost", "gentle3"),
    *("gamma-majority", "filterboost", "adaboost-star", "lpboost", "lp3", "ball", "m2 of three"),
    *("pairs", "adtree", "slipper", "slipper3"),
    *(form.name for form in LABELS),
}

DESCENTS = [ANY, ANY3, REAL, REAL3]
GRADIENTS = [GRADIENT, GRADIENT3]
GLASSES = [GLASS, GLASS3]
FORMS = [
    *DESCENTS,
    *GRADIENTS,
    *GLASSES,
    ADABOOST,
    SAMME,
    M1,
    OVR,
    TREE,
    STUMP,
    STUMP3,
    *PLAIN,
    GROWN,
    GROWN3,
    WOODS,
    WOODS3,
    BAGGING,
    FOREST,
    FOREST3,
    *(form for form in CANON if form.name in STANDING_FOR_ALL),
    *REDUCED,
]
NATIVE = [form for form in FORMS if form.native]
KINDS = [form for form in FORMS if form.kinds]  # dates, categories, gaps, integers of any size
BOOSTERS = [ADABOOST, SAMME, M1, OVR, TREE, WOODS, WOODS3, *DESCENTS, *GRADIENTS, *CANON]
AVERAGED = [BAGGING, FOREST, FOREST3]


# One of each way into the library: whoever reads rows, labels and weights by itself, and stands for
# the forms that run the same lines.
DOORS = [
    *(ADABOOST, SAMME, TREE, STUMP, PLAIN[0], ANY, GRADIENT, GLASS, BAGGING, FOREST, GROWN),
    *(LABELS[0], REDUCED[0]),
]
# One of each way in which numbers of rounds and rates are checked.
CHECKS = [ADABOOST, GRADIENT, GLASS, FOREST]


def each(forms: list[Form]) -> Any:
    """A test for each of the forms, of what every one does in its own way."""
    return pytest.mark.parametrize("form", forms, ids=lambda form: form.name)


def over(forms: list[Form]) -> Any:
    """A test for each of the forms: a long one where another form stands for it."""
    return pytest.mark.parametrize("form", [_case(form.name, form) for form in forms])


def crossed(forms: list[Form], name: str, values: Iterable[Any]) -> Any:
    """A test for every value at every door; of the forms behind shared doors two values in turn."""
    cases = [_case(f"{f.name}-{v}", f, v) for f, v in _in_turn(forms, DOORS, list(values))]
    return pytest.mark.parametrize(("form", name), cases)


def checked(forms: list[Form], name: str, values: Iterable[Any]) -> Any:
    """A test for every value at every check; of the forms that share a check two values in turn."""
    pairs = _in_turn(forms, CHECKS, list(values))
    return pytest.mark.parametrize(
        ("form", name), pairs, ids=[f"{form.name}-{str(value)[:9]}" for form, value in pairs]
    )


def _case(name: str, form: Form, *values: Any) -> Any:
    return pytest.param(form, *values, id=name, marks=() if form in DOORS else pytest.mark.long)


def _in_turn(forms: list[Form], all_values: list[Form], every: list[Any]) -> list[tuple[Form, Any]]:
    pairs = []
    for k, form in enumerate(forms):
        turn = (every[2 * k % len(every)], every[(2 * k + 1) % len(every)])
        pairs += [(form, value) for value in (every if form in all_values else turn)]
    return pairs


def answers(model: Any, X: Any) -> dict[str, bytes]:
    """Everything a model says of X, to the bit."""
    said = {name: np.asarray(getattr(model, name)(X)) for name in METHODS if hasattr(model, name)}
    return {name: f"{a.dtype}{a.shape}".encode() + a.tobytes() for name, a in said.items()}


def same(model: Any, other: Any, X: Any, X_other: Any = None) -> bool:
    """Whether two models say the same, each of its own X."""
    return answers(model, X) == answers(other, X if X_other is None else X_other)


@cache
def fitted(form: Form) -> Any:
    """A form on the common sample, made once for all who do no more than ask it."""
    return form.fit()


@contextmanager
def untouched(model: Any, X: Any) -> Iterator[None]:
    """What happens inside must leave a fitted model as it was."""
    before, names = answers(model, X), sorted(vars(model))
    yield
    assert answers(model, X) == before
    assert sorted(vars(model)) == names


def refused(
    form: Form,
    X: Any = None,
    y: Any = None,
    *words: str,
    error: type[Exception] | tuple[type[Exception], ...] = ValueError,
    **given: Any,
) -> str:
    """Fits a fitted model again: it must refuse in these words and stay as it was."""
    model = form.fit()
    with untouched(model, form.X), pytest.raises(error) as caught:
        model.fit(form.X if X is None else X, form.y if y is None else y, **given)
    return said(caught.value, *words)


def refused_later(
    form: Form,
    X: Any,
    *words: str,
    error: type[Exception] | tuple[type[Exception], ...] = ValueError,
    model: Any = None,
) -> None:
    """Hands X to every method of a fitted model: all must refuse it in these words."""
    model = fitted(form) if model is None else model
    for name in (*METHODS, *STAGED):
        if hasattr(model, name):
            with pytest.raises(error) as caught:
                ask(model, name, X)
            said(caught.value, *words)


def ask(model: Any, name: str, *given: Any) -> Any:
    """What a method answers; all stages of a staged one."""
    answer = getattr(model, name)(*given)
    return list(answer) if name in STAGED else answer


def said(error: BaseException, *words: str) -> str:
    """The message, in which every one of the words must be found, in this order."""
    message = str(error)
    pattern = ".*?".join(re.escape(word) for word in words)
    assert re.search(pattern, message, re.DOTALL), f"{words} not in: {message}"
    return message
