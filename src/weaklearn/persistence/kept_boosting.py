"""Which fitted attributes of boosting estimators model files hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..base.ensemble import Ensemble, StackedEnsemble
from ..base.offered import fact
from ..base.votes.homes import home_of_vote as vote
from ..files.check import (
    Check,
    array,
    either,
    home_of_class,
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
from ..files.history import HISTORY
from ..registry import Row, booster_homes
from . import checks as fit
from .calibration_record import CALIBRATION
from .kept import Kept

_VOTE, _STACKED = home_of_class(Ensemble), home_of_class(StackedEnsemble)
_SCORES = {"validation_scores_": array("f", finite=False)}
_CLASSES = {"classes_": fit.classes, "calibration_": instance(CALIBRATION.home)}
_SCHEMES = ("AdaBoostM1", "AdaBoostM2", "AdaBoostMH", "AdaBoostMO", "AdaBoostMR")
_LABELS = (vote("LabelSum"), vote("LabelScores"), vote("CodedScores"))
_SUMS = (vote("WeightedSum"), _VOTE, vote("Revoted"))
FACTS = "epsilon gamma alpha Z"


def unpack_prior(model: Any, state: dict[str, Any]) -> None:
    """The votes begin with the prior that is a parameter of the model."""
    with_prior(state["ensemble_"], model.prior, state["classes_"].tolist())
    model.__dict__.update(state)


def with_prior(vote: Any, prior: Any, classes: list[Any]) -> None:
    """Votes begin with the prior where, and only where, there is one."""
    for part in vote.parts:
        known = part.prior is not None
        need(known == (prior is not None and len(classes) > 1), "a vote lacks its prior")
        if known:
            need(part.prior.k < len(classes), f"a prior is of class {part.prior.k}, which is none")
            part.prior = replace(part.prior, source=prior, classes=classes)


def _pack_parts(attributes: dict[str, Any]) -> dict[str, Any]:
    """The fitted attributes; refused where the parts are copies of another estimator."""
    parts = attributes["model_"]
    if parts.saved_in_files:
        return attributes
    name = type(parts.estimator).__name__
    raise Flaw(
        f"each binary problem is boosted by a copy of {name}, which is no booster of two classes, "
        "and which no model file can hold; use pickle for this model"
    )


def _reduced(model: Any) -> None:
    """Refuses a reduction whose fitted booster is not the one that its parameters name."""
    parts, booster = model.model_, model._booster()
    need(fact(parts, "ensemble_") is not None, "the binary problems are not fitted")
    need(type(parts) is type(booster), f"the problems are not those of {type(booster).__name__}")
    need(parts.multiclass == model._multiclass, f"the problems are those of {parts.multiclass!r}")
    model._keep(parts)


def _feature_weights(name: str, value: Any) -> None:
    """Refuses anything but a dict of finite weights by feature."""
    need(type(value) is dict, f"{name} is {named(value)}; it must be a dict")
    for weight in value.values():
        real()(name, weight)


def _boosted(
    row: Row,
    *homes: str,
    facts: str = FACTS,
    schemes: tuple[str, ...] = (),
    also: Mapping[str, Check] | None = None,
    **more: Any,
) -> Kept:
    """An estimator of one of these classes of votes, whose history has these facts."""
    own = {"ensemble_": either(*homes)}
    own["_scheme"] = one_of(*row.schemes, *schemes)
    check = fit.boosted(*facts.split())
    fitted = {**fit.BOOSTED, **own, **(also or {})}
    kept = Kept(fitted, _SCORES, sided=frozenset({"_resumed"}), consistent=check)
    return kept._replace(**more)


def _of_two(row: Row, *homes: str, also: Mapping[str, Check] | None = None, **more: Any) -> Kept:
    """A booster of two classes, which solves several problems where there are more."""
    homes, also = (*homes, _STACKED, vote("PairwiseEnsemble")), {**_CLASSES, **(also or {})}
    schemes = (*more.pop("schemes", ()), "OneVsRest", "AllPairs")
    return _boosted(row, *homes, schemes=schemes, also=also, **more)


def two_classes(row: Row, facts: str = FACTS, **more: Any) -> Kept:
    """A booster of two classes, whose history has these facts."""
    return _of_two(row, *_SUMS, facts=facts, **more)


def totally_corrective(row: Row) -> Kept:
    """A booster whose votes solve a program; its history has no normaliser Z."""
    return two_classes(row, "epsilon gamma alpha")


def from_prior(row: Row) -> Kept:
    """A booster of two classes that may start from a prior."""
    return _of_two(row, _VOTE, vote("WeightedSum"), vote("Foreknown"), unpack=unpack_prior)


def timed(row: Row, voting: str = _VOTE) -> Kept:
    """A booster of two classes with a time budget and a target error."""
    facts, also = "epsilon gamma alpha ds dt", {"epsilon_": real(0.0, 1.0)}
    return _of_two(row, voting, facts=facts, also=also)


def fading(row: Row) -> Kept:
    """A booster with a time budget whose earlier votes decay."""
    return timed(row, vote("Fading"))


def adaboost(row: Row) -> Kept:
    """AdaBoost, with any of its multiclass schemes."""
    return _of_two(row, _VOTE, *_LABELS, schemes=_SCHEMES)


def any_loss(row: Row) -> Kept:
    """A classifier that minimises a loss by votes."""
    return two_classes(row, "alpha", also={"loss_": fit.loss})


def any_booster(row: Row) -> Kept:
    """A booster of this library that is a parameter; what its history has is its own."""
    votes = (*_SUMS, vote("Fading"), _STACKED, vote("PairwiseEnsemble"), *_LABELS)
    return _boosted(row, *votes, facts="", schemes=tuple(booster_homes()), also=_CLASSES)


def any_loss_of_numbers(row: Row) -> Kept:
    """A regressor that minimises a loss by votes."""
    return _boosted(row, *_SUMS, facts="alpha", schemes=("AnyBoost",), also={"loss_": fit.loss})


def median(row: Row) -> Kept:
    """A weighted median of regressors."""
    return _boosted(row, vote("MedianEnsemble"), facts="epsilon gamma alpha")


def ranking(row: Row) -> Kept:
    """A ranker."""
    return _boosted(row, _VOTE, vote("WeightedSum"), facts="alpha Z")


def weighted_errors(row: Row) -> Kept:
    """AdaBoost.M1, which is AdaBoost for two classes."""
    return _boosted(row, _VOTE, schemes=("AdaBoost",), also=_CLASSES)


def pseudo_losses(row: Row) -> Kept:
    """AdaBoost.M2."""
    return _boosted(row, vote("LabelSum"), also=_CLASSES)


def labels(row: Row, voting: str = vote("LabelScores"), **more: Any) -> Kept:
    """A multi-label booster."""
    return _boosted(row, voting, also=_CLASSES | {"_indicator": maybe(fit.indicator)}, **more)


def coded_labels(row: Row) -> Kept:
    """A booster whose labels are code words (AdaBoost.MO)."""
    return labels(row, vote("CodedScores"))


def ranked_labels(row: Row) -> Kept:
    """A booster that ranks labels, with a cut where rows may have several."""
    return labels(row, optional=_SCORES | {"_cut": real()})


# A wrapper of a booster: the model in it is fitted.
reduction = Kept({"model_": fit.estimator}, pack=_pack_parts, cross_check=_reduced)

reranker = Kept(
    {
        "w0_": real(),
        "weights_": _feature_weights,
        "history_": instance(HISTORY.home),
        "n_iter_": integer(),
        "stop_reason_": text,
    }
)
