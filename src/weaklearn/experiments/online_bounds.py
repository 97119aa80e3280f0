"""Learning one example at a time: mistakes made, beside the bounds of the theorems."""

from __future__ import annotations

import numpy as np

from ..estimators.online.disjunction import HalvingClassifier
from ..estimators.online.hedge import Hedge
from ..estimators.online.sleeping_experts import SleepingExperts
from ..theory import simulate
from .result import THEOREM, Chart, Result, ResultTable, Row, line
from .setting import Setting
from .trials import half_width


def online_bounds(setting: Setting) -> Result:
    """Perceptron, online-to-batch, halving, Hedge and sleeping experts."""
    setting.say("the perceptron")
    perceptron, curve = _perceptron(setting)
    setting.say("from online to batch")
    batch = _online_to_batch(setting)
    setting.say("experts")
    hedge, regret = _hedge(setting)
    return Result(
        (perceptron, batch, _halving(setting), hedge, _sleeping(setting)),
        (curve, regret),
        f"{setting.repeats(20, 2)} runs of each number; simulated data",
        ("A bound holds where ours is at most the bound: the difference is then not above 0.",),
    )


def _perceptron(setting: Setting) -> tuple[ResultTable, Chart]:
    gammas = (0.5, 0.2, 0.1, 0.05)
    n_runs = setting.repeats(20, 2)
    found = [
        simulate.mistakes(gammas, n=setting.choose(2000, 200), seed=setting.seed + run)
        for run in range(n_runs)
    ]
    observed = np.array([curve.observed for curve in found])
    bound = found[0].bound
    rows = tuple(
        Row(
            f"most mistakes at margin {gamma:g}",
            float(observed[:, k].max()),
            float(bound[k]),
            THEOREM,
            note=f"{observed[:, k].mean():.1f} on average",
        )
        for k, gamma in enumerate(gammas)
    )
    inverse = [1 / gamma for gamma in gammas]
    chart = Chart(
        "The perceptron's mistakes and 1/γ²",
        "1/γ",
        "mistakes",
        (
            line("mistakes, mean", inverse, observed.mean(axis=0)),
            line("mistakes, most", inverse, observed.max(axis=0), style="points"),
            line("bound 1/γ²", inverse, bound, style="dash"),
        ),
        log_x=True,
        log_y=True,
    )
    return ResultTable("The perceptron: mistakes, and 1/γ²", rows), chart


def _online_to_batch(setting: Setting) -> ResultTable:
    trials = setting.choose(200, 10)
    stopped = simulate.stopped_at_random(trials=trials, seed=setting.seed)
    after = simulate.after_a_gap(trials=trials, seed=setting.seed)
    return ResultTable(
        "From online to batch",
        (
            Row(
                "expected error of a perceptron stopped at random",
                float(np.mean(stopped.values)),
                stopped.bound,
                THEOREM,
                half_width(stopped.values),
            ),
            Row(
                "share of runs with an error above ε after a long gap",
                float(np.mean(after.observed > after.bound)),
                after.delta,
                THEOREM,
            ),
        ),
    )


def _halving(setting: Setting) -> ResultTable:
    """Thresholds on a line: the mistakes of the majority against lg |H|."""
    rng = np.random.default_rng(setting.seed)
    rows = []
    for n in setting.choose((8, 32, 128), (8,)):
        table = np.where(np.arange(n)[None, :] >= np.arange(n)[:, None], 1, -1)
        most = 0
        for _ in range(setting.repeats(20, 2)):
            target = table[rng.integers(n)]
            model = HalvingClassifier(table)
            for x in rng.integers(n, size=2 * n):
                model.update(int(x), int(target[x]))
            most = max(most, model.mistakes_)
        rows.append(Row(f"{n} thresholds", float(most), float(np.log2(n)), THEOREM))
    return ResultTable("Halving: most mistakes, and lg |H|", tuple(rows))


def _hedge(setting: Setting) -> tuple[ResultTable, Chart]:
    """The average regret over the rounds, of losses drawn at random and of ones that adapt."""
    rng = np.random.default_rng(setting.seed)
    n, horizons = 10, setting.choose((10, 30, 100, 300, 1000, 3000), (10, 30))
    rows, regrets, bounds = [], [], []
    for T in horizons:
        model = Hedge(n_rounds=T).fit(rng.random((T, n)))
        drawn = model.regret_ / T
        adverse = Hedge(n_rounds=T)
        adverse.update(np.eye(n)[0])
        for _ in range(T - 1):  # the action that is followed most loses
            adverse.update(np.eye(n)[int(np.argmax(adverse.p_))])
        bound = np.sqrt(2 * np.log(n) / T) + np.log(n) / T
        rows.append(Row(f"drawn losses, {T} rounds", float(drawn), float(bound), THEOREM))
        regret = float(adverse.regret_) / T
        rows.append(Row(f"adverse losses, {T} rounds", regret, float(bound), THEOREM))
        regrets.append((drawn, regret))
        bounds.append(bound)
    drawn_line, adverse_line = zip(*regrets, strict=True)
    chart = Chart(
        "Hedge: average regret",
        "rounds",
        "regret a round",
        (
            line("losses drawn at random", horizons, drawn_line),
            line("losses against the mixture", horizons, adverse_line),
            line("bound", horizons, bounds, style="dash"),
        ),
        log_x=True,
    )
    return ResultTable("Hedge: regret a round, ten actions", tuple(rows)), chart


def _sleeping(setting: Setting) -> ResultTable:
    """Experts that are awake at random; the mistakes expected on the rounds of each."""
    rng = np.random.default_rng(setting.seed)
    n, T = 8, setting.choose(2000, 100)
    y = rng.choice([-1, 1], size=T)
    reliability = np.linspace(0.55, 0.95, n)
    advice = np.where(rng.random((T, n)) < reliability, y[:, None], -y[:, None])
    awake = rng.random((T, n)) < 0.5
    X = [[int(a) if on else None for a, on in zip(*row)] for row in zip(advice, awake)]
    model = SleepingExperts(epsilon=0.2, random_state=setting.seed).fit(X, y)
    rows = tuple(
        Row(
            f"where the expert right in {share:.0%} is awake",
            float(model.expected_mistakes_[i]),
            float(model.bound_[i]),
            THEOREM,
            note=f"its own mistakes: {int(model.mistakes_of_expert_[i])}",
        )
        for i, share in enumerate(reliability)
    )
    return ResultTable("Sleeping experts: expected mistakes", rows)
