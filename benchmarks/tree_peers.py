"""Who grows trees: this library and its peers, with the same leaves, step, rows a leaf and L2.

Where rows are drawn for every round, as ours does by default, LightGBM is measured without and with
that.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from .peers import FOUR, OURS, Contender

STEP = 0.1
LEAST_ROWS = 20
L2 = 1.0
ALIKE = {  # the parameters of ours that make its trees those of its peers
    "learning_rate": STEP,
    "subsample": 1.0,
    "max_features": 1.0,
    "min_samples_leaf": LEAST_ROWS,
    "l2_regularization": L2,
}
DRAWN = 0.7  # the share of the rows


def _weaklearn(leaves: int, rounds: int, threads: int, subsample: float = 1.0) -> Any:
    from weaklearn import GradientBoostingClassifier

    return GradientBoostingClassifier(
        n_estimators=rounds,
        max_leaf_nodes=leaves,
        early_stopping=False,
        n_jobs=threads,
        **(ALIKE | {"subsample": subsample}),
    )


def _lightgbm(leaves: int, rounds: int, threads: int, **options: Any) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        n_estimators=rounds,
        num_leaves=leaves,
        learning_rate=STEP,
        min_child_samples=LEAST_ROWS,
        reg_lambda=L2,
        n_jobs=threads,
        verbose=-1,
        **options,
    )


def _xgboost(leaves: int, rounds: int, threads: int, **options: Any) -> Any:
    from xgboost import XGBClassifier

    # It counts curvature, not rows: a quarter a row at first, and less and less as rows are learnt.
    return XGBClassifier(
        n_estimators=rounds,
        learning_rate=STEP,
        min_child_weight=1,
        reg_lambda=L2,
        tree_method="hist",
        enable_categorical=True,
        n_jobs=threads,
        **options,
    )


def _xgboost_by_leaf(leaves: int, rounds: int, threads: int) -> Any:
    return _xgboost(
        leaves, rounds, threads, grow_policy="lossguide", max_leaves=leaves, max_depth=0
    )


def _xgboost_by_level(leaves: int, rounds: int, threads: int) -> Any:
    return _xgboost(leaves, rounds, threads, max_depth=6)


def _hist(leaves: int, rounds: int, threads: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    # It takes its threads from OpenMP, whose number the command line limits.
    return HistGradientBoostingClassifier(
        max_iter=rounds,
        max_leaf_nodes=leaves,
        learning_rate=STEP,
        min_samples_leaf=LEAST_ROWS,
        l2_regularization=L2,
        early_stopping=False,
    )


def _catboost(leaves: int, rounds: int, threads: int) -> Any:
    from catboost import CatBoostClassifier

    return CatBoostClassifier(
        iterations=rounds,
        learning_rate=STEP,
        thread_count=threads,
        allow_writing_files=False,
        verbose=0,
    )


_BY_COLUMN = {"force_col_wise": True}
_COARSE = {"force_col_wise": True, "use_quantized_grad": True}
_BY_ROW = {"force_row_wise": True}
_DRAWN = {"subsample": DRAWN, "subsample_freq": 1}


@cache
def contenders(leaves: int, drawn: bool = False, by_row: bool = False) -> dict[str, Contender]:
    """Everybody by name, ours first; CatBoost, whose trees are of another kind, is only shown.

    LightGBM may divide its histograms ``by_row`` too, as it suits many threads.
    """
    ours = partial(_weaklearn, leaves, subsample=DRAWN if drawn else 1.0)
    made = [
        ("weaklearn", "weaklearn", ours),
        ("LightGBM", "lightgbm", partial(_lightgbm, leaves)),
        ("LightGBM, by column", "lightgbm", partial(_lightgbm, leaves, **_BY_COLUMN)),
        ("LightGBM, quantised", "lightgbm", partial(_lightgbm, leaves, **_COARSE)),
        ("XGBoost", "xgboost", partial(_xgboost_by_leaf, leaves)),
        ("XGBoost, depth 6", "xgboost", partial(_xgboost_by_level, leaves)),
        ("HistGradientBoosting", "sklearn", partial(_hist, leaves)),
        ("CatBoost, depth 6", "catboost", partial(_catboost, leaves)),
    ]
    if drawn:
        made.append(("LightGBM, rows drawn", "lightgbm", partial(_lightgbm, leaves, **_DRAWN)))
    if by_row:
        coarse_by_row = partial(_lightgbm, use_quantized_grad=True, **_BY_ROW)
        made += [
            ("LightGBM, by row", "lightgbm", partial(_lightgbm, leaves, **_BY_ROW)),
            ("LightGBM, by row, quantised", "lightgbm", partial(coarse_by_row, leaves)),
        ]
    return {name: Contender(name, module, make) for name, module, make in made}


SHOWN = frozenset({"CatBoost, depth 6"})


def _our_forest(trees: int, threads: int) -> Any:
    from weaklearn import RandomForestClassifier

    return RandomForestClassifier(n_estimators=trees, random_state=0, n_jobs=threads)


def _their_forest(trees: int, threads: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_estimators=trees, random_state=0, n_jobs=threads)


FORESTS = (
    Contender("weaklearn", "weaklearn", _our_forest),
    Contender("scikit-learn forest", "sklearn", _their_forest),
)


def _our_boosted_trees(rounds: int, threads: int) -> Any:
    from weaklearn import AdaBoostClassifier

    return AdaBoostClassifier(estimator="tree", n_estimators=rounds, n_jobs=threads)


def _their_boosted_trees(leaves: int, rounds: int, threads: int) -> Any:
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=leaves)
    return AdaBoostClassifier(tree, n_estimators=rounds, random_state=0)  # on one thread


OUR_BOOSTED_TREES = Contender("weaklearn", "weaklearn", _our_boosted_trees)


def their_boosted_trees(leaves: int) -> Contender:
    """Scikit-learn's AdaBoost over trees of so many leaves."""
    return Contender("scikit-learn AdaBoost", "sklearn", partial(_their_boosted_trees, leaves))


# What ``--peers`` may name.
LIBRARIES = frozenset(c.library for c in (*FOUR, *contenders(31).values(), *FORESTS)) - {OURS.name}
