"""The closed table of estimators that model files hold, and how each of them is kept.

How an estimator joins:

1. It inherits ``Saving`` (``persistence/save_load.py``) for ``save`` and ``fingerprint``.
2. It gets a row in ``KINDS``: a number never used before, its home, and its fitted names, each
   with a check. What ``__getstate__`` leaves of its attributes must be parameters, names of the
   row, ``n_features_in_`` and ``feature_names_in_`` (found again from ``_schema``), ``_origin``, or
   ``_settled`` (found again from the parameters).
   Values are what files know (``files/value.py``) and records; a class of ours that is none yet
   gets a row in ``RECORDS`` (``files.record.plain`` makes one from a dataclass in a line).
3. Its fit notes ``_origin = origin_of(sample)`` at the end, and ``_check_parameters`` is the name
   of its check of parameters: a file is read with it.

Names in ``sided`` do not belong to the fingerprint: what says how rows came, not what was learnt.
Stumps, trees and votes in the state are held against columns and classes without further ado, and
the tests find the new kind in the table by themselves. Numbers are never reused, names in a row may
become optional but never go: files of every earlier version must load.
"""

from __future__ import annotations

from dataclasses import replace

from ..files.check import array, either, flag, instance, listed, maybe, one_of, real, text, whole
from ..files.game import (
    ADDITIVE,
    CODED_SCORES,
    ENSEMBLE,
    FADING,
    FOREKNOWN,
    GROVE,
    LABEL_SCORES,
    LABEL_SUM,
    MEDIAN,
    PAIRWISE,
    REVOTED,
    STACKED,
    WEIGHTED_SUM,
)
from ..files.history import HISTORY
from ..files.kernel import KERNELS
from ..files.loss import LOSSES
from ..files.member import CLASS_TREE, LABEL_TREE, NUMBER_TREE, PARTITION
from ..files.online import STANDING
from ..files.readable import RULE, SPLITTER
from ..files.record import Book, Record
from ..files.stump import STUMP
from ..files.term import TERM, TERM_SUM
from ..files.tree import TREE
from ..files.vision import CASCADE, FEATURES
from . import checks as fit
from .column_record import COLUMN
from .kind import Kind
from .kinds_online import ONLINE
from .kinds_simple import PLAIN
from .kinds_text import TEXT, TEXT_RECORDS
from .kinds_vision import VISION
from .nested_model import WHOLE_MEMBER
from .records import CALIBRATION, EDIT, SCHEMA

RECORDS = (
    *(STUMP, TREE, ENSEMBLE, STACKED, HISTORY, CLASS_TREE, NUMBER_TREE, PARTITION),
    *(LABEL_TREE, LABEL_SCORES, CODED_SCORES),
    *(WEIGHTED_SUM, REVOTED, PAIRWISE, LABEL_SUM, MEDIAN, ADDITIVE, GROVE, TERM, TERM_SUM),
    *(FADING, FOREKNOWN, SPLITTER, RULE, SCHEMA, COLUMN, CALIBRATION, EDIT, STANDING, *LOSSES),
    WHOLE_MEMBER,
    *(*KERNELS, *TEXT_RECORDS, CASCADE, FEATURES),
)

_SCORES = {"validation_scores_": array("f", finite=False)}
_CLASSES = {"classes_": fit.classes, "calibration_": instance(CALIBRATION.home)}
_GAMES = (STACKED.home, PAIRWISE.home)
_SCHEMES = ("AdaBoostM1", "AdaBoostM2", "AdaBoostMH", "AdaBoostMO", "AdaBoostMR", "Samme")
_LABELS = (LABEL_SUM.home, LABEL_SCORES.home, CODED_SCORES.home)
_SUM = {"ensemble_": either(WEIGHTED_SUM.home, ENSEMBLE.home, REVOTED.home, *_GAMES)}
_RESUMED = frozenset({"_resumed"})
_TREE = {
    "_schema": fit.schema,
    "_gaps": fit.columns,
    "_criterion": fit.criterion,
    "tree_": instance(TREE.home),
    "n_outputs_": one_of(1),
    "max_features_": whole(1),
}
_LABELLED = {"classes_": fit.classes, "n_classes_": whole(1)}
_DESCENT = {
    "_schema": fit.schema,
    "_seed": fit.seed,
    "_loss": fit.loss,
    "_gaps": fit.columns,
    "ensemble_": instance(ADDITIVE.home),
    "history_": instance(HISTORY.home),
    "n_iter_": whole(),
    "stop_reason_": text,
}
_TERMS = {
    "_schema": fit.schema,
    "_seed": fit.seed,
    "_loss": fit.loss,
    "ensemble_": instance(TERM_SUM.home),
    "n_iter_": whole(),
    "validation_losses_": array("f", finite=False),
}
_EDITED = {
    "_edits": listed(instance(EDIT.home), tuple),
    "_has_offset": flag,
    "oob_score_": fit.number,
    "oob_loss_": fit.number,
    "oob_decision_function_": fit.row_numbers,
}
# Links take numpy's exponential, whose last bit is the processor's: their score is no fact.
_UNSEEN = frozenset({"oob_decision_function_", "oob_score_", "_has_offset"})
_AVERAGE = {
    "_schema": fit.schema,
    "_seed": fit.seed,
    "_content": whole(0, 2**64 - 1),
}
_FOREST = _AVERAGE | {
    "_gaps": fit.columns,
    "_criterion": fit.criterion,
    "trees_": instance(GROVE.home),
    "n_outputs_": one_of(1),
}
_BAGGED = _AVERAGE | {
    "estimator_": fit.estimator,
    "estimators_": listed(fit.estimator),
    "estimators_features_": listed(array("i")),
}
_OUT_OF_BAG = {
    "oob_score_": fit.number,
    "oob_coverage_": real(0.0, 1.0),
    "oob_decision_function_": array("f", 2, finite=False),
    "oob_prediction_": array("f", finite=False),
    "_used": maybe(fit.row_flags),  # in files that were written first; of use with bags alone
}
_ROWS = frozenset({"_content", "oob_decision_function_", "oob_prediction_"})
_BAGS = frozenset({"_bags", "_used"})
_LOSSES_SEEN = {"validation_losses_": array("f", finite=False)}


def _two_classes(number: int, home: str, scheme: str, facts: str = "epsilon gamma alpha Z") -> Kind:
    """A booster of two classes, which plays several games where there are more.

    ``scheme`` and ``facts`` name the boosters it may be, and what their history tells.
    """
    return Kind(
        number,
        home,
        fit.GAME | _CLASSES | _SUM | {"_scheme": one_of(*scheme.split(), "OneVsRest", "AllPairs")},
        _SCORES,
        sided=_RESUMED,
        whole=fit.boosted(*facts.split()),
    )


def _timed(number: int, home: str, scheme: str, vote: Record) -> Kind:
    """A booster of two classes that plays against the clock, towards an error."""
    kind = _two_classes(number, home, scheme, "epsilon gamma alpha ds dt")
    votes = {"ensemble_": either(vote.home, *_GAMES), "epsilon_": real(0.0, 1.0)}
    return replace(kind, fitted={**kind.fitted, **votes})


def _any_classes(number: int, home: str, vote: Record, *schemes: str) -> Kind:
    """A booster of any number of classes, which plays one game for all."""
    return Kind(
        number,
        home,
        fit.GAME | _CLASSES | {"ensemble_": instance(vote.home), "_scheme": one_of(*schemes)},
        _SCORES,
        sided=_RESUMED,
        whole=fit.boosted("epsilon", "gamma", "alpha", "Z"),
    )


def _linear(number: int, home: str) -> Kind:
    """A learner of one example at a time, by weights."""
    return Kind(
        number,
        home,
        {
            "_schema": fit.schema,
            "_seed": fit.seed,
            "classes_": fit.classes,
            "_standing": instance(STANDING.home),
            "_pocket": maybe(array("f")),
        },
        {"n_iter_": whole(1), "history_": instance(HISTORY.home), "converged_": flag},
        whole=fit.learnt_online,
    )


def _labels(number: int, home: str, vote: Record, scheme: str) -> Kind:
    """A booster of labels, of which a row may have several."""
    kind = _any_classes(number, home, vote, scheme)
    return replace(kind, fitted=dict(kind.fitted) | {"_indicator": maybe(fit.indicator)})


def _reduction(number: int, home: str) -> Kind:
    """A wrapper of a booster, whose games the model in it has played."""
    return Kind(number, home, {"model_": fit.estimator}, pack=fit.pack_games, whole=fit.reduced)


_FOUND_ANEW = "epsilon gamma alpha"  # votes of a linear program leave nothing to be normalised

KINDS = (
    Kind(
        100,
        "boosting.adaboost.AdaBoostClassifier",
        fit.GAME
        | _CLASSES
        | {"ensemble_": either(ENSEMBLE.home, *_LABELS, *_GAMES)}
        | {"_scheme": one_of("AdaBoost", *_SCHEMES, "OneVsRest", "AllPairs")},
        _SCORES,
        sided=_RESUMED,
        whole=fit.boosted("epsilon", "gamma", "alpha", "Z"),
    ),
    Kind(
        101,
        "trees.stump.DecisionStumpClassifier",
        {
            "_schema": fit.schema,
            "classes_": fit.classes,
            "stump_": instance(STUMP.home),
            "error_": real(0.0, 1.0),
        },
        pack=fit.pack_stump,
        unpack=fit.unpack_stump,
    ),
    Kind(
        102,
        "simple.threshold.ThresholdClassifier",
        {
            "_schema": fit.schema,
            "classes_": fit.classes,
            "feature_": whole(),
            "threshold_": real(),
            "error_": real(0.0, 1.0),
            "_ends": array("f"),
            "_errors": array("f"),
            "_mistakes": maybe(array("i")),
        },
        pack=fit.pack_threshold,
        unpack=fit.unpack_threshold,
    ),
    Kind(
        103,
        "boosting.anyboost.AnyBoostClassifier",
        fit.GAME
        | _CLASSES
        | _SUM
        | {"_scheme": one_of("AnyBoost", "OneVsRest", "AllPairs"), "loss_": fit.loss},
        _SCORES,
        sided=_RESUMED,
        whole=fit.boosted("alpha"),
    ),
    Kind(
        104,
        "boosting.anyboost.AnyBoostRegressor",
        fit.GAME | _SUM | {"_scheme": one_of("AnyBoost"), "loss_": fit.loss},
        _SCORES,
        sided=_RESUMED,
        whole=fit.boosted("alpha"),
    ),
    Kind(
        105,
        "boosting.adaboost_r2.AdaBoostRegressor",
        fit.GAME | {"ensemble_": instance(MEDIAN.home), "_scheme": one_of("AdaBoostR2")},
        _SCORES,
        sided=_RESUMED,
        whole=fit.boosted("epsilon", "gamma", "alpha"),
    ),
    Kind(
        106,
        "boosting.confidence_rated.RealAdaBoostClassifier",
        fit.GAME | _CLASSES | _SUM | {"_scheme": one_of("RealAdaBoost", "OneVsRest", "AllPairs")},
        _SCORES,
        sided=_RESUMED,
        whole=fit.boosted("epsilon", "gamma", "alpha", "Z"),
    ),
    Kind(
        107,
        "trees.tree.DecisionTreeClassifier",
        _TREE | _LABELLED,
        {"ccp_alpha_": real(0.0)},
        whole=fit.one_tree,
    ),
    Kind(
        108,
        "trees.tree.DecisionTreeRegressor",
        _TREE,
        {"ccp_alpha_": real(0.0)},
        whole=fit.one_tree,
    ),
    Kind(
        109,
        "trees.id3.ID3Classifier",
        _TREE | _LABELLED | {"root_gains_": array("f"), "entropy_": real(0.0)},
        whole=fit.one_tree,
    ),
    Kind(
        110,
        "gradient.estimators.GradientBoostingClassifier",
        _DESCENT | {"classes_": fit.classes},
        _LOSSES_SEEN,
        whole=fit.descended,
    ),
    Kind(
        111,
        "gradient.estimators.GradientBoostingRegressor",
        _DESCENT,
        _LOSSES_SEEN,
        whole=fit.descended,
    ),
    Kind(
        112,
        "trees.forest.RandomForestClassifier",
        _FOREST | _LABELLED,
        _OUT_OF_BAG,
        sided=_ROWS,
        dropped=_BAGS,
        whole=fit.forest,
    ),
    Kind(
        113,
        "trees.forest.RandomForestRegressor",
        _FOREST,
        _OUT_OF_BAG,
        sided=_ROWS,
        dropped=_BAGS,
        whole=fit.forest,
    ),
    Kind(
        114,
        "trees.bagging.BaggingClassifier",
        _BAGGED | _LABELLED,
        _OUT_OF_BAG,
        sided=_ROWS,
        dropped=_BAGS,
        whole=fit.bagged,
    ),
    Kind(
        115,
        "trees.bagging.BaggingRegressor",
        _BAGGED,
        _OUT_OF_BAG,
        sided=_ROWS,
        dropped=_BAGS,
        whole=fit.bagged,
    ),
    Kind(
        116,
        "gradient.additive.AdditiveBoostingClassifier",
        _TERMS | {"classes_": fit.classes},
        _EDITED,
        sided=_UNSEEN,
        pack=fit.pack_edits,
        whole=fit.added,
    ),
    Kind(
        117,
        "gradient.additive.AdditiveBoostingRegressor",
        _TERMS,
        _EDITED | {"oob_prediction_": fit.row_numbers},
        sided=_UNSEEN | {"oob_prediction_"},
        pack=fit.pack_edits,
        whole=fit.added,
    ),
    Kind(
        148,
        "boosting.rankboost.RankBoost",
        fit.GAME
        | {
            "ensemble_": either(ENSEMBLE.home, WEIGHTED_SUM.home),
            "_scheme": one_of("RankBoost"),
        },
        _SCORES,
        sided=_RESUMED,
        whole=fit.boosted("alpha", "Z"),
    ),
    Kind(
        149,
        "boosting.reranker.BoostReranker",
        {
            "w0_": real(),
            "weights_": fit.feature_weights,
            "history_": instance(HISTORY.home),
            "n_iter_": whole(),
            "stop_reason_": text,
        },
    ),
    _two_classes(118, "boosting.smooth.MadaBoostClassifier", "MadaBoost"),
    _two_classes(120, "boosting.known_edge.GammaMajorityClassifier", "GammaMajority"),
    _two_classes(121, "boosting.known_edge.AlphaBoostClassifier", "AlphaBoost"),
    _two_classes(122, "boosting.known_edge.BoostByMajorityClassifier", "BoostByMajority", "alpha"),
    _two_classes(123, "boosting.known_edge.MajorityOfThreeClassifier", "MajorityOfThree", "alpha"),
    _two_classes(125, "boosting.margin.AdaBoostStarClassifier", "AdaBoostStar"),
    _two_classes(126, "boosting.margin.ArcGVClassifier", "ArcGV"),
    _two_classes(127, "boosting.soft_margin.LPBoostClassifier", "LPBoost", _FOUND_ANEW),
    _two_classes(128, "boosting.soft_margin.TotalBoostClassifier", "TotalBoost", _FOUND_ANEW),
    _two_classes(129, "boosting.soft_margin.SoftBoostClassifier", "SoftBoost", _FOUND_ANEW),
    _two_classes(130, "boosting.soft_margin.ERLPBoostClassifier", "ERLPBoost", _FOUND_ANEW),
    _two_classes(
        131,
        "boosting.coordinate.CoordinateBoostClassifier",
        "CoordinateBoost ConditionalGradient",
        "epsilon gamma alpha",
    ),
    _timed(132, "boosting.brownboost.BrownBoostClassifier", "BrownBoost", ENSEMBLE),
    _timed(133, "boosting.brownboost.NormalBoostClassifier", "NormalBoost", FADING),
    _two_classes(134, "boosting.smooth.SmoothBoostClassifier", "SmoothBoost", "alpha"),
    _two_classes(135, "boosting.confidence_rated.GentleBoostClassifier", "GentleBoost"),
    replace(
        _two_classes(136, "boosting.adaboost_l.AdaBoostLClassifier", "AdaBoostL"),
        fitted=fit.GAME
        | _CLASSES
        | {"ensemble_": either(ENSEMBLE.home, WEIGHTED_SUM.home, FOREKNOWN.home, *_GAMES)}
        | {"_scheme": one_of("AdaBoostL", "OneVsRest", "AllPairs")},
        unpack=fit.unpack_prior,
    ),
    _two_classes(
        137, "boosting.filterboost.FilterBoostClassifier", "FilterBoost", "epsilon gamma alpha"
    ),
    _any_classes(
        138, "boosting.multiclass.AdaBoostM1Classifier", ENSEMBLE, "AdaBoost", "AdaBoostM1"
    ),
    _any_classes(139, "boosting.multiclass.AdaBoostM2Classifier", LABEL_SUM, "AdaBoostM2"),
    _labels(140, "boosting.multilabel.AdaBoostMHClassifier", LABEL_SCORES, "AdaBoostMH"),
    _labels(141, "boosting.multilabel.AdaBoostMOClassifier", CODED_SCORES, "AdaBoostMO"),
    replace(
        _labels(142, "boosting.multilabel.AdaBoostMRClassifier", LABEL_SCORES, "AdaBoostMR"),
        optional=_SCORES | {"_cut": real()},
    ),
    replace(
        _two_classes(145, "boosting.adtree.ADTreeClassifier", "ADTree"),
        whole=fit.boosted_of(SPLITTER.home, WEIGHTED_SUM.home, "epsilon", "gamma", "alpha", "Z"),
    ),
    replace(
        _two_classes(146, "boosting.slipper.SlipperClassifier", "Slipper"),
        whole=fit.boosted_of(RULE.home, ENSEMBLE.home, "epsilon", "gamma", "alpha", "Z"),
    ),
    Kind(
        147,
        "trees.rule.RuleClassifier",
        {
            "_schema": fit.schema,
            "classes_": fit.two_classes,
            "rule_": instance(RULE.home),
            "confidence_": real(),
            "error_": real(0.0, 1.0),
        },
    ),
    _linear(150, "online.perceptron.Perceptron"),
    _linear(151, "online.perceptron.AveragedPerceptron"),
    _linear(152, "online.perceptron.MarginPerceptron"),
    _linear(153, "online.sgd.SGDClassifier"),
    _reduction(143, "boosting.reduction.OneVsRestBooster"),
    _reduction(144, "boosting.reduction.AllPairsBooster"),
    *ONLINE,
    *PLAIN,
    *TEXT,
    *VISION,
)

BOOK: Book = Book([*RECORDS, *(kind.record(lambda: BOOK) for kind in KINDS)])
