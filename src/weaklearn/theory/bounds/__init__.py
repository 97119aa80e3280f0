"""The bounds as functions of their numbers: small, exact at the edges, and open to arrays.

Every argument may be a number, a fraction (``"1/10"`` or ``fractions.Fraction``), an integer
of any size, or an array of these; arrays broadcast, and arguments that list the rounds of a run
(``epsilons``, ``gammas``) are reduced over their last axis. A single answer is a ``float``, or an
``int`` where the function counts. A bound above 1 is returned as it is: it promises nothing.

A name says what comes out: ``*_upper`` bounds a true error, ``*_width`` and ``*_err`` say how far
off it can be, ``*_failure`` is the chance that it is further, and ``*_m`` is the number of examples
that it takes, as a real number to be rounded up (``*_smallest_m`` is the integer).

Functions that count are exact where logarithms in floating point are not: ``ln(1e-5) / ln(0.1)``
comes out above 5, yet five tries are enough, and ``(0.3 - 0.1) * 10`` falls below 2. They read a
float as the decimal it prints as, or, where that takes more than 15 digits (``1 / 7``), as the
simplest fraction that rounds to it, and settle close calls on fractions and longer decimals.

An argument outside its range raises ``ValueError`` with the condition of the theorem. One file a
subject:

* ``concentration`` and ``finite``: one hypothesis, and finitely many;
* ``description``: rules of few bits, or rebuilt from few examples;
* ``dichotomies``, ``growth`` and ``samples``: labellings, VC dimension, sample sizes;
* ``rounds`` and ``margins``: boosting; ``confidence``: its tries, and examples from a stream;
* ``online``: perceptron, experts, games, and online learners on a batch.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import isfunction
from typing import TYPE_CHECKING

from ...lazy_names import lazy_names

if TYPE_CHECKING:
    from .concentration import *  # noqa: F403
    from .confidence import *  # noqa: F403
    from .description import *  # noqa: F403
    from .dichotomies import *  # noqa: F403
    from .finite import *  # noqa: F403
    from .growth import *  # noqa: F403
    from .margins import *  # noqa: F403
    from .online import *  # noqa: F403
    from .rounds import *  # noqa: F403
    from .samples import *  # noqa: F403

_SUBJECTS = (
    "concentration",
    "confidence",
    "description",
    "dichotomies",
    "finite",
    "growth",
    "margins",
    "online",
    "rounds",
    "samples",
)


@cache
def _homes() -> dict[str, str]:
    """The module of every public function: those that the files of the subjects define."""
    return {
        name: subject
        for subject in _SUBJECTS
        for name, value in vars(import_module(f".{subject}", __name__)).items()
        if isfunction(value) and value.__module__.endswith(f".{subject}") and name[0] != "_"
    }


__getattr__ = lazy_names(__name__, _homes)
