"""AdaBoost with three weak learners: stumps, scikit-learn's trees, and a function of one's own."""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from weaklearn import AdaBoostClassifier


def nearest_mean(X, y, D):
    """A rule of one's own: the class whose weighted mean is closer, on scaled columns."""
    scale = X.std(axis=0)
    means = [np.average(X[y == label], axis=0, weights=D[y == label]) for label in (-1, 1)]

    def rule(rows):
        far, near = (np.linalg.norm((rows - mean) / scale, axis=1) for mean in means)
        return np.where(near < far, 1, -1)

    return rule


X, y = load_breast_cancer(return_X_y=True)
X, X_test, y, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)
learners = {
    "exact stumps": "stump",
    "trees of depth 2": DecisionTreeClassifier(max_depth=2),
    "nearest mean": nearest_mean,
}
print("weak learner      rounds  alone  boosted  smallest margin")
for name, learner in learners.items():
    model = AdaBoostClassifier(learner, n_estimators=50).fit(X, y)
    alone = model.truncate(1).score(X_test, y_test)
    boosted = model.score(X_test, y_test)
    margin = model.margins(X, y).min()
    print(f"{name:16}  {model.n_iter_:6}  {alone:5.1%}  {boosted:7.1%}  {margin:15.3f}")
