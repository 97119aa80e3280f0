"""Topics of news by BoosTexter: real, discrete and ranking rules over the rounds."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..datasets import messages
from ..text.boostexter import BoosTexterClassifier
from .data_folder import NoDataError
from .result import MEMORY, Chart, Result, ResultTable, Row, line
from .setting import Setting
from .trials import Floats, spread_places, staged_errors

_FORMS = ("real", "discrete", "ranking")
# Schapire and Singer (1999), another corpus: rounds to an error, discrete and real.
_PUBLISHED = {40: ("16,938", "268", 63.2), 35: ("65,292", "598", 109.2)}
_LEVELS = (30, 20, 15, 10, 7, 5, 4)


def topics(setting: Setting) -> Result:
    """Test error after each round on Reuters' eight topics, or on the messages that come along."""
    train, test, remark = _texts(setting)
    rounds = setting.choose(1000, 20)
    curves = {
        form: np.array(setting.part(form, partial(_curve, form, train, test, rounds)))
        for form in _FORMS
    }
    places = spread_places(rounds)
    lines = tuple(line(form, places, curve[places - 1]) for form, curve in curves.items())
    at = [
        Row(f"{form}, {t} rounds", float(curve[t - 1]))
        for form, curve in curves.items()
        for t in (10, 30, 100, 300, 1000)
        if t <= rounds
    ]
    reached = [_reached(level, curves) for level in _LEVELS]
    printed = [
        Row(f"{level} % (published, another corpus)", None, ratio, MEMORY, note=f"{d} against {r}")
        for level, (d, r, ratio) in _PUBLISHED.items()
    ]
    rows = tuple(row for row in (*reached, *printed) if row is not None)
    return Result(
        (
            ResultTable("Test error", tuple(at), "%"),
            ResultTable("Rounds of discrete rules for one of real ones, to reach an error", rows),
        ),
        (Chart("Error over the rounds", "rounds", "test error, %", lines, log_x=True),),
        f"one run, {len(train[0]):,} texts to learn from and {len(test[0]):,} to judge by",
        (remark,),
    )


Texts = tuple[list[str], list[str]]


def _texts(setting: Setting) -> tuple[Texts, Texts, str]:
    """Training and test texts with their labels, and a remark on what they are."""
    try:
        train = setting.data.texts("reuters_r8_train")
        test = setting.data.texts("reuters_r8_test")
    except NoDataError as error:
        if setting.data.place is not None and not setting.quick:
            raise
        texts, labels = messages()
        halves = [(texts[k::2], labels[k::2]) for k in (0, 1)]
        return halves[0], halves[1], f"Short messages, spam or not, in place of topics: {error}."
    n, m = setting.choose((len(train[0]), len(test[0])), (200, 100))
    remark = (
        "The published figures are of a corpus with more topics and more noise, so that its errors "
        "are higher; what carries over is the order: real rules need a small part of the rounds."
    )
    return (train[0][:n], train[1][:n]), (test[0][:m], test[1][:m]), remark


def _curve(form: Any, train: Texts, test: Texts, rounds: int) -> list[float]:
    model = BoosTexterClassifier(form=form, n_estimators=rounds).fit(*train)
    texts, labels = test
    errors: list[float] = staged_errors(model, texts, np.array(labels, object), rounds).tolist()
    return errors


def _reached(level: int, curves: dict[str, Floats]) -> Row | None:
    """How many times as many rounds discrete rules need as real ones to reach an error."""
    first = {}
    for form in ("real", "discrete"):
        below = np.flatnonzero(curves[form] <= level)
        if not len(below):
            return None
        first[form] = int(below[0]) + 1
    note = f"{first['discrete']} against {first['real']}"
    return Row(f"{level} %", first["discrete"] / first["real"], note=note)
