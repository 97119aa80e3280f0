"""What every loss owes, checked for each one that the room of losses exports."""

from __future__ import annotations

import dataclasses
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn
from weaklearn import losses
from weaklearn.base.loss import CLASSES, EVENTS, SIGNS, Loss
from weaklearn.losses import kinds
from weaklearn.losses.names import set_by_parameters
from weaklearn.testing import check_loss

TABLE = (Path(__file__).parents[2] / "docs" / "losses.md").read_text(encoding="utf-8")

KINDS = kinds()
OTHERS = [
    losses.Softmax(2),
    losses.Focal(0.5),
    losses.Focal(5.0),
    losses.FocalSoftmax(3, 0.5),
    losses.FocalSoftmax(2, 3.0),
    losses.SmoothedLogistic(0.9),
    losses.AFT("extreme"),
    losses.AFT("normal"),
    losses.AFT(scale=0.3),
    losses.Expectile(0.95),
    losses.LogCosh(0.5),
    losses.Quantile(0.05),
    losses.Quantile(0.9),
    losses.Huber(delta=0.3),
    losses.Tweedie(1.01),
    losses.Tweedie(1.99),
]


def made(kind: type[Loss]) -> Loss:
    return kind(4) if kind.target == CLASSES else kind()  # type: ignore[call-arg]


LOSSES = [*map(made, (kind for kind in KINDS if not kind.whole_queries)), *OTHERS]


def targets(loss: Loss, m: int = 40) -> Any:
    rng = np.random.default_rng(1)
    if loss.target == SIGNS:
        return rng.choice([-1, 1], m)
    return (
        rng.integers(loss.n_outputs, size=m) if loss.target == CLASSES else rng.gamma(2.0, size=m)
    )


def over_all(test: Any) -> Any:
    return pytest.mark.parametrize("loss", LOSSES, ids=repr)(test)


def test_every_family_was_found() -> None:
    assert len(KINDS) >= 10
    assert {kind.__name__ for kind in KINDS} < set(losses.__all__) == set(dir(losses))
    for kind in KINDS:
        assert getattr(losses, kind.__name__) is kind


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_makes_the_loss(kind: type[Loss]) -> None:
    several = {CLASSES: 3, SIGNS: 2, EVENTS: None}.get(kind.target, 0)
    for name in (kind.name, *kind.aliases) if kind.by_name else ():
        assert type(losses.named(name, n_classes=several)) is kind


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_of_losses_tells_of_it(kind: type[Loss]) -> None:
    rows = [line for line in TABLE.splitlines() if f"losses.{kind.__name__}(" in line[:80]]
    assert len(rows) == 1
    assert f"| {kind.number}" in rows[0]
    if kind.by_name and kind.target != CLASSES:
        assert rows[0].startswith(f'| `"{kind.name}"`')


@pytest.mark.parametrize("name", losses.FOR_NUMBERS)
def test_parameters_set_its_options(name: str) -> None:
    model = weaklearn.GradientBoostingRegressor(loss=name, n_estimators=2)
    set_for = {"quantile": 0.3, "alpha": 0.7, "power": 1.2}
    told = {option.parameter: field for field, option in set_by_parameters(name).items()}
    assert told.keys() <= set_for.keys()
    model.set_params(**{parameter: set_for[parameter] for parameter in told})
    X, y = np.arange(40.0)[:, None], np.arange(1.0, 41.0)
    loss = model.fit(X, y)._loss
    for parameter, field in told.items():
        assert getattr(loss, field) == set_for[parameter]


@over_all
def test_definition(loss: Loss) -> None:
    check_loss(loss)


@over_all
def test_frozen_and_picklable(loss: Loss) -> None:
    assert dataclasses.is_dataclass(loss)
    with pytest.raises(dataclasses.FrozenInstanceError):
        loss.anything = 1  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(loss)) == loss


@over_all
def test_the_order_of_examples_does_not_matter(loss: Loss) -> None:
    y = targets(loss)
    w = np.random.default_rng(2).random(len(y))
    order = np.random.default_rng(3).permutation(len(y))
    for weights in (None, w):
        shuffled = None if weights is None else weights[order]
        first, again = loss.best_constant(y, weights), loss.best_constant(y[order], shuffled)
        assert first.tobytes() == again.tobytes()


@over_all
def test_a_weight_equals_copies(loss: Loss) -> None:
    y = targets(loss)
    w = np.random.default_rng(2).integers(1, 5, len(y))
    copied = loss.best_constant(np.repeat(y, w))
    assert loss.best_constant(y, w).tobytes() == copied.tobytes()
    assert loss.best_constant(y, 0.25 * w) == pytest.approx(copied, rel=1e-12)


@over_all
def test_a_small_step_against_the_gradient_costs_less(loss: Loss) -> None:
    y = targets(loss)
    shape = (len(y),) if loss.n_outputs == 1 else (len(y), loss.n_outputs)
    F = np.random.default_rng(4).normal(size=shape)
    step = -1e-4 * loss.gradient(y, F)
    moved = step.reshape(len(y), -1).any(axis=1)
    assert (loss.value(y, F + step)[moved] < loss.value(y, F)[moved]).all()


@over_all
def test_one_example_has_a_best_constant(loss: Loss) -> None:
    y = targets(loss, 1)
    best = loss.best_constant(y)
    assert np.isfinite(best).all()
    prediction = loss.inverse_link(best if loss.n_outputs == 1 else best[None])
    if loss.target == SIGNS:
        assert np.sign(prediction - 0.5) == y
    elif loss.target == CLASSES:
        assert prediction.argmax() == y[0]
    elif not isinstance(loss, losses.Cox):  # whose scores are no times
        assert np.ravel(prediction) == pytest.approx(np.repeat(y, loss.n_outputs))
