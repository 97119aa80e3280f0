"""The book's first worked example: ten points, three rounds of AdaBoost."""

from __future__ import annotations

from ..datasets import toy
from ..estimators.boosting.adaboost import AdaBoostClassifier
from ..estimators.boosting.round_by_round import rounds
from .result import MEMORY, Chart, Result, ResultTable, Row, line
from .setting import Setting

# Schapire and Freund, Boosting, table 1.1, to the two digits that it prints.
_PRINTED = {
    "error ε": (0.30, 0.21, 0.14),
    "vote α": (0.42, 0.65, 0.92),
    "normaliser Z": (0.92, 0.82, 0.69),
}
_WEIGHTS = (
    (0.10,) * 10,
    (0.17, 0.17, 0.17, 0.07, 0.07, 0.07, 0.07, 0.07, 0.07, 0.07),
    (0.11, 0.11, 0.11, 0.05, 0.05, 0.17, 0.17, 0.05, 0.17, 0.05),
)


def ten_points(setting: Setting) -> Result:
    """Errors, votes, normalisers and weights of three rounds, to the digits printed."""
    X, y = toy()
    watched = list(rounds(AdaBoostClassifier(n_estimators=3), X, y))
    numbers = [(r.epsilon, r.alpha, r.Z) for r in watched]
    summary = [
        Row(f"round {t + 1}: {name}", round(numbers[t][k], 2), printed[t], MEMORY)
        for t in range(3)
        for k, (name, printed) in enumerate(_PRINTED.items())
    ]
    weights = [
        Row(f"round {t + 1}: weight of point {i + 1}", round(float(r.D[i]), 2), printed, MEMORY)
        for t, r in enumerate(watched)
        for i, printed in enumerate(_WEIGHTS[t])
    ]
    wrong = Row("wrong of the ten after three rounds", float((watched[-1].margins <= 0).sum()), 0.0)
    chart = Chart(
        "Weight of each point in each round",
        "point",
        "weight",
        tuple(line(f"round {r.t}", range(1, 11), r.D, style="points") for r in watched),
    )
    return Result(
        (ResultTable("Three rounds", (*summary, wrong)), ResultTable("Weights", tuple(weights))),
        (chart,),
        "one run; nothing in it is random",
    )
