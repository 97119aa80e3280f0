"""The rows about trees: gradient boosting, forests and boosted trees beside the peers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import numpy as np

from . import data, glass, measure, tables, tree_peers
from .data import Data
from .peers import ADABOOST, Contender
from .rows import THREE, Outcome, Row, Run, fit, fitting, peak, predictions, present, quality_of

WITHIN = ("log_loss", 0.01)  # a ratio counts at equal test log-loss, to one per cent


def gradient(
    run: Run,
    of: Data,
    leaves: int,
    rounds: int,
    without: Collection[str] = (),
    drawn: bool = False,
    by_row: bool = False,
) -> Outcome:
    """Whole fits of gradient boosting at equal test log-loss."""
    ours, *peers = tree_peers.contenders(leaves, drawn, by_row).values()
    peers = [c for c in peers if c.name not in without]
    outcome = fit(run, of, rounds, peers, ours=ours)
    outcome.shown, outcome.fair = tree_peers.SHOWN, WITHIN
    return outcome


def _with_folder(run: Run, file: str, then: Callable[[Path], Outcome]) -> Outcome:
    """The row, or why it is left out."""
    if run.folder is None or not (run.folder / file).exists():
        return Outcome({}, notes=[f"needs --data DIR, a folder that holds {file}"])
    if find_spec("pandas") is None:
        return Outcome({}, notes=["needs pandas, which is not installed"])
    return then(run.folder)


def trees_100(run: Run) -> Outcome:
    return gradient(run, data.a(run.quick), 31, run.rounds(100), drawn=True)


def million(run: Run) -> Outcome:
    return gradient(run, data.million(run.quick), 63, run.rounds(100))


def adult_million(run: Run) -> Outcome:
    """CatBoost is left out: it wants its categories listed, and takes minutes."""

    def measured(folder: Path) -> Outcome:
        of = data.adult_million(folder, run.quick)
        return gradient(run, of, 31, run.rounds(100), without=tree_peers.SHOWN)

    return _with_folder(run, "adult.csv.gz", measured)


def glass_box(run: Run) -> Outcome:
    """Whole untuned fits on adult; InterpretML's glass box takes minutes."""

    def measured(folder: Path) -> Outcome:
        found = {
            name: glass.measured(name, tables.loaders([folder], 5, run.quick)["adult"], run.threads)
            for name in ("weaklearn", "EBM")
            if glass.installed(name)
        }
        seconds = {name: row["seconds"] for name, row in found.items()}
        return Outcome(seconds, quality=found, fair=("log_loss", 0.0))

    return _with_folder(run, "adult.csv.gz", measured)


def letters(run: Run) -> Outcome:
    def measured(folder: Path) -> Outcome:
        return gradient(run, data.letters(folder, run.quick), 31, run.rounds(100))

    return _with_folder(run, "letter.csv", measured)


# ---------------------------------------------------------------------------------- time to a loss


def time_to_loss(run: Run) -> Outcome:
    """Whole fits with just the rounds each needs for the loss LightGBM ends with."""
    of, rounds = data.a(run.quick), run.rounds(500)
    known = tree_peers.contenders(31)
    wanted = ["weaklearn", "LightGBM", "LightGBM, by column", "LightGBM, quantised"]
    contenders, notes = present(run, [known[name] for name in wanted])
    losses = {c.name: _losses(c.make(rounds, run.threads).fit(of.X, of.y), of) for c in contenders}
    if "LightGBM" not in losses:
        return Outcome({}, notes=notes)
    target = losses["LightGBM"][-1]
    needed = {}
    for name, curve in losses.items():
        reached = np.flatnonzero(curve <= target)
        if len(reached):
            needed[name] = int(reached[0]) + 1
        else:
            notes.append(f"{name} ends at {curve[-1]:.4f} after {rounds} rounds, above the loss")
    calls = {n: fitting(known[n], of, T, run.threads) for n, T in needed.items()}
    seconds, models = measure.interleaved(calls, run.repeat)
    notes.append(f"to a test log-loss of {target:.4f}; rounds: {needed}")
    quality = {name: quality_of(model, of) for name, model in models.items()}
    return Outcome(seconds, "s", quality, notes)


def _losses(model: Any, of: Data) -> np.ndarray:
    """Test log-loss after every round."""
    if hasattr(model, "staged_predict_proba"):
        told = (p[:, 1] for p in model.staged_predict_proba(of.X_test))
    else:
        told = _lightgbm_stages(model, of.X_test)
    right = np.where(of.y_test == 1, 1.0, -1.0)
    return np.array([-np.mean(np.log(np.where(right > 0, p, 1 - p))) for p in told])


def _lightgbm_stages(model: Any, X: Any) -> Any:
    """Probabilities after every round, a tree at a time."""
    F = np.zeros(len(X))
    for t in range(model.n_estimators_):
        F += model.predict(X, raw_score=True, start_iteration=t, num_iteration=1)
        yield 1 / (1 + np.exp(-F))


# ------------------------------------------------------------------------ forests and boosted trees


def forest(run: Run, of: Data, trees: int) -> Outcome:
    """Whole fits of fully grown trees at equal test accuracy."""
    ours, theirs = tree_peers.FORESTS
    outcome = fit(run, of, trees, [theirs], ours=ours)
    outcome.fair = ("accuracy", 0.005)
    return outcome


def forest_20(run: Run) -> Outcome:
    return forest(run, data.a(run.quick), run.rounds(20))


def boosted_trees(run: Run) -> Outcome:
    """Scikit-learn's trees get as many leaves as ours have on average: fully grown, its first
    tree is perfect and the fit over."""

    def measured(folder: Path) -> Outcome:
        of, rounds = data.letters(folder, run.quick), run.rounds(100)
        ours = tree_peers.OUR_BOOSTED_TREES
        few = ours.make(5, run.threads).fit(of.X, of.y)
        leaves = round(float(np.mean([tree.get_n_leaves() for tree in few.estimators_])))
        theirs = tree_peers.their_boosted_trees(leaves)
        outcome = fit(run, of, rounds, [theirs], ours=ours)
        outcome.fair = ("accuracy", 0.005)
        outcome.notes.append(f"{theirs.name} grows trees of {leaves} leaves, on one thread")
        return outcome

    return _with_folder(run, "letter.csv", measured)


# ----------------------------------------------------------------------------- predicting, memory


def predict_trees(run: Run) -> Outcome:
    of, rounds = data.a(run.quick), run.rounds(100)
    whom = list(tree_peers.contenders(31).values())
    outcome = predictions(run, of, rounds, whom, of.X_test)
    outcome.shown = tree_peers.SHOWN
    return outcome


def memory_million(run: Run) -> Outcome:
    whom: list[Contender] = list(tree_peers.contenders(63).values())
    outcome = peak(run, data.million(run.quick), run.rounds(100), whom, leaves=63)
    outcome.shown = tree_peers.SHOWN
    return outcome


def labels_100(run: Run) -> Outcome:
    """One stump a round for all 26 letters; scikit-learn plays SAMME on one thread."""

    def measured(folder: Path) -> Outcome:
        of = data.letters(folder, run.quick)
        names = np.array(list(ascii_uppercase), object)  # as a table read from the file has them
        named = replace(of, name="named letters", y=names[of.y], y_test=names[of.y_test])
        outcome = fit(run, named, run.rounds(100), [ADABOOST])
        outcome.fair = ("accuracy", 0.0)
        return outcome

    return _with_folder(run, "letter.csv", measured)


ROWS = (
    Row("trees-100", "A, 100 trees of 31 leaves, logistic loss", THREE, 1.5, 3, trees_100),
    Row("million", "1,000,000 x 28, 100 trees of 63 leaves", THREE, 1.3, 2.5, million),
    Row(
        "adult-million",
        "adult repeated to 1,000,000 rows, 100 trees of 31 leaves",
        THREE,
        1.3,
        2.5,
        adult_million,
    ),
    Row("glass-box", "adult, the glass box, whole untuned fit", "EBM", 10, 50, glass_box),
    Row("letters", "letters, gradient boosting, 100 rounds", THREE, 1.3, 3, letters),
    Row(
        "time-to-loss",
        "A, time to the test log-loss LightGBM reaches with 500 trees",
        "LightGBM",
        1.3,
        3,
        time_to_loss,
    ),
    Row(
        "forest-20",
        "A, forest of 20 fully grown trees",
        "scikit-learn forest",
        5,
        15,
        forest_20,
    ),
    Row(
        "mh",
        "letters, AdaBoost.MH, 100 stumps for 26 classes",
        "scikit-learn AdaBoost (SAMME)",
        20,
        None,
        labels_100,
    ),
    Row(
        "boosted-trees",
        "letters, 100 boosted C4.5-style trees",
        "scikit-learn AdaBoost over trees",
        5,
        15,
        boosted_trees,
    ),
    Row(
        "predict-trees", "20,000 rows through 100 trees of 31 leaves", THREE, 1.5, 4, predict_trees
    ),
    Row(
        "memory-million",
        "1,000,000 x 28, 63 leaves, peak memory beyond the input",
        "leanest of LightGBM, XGBoost, HistGradientBoosting",
        1,
        2,
        memory_million,
    ),
)
