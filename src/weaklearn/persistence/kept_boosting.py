"""Boosting games in model files: the rules by which the registry's rows are kept."""

from __future__ import annotations

from dataclasses import replace

from ..files.check import array, either, instance, maybe, one_of, real, text, whole
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


def two_classes(row: Row, facts: str = _FACTS) -> Kept:
    """A booster of two classes, which plays several games where there are more.

    ``facts`` names what its history has.
    """
    return Kept(
        fit.GAME | _CLASSES | _SUM | {"_scheme": one_of(*row.schemes, "OneVsRest", "AllPairs")},
        _SCORES,
        sided=_RESUMED,
        whole=fit.boosted(*facts.split()),
    )


def totally_corrective(row: Row) -> Kept:
    """A booster whose votes are those of a program: they leave nothing to be normalised."""
    return two_classes(row, "epsilon gamma alpha")


def from_prior(row: Row) -> Kept:
    """A booster of two classes that may begin with a prior."""
    kept = two_classes(row)
    votes = {"ensemble_": either(ENSEMBLE.home, WEIGHTED_SUM.home, FOREKNOWN.home, *_GAMES)}
    return replace(kept, fitted={**kept.fitted, **votes}, unpack=fit.unpack_prior)


def timed(row: Row, vote: Record = ENSEMBLE) -> Kept:
    """A booster of two classes that plays against the clock, towards an error."""
    kept = two_classes(row, "epsilon gamma alpha ds dt")
    votes = {"ensemble_": either(vote.home, *_GAMES), "epsilon_": real(0.0, 1.0)}
    return replace(kept, fitted={**kept.fitted, **votes})


def fading(row: Row) -> Kept:
    """One against the clock whose votes fade."""
    return timed(row, FADING)


def alternating(row: Row) -> Kept:
    """An alternating tree."""
    whole = fit.boosted_of(SPLITTER.home, WEIGHTED_SUM.home, *_FACTS.split())
    return replace(two_classes(row), whole=whole)


def rule_set(row: Row) -> Kept:
    """A vote of rules."""
    whole = fit.boosted_of(RULE.home, ENSEMBLE.home, *_FACTS.split())
    return replace(two_classes(row), whole=whole)


def adaboost(row: Row) -> Kept:
    """AdaBoost, by whichever game of more than two classes."""
    return Kept(
        fit.GAME
        | _CLASSES
        | {"ensemble_": either(ENSEMBLE.home, *_LABELS, *_GAMES)}
        | {"_scheme": one_of(*row.schemes, *_SCHEMES, "OneVsRest", "AllPairs")},
        _SCORES,
        sided=_RESUMED,
        whole=fit.boosted(*_FACTS.split()),
    )


def any_loss(row: Row) -> Kept:
    """A vote on classes that has descended a loss."""
    kept = two_classes(row, "alpha")
    return replace(kept, fitted={**kept.fitted, "loss_": fit.loss})


any_loss_of_numbers = Kept(
    fit.GAME | _SUM | {"_scheme": one_of("AnyBoost"), "loss_": fit.loss},
    _SCORES,
    sided=_RESUMED,
    whole=fit.boosted("alpha"),
)


def _one_game(row: Row, vote: Record, *also: str, facts: str = _FACTS) -> Kept:
    """One game, whatever it is about."""
    return Kept(
        fit.GAME | {"ensemble_": instance(vote.home), "_scheme": one_of(*also, *row.schemes)},
        _SCORES,
        sided=_RESUMED,
        whole=fit.boosted(*facts.split()),
    )


def _any_classes(row: Row, vote: Record, *also: str) -> Kept:
    """A booster of any number of classes, which plays one game for all."""
    kept = _one_game(row, vote, *also)
    return replace(kept, fitted={**kept.fitted, **_CLASSES})


def median(row: Row) -> Kept:
    """A weighted median of numbers."""
    return _one_game(row, MEDIAN, facts="epsilon gamma alpha")


def ranking(row: Row) -> Kept:
    """Scores of items."""
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
    """A booster of labels, of which a row may have several."""
    kept = _any_classes(row, vote)
    return replace(kept, fitted={**kept.fitted, "_indicator": maybe(fit.indicator)})


def coded_labels(row: Row) -> Kept:
    """One whose labels are words of a code."""
    return labels(row, CODED_SCORES)


def ranked_labels(row: Row) -> Kept:
    """One that ranks labels, and cuts the ranking where rows may have several."""
    return replace(labels(row), optional=_SCORES | {"_cut": real()})


# A wrapper of a booster, whose games the model in it has played.
reduction = Kept({"model_": fit.estimator}, pack=fit.pack_games, whole=fit.reduced)

reranker = Kept(
    {
        "w0_": real(),
        "weights_": fit.feature_weights,
        "history_": instance(HISTORY.home),
        "n_iter_": whole(),
        "stop_reason_": text,
    }
)
