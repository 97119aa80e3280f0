"""Boosted: an estimator around any booster."""

from __future__ import annotations

import os
from dataclasses import field
from typing import Any, Literal, NoReturn

from ...base.booster import Booster
from ...base.hypothesis import Form, FormError, WeakLearner
from ...base.messages.value_text import show
from ...base.messages.warnings import BoostingWarning, warn
from ...base.sample import Sample
from ...boosters import AllPairs, OneVsRest
from ...files.error import ModelFileError
from ...intake import parameters
from ...intake.schema import Schema
from ...registry import ROWS, booster_numbers
from .classifier import BoostingClassifier
from .weak_regressor import learner_of_numbers


@parameters.declared
class Boosted(BoostingClassifier):
    """Runs a booster of your own with all that estimators have.

    A booster is a subclass of ``weaklearn.base.Booster`` with two methods: ``begin(sample)`` gives
    the first state, and ``round(sample, learn, state)`` the next state and the facts of the round.
    Data of any kind, progress, early stopping, staged prediction, callbacks and warm start are the
    business of the loop around it. A game is resumed by ``booster.replay``, which tilts D by every
    vote in turn; a booster whose weights move otherwise overrides it.

    Parameters
    ----------
    booster : an object of a subclass of weaklearn.base.Booster
        The algorithm: how weights begin, and what a round does.
    multiclass : {"ovr", "pairs", "native"}, default "ovr"
        More than two classes are boosted one against the rest or every two against one another,
        as the booster takes labels -1 and +1; or, if it can, at once with labels 0, 1, 2,
        ....

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_
        The record holds the facts that the booster tells; a fact it does not tell is NaN.

    Examples
    --------
    A booster that counts every rule alike, and doubles the weight of what the last one missed:

    >>> from weaklearn import Boosted, datasets
    >>> from weaklearn.base import WRONG, Booster, Ensemble, Round, State
    >>> class Doubling(Booster):
    ...     def begin(self, sample):
    ...         return State(sample.prior, Ensemble())
    ...     def round(self, sample, learn, state):
    ...         h = learn(state.D, sample.y, len(state.ensemble))
    ...         error = state.D.mass(sample.correctness(h), WRONG)
    ...         return self.replay(sample, state, 1.0, h), Round({"epsilon": error, "alpha": 1.0})
    ...     def step(self, vote):
    ...         return 0.34657359  # wrong over right weighs exp(2 step) = 2
    >>> X, y = datasets.toy()
    >>> model = Boosted(Doubling(), n_estimators=7).fit(X, y)
    >>> model.score(X, y)
    1.0
    """

    booster: Any = field(default=None, kw_only=False)
    multiclass: Literal["ovr", "pairs", "native"] = "ovr"
    resample: Any = False

    learning_rate = None  # votes are the booster's own
    _rate_by_step = True

    _product_bounds = False  # what a booster of one's own calls Z is not known here

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._check_booster()
        parameters.one_of("multiclass", self.multiclass, ["ovr", "pairs", "native"])
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)

    def _check_booster(self) -> None:
        given, wanted = self.booster, "an object of a subclass of weaklearn.base.Booster"
        if isinstance(given, type):
            name = given.__name__
            raise TypeError(f"booster={name} is a class; pass an instance, {name}().")
        if not isinstance(given, Booster):
            hint = ""
            if hasattr(given, "fit"):
                hint = " An estimator boosts by itself: call its fit."
            raise TypeError(f"booster={show(given)} is not allowed: it must be {wanted}.{hint}")

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        learner = None
        if Form.NUMBERS in self.booster.needs:
            learner = learner_of_numbers(self.estimator, seed, schema)
        return super()._make_learner(seed, schema) if learner is None else learner

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        booster: Booster = self.booster
        native = self.multiclass == "native" and not sample.binary
        if booster.target is not None and not (booster.target == "class numbers" and native):
            self._refuse_target(booster.target)
        if sample.binary or native:
            return booster
        return (AllPairs if self.multiclass == "pairs" else OneVsRest)(booster, learner)

    def _check_game(self, sample: Sample) -> None:
        super()._check_game(sample)
        planned = self.booster.planned_rounds
        if planned is not None and self.n_estimators < planned:
            name = type(self.booster).__name__
            warn(
                f"n_estimators={self.n_estimators} ends {name} before the {planned} rounds that "
                f"its weights are planned for: what it guarantees is of all {planned}. Set "
                f"n_estimators={planned}, or plan for fewer.",
                BoostingWarning,
            )

    def _refuse_target(self, target: str) -> NoReturn:
        name = type(self.booster).__name__
        known = [row.name for row in ROWS.values() for home in row.boosters if home.endswith(name)]
        remedy = f"; use {known[0]}" if known else ""
        if target == "class numbers":
            remedy += ", or set multiclass='native' where there are more than two classes"
        raise FormError(
            f"{name} is a booster for {target}, and Boosted trains it on labels -1 and +1{remedy}."
        )

    _own_booster = True

    @property
    def _booster_name(self) -> str:
        return type(self.booster).__name__

    def save(self, path: str | os.PathLike[str], *, profile: bool = True) -> None:
        """Writes the fitted model to a file, where the booster is one of this library.

        A model file holds no code, and a booster of your own is code: use pickle for it.
        """
        self._check_booster_in_files()
        super().save(path, profile=profile)

    def fingerprint(self) -> str:
        """SHA-256 of the canonical model, where ``save`` can write it."""
        self._check_booster_in_files()
        return super().fingerprint()

    def _check_booster_in_files(self) -> None:
        kind = type(self.booster)
        home = f"{kind.__module__}.{kind.__qualname__}".partition(".boosters.")[2]
        if home not in booster_numbers().values():
            raise ModelFileError(
                f"Boosted cannot be written to a model file: booster is an object of class "
                f"{kind.__name__}, which is code, and files of this library hold none; use pickle "
                f"for this model, with {kind.__name__} in a module that can be imported."
            )
