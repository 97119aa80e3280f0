"""The rows of the boosting estimators."""

from __future__ import annotations

from typing import Any

from .labs import LABS
from .row import AROUND, BOOSTERS, MANY_CLASSES, RANKING, READABLE, Row

_FAMILIES = {
    "canon/readable.md": READABLE,
    "canon/labels.md": MANY_CLASSES,
    "canon/reductions.md": MANY_CLASSES,
    "canon/ranking.md": RANKING,
}


def _row(
    number: int,
    home: str,
    page: str,
    *boosters: str,
    kept: str = "two_classes",
    rules: str = "kept_boosting",
    facts: str = "",
    runtime: str | None = "votes.VoteClassifier",
    command: str | None = "",
    **more: Any,
) -> Row:
    """A row of this family: by default of a booster of two classes, and of votes.

    A booster is given by its module alone where it has the name of the estimator, and a command
    that is named like the first of these modules is not given. ``rules`` is the module of the rule
    ``kept``, and ``facts`` what that takes beside the row.
    """
    name = home.rpartition(".")[2]
    own = name.removesuffix("Classifier").removesuffix("Booster")
    first = boosters[0].partition(".")[0].replace("_", "-") if boosters else None
    return Row(
        home=f"estimators.boosting.{home}",
        family=_FAMILIES.get(page, BOOSTERS),
        page=page,
        boosters=tuple(each if "." in each else f"{each}.{own}" for each in boosters),
        number=number,
        kept=(
            f"persistence.{rules}.{kept}",
            *filter(None, [facts]),
        ),
        runtime=runtime,
        command=first if command == "" else command,
        lab=LABS.get(name),
        **more,
    )


ROWS = (
    _row(
        100,
        "adaboost.AdaBoostClassifier",
        "adaboost.md",
        "adaboost.AdaBoost",
        "samme.Samme",
        kept="adaboost",
    ),
    _row(
        106,
        "confidence_rated.RealAdaBoostClassifier",
        "losses.md",
        "real_adaboost",
        command="realboost",
    ),
    _row(135, "confidence_rated.GentleBoostClassifier", "canon/noise.md", "gentleboost"),
    _row(
        136,
        "confidence_rated.AdaBoostLClassifier",
        "canon/logistic.md",
        "adaboost_l",
        kept="from_prior",
        odds="half",
    ),
    _row(
        137,
        "filterboost.FilterBoostClassifier",
        "canon/logistic.md",
        "filterboost",
        facts="epsilon gamma alpha",
        odds="half",
    ),
    _row(
        103,
        "anyboost.AnyBoostClassifier",
        "losses.md",
        "anyboost",
        kept="any_loss",
        runtime="votes.AnyVoteClassifier",
    ),
    _row(
        104,
        "anyboost.AnyBoostRegressor",
        "losses.md",
        command="anyboost",
        kept="any_loss_of_numbers",
        runtime="votes.AnyVoteRegressor",
        predicts="numbers",
    ),
    _row(
        105,
        "regressor.AdaBoostRegressor",
        "losses.md",
        "adaboost_r2.AdaBoostR2",
        command="adaboost",
        kept="median",
        runtime="votes.VoteRegressor",
        predicts="numbers",
    ),
    _row(125, "soft_margin.AdaBoostStarClassifier", "canon/margins.md", "adaboost_star"),
    _row(126, "soft_margin.ArcGVClassifier", "canon/margins.md", "arc_gv"),
    _row(
        131,
        "anyboost.CoordinateBoostClassifier",
        "canon/margins.md",
        "coordinate.CoordinateBoost",
        "conditional_gradient.ConditionalGradient",
        facts="epsilon gamma alpha",
        odds="loss",
    ),
    _row(127, "soft_margin.LPBoostClassifier", "canon/lp.md", "lpboost", kept="totally_corrective"),
    _row(
        128,
        "soft_margin.TotalBoostClassifier",
        "canon/lp.md",
        "totalboost",
        kept="totally_corrective",
    ),
    _row(
        129,
        "soft_margin.SoftBoostClassifier",
        "canon/lp.md",
        "softboost",
        kept="totally_corrective",
    ),
    _row(
        130,
        "soft_margin.ERLPBoostClassifier",
        "canon/lp.md",
        "erlpboost",
        kept="totally_corrective",
    ),
    _row(121, "known_edge.AlphaBoostClassifier", "canon/planned.md", "alpha_boost"),
    _row(
        120, "known_edge.GammaMajorityClassifier", "canon/planned.md", "gamma_majority", odds="edge"
    ),
    _row(
        122,
        "known_edge.BoostByMajorityClassifier",
        "canon/planned.md",
        "boost_by_majority",
        command="bbm",
        facts="alpha",
        odds="edge",
    ),
    _row(
        123,
        "known_edge.MajorityOfThreeClassifier",
        "canon/planned.md",
        "majority_of_three",
        command=None,
        facts="alpha",
    ),
    _row(118, "known_edge.MadaBoostClassifier", "canon/noise.md", "madaboost"),
    _row(
        134,
        "known_edge.SmoothBoostClassifier",
        "canon/noise.md",
        "smoothboost",
        facts="alpha",
        odds="smooth",
    ),
    _row(132, "brownboost.BrownBoostClassifier", "canon/brown.md", "brownboost", kept="timed"),
    _row(133, "brownboost.NormalBoostClassifier", "canon/brown.md", "normalboost", kept="fading"),
    _row(176, "reduction.Boosted", "canon/own-booster.md", kept="any_booster"),
    _row(
        145,
        "adtree.ADTreeClassifier",
        "canon/readable.md",
        "adtree",
        kept="alternating",
        rules="kept_rules",
    ),
    _row(
        146,
        "adtree.SlipperClassifier",
        "canon/readable.md",
        "slipper",
        kept="rule_set",
        rules="kept_rules",
    ),
    _row(140, "multilabel.AdaBoostMHClassifier", "canon/labels.md", "adaboost_mh", kept="labels"),
    _row(
        141,
        "multilabel.AdaBoostMOClassifier",
        "canon/labels.md",
        "adaboost_mo",
        kept="coded_labels",
    ),
    _row(
        142,
        "multilabel.AdaBoostMRClassifier",
        "canon/labels.md",
        "adaboost_mr",
        kept="ranked_labels",
    ),
    _row(
        138,
        "multilabel.AdaBoostM1Classifier",
        "canon/reductions.md",
        "adaboost_m1",
        kept="weighted_errors",
    ),
    _row(
        139,
        "multilabel.AdaBoostM2Classifier",
        "canon/reductions.md",
        "adaboost_m2",
        kept="pseudo_losses",
    ),
    _row(
        143,
        "reduction.OneVsRestBooster",
        "canon/reductions.md",
        "one_vs_rest",
        command=None,
        kept="reduction",
        runtime=AROUND,
    ),
    _row(
        144,
        "reduction.AllPairsBooster",
        "canon/reductions.md",
        "all_pairs",
        command=None,
        kept="reduction",
        runtime=AROUND,
    ),
    _row(
        148,
        "rankboost.RankBoost",
        "canon/ranking.md",
        "rankboost",
        command=None,
        kept="ranking",
        runtime="votes.VoteRegressor",
    ),
    _row(
        149,
        "reranker.BoostReranker",
        "canon/ranking.md",
        command=None,
        kept="reranker",
        runtime="reranker.Reranker",
    ),
)
