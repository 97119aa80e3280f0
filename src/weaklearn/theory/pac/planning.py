"""From edge, accuracy and confidence to rounds, examples and tries; strong learners."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base import BoostingWarning, Table
from ...base.messages.table import Tabular
from ...base.messages.value_text import show
from ...base.messages.warnings import warn
from ...learners.foreign import fresh
from .. import bounds
from .distribution import Supply, seed_of, trained


@dataclass(frozen=True)
class Confident:
    """The best of k models, and how they were chosen from.

    ``errors`` are those on ``n_validation`` examples that none of them was trained on; a single
    model is not chosen, and has none.
    """

    model: Any
    chosen: int
    errors: NDArray[np.float64] = field(repr=False)
    k: int
    n_examples: int
    n_validation: int


def boost_confidence(
    learner: Any,
    source: Any,
    eps: float,
    delta: float,
    *,
    success_probability: float = 0.5,
    n_examples: int | None = None,
    random_state: Any = None,
) -> Confident:
    """Makes a learner that sometimes succeeds one that almost always does.

    If a model trained on ``n_examples`` examples has an error of at most e with probability
    ``success_probability``, then the model chosen here has an error of at most e + eps, except with
    probability delta: k models are trained, each on examples of its own, so many that all fail with
    probability delta/2 at most; and that of the fewest errors on further examples is chosen, the
    first of equals, so many that with probability 1 - delta/2 no error is off by more than eps/2.
    To get from half of the error wanted to all of it, pass the other half as eps.

    Parameters
    ----------
    learner : anything with fit and predict
    source : function of (n, rng) that returns n fresh examples (X, y), or a pair (X, y)
        A pair is divided: what choosing takes is set apart, the rest are as many chunks as there
        are models.
    eps, delta : float
    success_probability : float, default 0.5
        The chance that one model is good. (The chance that it fails is one minus this.)
    n_examples : int, optional
        Examples for each model; with a function that draws them it must be given.
    random_state : None, int or Generator

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn import AdaBoostClassifier
    >>> from weaklearn.testing import FlakyLearner
    >>> def draw(n, rng):
    ...     x = rng.random((n, 1))
    ...     return x, np.where(x[:, 0] > 0.4, 1, -1)
    >>> flaky = AdaBoostClassifier(FlakyLearner(success_probability=0.5), n_estimators=1)
    >>> sure = boost_confidence(flaky, draw, eps=0.2, delta=0.01, n_examples=50)
    >>> sure.k, sure.n_validation
    (8, 404)
    >>> X, y = draw(1000, np.random.default_rng(99))
    >>> bool(sure.model.score(X, y) > 0.9)
    True

    Reference: Schapire (1990); Shalev-Shwartz and Ben-David, Understanding Machine Learning,
    Exercise 10.1, with k for delta/2 as its hint needs.
    """
    check_share("eps", eps)
    check_share("delta", delta)
    k = int(bounds.confidence_k_success(success_probability, delta=delta / 2))
    n_validation = 0 if k == 1 else int(bounds.confidence_validation(k=k, eps=eps, delta=delta))
    seed = seed_of(random_state)
    supply = Supply(source, seed)
    n = _chunk(supply, n_examples, k, n_validation)
    models = [trained(learner, *supply.take(n), seed, s) for s in range(k)]
    if k == 1:
        return Confident(models[0], 0, np.zeros(0), 1, n, 0)
    X, y = supply.take(n_validation)
    errors = np.array([np.mean(np.asarray(model.predict(X)) != np.asarray(y)) for model in models])
    chosen = int(np.argmin(errors))
    return Confident(models[chosen], chosen, errors, k, n, n_validation)


def _chunk(supply: Supply, n_examples: int | None, k: int, n_validation: int) -> int:
    """How many examples each model is trained on."""
    if supply.left is None:
        if n_examples is None:
            raise ValueError("n_examples is None: say how many examples each model is to draw.")
        return int(n_examples)
    n = (supply.left - n_validation) // k if n_examples is None else int(n_examples)
    needed = n_validation + k * max(n, 1)
    if needed > supply.left:
        raise ValueError(
            f"X has {supply.left} rows: {k} models and {n_validation} rows to choose among them "
            f"take at least {needed}; pass more rows, or a larger eps or delta."
        )
    return n


@dataclass(frozen=True)
class Plan(Tabular):
    """The cost of a strong learner: T rounds on m examples, with a number of tries per round.

    ``model`` is the vote, where the plan was carried out; ``consistent`` whether it errs on no
    example, without which the promise is void. ``weighted``: votes may differ in size.
    """

    gamma: float
    eps: float
    delta: float
    T: int
    m: int
    tries: int
    bits: float | None = None
    vc_dim: int | None = None
    success_probability: float = 1.0
    weighted: bool = False
    model: Any = field(default=None, compare=False, repr=False)
    consistent: bool | None = field(default=None, compare=False)

    def table(self) -> Table:
        size = f"{self.bits:g} bits" if self.vc_dim is None else f"VC dimension {self.vc_dim}"
        rows = [
            ("edge of the weak learner", self.gamma),
            ("error wanted, at most", self.eps),
            ("chance to miss it, at most", self.delta),
            ("a weak rule has", size),
            ("examples to draw", self.m),
            ("rounds to run", self.T),
            ("tries in every round, at most", self.tries),
        ]
        return Table("plan", ["", "value"], rows)


def plan(
    gamma: float,
    eps: float,
    delta: float,
    *,
    bits: float | None = None,
    vc_dim: int | None = None,
    success_probability: float = 1.0,
    weighted: bool = False,
) -> Plan:
    r"""Rounds, examples and tries after which boosting has the error eps with confidence 1 - delta.

    With T(m) the first odd number above :math:`\ln m / (2\gamma^2)`, m is the least number with

    .. math:: m \ge \frac{1}{\epsilon}\Bigl(b\, T(m) \ln 2 + \ln\frac{2}{\delta}\Bigr)

    for rules of fewer than b ``bits``: a majority of T(m) rules that errs on none of m examples is
    then below eps, except with probability delta/2. The other delta/2 is for the rounds: a weak
    learner that succeeds with probability p is tried up to
    :math:`\lceil \ln(2T/\delta) / \ln(1/(1-p)) \rceil` times in each.

    With a ``vc_dim`` d in place of bits, and for ``weighted`` votes, m is the least number for
    which a class of growth :math:`\Pi` is safe,

    .. math:: m \ge \frac{2}{\epsilon}\Bigl(\lg \Pi(2m) + \lg\frac{4}{\delta}\Bigr), \qquad
              \lg \Pi(2m) = T \lg \Phi_d(2m) \;\bigl[+\, T \lg(2em/T)\bigr],

    where :math:`\Phi_d` is Sauer's sum (or b bits a rule), and the term in brackets is that of
    weighted votes. Without bits and vc_dim a rule is taken to have 64 bits.

    >>> p = plan(gamma=0.1, eps=0.1, delta=0.05, bits=20)
    >>> p.m, p.T, p.tries
    (78363, 565, 1)
    >>> print(plan(0.25, 0.05, 0.01, vc_dim=2, success_probability=0.5))
                                   value
    edge of the weak learner       0.25
    error wanted, at most          0.05
    chance to miss it, at most     0.01
    a weak rule has                VC dimension 2
    examples to draw               133552
    rounds to run                  95
    tries in every round, at most  15

    Reference: Freund (1995); Schapire and Freund, Boosting, sections 2.3.2 and 2.3.3; Blum,
    Hopcroft and Kannan, Foundations of Data Science, on boosting.
    """
    check_share("eps", eps)
    check_share("delta", delta)
    if bits is not None and vc_dim is not None:
        raise ValueError("bits and vc_dim are both given: pass the one that describes a rule.")
    if vc_dim is not None and not (vc_dim >= 1 and vc_dim % 1 == 0):
        raise ValueError(
            f"vc_dim={show(vc_dim)} is not allowed: it must be a whole number above 0."
        )
    bits = 64 if bits is None and vc_dim is None else bits
    size = _Size(float(eps), float(delta), bits, vc_dim, weighted)
    m = 1
    try:
        while (wanted := size.examples(m, T := _odd_rounds(m, gamma))) > m:
            m = wanted  # what is wanted grows with m, so that nothing below is enough
    except OverflowError:
        raise ValueError(
            f"gamma={show(gamma)} is not allowed with eps={show(eps)}: the plan takes more "
            "examples than numbers can count."
        ) from None
    tries = bounds.resample_tries(T=T, delta=delta / 2, success_probability=success_probability)
    return Plan(
        float(gamma),
        float(eps),
        float(delta),
        T,
        m,
        int(tries),
        bits,
        vc_dim,
        float(success_probability),
        bool(weighted),
    )


def check_share(name: str, value: float) -> None:
    """Raises unless a value is a probability strictly between 0 and 1."""
    if not 0 < value < 1:
        raise ValueError(f"{name}={show(value)} is not allowed: it must be above 0 and below 1.")


def _odd_rounds(m: int, gamma: float) -> int:
    """The first odd number above ln m / (2 gamma^2)."""
    rounds = int(bounds.rounds_exp_gt(n=m, gamma=gamma))
    return rounds + 1 - rounds % 2


@dataclass(frozen=True)
class _Size:
    """How many examples it takes to trust a vote of T rules without error."""

    eps: float
    delta: float
    bits: float | None
    vc_dim: int | None
    weighted: bool

    def examples(self, m: int, T: int) -> int:
        if self.vc_dim is None and not self.weighted:
            assert self.bits is not None
            bits = self.bits * float(T)
            wanted = bounds.occam_bits_m(b=bits, eps=self.eps, delta=self.delta / 2)
        else:
            lg = min(2.0 * m, self.lg_growth(m, T))  # 2m rows have no more than 2^(2m) labellings
            wanted = m / self.eps * bounds.consistent_growth(lg, m, self.delta / 2)
        return math.ceil(wanted)

    def lg_growth(self, m: int, T: int) -> float:
        """In how many ways T rules and their vote can label 2m rows, as a logarithm to base 2."""
        if self.weighted and T > 2 * m:
            return math.inf
        one = self.bits if self.vc_dim is None else float(bounds.lg_sauer(2 * m, self.vc_dim))
        lg = T * (one or 0.0)
        return lg + (T * math.log2(2 * math.e * m / T) if self.weighted else 0.0)


# -------------------------------------------------------------------------------------- carried out


def strong_learner(
    booster: Any,
    source: Any,
    gamma: float,
    eps: float,
    delta: float,
    *,
    bits: float | None = None,
    vc_dim: int | None = None,
    success_probability: float = 1.0,
    weighted: bool = False,
    most_examples: int = 1_000_000,
    random_state: Any = None,
) -> Plan:
    """Plans the boosting of a weak learner, draws as many examples as it takes, and boosts.

    Where the weak learner has the edge gamma in every round, the vote errs on none of its examples,
    and its true error is at most eps, except with probability delta. The plan comes back with the
    vote as its ``model``; or without one, where it takes more than ``most_examples`` examples, or
    more than there are. A vote that errs on some of its examples is warned of: the promise of an
    edge was broken, and nothing is guaranteed.

    Parameters
    ----------
    booster : a boosted classifier, such as GammaMajorityClassifier(estimator)
        A copy of it is given ``n_estimators``, and ``gamma`` where it has such a parameter. Where
        ``success_probability`` is below 1, it is given ``resample`` too: each round tries again
        until a rule has the edge.
    source : function of (n, rng) that returns n fresh examples (X, y), or a pair (X, y)
    gamma, eps, delta, bits, vc_dim, success_probability, weighted
        As in ``plan``. AdaBoost gives votes of different size, which takes ``weighted=True``.
    most_examples : int, default 1,000,000
    random_state : None, int or Generator

    Examples
    --------
    >>> import numpy as np
    >>> from weaklearn import GammaMajorityClassifier
    >>> def draw(n, rng):  # two cuts among 16 places: stumps have the edge 1/6
    ...     x = rng.integers(0, 16, size=(n, 1))
    ...     return x, np.where((x[:, 0] > 4) & (x[:, 0] < 11), 1, -1)
    >>> strong = strong_learner(GammaMajorityClassifier(), draw, 1 / 6, 0.1, 0.05, bits=6)
    >>> strong.m, strong.T, strong.consistent
    (6650, 159, True)
    >>> X, y = draw(10_000, np.random.default_rng(99))
    >>> bool(strong.model.score(X, y) > 0.9)
    True
    >>> strong_learner(GammaMajorityClassifier(), draw, 0.001, 0.1, 0.05, bits=6).model is None
    True
    """
    made = plan(
        gamma,
        eps,
        delta,
        bits=bits,
        vc_dim=vc_dim,
        success_probability=success_probability,
        weighted=weighted,
    )
    seed = seed_of(random_state)
    supply = Supply(source, seed)
    if made.m > (most_examples if supply.left is None else min(most_examples, supply.left)):
        return made
    X, y = supply.take(made.m)
    model = _instructed(booster, made, seed).fit(X, y)
    errors = int(np.sum(np.asarray(model.predict(X)) != np.asarray(y)))
    if errors:
        warn(
            f"the vote of {made.T} rounds errs on {errors} of its {made.m} examples: the weak "
            f"learner did not keep its promise of the edge {gamma:g}, and the error may be above "
            f"eps={eps:g}; lower gamma, or give the learner more freedom.",
            BoostingWarning,
        )
    elif not weighted and _differ(model):
        warn(
            "the votes differ in size, and the plan is for a plain majority: pass weighted=True, "
            "or boost by GammaMajorityClassifier.",
            BoostingWarning,
        )
    return replace(made, model=model, consistent=errors == 0)


def _instructed(booster: Any, made: Plan, seed: int) -> Any:
    """A copy of a booster with the parameters of a plan."""
    copy = fresh(booster, seed, 0)
    known = copy.get_params(deep=False)
    wanted: dict[str, Any] = {"n_estimators": made.T}
    if "gamma" in known and known.get("alpha") is None:
        wanted["gamma"] = made.gamma
    if made.success_probability < 1:
        if "resample" not in known:
            raise TypeError(
                f"{type(booster).__name__} has no parameter resample, which a learner that may "
                "fail needs; pass GammaMajorityClassifier or AdaBoostClassifier."
            )
        wanted["resample"] = {
            "gamma": made.gamma,
            "delta": made.delta / 2,
            "success_probability": made.success_probability,
            "on_failure": "fail",
        }
    return copy.set_params(**wanted)


def _differ(model: Any) -> bool:
    votes = np.asarray(model.estimator_weights_)
    return bool(len(votes) > 1 and np.ptp(votes) > 0)
