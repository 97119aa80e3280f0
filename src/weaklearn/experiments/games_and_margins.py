"""Boosting as a game: values from both sides, and margins that reach them."""

from __future__ import annotations

import numpy as np

from ..estimators.boosting.adaboost import AdaBoostClassifier
from ..estimators.boosting.soft_margin import AdaBoostStarClassifier, LPBoostClassifier
from ..theory import games
from .result import THEOREM, Chart, Result, ResultTable, Row, line
from .setting import Setting

_MATRICES = {
    "matching pennies": ((0, 1), (1, 0)),
    "rock, paper, scissors": ((0.5, 1, 0), (0, 0.5, 1), (1, 0, 0.5)),
}


def games_and_margins(setting: Setting) -> Result:
    """Games solved and played, and the margins of boosters on examples of a known value."""
    rng = np.random.default_rng(setting.seed)
    matrices = {name: np.array(M, float) for name, M in _MATRICES.items()}
    for n in setting.choose((5, 20, 50), (5,)):
        matrices[f"a random {n} by {n} game"] = rng.random((n, n))
    setting.say("games")
    T = setting.choose(5000, 300)
    rows, lines = [], []
    for name, M in matrices.items():
        solution, played = games.solve(M), games.play(M, T)
        value = float(solution.value)
        least = float((M @ solution.Q).min())
        rows += [
            Row(f"{name}: what the row's best mixture allows", value, least, THEOREM),
            Row(f"{name}: played, from above", float(played.upper_from_P), value, THEOREM),
            Row(f"{name}: played, from below", float(played.lower_from_Q), value, THEOREM),
        ]
    horizons = setting.choose((30, 100, 300, 1000, 3000), (10, 30))
    last = matrices[list(matrices)[-1]]
    both = [games.play(last, t) for t in horizons]
    value = games.game_value(last)
    lines = [
        line("from above", horizons, [play.upper_from_P for play in both]),
        line("from below", horizons, [play.lower_from_Q for play in both]),
        line("value", horizons, [value] * len(both), style="dash"),
    ]
    title = f"The two sides meet: {list(matrices)[-1]}"
    setting.say("margins")
    table, chart = _margins(setting)
    return Result(
        (ResultTable(f"Values of games, {T} rounds of play", tuple(rows)), table),
        (Chart(title, "rounds", "loss", tuple(lines), log_x=True), chart),
        "one run",
        (
            "What play reaches is above or below the value by at most the regret a round, which "
            "falls with the root of the rounds. AdaBoost's margin need not reach the largest one; "
            "AdaBoost* and LPBoost get there.",
        ),
    )


def _margins(setting: Setting) -> tuple[ResultTable, Chart]:
    """Bits whose majority is the label: the largest margin is the value of the game, 1/n."""
    n, rounds = setting.choose((7, 2000), (3, 50))
    X = np.array([[1 if code >> j & 1 else -1 for j in range(n)] for code in range(2**n)])
    y = np.where(X.sum(axis=1) > 0, 1, -1)
    value = float(games.weak_learnability(y[:, None] * X).value)
    stages = sorted({1, *np.geomspace(n, rounds, 12).astype(int).tolist()})
    models = {
        "AdaBoost": AdaBoostClassifier(n_estimators=rounds),
        "AdaBoost*": AdaBoostStarClassifier(n_estimators=rounds, nu=0.01),
    }
    rows, lines = [], []
    for name, model in models.items():
        history = model.fit(X, y).history_
        least = np.asarray(history["margin_min"], float)
        rows.append(Row(f"{name}, {len(least)} rounds", float(least[-1]), value, THEOREM))
        at = [t for t in stages if t <= len(least)]
        lines.append(line(name, at, [least[t - 1] for t in at]))
    hard = LPBoostClassifier(n_estimators=rounds, nu=1 / len(y)).fit(X, y)
    margin = float(hard.margins(X, y).min())
    rows.append(Row(f"LPBoost, {hard.n_iter_} rounds", margin, value, THEOREM))
    lines.append(line("value of the game", stages, [value] * len(stages), style="dash"))
    chart = Chart("The smallest margin", "rounds", "margin", tuple(lines), log_x=True)
    return ResultTable(f"Smallest margin, majority of {n} bits", tuple(rows)), chart
