"""Exponentials and logarithms of many numbers, by elementary steps alone.

The libraries of two machines round exp and log differently in the last bit, and a fit would carry
the difference on. Sums, products and quotients are rounded alike everywhere. The steps are those of
the compiled kernels, so that both give the same bits.
"""

from __future__ import annotations

from math import factorial

import numpy as np

from ..types import Floats

_ROUND = 6755399441055744.0  # 1.5 * 2^52: adding it rounds to an integer
_LOG2_HIGH, _LOG2_LOW = 0.69314718036912381649, 1.9082149292705877e-10
_SERIES = [1.0 / factorial(n) for n in range(13, -1, -1)]
_BLOCK = 8192
_FEW = 8  # numbers that are faster one by one
_MOST = 700.0  # beyond it the exponential is held, so that a sum of many stays finite


def exponentials(x: Floats) -> Floats:
    """exp(x): 0 below -745, and exp(700) for x above 700.

    >>> exponentials(np.array([0.0, 1.0, -1000.0])).tolist()
    [1.0, 2.718281828459045, 0.0]
    """
    x = np.asarray(x, np.float64)
    if x.size <= _FEW:
        return np.array([exponential_of(each) for each in x.ravel().tolist()]).reshape(x.shape)
    out = np.empty(x.size)
    flat = x.ravel()
    for begin in range(0, x.size, _BLOCK):  # which the nearest cache holds
        _exponentials(flat[begin : begin + _BLOCK], out[begin : begin + _BLOCK])
    return out.reshape(x.shape)


def _exponentials(x: Floats, out: Floats) -> None:
    clipped = np.clip(x, -746.0, _MOST)
    k = (clipped * 1.4426950408889634074 + _ROUND) - _ROUND
    r = (clipped - k * _LOG2_HIGH) - k * _LOG2_LOW
    out[:] = _SERIES[0]
    for term in _SERIES[1:]:
        out *= r
        out += term
    # 2^k in two factors, so that results in the subnormal range are still right.
    exponent = k.astype(np.int64)
    half = exponent >> 1
    out *= ((half + 1023) << 52).view(np.float64)
    out *= ((exponent - half + 1023) << 52).view(np.float64)
    out[x < -745.0] = 0.0


def exponential_of(x: float) -> float:
    """``exponentials`` of one number, to the same bits, without an array.

    >>> exponential_of(1.0)
    2.718281828459045
    """
    if not x >= -745.0:
        return 0.0 if x < -745.0 else x
    clipped = min(x, _MOST)
    k = (clipped * 1.4426950408889634074 + _ROUND) - _ROUND
    r = (clipped - k * _LOG2_HIGH) - k * _LOG2_LOW
    p = _SERIES[0]
    for term in _SERIES[1:]:
        p = p * r + term
    half = int(k) >> 1
    return p * 2.0**half * 2.0 ** (int(k) - half)


def sigmoid_of(x: float) -> float:
    """``sigmoid`` of one number, to the same bits.

    >>> sigmoid_of(0.0)
    0.5
    """
    e = exponential_of(-abs(x))
    return (1.0 if x >= 0 else e) / (1 + e)


def logarithms(x: Floats) -> Floats:
    """ln(x) of positive numbers.

    >>> logarithms(np.array([1.0, 2.0, 0.5])).tolist()
    [0.0, 0.6931471805599453, -0.6931471805599453]
    """
    m, k = np.frexp(np.asarray(x, np.float64))
    small = m < np.sqrt(0.5)
    m, k = np.where(small, 2 * m, m), np.where(small, k - 1, k)
    s = (m - 1) / (m + 1)  # ln(m) = 2 artanh(s), |s| < 0.172
    q = s * s
    p = np.full(s.shape, 1.0 / 25)
    for n in range(23, 1, -2):
        p *= q
        p += 1.0 / n
    return np.asarray(k * _LOG2_HIGH + (2 * s + (2 * s * q * p + k * _LOG2_LOW)))


def softplus(x: Floats) -> Floats:
    """ln(1 + exp(x)), of any size.

    >>> softplus(np.array([0.0, 1000.0, -1000.0])).tolist()
    [0.6931471805599453, 1000.0, 0.0]
    """
    e = exponentials(-np.abs(x))
    one_more = 1 + e
    lost = one_more - 1  # what of e the sum kept
    kept = lost > 0
    small = np.where(kept, logarithms(one_more) * (e / np.where(kept, lost, 1.0)), e)
    return np.maximum(x, 0.0) + small


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x)).

    >>> sigmoid(np.array([0.0, 1000.0, -1000.0])).tolist()
    [0.5, 1.0, 0.0]
    """
    e = exponentials(-np.abs(x))
    return np.where(np.asarray(x) >= 0, 1.0, e) / (1 + e)
