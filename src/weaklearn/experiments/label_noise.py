"""Wrong labels: boosters of convex losses, and those that give examples up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from ..datasets import flip_labels, long_servedio, noisy_bits
from ..estimators.boosting.adaboost import AdaBoostClassifier
from ..estimators.boosting.brownboost import BrownBoostClassifier, NormalBoostClassifier
from ..estimators.boosting.confidence_rated import (
    AdaBoostLClassifier,
    GentleBoostClassifier,
    RealAdaBoostClassifier,
)
from ..estimators.boosting.known_edge import MadaBoostClassifier, SmoothBoostClassifier
from ..estimators.trees.bagging import BaggingClassifier
from .result import THEOREM, Chart, Result, ResultTable, Row, line
from .setting import Setting
from .trials import half_width
from .weak_learners import c45

_NOISE = (0.0, 0.05, 0.1, 0.2)
Makers = dict[str, Callable[..., Any]]
_STUMPS: Makers = {
    "AdaBoost": AdaBoostClassifier,
    "AdaBoost, confidence-rated": RealAdaBoostClassifier,
    "logistic loss (AdaBoost.L)": AdaBoostLClassifier,
    "MadaBoost": MadaBoostClassifier,
    "SmoothBoost": SmoothBoostClassifier,
    "BrownBoost": BrownBoostClassifier,
    "NormalBoost": NormalBoostClassifier,
}


def label_noise(setting: Setting) -> Result:
    """Test error, on true labels, of models that learnt from labels some of which are flipped."""
    trees = setting.part("C4.5 on flipped labels", lambda: _flipped(_trees(setting), setting))
    stumps = setting.part("stumps on flipped labels", lambda: _flipped(_STUMPS, setting))
    bits = setting.part("bits and their majority", lambda: _bits(setting))
    points = setting.part("four points", lambda: _four_points(setting))
    return Result(
        (
            _noise_table("C4.5, breast cancer with flipped labels", trees),
            _noise_table("Stumps, breast cancer with flipped labels", stumps),
            _noise_table("The majority of 21 bits (Long and Servedio)", bits),
            _points_table(points),
        ),
        (
            _noise_chart("C4.5 and flipped labels", trees),
            _noise_chart("Stumps and flipped labels", stumps),
            Chart(
                "The majority of 21 bits, labels flipped in training",
                "flipped labels, %",
                "test error on true labels, %",
                tuple(
                    line(
                        name,
                        [100 * float(share) for share in found],
                        [np.mean(values) for values in found.values()],
                        [half_width(values) or 0.0 for values in found.values()],
                    )
                    for name, found in bits.items()
                ),
            ),
        ),
        f"{_n_trials(trees)} splits for trees, {_n_trials(stumps)} for stumps, "
        f"{_n_trials(bits)} draws of bits; bars are 95 % intervals of their means",
        (
            "How much BrownBoost and NormalBoost are to give up decides whether they find the "
            "majority: two settings are run beside each other.",
            "Dietterich (2000) found that at 20 % of flipped labels bagged C4.5 beats boosted "
            "C4.5 (remembered; the direction is sure, the counts are not).",
        ),
    )


def _trees(setting: Setting) -> Makers:
    members = setting.choose(100, 5)
    return {
        "C4.5": c45,
        "C4.5 bagged": lambda: BaggingClassifier(c45(), members),
        "C4.5 boosted": lambda: AdaBoostClassifier(c45(), n_estimators=members),
    }


def _flipped(makers: Makers, setting: Setting) -> dict[str, dict[str, list[float]]]:
    """Test errors in percent by model and noise, an entry a split."""
    X, y = load_breast_cancer(return_X_y=True)
    found: dict[str, dict[str, list[float]]] = {name: {} for name in makers}
    shares = setting.choose(_NOISE, (0.0, 0.2))
    for seed in range(setting.seed, setting.seed + setting.repeats(20, 1)):
        X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=seed)
        for share in shares:
            noisy = flip_labels(y_train, share, random_state=seed)
            for name, make in makers.items():
                wrong = make().fit(X_train, noisy).predict(X_test) != y_test
                found[name].setdefault(str(share), []).append(100 * float(np.mean(wrong)))
    return found


def _n_trials(found: dict[str, dict[str, list[float]]]) -> int:
    return min(len(values) for by_share in found.values() for values in by_share.values())


def _noise_table(title: str, found: dict[str, dict[str, list[float]]]) -> ResultTable:
    rows = [
        Row(
            f"{name}, {float(share):.0%} flipped",
            float(np.mean(values)),
            spread=half_width(values),
        )
        for name, by_share in found.items()
        for share, values in by_share.items()
    ]
    return ResultTable(title, tuple(rows), "%")


def _noise_chart(title: str, found: dict[str, dict[str, list[float]]]) -> Chart:
    lines = [
        line(
            name,
            [100 * float(share) for share in by_share],
            [np.mean(values) for values in by_share.values()],
            [half_width(values) or 0.0 for values in by_share.values()],
        )
        for name, by_share in found.items()
    ]
    return Chart(title, "flipped labels, %", "test error on true labels, %", tuple(lines))


def _bits(setting: Setting) -> dict[str, dict[str, list[float]]]:
    """Long and Servedio's bits, on which what to give up is known."""
    shares = setting.choose((0.0, 0.1, 0.2), (0.1,))
    rounds, n = setting.choose((500, 2000), (20, 300))
    found: dict[str, dict[str, list[float]]] = {}
    for share in shares:
        for seed in range(setting.seed, setting.seed + setting.repeats(20, 1)):
            X, y = noisy_bits(n, share, random_state=2 * seed + 1)
            X_test, y_test = noisy_bits(n, 0.0, random_state=2 * seed + 2)
            for name, model in {
                "AdaBoost": AdaBoostClassifier(n_estimators=rounds),
                "logistic loss (AdaBoost.L)": AdaBoostLClassifier(n_estimators=rounds),
                "SmoothBoost": SmoothBoostClassifier(n_estimators=rounds),
                **_giving_up(share, 2 * rounds),
            }.items():
                wrong = model.fit(X, y).predict(X_test) != y_test
                by_share = found.setdefault(name, {})
                by_share.setdefault(str(share), []).append(100 * float(np.mean(wrong)))
    return found


def _giving_up(share: float, rounds: int) -> dict[str, Any]:
    """Boosters that give up what stays wrong, told how much in two ways."""
    found: dict[str, Any] = {}
    for name, factor in (("2", 2), ("8/3", 8 / 3)):
        target = max(factor * share, 0.01)
        found[f"BrownBoost, ε = {name} of the noise"] = BrownBoostClassifier(
            epsilon=target, n_estimators=rounds
        )
        found[f"NormalBoost, ε = half of that ({name})"] = NormalBoostClassifier(
            epsilon=target / 2, n_estimators=rounds
        )
    return found


def _column(j: int, X: Any) -> Any:
    return np.asarray(X)[:, j]


def _coordinate(X: Any, y: Any, D: Any) -> Any:
    """The coordinate that agrees more with the labels: a rule that answers with numbers."""
    return partial(_column, int(np.abs((D * y) @ X).argmax()))


def _four_points(setting: Setting) -> dict[str, float]:
    """The share of Long and Servedio's points, without noise, that boosters get wrong."""
    X, y = long_servedio()
    points, right = long_servedio(n_right=1, n_wrong=0)
    makers: Makers = {
        "exponential loss": RealAdaBoostClassifier,
        "exponential loss, Newton steps (GentleBoost)": GentleBoostClassifier,
        "logistic loss (AdaBoost.L)": AdaBoostLClassifier,
    }
    found = {}
    for name, make in makers.items():
        model = make(_coordinate, n_estimators=setting.choose(1000, 200)).fit(X, y)
        found[name] = 100 * float(np.mean(model.predict(points) != right))
    return found


def _points_table(found: dict[str, float]) -> ResultTable:
    rows = [Row(name, wrong, 50.0, THEOREM) for name, wrong in found.items()]
    return ResultTable("Four points, one label in ten wrong: x_1 is always right", tuple(rows), "%")
