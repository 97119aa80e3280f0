"""Draws the pictures of the README and of these pages: ``python docs/pictures.py``."""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import tempfile
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import PercentFormatter
from sklearn.datasets import load_breast_cancer, make_moons
from sklearn.model_selection import train_test_split

from weaklearn import (
    AdaBoostClassifier,
    ADTreeClassifier,
    GradientBoostingClassifier,
    datasets,
)
from weaklearn.show import (
    DecisionRegionDisplay,
    EdgeDisplay,
    MarginDisplay,
    ShapeFunctionDisplay,
    StagesDisplay,
    WeightsDisplay,
    draw,
)
from weaklearn.theory import bounds, games, simulate

IMAGES = Path(__file__).parent / "images"
EXAMPLES = Path(__file__).parents[1] / "examples"


def breast_cancer() -> None:
    """Error, bound and margins over a thousand rounds."""
    data = load_breast_cancer()
    labels = data.target_names[data.target]
    X, X_test, y, y_test = train_test_split(
        data.data, labels, test_size=0.3, stratify=labels, random_state=0
    )
    model = AdaBoostClassifier(n_estimators=1000).fit(X, y)
    title = (
        f"AdaBoost on exact stumps: breast cancer, {len(y)} patients to learn from, "
        f"{len(y_test)} to test on"
    )
    draw(model, X, y, X_test, y_test, title=title, path=IMAGES / "breast-cancer.png")


def glass_box() -> None:
    """Two suspicious shapes of the risk model in examples/glass_box.py."""
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        model = runpy.run_path(str(EXAMPLES / "glass_box.py"))["model"]
    display = ShapeFunctionDisplay.from_estimator(model, ["pressure", "asthma"])
    display.figure_.savefig(IMAGES / "glass-box.png", dpi=150)


def canon() -> None:
    """Every booster on clean and on noisy labels, from examples/all_boosters.py."""
    rows = runpy.run_path(str(EXAMPLES / "all_boosters.py"))["compared"]()
    names = list(dict.fromkeys(row[0] for row in rows))[::-1]
    facts = ["test error", "smallest margin", "rounds", "seconds"]
    figure, axes = plt.subplots(1, 4, figsize=(11, 6.4), sharey=True, layout="constrained")
    for j, (ax, fact) in enumerate(zip(axes, facts, strict=True)):
        for kind, size, filled in (("noisy", 6, "#0072b2"), ("clean", 9, "none")):
            chosen = {row[0]: row[2 + j] for row in rows if row[1] == kind}
            values = [chosen[name] for name in names]
            ax.plot(
                values, range(len(names)), "o", color="#0072b2", mfc=filled, ms=size, label=kind
            )
        ax.set_xlabel(fact)
        ax.grid(axis="y", color="#dddddd", linewidth=0.6)
        ax.set_axisbelow(True)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    for ax in axes[2:]:
        ax.set_xscale("log")
    axes[0].xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes[1].axvline(0, color="#888888", linewidth=0.8)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].set_ylim(-0.6, len(names) - 0.4)
    lines, kinds = axes[0].get_legend_handles_labels()
    words = [f"{kind} training labels" for kind in kinds]
    figure.legend(lines, words, loc="outside lower center", ncols=2, frameon=False)
    figure.suptitle("Breast cancer, 284 patients to learn from: every booster by default")
    figure.savefig(IMAGES / "canon.png", dpi=130)


def alternating_tree() -> None:
    """The five questions of docs/canon/readable.md."""
    data = load_breast_cancer(as_frame=True)
    labels = data.target.map({0: "malignant", 1: "benign"})
    display = ADTreeClassifier(n_estimators=5).fit(data.data, labels).plot()
    display.figure_.savefig(IMAGES / "alternating-tree.png", dpi=150)


def coverage() -> None:
    """How far bounds lie above the truth, and how often they fail, over many samples."""
    statements = {
        "binomial_upper": "one rule, exact binomial",
        "single_upper": "one rule, Hoeffding",
        "compression_upper": "one example kept",
        "finite_class_upper": "all of a finite class",
        "growth_upper": "all rules, by growth",
    }
    figure, ax = plt.subplots(figsize=(6.4, 3.0), layout="constrained")
    for i, (statement, words) in enumerate(statements.items()):
        found = simulate.thresholds(statement, m=1000, delta=0.1, trials=400)
        place = len(statements) - 1 - i
        ax.boxplot(found.slack, positions=[place], orientation="horizontal", widths=0.5, **_BOX)
        failed = f"failed in {found.rate:.1%}"
        ax.annotate(
            failed, (0.985, place), xycoords=("axes fraction", "data"), ha="right", va="center"
        )
        ax.annotate(
            words, (-0.02, place), xycoords=("axes fraction", "data"), ha="right", va="center"
        )
    ax.axvline(0, color="#888888", linewidth=0.8)
    ax.set(
        yticks=[], xlim=(-0.05, 1.0), xlabel="bound less true error (400 samples of 1000 examples)"
    )
    ax.set_title("Thresholds on a line: allowed to fail in 10 % of samples", fontsize=10)
    figure.savefig(IMAGES / "coverage.png", dpi=120)


def regret() -> None:
    """Multiplicative weights against a best response, and against noise."""
    rng = np.random.default_rng(0)
    M = rng.random((10, 10))
    chance = np.linspace(0.4, 0.6, 10)
    games_played = {
        "against best responses": games.play(M, 2000),
        "against noise": games.play(lambda P: rng.random(10) < chance, 2000, n_rows=10),
    }
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 2.8), sharey=True, layout="constrained")
    rounds = np.arange(1, 2001)
    for ax, (words, played) in zip(axes, games_played.items(), strict=True):
        ax.plot(rounds, played.regret_bound, color="#d55e00", label="guaranteed at most")
        ax.plot(rounds, played.regret, color="#0072b2", label="regret")
        ax.set(title=words, xlabel="round")
        ax.title.set_fontsize(10)
    axes[0].set_ylabel("loss beyond the best row")
    axes[0].legend(frameon=False)
    figure.savefig(IMAGES / "regret.png", dpi=120)


def margin_bound() -> None:
    """The share of small margins, and what the edges promise of it, round by round."""
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=300).fit(X, y)
    gammas = model.history_["gamma"]
    rounds = np.arange(1, model.n_iter_ + 1)
    margins = np.array([model.truncate(int(t)).margins(X, y) for t in rounds])
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 2.8), sharey=True, layout="constrained")
    for ax, theta in zip(axes, (0.0, 0.1), strict=True):
        bound = [bounds.margin_product(gammas[:t], theta) for t in rounds]
        ax.plot(rounds, bound, color="#d55e00", label="guaranteed at most")
        ax.step(rounds, (margins <= theta).mean(axis=1), color="#0072b2", label="share of examples")
        words = "training error" if theta == 0 else f"margins of at most {theta:g}"
        ax.set(title=words, xlabel="round", xscale="log", ylim=(0, 1))
        ax.title.set_fontsize(10)
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes[0].legend(frameon=False)
    figure.savefig(IMAGES / "margin-bound.png", dpi=120)


def letters(path: str) -> None:
    """Error and margins of boosted trees over a thousand rounds on the UCI archive's letters."""
    X, y = datasets.fetch_letters(path)
    X, n, rounds = X.to_frame(), 16_000, np.arange(1, 1001)
    model = AdaBoostClassifier("tree", n_estimators=1000).fit(X[:n], y[:n])
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for rows, colour, words in (
        (slice(n), "#999999", "training"),
        (slice(n, None), "#d55e00", "test"),
    ):
        errors = 1 - np.fromiter(model.staged_score(X[rows], y[rows]), float)
        left.plot(rounds, errors, color=colour, label=words)
    left.set(xscale="log", xlabel="rounds", ylabel="error", title="26 letters, boosted trees")
    left.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    left.legend(frameon=False)
    MarginDisplay.from_estimator(model, X[:n], y[:n], rounds=(5, 100, 1000), ax=right)
    figure.savefig(IMAGES / "letters.png", dpi=110)


def games_and_models() -> None:
    """The pictures of pictures.md: the ten points round by round, weights, edges, regions."""
    X, y = datasets.toy()
    save(StagesDisplay.from_estimator(AdaBoostClassifier(), X, y, 3), "stages", 110)
    toy = AdaBoostClassifier(n_estimators=10).fit(X, y)
    save(WeightsDisplay.from_estimator(toy, X, y), "weights", 100)
    data = load_breast_cancer(as_frame=True)
    labels = data.target_names[data.target]
    model = AdaBoostClassifier(n_estimators=300).fit(data.data, labels)
    save(EdgeDisplay.from_estimator(model), "edges", 100)
    moons, sides = make_moons(300, noise=0.25, random_state=0)
    trees = AdaBoostClassifier("tree", n_estimators=30).fit(moons, sides)
    save(DecisionRegionDisplay.from_estimator(trees, moons, sides), "regions", 100)
    descent = GradientBoostingClassifier(n_estimators=60).fit(data.data, labels)
    save(descent.explain(data.data).plot(0), "waterfall", 100)


def save(display: Any, name: str, dpi: int) -> None:
    display.figure_.savefig(IMAGES / f"{name}.png", dpi=dpi)
    plt.close("all")


_BOX: dict[str, Any] = {
    "showfliers": False,
    "patch_artist": True,
    "boxprops": {"facecolor": "#9ecae1", "edgecolor": "#0072b2"},
    "medianprops": {"color": "#d55e00"},
}

if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    breast_cancer()
    alternating_tree()
    glass_box()
    canon()
    coverage()
    regret()
    margin_bound()
    games_and_models()
    if "WEAKLEARN_LETTERS" in os.environ:
        letters(os.environ["WEAKLEARN_LETTERS"])
