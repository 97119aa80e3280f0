"""How many examples are enough: formulas, VC dimensions, and simulated learners beside them."""

from __future__ import annotations

import math

import numpy as np

from ..theory import bounds, vc
from .result import THEOREM, Chart, Result, ResultTable, Row, line
from .setting import Setting
from .trials import Floats

_DELTA = 0.1


def sample_complexity(setting: Setting) -> Result:
    """Consistent learners of finite classes, intervals and rectangles, drawn many times."""
    setting.say("VC dimensions")
    dimensions = _dimensions(setting)
    setting.say("finite classes")
    finite, finite_chart = _finite(setting)
    setting.say("intervals and rectangles")
    geometric, chart = _geometric(setting)
    return Result(
        (dimensions, finite, geometric),
        (finite_chart, chart),
        f"{setting.choose(1000, 40)} samples of each size; simulated data",
        (
            "The formulas hold for every distribution and every consistent learner; what one "
            "learner needs on one distribution is less. The curves fall alike, as 1/m.",
        ),
    )


def _dimensions(setting: Setting) -> ResultTable:
    n = setting.choose(3, 2)
    known = {
        "thresholds on a line": (vc.Thresholds(), 1),
        "intervals": (vc.Intervals(), 2),
        "unions of two intervals": (vc.Intervals(2), 4),
        "rectangles in the plane": (vc.Rectangles(2), 4),
    }
    known |= {f"half-spaces in {d} dimensions": (vc.Halfspaces(d), d + 1) for d in range(1, n + 1)}
    rows = []
    for name, (kind, d) in known.items():
        ours = float(vc.vc_dimension(kind))
        note = f"{vc.growth(kind, d + 1)} of {2 ** (d + 1)} labellings of {d + 1} points"
        rows.append(Row(name, ours, float(d), THEOREM, note=note))
    return ResultTable("VC dimensions", tuple(rows))


def _finite(setting: Setting) -> tuple[ResultTable, Chart]:
    """Thresholds on a grid: the share of samples after which a consistent one errs above ε."""
    rng = np.random.default_rng(setting.seed)
    trials = setting.choose(1000, 40)
    rows, needed, formula = [], [], []
    sizes = setting.choose((10, 100, 1000, 10_000), (10, 100))
    eps = 0.1
    for size in sizes:
        m = math.ceil(float(bounds.occam_consistent_m(math.log(size), eps, _DELTA)))
        errors = _grid_errors(size, m, trials, rng)
        share = float(np.mean(errors > eps))
        name = f"|H| = {size:,}, m = {m}: share of samples with an error above {eps:g}"
        rows.append(Row(name, share, _DELTA, THEOREM))
        formula.append(m)
        enough = next(
            k
            for k in range(1, m + 1)
            if np.mean(_grid_errors(size, k, trials, rng) > eps) <= _DELTA
        )
        needed.append(enough)
    chart = Chart(
        f"Examples for an error of {eps:g} in {1 - _DELTA:.0%} of samples, finite classes",
        "hypotheses",
        "examples",
        (
            line("simulated: the worst consistent threshold", sizes, needed),
            line("(1/ε)(ln |H| + ln 1/δ)", sizes, formula, style="dash"),
        ),
        log_x=True,
    )
    return ResultTable("Finite classes", tuple(rows)), chart


def _grid_errors(size: int, m: int, trials: int, rng: np.random.Generator) -> Floats:
    """The error of the worst consistent threshold of a grid on [0, 1], whose middle is right."""
    cuts = np.linspace(0, 1, size)
    target = cuts[size // 2]
    x = rng.random((trials, m))
    below = np.where(x < target, x, 0.0).max(axis=1)  # no consistent cut is at or below it
    above = np.where(x >= target, x, 1.0).min(axis=1)
    first = cuts[np.minimum(np.searchsorted(cuts, below, side="right"), size - 1)]
    last = cuts[np.searchsorted(cuts, above, side="right") - 1]
    return np.asarray(np.maximum(target - first, last - target))


def _geometric(setting: Setting) -> tuple[ResultTable, Chart]:
    """The tightest interval and rectangle: the error that nine of ten samples keep below."""
    rng = np.random.default_rng(setting.seed)
    trials = setting.choose(1000, 40)
    sizes = setting.choose((20, 50, 100, 200, 500, 1000), (20, 50))
    rows, lines = [], []
    for name, n, d in (("interval", 1, 2), ("rectangle", 2, 4)):
        quantiles = [
            float(np.quantile(_tightest_errors(n, m, trials, rng), 1 - _DELTA)) for m in sizes
        ]
        strips = [2 * n / m * math.log(2 * n / _DELTA) for m in sizes]
        general = [float(bounds.consistent_vc(m, d, _DELTA)) for m in sizes]
        rows += [
            Row(f"{name}, m = {m}", ours, min(bound, 1.0), THEOREM, note=f"VC: {vc_bound:.3g}")
            for m, ours, bound, vc_bound in zip(sizes, quantiles, strips, general, strict=True)
        ]
        lines.append(line(f"{name}, simulated", sizes, quantiles))
        lines.append(line(f"{name}, (2n/m) ln(2n/δ)", sizes, strips, style="dash"))
    chart = Chart(
        "Error of the tightest interval and rectangle",
        "examples",
        f"error in {1 - _DELTA:.0%} of samples at most",
        tuple(lines),
        log_x=True,
        log_y=True,
    )
    return ResultTable("The tightest interval and rectangle", tuple(rows)), chart


def _tightest_errors(n: int, m: int, trials: int, rng: np.random.Generator) -> Floats:
    """What the smallest box around the positives misses of [1/4, 3/4]^n in [0, 1]^n."""
    x = rng.random((trials, m, n))
    inside = np.all((x >= 0.25) & (x <= 0.75), axis=2, keepdims=True)
    low = np.where(inside, x, 0.75).min(axis=1)
    high = np.where(inside, x, 0.25).max(axis=1)
    sides = np.maximum(high - low, 0.0)
    return np.asarray(0.5**n - sides.prod(axis=1))
