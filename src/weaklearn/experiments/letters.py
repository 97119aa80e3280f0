"""Letters by boosted C4.5: test error that falls long after the training error is zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..estimators.boosting.multilabel import AdaBoostM1Classifier
from .data_folder import Table
from .result import MEMORY, Chart, Result, ResultTable, Row, line
from .setting import Setting
from .trials import Floats, error, spread_places, staged_errors
from .weak_learners import c45

# Schapire, Freund, Bartlett and Lee (1998): rounds, test error in percent, the share of training
# examples whose margin is at most 1/2 in percent, and the smallest margin.
_TEST = {5: 8.4, 100: 3.3, 1000: 3.1}
_SHARE = {5: 7.7, 100: 0.0, 1000: 0.0}
_LEAST = {5: 0.14, 100: 0.52, 1000: 0.55}
_ONE_TREE = 13.8
_TRAIN, _ALL = 16_000, 20_000


def letters(setting: Setting) -> Result:
    """AdaBoost.M1 over C4.5 on 16,000 letters, judged on 4,000, with margins."""
    table = setting.data.table("letter", _ALL, 16, 26)
    train = table.take(np.arange(setting.choose(_TRAIN, 800)))
    test = table.take(np.arange(_TRAIN, setting.choose(_ALL, _TRAIN + 500)))
    stages = [t for t in _TEST if t <= setting.choose(1000, 100)]
    tables = [_one_tree(train, test)]
    errors, margins = [], []
    for resample, how in ((True, "resampled"), (False, "reweighted")):
        setting.say(f"{stages[-1]} rounds, examples {how}")
        model = AdaBoostM1Classifier(
            c45(), n_estimators=stages[-1], resample=resample, random_state=setting.seed
        ).fit(train.X, train.y)
        n = model.n_iter_
        at = [min(t, n) for t in stages]
        tested, trained = (staged_errors(model, each.X, each.y, n) for each in (test, train))
        places = spread_places(len(tested))
        errors.append(line(f"test, {how}", places, tested[places - 1]))
        errors.append(line(f"training, {how}", places, trained[places - 1], style="dash"))
        beside = not resample
        rows = [_row("test error", t, tested[k - 1], _TEST[t], beside) for t, k in zip(stages, at)]
        rows += [_row("training error", t, trained[k - 1], 0.0, beside) for t, k in zip(stages, at)]
        tables.append(ResultTable(f"Error, examples {how}", tuple(rows), "%"))
        setting.say(f"margins, examples {how}")
        kept = [(t, model.truncate(k).margins(train.X, train.y)) for t, k in zip(stages, at)]
        tables.append(_margin_table(kept, how, beside))
        if resample:
            margins = [_distribution(t, values) for t, values in kept]
    known = [1, *stages]
    printed = [_ONE_TREE, *(_TEST[t] for t in stages)]
    errors.append(line("test, the paper", known, printed, style="points"))
    return Result(
        tuple(tables),
        (
            Chart("Error over the rounds", "rounds", "error, %", tuple(errors), log_x=True),
            Chart(
                "Margins of the training examples, resampled",
                "margin",
                "share of examples with at most this margin, %",
                tuple(margins),
            ),
        ),
        f"one run, {len(train):,} letters to learn from and {len(test):,} to judge by",
        (
            "C4.5 of the time took no weights, so the paper draws its examples by weight. The same "
            "is run with the weights themselves (reweighted): what drawing costs is the difference "
            "of the two. One tree is grown also without pruning and by another gain, which moves "
            "it by as much as it differs.",
        ),
    )


def _one_tree(train: Table, test: Table) -> ResultTable:
    """C4.5 by its defaults, and with the two that could make the difference set otherwise."""
    settings: dict[str, dict[str, Any]] = {
        "C4.5": {},
        "C4.5, not pruned": {"pruning": None},
        "C4.5 by gain of entropy": {"criterion": "entropy"},
        "C4.5 by gain of entropy, not pruned": {"criterion": "entropy", "pruning": None},
    }
    rows = [
        Row(
            name,
            error(c45().set_params(**how).fit(train.X, train.y), test),
            _ONE_TREE,
            MEMORY,
            beside=bool(how),
        )
        for name, how in settings.items()
    ]
    return ResultTable("One tree, test error", tuple(rows), "%")


def _row(name: str, t: int, ours: float, published: float, beside: bool) -> Row:
    return Row(f"{name} after {t} rounds", float(ours), published, MEMORY, beside=beside)


def _margin_table(kept: list[tuple[int, Floats]], how: str, beside: bool) -> ResultTable:
    rows: list[Row] = []
    for t, values in kept:
        share = 100 * float(np.mean(values <= 0.5))
        least = float(values.min())
        rows += [
            Row(f"{name} after {t} rounds", ours, published, MEMORY, beside=beside)
            for name, ours, published in (
                ("share of margins up to 0.5, %,", share, _SHARE[t]),
                ("smallest margin", least, _LEAST[t]),
            )
        ]
    return ResultTable(f"Margins, examples {how}", tuple(rows))


def _distribution(t: int, values: Floats) -> Any:
    places = np.linspace(-1, 1, 101)
    shares = np.searchsorted(np.sort(values), places, side="right") / len(values)
    return line(f"after {t} rounds", places, 100 * shares)
