"""Which fitted attributes of boosting estimators model files hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ..base.offered import fact
from ..base.votes.prior import Foreknown, Prior
from ..files import ensembles
from ..files.check import (
    Check,
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
from ..files.history import HISTORY
from ..files.member import RULE, SPLITTER
from ..files.record import Record
from ..registry import Row, booster_homes
from . import checks as fit
from .kept import Kept
from .records import CALIBRATION

_SCORES = {"validation_scores_": array("f", finite=False)}
_CLASSES = {"classes_": fit.classes, "calibration_": instance(CALIBRATION.home)}
_SCHEMES = ("AdaBoostM1", "AdaBoostM2", "AdaBoostMH", "AdaBoostMO", "AdaBoostMR")
_LABELS = (ensembles.LABEL_SUM, ensembles.LABEL_SCORES, ensembles.CODED_SCORES)
_SUMS = (ensembles.WEIGHTED_SUM, ensembles.ENSEMBLE, ensembles.REVOTED)
_FACTS = "epsilon gamma alpha Z"


def _boosted_of(member: str, vote: str) -> Callable[[Any], None]:
    """The check of ``boosted``, for ensembles of one class of members and one class of votes."""
    recorded = fit.boosted(*_FACTS.split())

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
    *votes: Record,
    facts: str = _FACTS,
    schemes: tuple[str, ...] = (),
    also: Mapping[str, Check] | None = None,
    **more: Any,
) -> Kept:
    """An estimator of one of these classes of votes, whose history has these facts."""
    own = {"ensemble_": either(*(vote.home for vote in votes))}
    own["_scheme"] = one_of(*row.schemes, *schemes)
    check = fit.boosted(*facts.split())
    fitted = {**fit.BOOSTED, **own, **(also or {})}
    kept = Kept(fitted, _SCORES, sided=frozenset({"_resumed"}), consistent=check)
    return replace(kept, **more)


def _of_two(row: Row, *votes: Record, also: Mapping[str, Check] | None = None, **more: Any) -> Kept:
    """A booster of two classes, which solves several problems where there are more."""
    votes, also = (*votes, ensembles.STACKED, ensembles.PAIRWISE), {**_CLASSES, **(also or {})}
    schemes = (*more.pop("schemes", ()), "OneVsRest", "AllPairs")
    return _boosted(row, *votes, schemes=schemes, also=also, **more)


def two_classes(row: Row, facts: str = _FACTS, **more: Any) -> Kept:
    """A booster of two classes, whose history has these facts."""
    return _of_two(row, *_SUMS, facts=facts, **more)


def totally_corrective(row: Row) -> Kept:
    """A booster whose votes solve a program; its history has no normaliser Z."""
    return two_classes(row, "epsilon gamma alpha")


def from_prior(row: Row) -> Kept:
    """A booster of two classes that may start from a prior."""
    return _of_two(
        row, ensembles.ENSEMBLE, ensembles.WEIGHTED_SUM, ensembles.FOREKNOWN, unpack=unpack_prior
    )


def timed(row: Row, vote: Record = ensembles.ENSEMBLE) -> Kept:
    """A booster of two classes with a time budget and a target error."""
    facts, also = "epsilon gamma alpha ds dt", {"epsilon_": real(0.0, 1.0)}
    return _of_two(row, vote, facts=facts, also=also)


def fading(row: Row) -> Kept:
    """A booster with a time budget whose earlier votes decay."""
    return timed(row, ensembles.FADING)


def alternating(row: Row) -> Kept:
    """An alternating decision tree."""
    return two_classes(row, consistent=_boosted_of(SPLITTER.home, ensembles.WEIGHTED_SUM.home))


def rule_set(row: Row) -> Kept:
    """An ensemble of rules."""
    return two_classes(row, consistent=_boosted_of(RULE.home, ensembles.ENSEMBLE.home))


def adaboost(row: Row) -> Kept:
    """AdaBoost, with any of its multiclass schemes."""
    return _of_two(row, ensembles.ENSEMBLE, *_LABELS, schemes=_SCHEMES)


def any_loss(row: Row) -> Kept:
    """A classifier that minimises a loss by votes."""
    return two_classes(row, "alpha", also={"loss_": fit.loss})


def any_booster(row: Row) -> Kept:
    """A booster of this library that is a parameter; what its history has is its own."""
    votes = (*_SUMS, ensembles.FADING, ensembles.STACKED, ensembles.PAIRWISE, *_LABELS)
    return _boosted(row, *votes, facts="", schemes=tuple(booster_homes()), also=_CLASSES)


def any_loss_of_numbers(row: Row) -> Kept:
    """A regressor that minimises a loss by votes."""
    return _boosted(row, *_SUMS, facts="alpha", schemes=("AnyBoost",), also={"loss_": fit.loss})


def median(row: Row) -> Kept:
    """A weighted median of regressors."""
    return _boosted(row, ensembles.MEDIAN, facts="epsilon gamma alpha")


def ranking(row: Row) -> Kept:
    """A ranker."""
    return _boosted(row, ensembles.ENSEMBLE, ensembles.WEIGHTED_SUM, facts="alpha Z")


def weighted_errors(row: Row) -> Kept:
    """AdaBoost.M1, which is AdaBoost for two classes."""
    return _boosted(row, ensembles.ENSEMBLE, schemes=("AdaBoost",), also=_CLASSES)


def pseudo_losses(row: Row) -> Kept:
    """AdaBoost.M2."""
    return _boosted(row, ensembles.LABEL_SUM, also=_CLASSES)


def labels(row: Row, vote: Record = ensembles.LABEL_SCORES, **more: Any) -> Kept:
    """A multi-label booster."""
    return _boosted(row, vote, also=_CLASSES | {"_indicator": maybe(fit.indicator)}, **more)


def coded_labels(row: Row) -> Kept:
    """A booster whose labels are code words (AdaBoost.MO)."""
    return labels(row, ensembles.CODED_SCORES)


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
