"""Heart disease by boosted stumps: the curve over the rounds, and the first six rules."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np

from ..estimators.boosting.adaboost import AdaBoostClassifier
from .data_folder import Table
from .result import FOUND, Chart, Result, ResultTable, Row, line
from .setting import Setting
from .trials import Floats, cross_validated, half_width, spread_places, staged_errors

# Schapire and Freund, Boosting, section 1.2: rounds, and test error in percent.
_PUBLISHED = {1: 28.0, 3: 15.3, 100: 18.8, 1000: 22.0}
_RULES = (
    *("thal = normal", "ca > 0.5", "cp = asymptomatic", "oldpeak > 0.75", "chol > 228.5"),
    "restecg = normal",
)


def heart_disease(setting: Setting) -> Result:
    """Ten-fold cross-validation, training and test error after each round, and the rules."""
    table = setting.data.table("heart_disease", 303, 13, 2)
    n_runs, n_rounds = setting.repeats(10, 1), setting.choose(1000, 100)

    def judge(train: Table, test: Table, seed: int) -> Any:
        model = AdaBoostClassifier(n_estimators=n_rounds).fit(train.X, train.y)
        return [staged_errors(model, each.X, each.y, n_rounds) for each in (test, train)]

    setting.say(f"{n_runs} runs of ten folds, {n_rounds} rounds each")
    found = cross_validated(judge, table, 10, n_runs, setting.seed)
    setting.say("the same with folds that do not keep the shares of the classes")
    plain = cross_validated(judge, table, 10, n_runs, setting.seed, stratified=False)
    test, train = found.mean(axis=0)
    errors = [
        _row(f"test error after {t} rounds", found[:, 0, t - 1], published)
        for t, published in _PUBLISHED.items()
        if t <= n_rounds
    ]
    best = int(np.argmin(test)) + 1
    lowest = Row("round of the lowest test error", float(best), 3.0, FOUND)
    others = [
        _row(f"after {t} rounds, folds at random", plain[:, 0, t - 1], published, beside=True)
        for t, published in _PUBLISHED.items()
        if t <= n_rounds
    ]
    model = AdaBoostClassifier(n_estimators=6).fit(table.X, table.y)
    tests = [str(row[1]) for row in model.rules(6).rows]
    rules = [
        Row(f"rule {k + 1}", ours, published, FOUND)
        for k, (ours, published) in enumerate(zip_longest(tests, _RULES))
    ]
    places = spread_places(n_rounds)
    known = [t for t in _PUBLISHED if t <= n_rounds]
    chart = Chart(
        "Error over the rounds",
        "rounds",
        "error, %",
        (
            line("test, ours", places, test[places - 1]),
            line("training, ours", places, train[places - 1], style="dash"),
            line("test, the book", known, [_PUBLISHED[t] for t in known], style="points"),
        ),
        log_x=True,
    )
    return Result(
        (
            ResultTable("Test error", tuple(errors), "%"),
            ResultTable("The lowest", (lowest,)),
            ResultTable("The same, folds of another kind", tuple(others), "%"),
            ResultTable("The first six rules, fitted on all patients", tuple(rules)),
        ),
        (chart,),
        f"{n_runs} runs of 10-fold cross-validation, {n_rounds} rounds",
        (
            "The book does not say how its folds were drawn. Folds that keep the shares of the "
            "classes and folds that do not are run beside each other: their distance shows how "
            "much of a difference the choice explains.",
        ),
    )


def _row(name: str, values: Floats, published: float, beside: bool = False) -> Row:
    spread = half_width(values)
    return Row(name, float(values.mean()), published, FOUND, spread, beside=beside)
