"""Wrong labels: what they do to boosters that never give an example up, and to those that do."""

import warnings
from functools import partial

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import weaklearn as wl
from weaklearn import datasets

# Some learners promise an edge, and break the promise where nothing but noise is left.
warnings.filterwarnings("ignore", category=wl.BoostingWarning)

CONVEX = [wl.AdaBoostClassifier(), wl.RealAdaBoostClassifier(), wl.AdaBoostLClassifier()]
CAPPED = [wl.MadaBoostClassifier(), wl.SmoothBoostClassifier()]
FORGIVING = [wl.BrownBoostClassifier(), wl.NormalBoostClassifier()]


def name(model):
    return type(model).__name__.removesuffix("Classifier")


print("Breast cancer, mean test error of 3 splits; 20 % of the training labels are flipped.\n")
print("                 true labels  flipped labels")
X, y = load_breast_cancer(return_X_y=True)
for model in CONVEX + CAPPED + FORGIVING:
    clean, noisy = [], []
    for seed in range(3):
        X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=seed)
        flipped = datasets.flip_labels(y_train, 0.2, random_state=seed)
        clean.append(1 - model.fit(X_train, y_train).score(X_test, y_test))
        noisy.append(1 - model.fit(X_train, flipped).score(X_test, y_test))
    print(f"{name(model):15}  {np.mean(clean):11.1%}  {np.mean(noisy):14.1%}")

print("\n21 bits whose majority is the label; 15 % of the training labels are flipped.\n")
print("                 test error")
X, y = datasets.noisy_bits(3000, noise=0.15, random_state=1)
X_test, y_test = datasets.noisy_bits(3000, noise=0.0, random_state=2)
given = [  # how much to give up
    wl.BrownBoostClassifier(epsilon=0.4, n_estimators=1000),
    wl.NormalBoostClassifier(epsilon=0.2, n_estimators=1000),
    wl.BoostByMajorityClassifier(gamma=0.05, n_estimators=301),
]
for model in CONVEX + CAPPED + given:
    print(f"{name(model):15}  {1 - model.fit(X, y).score(X_test, y_test):10.1%}")


def column(j, X):
    return np.asarray(X)[:, j]


def coordinate(X, y, D):
    """The coordinate that agrees more with the labels: a rule that answers with numbers."""
    return partial(column, np.abs((D * y) @ X).argmax())


print("\nFour points of Long and Servedio, one label in ten wrong; x_1 > 0 is always right.\n")
X, y = datasets.long_servedio()
points, right = datasets.long_servedio(n_right=1, n_wrong=0)
for model in (
    wl.RealAdaBoostClassifier(coordinate),
    wl.GentleBoostClassifier(coordinate),
    wl.AdaBoostLClassifier(coordinate),
):
    scores = model.fit(X, y).decision_function(points)
    wrong = "half of the points wrong" if np.mean(scores <= 0) == 0.5 else ""
    print(f"{name(model):15} ", *(f"{score:+.3f}" for score in scores), "", wrong)
