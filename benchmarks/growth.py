"""How cost grows as rows, features, rounds, leaves and threads are doubled and doubled."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import data, measure, tree_peers
from .peers import OURS, Contender
from .rows import Run
from .threads import available


@dataclass(frozen=True)
class Curve:
    """Seconds over sizes; ``slope`` is the power with which they grow."""

    name: str
    expected: float | None  # the power looked for; None where there is none
    sizes: list[int]
    seconds: list[float]

    @property
    def slope(self) -> float:
        if len(self.sizes) < 2:
            return float("nan")
        return float(np.polyfit(np.log(self.sizes), np.log(self.seconds), 1)[0])


def _doublings(first: int, n: int) -> list[int]:
    return [first * 2**k for k in range(n)]


def curves(run: Run) -> list[Curve]:
    """Every curve; sizes are taken in turn, so that a slow minute does not tilt one end."""
    OURS.load()
    n = 4 if run.quick else 6
    rows, features, rounds = (2000, 10, 20) if run.quick else (10_000, 20, 100)
    by_rows = _doublings(rows // 2, n)
    by_features = _doublings(features // 2, n)
    by_rounds = _doublings(rounds // 2, n)
    by_leaves = _doublings(4, n)
    trees = rounds // 5
    by_threads = [t for t in _doublings(1, 8) if t <= available()]
    wide = rows * (1 if run.quick else 8)
    threads = run.threads
    return [
        _fits(run, "fit, by rows", 1, {m: (m, features, rounds, threads) for m in by_rows}),
        _fits(run, "fit, by features", 1, {d: (rows, d, rounds, threads) for d in by_features}),
        _fits(run, "fit, by rounds", 1, {t: (rows, features, t, threads) for t in by_rounds}),
        _fits(run, "fit, by threads", -1, {k: (wide, 2 * features, rounds, k) for k in by_threads}),
        _trees(run, "trees, by rows", 1, {m: (m, 31) for m in by_rows}, features, trees),
        _trees(run, "trees, by leaves", None, {k: (rows, k) for k in by_leaves}, features, trees),
        _predictions(run, "predict, by rounds", rows, features, by_rounds),
    ]


def _fits(
    run: Run, name: str, expected: float, cases: dict[int, tuple[int, int, int, int]]
) -> Curve:
    def fitting(m: int, d: int, T: int, threads: int) -> Any:
        of = data.grown(m, d)
        return lambda: OURS.make(T, threads).fit(of.X, of.y)

    calls = {str(size): fitting(*case) for size, case in cases.items()}
    seconds, _ = measure.interleaved(calls, run.repeat)
    return Curve(name, expected, list(cases), [seconds[str(size)] for size in cases])


def _trees(
    run: Run,
    name: str,
    expected: float | None,
    cases: dict[int, tuple[int, int]],
    features: int,
    rounds: int,
) -> Curve:
    """Gradient boosting with so many rows and leaves; where leaves are few, rows are most of it."""

    def fitting(m: int, leaves: int) -> Any:
        of = data.grown(m, features)
        ours: Contender = tree_peers.contenders(leaves)[OURS.name]
        return lambda: ours.make(rounds, run.threads).fit(of.X, of.y)

    calls = {str(size): fitting(*case) for size, case in cases.items()}
    seconds, _ = measure.interleaved(calls, run.repeat)
    return Curve(name, expected, list(cases), [seconds[str(size)] for size in cases])


def _predictions(run: Run, name: str, rows: int, features: int, rounds: list[int]) -> Curve:
    of = data.grown(rows, features)
    calls = {}
    for T in rounds:
        model = OURS.make(T, run.threads).fit(of.X, of.y)
        calls[str(T)] = lambda model=model: model.decision_function(of.X)
    seconds, _ = measure.interleaved(calls, run.repeat, least=0.02)
    return Curve(name, 0, rounds, [seconds[str(T)] for T in rounds])


def plot(found: list[Curve], path: Path) -> bool:
    """Draws the curves on logarithmic axes; False where matplotlib is missing."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(2.5 * len(found), 3.2), layout="constrained", facecolor="white")
    axes = figure.subplots(1, len(found), squeeze=False)[0]
    for ax, curve in zip(axes, found):
        sizes, seconds = np.array(curve.sizes), np.array(curve.seconds)
        if curve.expected is not None:
            ideal = seconds[0] * (sizes / sizes[0]) ** curve.expected
            ax.plot(sizes, ideal, color="#9A9A9A", linestyle=(0, (4, 2)), linewidth=1.2)
        ax.plot(sizes, seconds, color="#0072B2", marker="o", markersize=4.5, linewidth=1.8)
        rising = seconds[-1] >= seconds[0]
        for k, below in ((0, rising), (-1, not rising)):
            ax.annotate(
                measure.amount(seconds[k], "s"),
                (sizes[k], seconds[k]),
                xytext=(0, -14 if below else 8),
                textcoords="offset points",
                ha="left" if k == 0 else "right",
                fontsize=8.5,
                color="#0072B2",
            )
        ax.set_xscale("log", base=2)
        ax.set_yscale("log")
        ax.set_ylim(seconds.min() / 2.5, seconds.max() * 2.5)
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes], fontsize=8, rotation=45)
        ax.minorticks_off()
        ax.set_yticks([])
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.set_title(f"{curve.name}\npower {curve.slope:.2f}", fontsize=10, loc="left")
    figure.supxlabel("time on logarithmic axes; dashed: the growth looked for", fontsize=9)
    figure.savefig(path, dpi=130)
    return True
