"""Files of kernel machines, experts and their kin, by somebody who put the checksum right."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from tests.files.forge import loaded, mutated, sections, with_model
from tests.frozen import frame
from tests.odd_rows import ODD
from weaklearn import (
    HalvingClassifier,
    Hedge,
    HingeLPClassifier,
    KernelPerceptron,
    KernelSVMClassifier,
    ModelFileError,
    OnlineDisjunction,
    SleepingExperts,
)
from weaklearn.base.history import History
from weaklearn.files.envelope import MODEL
from weaklearn.online.kernels import Linear, Polynomial
from weaklearn.persistence.model_bytes import sealed

X = np.array([[1.0, 0.5], [-1.0, 2.0], [0.3, -0.7], [-0.4, -0.2], [2.0, 1.0], [-2.0, 0.1]])
Y = np.array([1, 0, 1, 0, 1, 0])
TEXTS = ["ab", "cd", "abb", "cdd", "ba", "dc"]


def odd(make: Any) -> tuple[Any, Any]:
    case = ODD[make.__name__]
    rows = frame(case.columns)
    return make(**case.given).fit(rows, case.y), rows


MODELS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "machine": lambda: (KernelSVMClassifier().fit(X, Y), X),
    "kernels": lambda: (KernelSVMClassifier(2.0 * Polynomial(2) + Linear()).fit(X, Y), X),
    "sparse": lambda: (KernelSVMClassifier("polynomial").fit(sp.csr_array(X), Y), X),
    "texts": lambda: (KernelPerceptron("string", degree=1).fit(TEXTS, Y), TEXTS),
    "hinge": lambda: (HingeLPClassifier().fit(X, Y), X),
    "halving": lambda: odd(HalvingClassifier),
    "disjunction": lambda: odd(OnlineDisjunction),
    "experts": lambda: odd(SleepingExperts),
    "hedge": lambda: odd(Hedge),
}


@pytest.mark.parametrize("name", MODELS)
def test_mutations_under_a_right_checksum(name: str) -> None:
    model, rows = MODELS[name]()
    rng = random.Random(name)
    data = sealed(model)
    body = sections(data)[MODEL]
    accepted = 0
    for _ in range(300):
        try:
            found = loaded(with_model(data, mutated(rng, body)))
        except ModelFileError:
            continue
        accepted += 1
        with warnings.catch_warnings(), suppress(ValueError):  # of other columns than these
            warnings.simplefilter("ignore")
            found.predict(rows)
    assert accepted < 300


def attribute(name: str, value: Any) -> Callable[[Any], None]:
    return lambda model: setattr(model, name, value)


def emptied(model: Any) -> None:
    model.history_ = History()


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("machine", attribute("coef_", np.zeros((1, 3))), "coef_ has not 2 columns"),
        ("machine", attribute("intercept_", np.zeros(2)), "one intercept"),
        ("machine", emptied, "history_ is empty"),
        ("machine", attribute("dual_coef_", np.zeros(1)), "neither"),
        ("machine", attribute("alpha_", np.array([np.nan])), "finite"),
        ("kernels", attribute("dual_coef_", np.zeros(1)), "coefficient for each"),
        ("kernels", attribute("support_vectors_", np.zeros((6, 3))), "coefficient|2 columns"),
        ("kernels", attribute("support_vectors_", ["a"] * 6), "not those of the kernel"),
        ("kernels", attribute("_schema", None), "compares other examples"),
        ("texts", attribute("kernel", "linear"), "compares other examples"),
        ("texts", attribute("support_vectors_", ["a"]), "coefficient for each"),
        ("hinge", attribute("coef_", np.full((1, 2), np.inf)), "finite"),
        ("halving", attribute("_mask", np.ones(3, bool)), "each hypothesis"),
        ("disjunction", attribute("_mask", np.ones(5, bool)), "each variable"),
        ("experts", attribute("t_", 0), "more mistakes than examples"),
        ("experts", attribute("expected_mistakes_", np.zeros(2)), "3 experts"),
        ("experts", attribute("_epsilon", 1.0), "between 0 and 1"),
        ("hedge", attribute("losses_", np.zeros(3)), "2 actions"),
        ("hedge", attribute("total_loss_", 99.0), "t_ rounds"),
        ("hedge", attribute("eta_", 0.0), "eta_ is not above 0"),
    ],
)
def test_parts_that_do_not_fit(name: str, change: Callable[[Any], None], words: str) -> None:
    model, _ = MODELS[name]()
    change(model)
    with pytest.raises(ModelFileError, match=words):
        loaded(sealed(model))


def test_sparse_vectors_are_checked() -> None:
    model, _ = MODELS["sparse"]()
    good = model.support_vectors_
    assert (loaded(sealed(model)).support_vectors_ != good).nnz == 0
    for column in ([9], [-1]):
        bad = good.copy()
        bad.indices[:1] = column
        model.support_vectors_ = bad
        with pytest.raises(ModelFileError, match="in no"):
            loaded(sealed(model))
    bad = good.copy()
    bad.indices[:2] = bad.indices[:2][::-1].copy()
    model.support_vectors_ = bad
    with pytest.raises(ModelFileError, match="columns in no order"):
        loaded(sealed(model))
