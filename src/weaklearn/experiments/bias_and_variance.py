"""Bagging against boosting: the error of stumps and trees taken apart into bias and variance."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer

from ..estimators.boosting.adaboost import AdaBoostClassifier
from ..estimators.trees.bagging import BaggingClassifier
from ..theory.bias_and_variance.variation import bias_variance
from .data_folder import NoDataError, Table
from .made_data import ringnorm, threenorm, twonorm
from .published_tables import TABLES
from .result import Chart, Result, ResultTable, Row, line
from .setting import Setting
from .weak_learners import c45, find_attr_test

_REAL = ("heart_disease", "ionosphere", "german_credit")
_DRAWN = {"twonorm": twonorm, "threenorm": threenorm, "ringnorm": ringnorm}
_N_TRAIN = 300
Parts = dict[str, list[float]]  # bias, variance and error of each method, in percent


def bias_and_variance(setting: Setting) -> Result:
    """Every method on many training sets of each problem."""
    measured: dict[str, Parts] = {}
    absent = []
    sets = f", {setting.repeats(30, 3)} training sets"  # parts of another number are not taken
    for name, draw in _DRAWN.items():
        if not setting.quick or name == "twonorm":
            measured[name] = setting.part(name + sets, partial(_of_drawn, draw, setting))
    measured["breast cancer"] = setting.part(
        "breast cancer" + sets, lambda: _of_breast_cancer(setting)
    )
    for published in TABLES:
        if published.name in _REAL and not setting.quick:
            shape = (published.rows, published.columns, published.classes)
            try:
                table = setting.data.table(published.name, *shape)
            except NoDataError as error:
                absent.append(str(error))
                continue
            measured[published.name] = setting.part(
                published.name + sets, partial(_of_table, table, setting)
            )
    tables = tuple(_table(name, parts) for name, parts in measured.items())
    names = list(measured)
    charts = tuple(
        Chart(
            f"{what} of each method",
            "problem (in the order of the tables)",
            f"{what.lower()}, %",
            tuple(
                line(
                    method,
                    range(1, len(names) + 1),
                    [measured[n][method][k] for n in names],
                    style="points",
                )
                for method in _methods(1)
            ),
        )
        for k, what in ((0, "Bias"), (1, "Variance"))
    )
    return Result(
        (_directions(measured), *tables),
        charts,
        f"{sets.removeprefix(', ')} of each problem, {setting.choose(100, 5)} members",
        (
            "A label is -1 or +1; a quarter of the squared error is the share of errors, and is "
            "bias plus variance. The noise of the labels is in the bias.",
            *(f"Left out: {why}." for why in absent),
        ),
    )


def _methods(members: int) -> dict[str, Callable[[], Any]]:
    return {
        "stump": find_attr_test,
        "stump bagged": lambda: BaggingClassifier(find_attr_test(), members),
        "stump boosted": lambda: AdaBoostClassifier(find_attr_test(), n_estimators=members),
        "C4.5": c45,
        "C4.5 bagged": lambda: BaggingClassifier(c45(), members),
        "C4.5 boosted": lambda: AdaBoostClassifier(c45(), n_estimators=members),
    }


def _parts(setting: Setting, sampler: Any, y: Any = None, **test: Any) -> Parts:
    found: Parts = {}
    for name, make in _methods(setting.choose(100, 5)).items():
        means = bias_variance(
            make(),
            sampler,
            y,
            **test,
            response="sign",
            n_sets=setting.repeats(30, 3),
            random_state=setting.seed,
        ).means
        keys = ("bias_sq", "variance", "expected_sq_error")
        found[name] = [25 * float(means[key]) for key in keys]
    return found


def _of_drawn(draw: Callable[[int, np.random.Generator], Any], setting: Setting) -> Parts:
    rng = np.random.default_rng(setting.seed)
    X_test, y_test = draw(setting.choose(2000, 100), rng)
    n = setting.choose(_N_TRAIN, 60)
    return _parts(setting, lambda rng: draw(n, rng), X_test=X_test, y_test=y_test)


def _of_breast_cancer(setting: Setting) -> Parts:
    X, y = load_breast_cancer(return_X_y=True)
    return _parts(setting, X, np.where(y == 1, 1, -1))


def _of_table(table: Table, setting: Setting) -> Parts:
    return _parts(setting, table.X, table.y)


def _table(name: str, parts: Parts) -> ResultTable:
    rows = [
        Row(f"{method}: {what}", values[k])
        for method, values in parts.items()
        for k, what in enumerate(("bias", "variance", "error"))
    ]
    return ResultTable(name, tuple(rows), "%")


# What the literature says (Breiman 1996; Schapire, Freund, Bartlett and Lee 1998), as directions.
_SAID = (
    ("bagging lowers the variance of C4.5", "C4.5", "C4.5 bagged", 1),
    ("boosting lowers the variance of C4.5", "C4.5", "C4.5 boosted", 1),
    ("boosting lowers the bias of stumps", "stump", "stump boosted", 0),
    ("boosting C4.5 errs less than bagging it", "C4.5 bagged", "C4.5 boosted", 2),
)


def _directions(measured: dict[str, Parts]) -> ResultTable:
    rows = []
    for name, before, after, k in _SAID:
        held = [problem for problem, p in measured.items() if p[after][k] < p[before][k]]
        others = ", ".join(problem for problem in measured if problem not in held)
        note = f"not on {others}" if others else ""
        rows.append(Row(name, f"on {len(held)} of {len(measured)} problems", note=note))
    return ResultTable("Directions", tuple(rows))
