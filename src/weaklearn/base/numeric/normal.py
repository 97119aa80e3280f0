"""The normal distribution's upper tail, by elementary steps alone.

Sums, products and quotients are rounded alike on every machine, as the exponentials and logarithms
are that this module takes: so are its answers.
"""

from __future__ import annotations

import numpy as np

from ..types import Floats
from .exponential import exponentials, logarithms

_ROOT = 2.5066282746310002  # of 2 pi
_LOG_ROOT = 0.9189385332046727  # its logarithm
_MIDDLE = 5.0
_SERIES = (  # of (1 + z) P(Z > z) / density(z) for z >= 0, in Chebyshev polynomials of
    # (z - 5)/(z + 5), computed with 40 digits; what is left out is below 2e-17
    *(1.1579976221305187167, -0.16334493884513978905, -0.013683136055781576407),
    *(0.030822000198100039725, -0.016220073012046806988, 0.0056166910164600934864),
    *(-0.001413393378354921628, 0.00025026254607256606546, -0.000024689072397283870041),
    *(-1.0107964061837592256e-6, 7.4954191797405729054e-7, -7.6002742687283368758e-8),
    *(-1.1574771441328644748e-8, 3.3333864725998431463e-9, 7.5380396281713470189e-11),
    *(-1.1104247263727494478e-10, 3.5092437765510588325e-12, 3.6894953861750953684e-12),
    *(-2.3376697776383093717e-13, -1.3271797523541405453e-13, 9.9217069958882765537e-15),
    *(5.2760049954553790653e-15, -3.3730976941879218316e-16, -2.2804338776379945603e-16),
)


def upper_tails(z: Floats) -> Floats:
    """P(Z > z).

    >>> upper_tails(np.array([0.0, 1.0, -40.0])).round(6).tolist()
    [0.5, 0.158655, 1.0]
    """
    beyond = densities(z) * _ratios(np.abs(z))
    return np.where(np.asarray(z) >= 0, beyond, 1 - beyond)


def log_upper_tails(z: Floats) -> Floats:
    """ln P(Z > z), of any size.

    >>> log_upper_tails(np.array([0.0, -40.0, 40.0])).round(3).tolist()
    [-0.693, -0.0, -804.608]
    """
    z = np.asarray(z, np.float64)
    ratios = _ratios(np.abs(z))
    beyond = np.where(z < 0, densities(z) * ratios, 0.0)
    rest = 1 - beyond
    lost = 1 - rest  # what of it the difference took off
    kept = lost > 0
    below = np.where(kept, logarithms(rest) * (beyond / np.where(kept, lost, 1.0)), -beyond)
    return np.where(z < 0, below, log_densities(z) + logarithms(ratios))


def hazards(z: Floats) -> Floats:
    """The density at z over P(Z > z).

    >>> hazards(np.array([0.0, 1e6])).round(6).tolist()
    [0.797885, 1000000.000001]
    """
    z = np.asarray(z, np.float64)
    density, ratios = densities(z), _ratios(np.abs(z))
    return np.where(z >= 0, 1 / ratios, density / (1 - np.where(z < 0, density * ratios, 0.0)))


def densities(z: Floats) -> Floats:
    """exp(-z^2 / 2) / sqrt(2 pi).

    >>> densities(np.zeros(1)).round(6).tolist()
    [0.398942]
    """
    return np.asarray(exponentials(-0.5 * (z * z)) / _ROOT)


def log_densities(z: Floats) -> Floats:
    """The logarithm of the density at z.

    >>> log_densities(np.array([0.0, 100.0])).round(3).tolist()
    [-0.919, -5000.919]
    """
    return np.asarray(-0.5 * (z * z) - _LOG_ROOT)


def _ratios(z: Floats) -> Floats:
    """P(Z > z) over the density at z, for z >= 0: Clenshaw's recurrence."""
    t = (z - _MIDDLE) / (z + _MIDDLE)
    before, last = np.zeros_like(t), np.zeros_like(t)
    for term in _SERIES[:0:-1]:
        before, last = last, 2 * t * last - before + term
    return np.asarray((t * last - before + _SERIES[0]) / (1 + z))
