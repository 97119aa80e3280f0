"""Every booster of two classes side by side: clean labels, and a fifth of them flipped."""

import time
import warnings

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import weaklearn as wl
from weaklearn.datasets import flip_labels

BOOSTERS = {
    "AdaBoost": wl.AdaBoostClassifier(),
    "real AdaBoost": wl.RealAdaBoostClassifier(),
    "gentle AdaBoost": wl.GentleBoostClassifier(),
    "AdaBoost.L": wl.AdaBoostLClassifier(),
    "alpha-boost": wl.AlphaBoostClassifier(),
    "gamma-majority": wl.GammaMajorityClassifier(gamma=0.1),
    "boost-by-majority": wl.BoostByMajorityClassifier(gamma=0.1),
    "majority of three": wl.MajorityOfThreeClassifier(),
    "AdaBoost*": wl.AdaBoostStarClassifier(),
    "arc-gv": wl.ArcGVClassifier(),
    "coordinate descent": wl.CoordinateBoostClassifier(),
    "LPBoost": wl.LPBoostClassifier(n_estimators=40),
    "TotalBoost": wl.TotalBoostClassifier(n_estimators=40),
    "SoftBoost": wl.SoftBoostClassifier(n_estimators=40),
    "ERLPBoost": wl.ERLPBoostClassifier(n_estimators=40),
    "MadaBoost": wl.MadaBoostClassifier(),
    "SmoothBoost": wl.SmoothBoostClassifier(),
    "BrownBoost": wl.BrownBoostClassifier(),
    "NormalBoost": wl.NormalBoostClassifier(),
    "FilterBoost": wl.FilterBoostClassifier(),
    "alternating tree": wl.ADTreeClassifier(n_estimators=20),
    "SLIPPER": wl.SlipperClassifier(n_estimators=20),
}


def compared(seed=0):
    """Name, test error, smallest margin, rounds and seconds of each booster, clean and noisy."""
    X, y = load_breast_cancer(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=seed)
    labels = {"clean": y, "noisy": flip_labels(y, 0.2, random_state=seed)}
    rows = []
    for name, booster in BOOSTERS.items():
        for kind, target in labels.items():
            start = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # promises that a learner cannot keep
                model = booster.fit(X, target)
            seconds = time.perf_counter() - start
            error = float(np.mean(model.predict(X_test) != y_test))
            margin = float(model.margins(X, target).min())
            rows.append((name, kind, error, margin, model.n_iter_, seconds))
    return rows


if __name__ == "__main__":
    print("booster             labels  test error  smallest margin  rounds  seconds")
    for name, kind, error, margin, rounds, seconds in compared():
        print(f"{name:18}  {kind:6}  {error:10.1%}  {margin:15.3f}  {rounds:6}  {seconds:7.2f}")
