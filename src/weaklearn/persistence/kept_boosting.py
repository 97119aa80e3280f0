"""Which fitted attributes of boosting estimators model files hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..base.votes.prior import Foreknown, Prior
from ..files.check import (
    array,
    either,
    home_of,
    instance,
    integer,
    maybe,
    named,
    need,
    one_of,
    real,
    text,
)
from ..files.error import Flaw
from ..files.game import (
    CODED_SCORES,
    ENSEMBLE,
    FADING,
    FOREKNOWN,
    LABEL_SCORES,
    LABEL_SUM,
    MEDIAN,
    PAIRWISE,
    REVOTED,
    STACKED,
    WEIGHTED_SUM,
)
from ..files.history import HISTORY
from ..files.readable import RULE, SPLITTER
from ..files.record import Record
from ..registry import Row
from . import checks as fit
from .kept import Kept
from .records import CALIBRATION

_SCORES = {"validation_scores_": array("f", finite=False)}
_CLASSES = {"classes_": fit.classes, "calibration_": instance(CALIBRATION.home)}
_GAMES = (STACKED.home, PAIRWISE.home)
_SCHEMES = ("AdaBoostM1", "AdaBoostM2", "AdaBoostMH", "AdaBoostMO", "AdaBoostMR")
_LABELS = (LABEL_SUM.home, LABEL_SCORES.home, CODED_SCORES.home)
_SUM = {"ensemble_": either(WEIGHTED_SUM.home, ENSEMBLE.home, REVOTED.home, *_GAMES)}
_RESUMED = frozenset({"_resumed"})
_FACTS = "epsilon gamma alpha Z"


def _boosted_of(member: str, vote: str, *facts: str) -> Callable[[Any], None]:
    """The check of ``boosted``, for ensembles of one class of members and one class of votes."""
    recorded = fit.boosted(*facts)

    def check(model: Any) -> None:
        recorded(model)
        for part in model.ensemble_.parts:
            need(home_of(part) == vote, "the vote is not one of its scheme")
        for h in model.ensemble_.members:
            need(home_of(h) == member, f"a member is {named(h)}")

    return check


def unpack_prior(model: Any, state: dict[str, Any]) -> None:
    """The votes begin with the prior that is a parameter of the model."""
    with_prior(state["ensemble_"], model.prior, state["classes_"].tolist())
    model.__dict__.update(state)


def with_prior(vote: Any, prior: Any, classes: list[Any]) -> None:
    """Votes begin with the prior where, and only where, there is one."""
    for part in vote.parts:
        known = isinstance(part, Foreknown)
        need(known == (prior is not None and len(classes) > 1), "a vote lacks its prior")
        if known:
            need(part.prior.k < len(classes), f"a prior is of class {part.prior.k}, which is none")
            part.prior = Prior(prior, classes, part.prior.k)


def _pack_games(attributes: dict[str, Any]) -> dict[str, Any]:
    """The fitted attributes; refused where the games are copies of another estimator."""
    games = attributes["model_"]
    if games.saved_in_files:
        return attributes
    name = type(games.estimator).__name__
    raise Flaw(
        f"each game is a copy of {name}, which is no booster of two classes, and which no model "
        "file can hold; use pickle for this model"
    )


def _reduced(model: Any) -> None:
    """Refuses a reduction whose fitted booster is not the one that its parameters name."""
    games, booster = model.model_, model._booster()
    need(hasattr(games, "ensemble_"), "the games are not played")
    need(type(games) is type(booster), f"the games are not those of {type(booster).__name__}")
    need(games.multiclass == model._multiclass, f"the games are those of {games.multiclass!r}")
    model._keep(games)


def _feature_weights(name: str, value: Any) -> None:
    """Refuses anything but a dict of finite weights by feature."""
    need(type(value) is dict, f"{name} is {named(value)}; it must be a dict")
    for weight in value.values():
        real()(name, weight)


def two_classes(row: Row, facts: str = _FACTS) -> Kept:
    """A booster of two classes, which plays several games where there are more.

    ``facts`` names what its history has.
    """
    return Kept(
        fit.GAME | _CLASSES | _SUM | {"_scheme": one_of(*row.schemes, "OneVsRest", "AllPairs")},
        _SCORES,
        sided=_RESUMED,
        consistent=fit.boosted(*facts.split()),
    )


def totally_corrective(row: Row) -> Kept:
    """A booster whose votes solve a program; its history has no normaliser Z."""
    return two_classes(row, "epsilon gamma alpha")


def from_prior(row: Row) -> Kept:
    """A booster of two classes that may start from a prior."""
    kept = two_classes(row)
    votes = {"ensemble_": either(ENSEMBLE.home, WEIGHTED_SUM.home, FOREKNOWN.home, *_GAMES)}
    return replace(kept, fitted={**kept.fitted, **votes}, unpack=unpack_prior)


def timed(row: Row, vote: Record = ENSEMBLE) -> Kept:
    """A booster of two classes with a time budget and a target error."""
    kept = two_classes(row, "epsilon gamma alpha ds dt")
    votes = {"ensemble_": either(vote.home, *_GAMES), "epsilon_": real(0.0, 1.0)}
    return replace(kept, fitted={**kept.fitted, **votes})


def fading(row: Row) -> Kept:
    """A booster with a time budget whose earlier votes decay."""
    return timed(row, FADING)


def alternating(row: Row) -> Kept:
    """An alternating decision tree."""
    consistent = _boosted_of(SPLITTER.home, WEIGHTED_SUM.home, *_FACTS.split())
    return replace(two_classes(row), consistent=consistent)


def rule_set(row: Row) -> Kept:
    """An ensemble of rules."""
    consistent = _boosted_of(RULE.home, ENSEMBLE.home, *_FACTS.split())
    return replace(two_classes(row), consistent=consistent)


def adaboost(row: Row) -> Kept:
    """AdaBoost, with any of its multiclass schemes."""
    return Kept(
        fit.GAME
        | _CLASSES
        | {"ensemble_": either(ENSEMBLE.home, *_LABELS, *_GAMES)}
        | {"_scheme": one_of(*row.schemes, *_SCHEMES, "OneVsRest", "AllPairs")},
        _SCORES,
        sided=_RESUMED,
        consistent=fit.boosted(*_FACTS.split()),
    )


def any_loss(row: Row) -> Kept:
    """A classifier that minimises a loss by votes."""
    kept = two_classes(row, "alpha")
    return replace(kept, fitted={**kept.fitted, "loss_": fit.loss})


any_loss_of_numbers = Kept(
    fit.GAME | _SUM | {"_scheme": one_of("AnyBoost"), "loss_": fit.loss},
    _SCORES,
    sided=_RESUMED,
    consistent=fit.boosted("alpha"),
)


def _one_game(row: Row, vote: Record, *also: str, facts: str = _FACTS) -> Kept:
    """An estimator with one game, whatever it predicts."""
    return Kept(
        fit.GAME | {"ensemble_": instance(vote.home), "_scheme": one_of(*also, *row.schemes)},
        _SCORES,
        sided=_RESUMED,
        consistent=fit.boosted(*facts.split()),
    )


def _any_classes(row: Row, vote: Record, *also: str) -> Kept:
    """A booster that plays one game for any number of classes."""
    kept = _one_game(row, vote, *also)
    return replace(kept, fitted={**kept.fitted, **_CLASSES})


def median(row: Row) -> Kept:
    """A weighted median of regressors."""
    return _one_game(row, MEDIAN, facts="epsilon gamma alpha")


def ranking(row: Row) -> Kept:
    """A ranker."""
    kept = _one_game(row, ENSEMBLE, facts="alpha Z")
    votes = {"ensemble_": either(ENSEMBLE.home, WEIGHTED_SUM.home)}
    return replace(kept, fitted={**kept.fitted, **votes})


def weighted_errors(row: Row) -> Kept:
    """AdaBoost.M1, which is AdaBoost for two classes."""
    return _any_classes(row, ENSEMBLE, "AdaBoost")


def pseudo_losses(row: Row) -> Kept:
    """AdaBoost.M2."""
    return _any_classes(row, LABEL_SUM)


def labels(row: Row, vote: Record = LABEL_SCORES) -> Kept:
    """A multi-label booster."""
    kept = _any_classes(row, vote)
    return replace(kept, fitted={**kept.fitted, "_indicator": maybe(fit.indicator)})


def coded_labels(row: Row) -> Kept:
    """A booster whose labels are code words (AdaBoost.MO)."""
    return labels(row, CODED_SCORES)


def ranked_labels(row: Row) -> Kept:
    """A booster that ranks labels, with a cut where rows may have several."""
    return replace(labels(row), optional=_SCORES | {"_cut": real()})


# A wrapper of a booster, whose games the model in it has played.
reduction = Kept({"model_": fit.estimator}, pack=_pack_games, cross_check=_reduced)

reranker = Kept(
    {
        "w0_": real(),
        "weights_": _feature_weights,
        "history_": instance(HISTORY.home),
        "n_iter_": integer(),
        "stop_reason_": text,
    }
)
