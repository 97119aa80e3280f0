"""The decomposition of squared error into bias, variance and noise, and the gain by averaging.

At a point x with true value f(x), predictions f_hat(x) over training sets and noise of variance
sigma^2 in the answers,

    E (Y - f_hat)^2 = (f - E f_hat)^2 + E (f_hat - E f_hat)^2 + sigma^2,

that is, squared bias, variance and noise. The average over all training sets, f_ag = E f_hat, keeps
the bias and has no variance. All of it is exact over a finite list of equally likely training sets;
the 0-1 loss has no such identity, and averaging may make it worse.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base import Certificate
from ...base.messages.table import Table, Tabular

Numbers = NDArray[Any]  # of float64, or of Fractions (dtype object)

_PARTS = ("bias_sq", "variance", "noise", "expected_sq_error", "error_of_aggregate")
_SOURCE = "Breiman 1996, Bagging predictors"


@dataclass(frozen=True, eq=False)
class Decomposition(Tabular):
    """Every part at every point; ``mse`` and the other means are averages over the points.

    ``expected_sq_error`` is computed from its definition, not from the other parts: ``gap`` is how
    far the two sides of the identity are apart, 0 for fractions and a rounding error for floats.
    """

    mean: Numbers
    bias_sq: Numbers
    variance: Numbers
    noise: Numbers
    expected_sq_error: Numbers
    error_of_aggregate: Numbers

    @property
    def per_point(self) -> list[dict[str, Any]]:
        """The parts, point by point."""
        columns = [getattr(self, name).tolist() for name in _PARTS]
        return [dict(zip(_PARTS, row, strict=True)) for row in zip(*columns, strict=True)]

    @property
    def mse(self) -> Any:
        """The expected squared error, averaged over the points."""
        return _average(self.expected_sq_error)

    @property
    def means(self) -> dict[str, Any]:
        """Every part, averaged over the points."""
        return {name: _average(getattr(self, name)) for name in _PARTS}

    @property
    def gap(self) -> Any:
        """The largest difference between the two sides of the identity."""
        return abs(self.bias_sq + self.variance + self.noise - self.expected_sq_error).max()

    @property
    def holds(self) -> bool:
        """Whether the identity holds at every point, up to rounding."""
        return bool(self.gap <= 1e-9 * max(1, abs(self.expected_sq_error).max()))

    def table(self) -> Table:
        """The parts as a table, one row per point, and their means in the last."""
        rows = [(i, *point.values()) for i, point in enumerate(self.per_point)]
        means = ("mean", *self.means.values())
        cells = [[float(c) if isinstance(c, Fraction) else c for c in r] for r in [*rows, means]]
        return Table("bias and variance", ["point", *_PARTS], cells)


@dataclass(frozen=True)
class BaggingIdentity:
    """E (Y - f*)^2 = E (Y - f_ag)^2 + E (f* - f_ag)^2, averaged over the points."""

    average_error: Any  # of the single predictors: E (Y - f*)^2
    error_of_aggregate: Any  # E (Y - f_ag)^2
    spread: Any  # E (f* - f_ag)^2: what averaging saves

    @property
    def gap(self) -> Any:
        """The difference between the two sides."""
        return abs(self.error_of_aggregate + self.spread - self.average_error)

    @property
    def certificate(self) -> Certificate:
        """The certificate that the average has at most the mean error of its members."""
        return Certificate(
            "th.bagging-mse",
            "averaging does not raise the squared error",
            _SOURCE,
            checked=("the identity, on the given predictions",),
            assumed=("y does not depend on the draw of the training sets",),
            bound=float(self.average_error),
            observed=float(self.error_of_aggregate),
            unit="squared error",
        )


def decompose(predictions: Any, f: Any, noise_variance: Any = 0) -> Decomposition:
    """Bias, variance and noise at every point, over equally likely training sets.

    ``predictions[s][i]`` is what the predictor trained on set s says of point i, ``f[i]`` the true
    value there, and ``noise_variance`` that of the answers around it, one number or one a point.
    Variances divide by the number of training sets. Fractions give exact fractions. Predictions may
    be vectors (probabilities, say), on a third axis; squares are then squared lengths.

    >>> parts = decompose([[1.0, 2.0], [3.0, 2.0]], f=[1.0, 1.0], noise_variance=0.5)
    >>> parts.bias_sq.tolist(), parts.variance.tolist(), parts.expected_sq_error.tolist()
    ([1.0, 1.0], [1.0, 0.0], [2.5, 1.5])
    >>> parts.mse, parts.holds
    (2.0, True)
    """
    values, target, noise = _numbers(predictions, f, noise_variance)
    n_points = values.shape[1]
    if noise.ndim > 1 or (noise.ndim == 1 and len(noise) != n_points):
        raise ValueError(
            f"noise_variance has shape {noise.shape}; pass one number, or one for each of the "
            f"{n_points} points."
        )
    if (noise < 0).any():
        raise ValueError("noise_variance holds a negative number; a variance is at least 0.")
    return take_apart(values, target, np.broadcast_to(noise, n_points))


def bagging_identity(predictions: Any, y: Any) -> BaggingIdentity:
    """The decrease of squared error by averaging predictors: exactly their variance around the
    average.

    ``predictions[s][i]`` is what the predictor trained on set s says of point i, ``y[i]`` the
    answer there, which must not depend on the draw of the training sets.

    >>> found = bagging_identity([[1.0, 4.0], [3.0, 4.0]], y=[2.0, 2.0])
    >>> found.average_error, found.error_of_aggregate, found.spread, found.gap
    (2.5, 2.0, 0.5, 0.0)
    """
    parts = decompose(predictions, y)
    means = parts.means
    return BaggingIdentity(
        means["expected_sq_error"], means["error_of_aggregate"], means["variance"]
    )


def take_apart(
    values: Numbers, target: Numbers, noise: Numbers, known: NDArray[np.bool_] | None = None
) -> Decomposition:
    """By values (sets, points, coordinates); ``known`` masks the sets that predict a point."""
    if known is None:
        counts: Any = len(values)
        mean = values.sum(axis=0) / counts
        spread, error = _squares(values - mean), _squares(values - target)
    else:
        counts = known.sum(axis=0)
        values = np.where(known[:, :, None], values, 0.0)
        mean = values.sum(axis=0) / counts[:, None]
        spread = _squares(values - mean) * known
        error = _squares(values - target) * known
    bias_sq = _squares(mean - target)
    return Decomposition(
        mean=mean[:, 0] if mean.shape[1] == 1 else mean,
        bias_sq=bias_sq,
        variance=spread.sum(axis=0) / counts,
        noise=noise,
        expected_sq_error=error.sum(axis=0) / counts + noise,
        error_of_aggregate=bias_sq + noise,
    )


def _squares(x: Numbers) -> Numbers:
    squared: Numbers = (x * x).sum(axis=-1)
    return squared


def _average(x: Numbers) -> Any:
    return x.sum() / len(x) if x.dtype == object else float(x.mean())


def _numbers(predictions: Any, f: Any, noise: Any) -> tuple[Numbers, Numbers, Numbers]:
    """Floats, or fractions where a fraction is among them; predictions and f with coordinates."""
    given = [np.asarray(part, dtype=object) for part in (predictions, f, noise)]
    exact = any(isinstance(number, Fraction) for part in given for number in part.flat)
    values, target, variance = (_exactly(part) if exact else _floats(part) for part in given)
    if values.ndim not in (2, 3) or 0 in values.shape:
        raise ValueError(
            f"predictions has shape {values.shape}; pass one row a training set and one column a "
            "point."
        )
    if target.shape != values.shape[1:]:
        raise ValueError(
            f"f has shape {target.shape}, but the predictions are for points of shape "
            f"{values.shape[1:]}; pass one true value a point."
        )
    if values.ndim == 2:
        values, target = values[:, :, None], target[:, None]
    return values, target, variance


def _exactly(part: Numbers) -> Numbers:
    fractions = [Fraction(number) for number in part.flat]
    return np.array(fractions, dtype=object).reshape(part.shape)


def _floats(part: Numbers) -> Numbers:
    numbers = part.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError("predictions, f and noise_variance must hold finite numbers only.")
    return numbers
