"""Weights of online learners in files: what does not fit together is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.files.forge import loaded
from weaklearn import (
    AveragedPerceptron,
    ModelFileError,
    OnlineDisjunction,
    Perceptron,
    SGDClassifier,
)
from weaklearn.base.history import History
from weaklearn.persistence.model_bytes import sealed

X = [[1.0, 2.0], [-1.0, 0.5], [0.5, -3.0], [2.0, 1.0]]
BITS = [[1, 0], [0, 1], [0, 0], [1, 1]]
Y = [1, 0, 0, 1]


def changed(model: Any, **standing: Any) -> Any:
    model._standing = replace(model._standing, **standing)
    return model


def forged() -> list[tuple[Any, str]]:
    def plain() -> Any:
        return Perceptron().fit(X, Y)

    w = plain()._standing.w
    pocketed, short, alone = plain(), plain(), plain()
    pocketed._pocket = w
    short.history_ = History()
    del alone.history_
    return [
        (changed(plain(), w=np.append(w, 1.0)), "its layers have 2"),
        (changed(plain(), w=np.array([1.0, np.nan])), "finite"),
        (changed(plain(), w=np.zeros((1, 2))), "dimensions"),
        (changed(plain(), n_features=1, w=w[:1]), "not one of 2 features"),
        (changed(plain(), n_features=2**40), "n_features"),
        (changed(plain(), units=()), "units is empty"),
        (changed(plain(), units=(0,)), "units"),
        (changed(plain(), units=(2,), w=np.zeros(4)), "not one of 2 features and 2 classes"),
        (changed(plain(), units=(2, 1), w=np.zeros(6)), "layers"),
        (changed(plain(), constant=True, w=np.zeros(3)), "constant feature"),
        (changed(plain(), drift=w), "drift"),
        (changed(AveragedPerceptron().fit(X, Y), drift=None), "drift"),
        (changed(plain(), mistakes=10**6), "more mistakes than examples"),
        (changed(plain(), seen=-1), "seen"),
        (changed(plain(), seen=2.0), "seen"),
        (pocketed, "pocket"),
        (short, "n_iter_"),
        (alone, "incomplete"),
        *(
            (OnlineDisjunction().fit(BITS, Y).set_params(n_features=n), "n_features is not the 2")
            for n in (1, 3, 2**61)
        ),
    ]


@pytest.mark.parametrize(("model", "words"), forged(), ids=lambda given: str(given)[:40])
def test_what_does_not_fit_is_refused(model: Any, words: str) -> None:
    with pytest.raises(ModelFileError, match=words):
        loaded(sealed(model))


def test_a_disjunction_of_as_many_variables_as_it_says_comes_back() -> None:
    model = OnlineDisjunction(2).fit(BITS, Y)
    again = loaded(sealed(model))
    assert again.partial_fit(BITS, Y).kept_.tolist() == model.partial_fit(BITS, Y).kept_.tolist()


def test_streams_come_back_and_go_on() -> None:
    for make in (Perceptron, AveragedPerceptron, SGDClassifier):
        model = make().partial_fit(X, Y, classes=[0, 1])
        again = loaded(sealed(model))
        assert not hasattr(again, "n_iter_")
        model.partial_fit(X, Y)
        assert again.partial_fit(X, Y).fingerprint() == model.fingerprint()
