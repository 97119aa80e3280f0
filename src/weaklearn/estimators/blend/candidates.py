"""The models that a blend is made of, by name: each brings errors of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ...base.messages.spelling import nearest
from ...base.messages.value_text import show
from ...base.sample import Sample
from ..boosting.confidence_rated import AdaBoostLClassifier, RealAdaBoostClassifier
from ..gradient.additive import AdditiveBoostingClassifier, AdditiveBoostingRegressor
from ..gradient.estimators import GradientBoostingClassifier, GradientBoostingRegressor
from ..trees.forest import RandomForestClassifier, RandomForestRegressor

Makers = Mapping[str, Callable[..., Any]]

FEW = 2000  # examples up to which simple learners take part
QUICK = "gradient"  # what stands alone where time is short, with the number of its rounds
MOST_QUICK = 100

_SMALL: dict[str, Any] = {"max_leaf_nodes": 5, "learning_rate": 0.1}
_LARGE: dict[str, Any] = {
    "max_leaf_nodes": 40,
    "min_samples_leaf": 3,
    "l2_regularization": 3.0,
    "subsample": 0.6,
}
_RANDOM: dict[str, Any] = {
    "max_leaf_nodes": 12,
    "min_samples_leaf": 10,
    "subsample": 0.5,
    "max_features": 0.25,
}
# In the order in which they are played, those first that do most alone.
_CLASSIFIERS: Makers = {
    "gradient": GradientBoostingClassifier,
    "forest": partial(RandomForestClassifier, n_estimators=200),
    "glass_box": AdditiveBoostingClassifier,
    "gradient_large": partial(GradientBoostingClassifier, **_LARGE, max_features=0.3),
    "gradient_small": partial(GradientBoostingClassifier, **_SMALL, max_features=0.3),
    "gradient_random": partial(GradientBoostingClassifier, **_RANDOM),
    "boosted_trees": partial(RealAdaBoostClassifier, "tree", n_estimators=200),
    "stumps": partial(AdaBoostLClassifier, n_estimators=200),
}
_REGRESSORS: Makers = {
    "gradient": GradientBoostingRegressor,
    "forest": partial(RandomForestRegressor, n_estimators=200),
    "glass_box": AdditiveBoostingRegressor,
    "gradient_large": partial(GradientBoostingRegressor, **_LARGE, max_features=0.5),
    "gradient_small": partial(GradientBoostingRegressor, **_SMALL, max_features=0.7),
    "gradient_random": partial(GradientBoostingRegressor, **_RANDOM),
}
_SIMPLE = ("stumps",)
_SHARES = ("forest",)


def makers_of(regression: bool) -> Makers:
    """The makers of all candidates, by name."""
    return _REGRESSORS if regression else _CLASSIFIERS


def usual(regression: bool, n_examples: int) -> list[str]:
    """The names of the models that are played where none are asked for."""
    few = n_examples <= FEW
    return [name for name in makers_of(regression) if few or name not in _SIMPLE]


def check_names(parts: Any, regression: bool) -> list[str]:
    """The names asked for; refused where one is unknown, or there are none."""
    known = makers_of(regression)
    if isinstance(parts, str) or not isinstance(parts, Sequence):
        raise TypeError(
            f"parts={show(parts)} is not allowed: it must be a list of names such as "
            f"{list(known)[:2]}, or None."
        )
    for name in parts:
        if not isinstance(name, str) or (name not in known and rounds_in(name) is None):
            raise ValueError(
                f"parts holds {show(name)}, which is none of {', '.join(map(repr, known))}."
                f"{nearest(name, list(known))}"
            )
    if not parts or len(set(parts)) < len(parts):
        raise ValueError(
            f"parts={show(parts)} is not allowed: it must hold at least one name, none of them "
            "twice."
        )
    if len(parts) > 1 and any(map(rounds_in, parts)):
        raise ValueError(
            f"parts={show(parts)} is not allowed: a name with a number of rounds stands alone."
        )
    return list(parts)


def rounds_in(name: str) -> int | None:
    """The number of rounds that a name asks for; None where the rounds are to be found.

    >>> rounds_in("gradient 37"), rounds_in("gradient")
    (37, None)
    """
    kind, _, rounds = name.partition(" ")
    fine = kind == QUICK and rounds.isascii() and rounds.isdecimal()
    return int(rounds) if fine and 0 < int(rounds) <= MOST_QUICK else None


def finds_rounds(name: str) -> bool:
    """Whether a model finds its number of rounds by folds of its own."""
    return name.startswith(QUICK) and rounds_in(name) is None


def of_rounds(part: Any, model: Any, sample: Sample) -> None:
    """Has gradient boosting take as many rounds, steps and leaves as a fit on the sample found."""
    part.set_params(
        n_estimators=max(1, model.n_iter_),
        learning_rate=model._rate(sample),
        max_leaf_nodes=model._leaves(sample),
    )


def kind_of(name: str, regression: bool) -> str:
    """The name of a model's class."""
    makers = makers_of(regression)
    made = makers[name if name in makers else QUICK]
    return str((made.func if isinstance(made, partial) else made).__name__)


def method_of(name: str, regression: bool) -> str:
    """The method by which a model answers with what is blended."""
    if regression:
        return "predict"
    return "predict_proba" if name in _SHARES else "decision_function"


def model_of(name: str, regression: bool, shared: Mapping[str, Any]) -> Any:
    """An unfitted model of this name, with those of the shared parameters that it has."""
    rounds = rounds_in(name)
    kind = name if rounds is None else QUICK
    model = makers_of(regression)[kind]()
    if rounds is not None:
        model.set_params(n_estimators=rounds)
    known = model.get_params(deep=False)
    return model.set_params(**{key: value for key, value in shared.items() if key in known})
