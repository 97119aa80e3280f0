"""A warm start goes on with the same game, or says why it cannot."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from tests.boosters.given import noisy
from weaklearn.intake.parameters import FREE, same


def half(X: Any) -> Any:
    return np.full(len(X), 0.3)


def other(X: Any) -> Any:
    return np.full(len(X), 0.7)


CHANGES = [
    (wl.AdaBoostLClassifier, {"prior": half}, {"prior": other}),
    (wl.AdaBoostLClassifier, {"prior": half}, {"prior_strength": 2.0}),
    (wl.AdaBoostStarClassifier, {}, {"nu": 0.2}),
    (wl.LPBoostClassifier, {}, {"nu": 0.5}),
    (wl.GammaMajorityClassifier, {"gamma": 0.01}, {"gamma": 0.02}),
    (wl.BoostByMajorityClassifier, {"gamma": 0.01}, {"gamma": 0.02}),
    (wl.SmoothBoostClassifier, {}, {"kappa": 0.3}),
    (wl.BrownBoostClassifier, {"epsilon": 0.1}, {"epsilon": 0.2}),
    (wl.NormalBoostClassifier, {"epsilon": 0.1}, {"theta": 0.2}),
    (wl.RealAdaBoostClassifier, {}, {"smoothing": 0.2}),
    (wl.AdaBoostMHClassifier, {}, {"smoothing": 0.2}),
    (wl.FilterBoostClassifier, {}, {"epsilon": 0.2}),
    (wl.CoordinateBoostClassifier, {}, {"loss": "logistic"}),
    (wl.AdaBoostClassifier, {}, {"class_weight": {0: 1, 1: 3}}),
    (wl.AdaBoostClassifier, {}, {"on_perfect": "smooth"}),
]


def begun(kind: Any, given: dict[str, Any]) -> Any:
    X, y = noisy(3, m=60)
    return kind(n_estimators=3, warm_start=True, **given).fit(X, (y > 0).astype(int))


@pytest.mark.filterwarnings("ignore::weaklearn.BoostingWarning")
@pytest.mark.parametrize(
    ("kind", "given", "change"),
    CHANGES,
    ids=[f"{c[0].__name__}-{next(iter(c[2]))}" for c in CHANGES],
)
@pytest.mark.parametrize("way", ["here", "pickled"])
def test_another_run_is_refused(kind: Any, given: Any, change: Any, way: str) -> None:
    X, y = noisy(3, m=60)
    y = (y > 0).astype(int)
    model = begun(kind, given)
    rounds, name = len(model.history_), next(iter(change))
    if way == "pickled":
        model = pickle.loads(pickle.dumps(model))
    was = model.get_params()[name]
    model.set_params(n_estimators=5, **change)
    with pytest.raises(ValueError, match=rf"continues a fit with {name}=.*warm_start=False"):
        model.fit(X, y)
    assert len(model.history_) == rounds
    model.set_params(**{name: was}, verbose=0, tol=0.1, n_jobs=1, random_state=7).fit(X, y)
    assert model.n_iter_ >= 1
    model.set_params(**change, warm_start=False).fit(X, y)  # anew, by the new rules


@pytest.mark.parametrize("when", ["before saving", "after loading"])
def test_files_remember_the_run(tmp_path: Path, when: str) -> None:
    X, y = noisy(3, m=60)
    y = (y > 0).astype(int)
    model = begun(wl.AdaBoostStarClassifier, {"nu": 0.1})
    if when == "before saving":
        model.set_params(nu=0.2)
    model.save(tmp_path / "model.weak")
    again = wl.load(tmp_path / "model.weak")
    assert again.nu == model.nu
    assert again.fingerprint() == model.fingerprint()
    again.set_params(nu=0.2, n_estimators=5)
    with pytest.raises(ValueError, match=r"a fit with nu=0\.1, but now nu=0\.2; set nu back"):
        again.fit(X, y)
    assert again.set_params(nu=0.1).fit(X, y).n_iter_ == 5


def test_an_array_changed_in_place_is_noticed() -> None:
    X, y = noisy(3, m=60)
    y = np.where(y > 0, 1, 0) + (X[:, 0] > np.median(X[:, 0]))
    code = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1]])
    model = wl.AdaBoostMOClassifier(code=code, n_estimators=2, warm_start=True).fit(X, y)
    model.set_params(n_estimators=3).fit(X, y)
    code[2] = [-1, -1, 1]
    with pytest.raises(ValueError, match="continues a fit with code="):
        model.set_params(n_estimators=4).fit(X, y)


def test_auto_may_become_the_number_it_found() -> None:
    X, y = noisy(7)
    model = wl.BrownBoostClassifier(n_estimators=3, warm_start=True).fit(X, y)
    model.set_params(epsilon=model.epsilon_, n_estimators=5).fit(X, y)
    model.set_params(epsilon="auto", n_estimators=6).fit(X, y)
    with pytest.raises(ValueError, match=r"continues a fit with epsilon="):
        model.set_params(epsilon=0.9 * model.epsilon_).fit(X, y)


def test_boosters_are_the_same_by_what_they_hold() -> None:
    class Plain:
        def __init__(self, rate: float) -> None:
            self.rate = rate

    assert same(Plain(0.1), Plain(0.1))
    assert not same(Plain(0.1), Plain(0.2))
    assert not same(half, other)
    assert not same(np.array([1, 2]), "auto")
    assert not same({0: 1}, {0: 2})


def test_what_is_free_is_a_parameter() -> None:
    known = set(wl.AdaBoostClassifier().get_params())
    assert known >= FREE
