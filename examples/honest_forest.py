"""A forest that knows what it has not seen: out-of-bag answers, doubt, and why averaging helps."""

import warnings

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from weaklearn import DecisionTreeClassifier, RandomForestClassifier
from weaklearn.theory import bias_variance

X, y = load_breast_cancer(return_X_y=True)
X, X_test, y, y_test = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)

# Of 3 trees some examples are in every bag, which is what the last column shows.
warnings.filterwarnings("ignore", "Some inputs do not have OOB scores")

print("trees  training  out of bag  test   rows covered")
for n in (3, 10, 100):
    forest = RandomForestClassifier(n, oob_score=True).fit(X, y)
    print(
        f"{n:5}  {forest.score(X, y):8.1%}  {forest.oob_score_:10.1%}"
        f"  {forest.score(X_test, y_test):5.1%}  {forest.oob_coverage_:11.0%}"
    )

doubt = forest.predict_std(X_test)
wrong = forest.predict(X_test) != y_test
order = np.argsort(doubt)
print("\ndoubt of the trees      errors")
for name, part in zip(("least", "middle", "most"), np.array_split(order, 3), strict=True):
    print(f"{name:6} third, {doubt[part].mean():5.2f}  {wrong[part].mean():8.1%}")

print("\nover 20 bootstrap samples, judged on rows left out")
for model in (DecisionTreeClassifier(), RandomForestClassifier(30)):
    parts = bias_variance(model, X, y, n_sets=20)
    means = parts.means
    print(
        f"{type(model).__name__:22}  bias^2 {means['bias_sq']:.3f}"
        f"  variance {means['variance']:.3f}  squared error {parts.mse:.3f}"
    )
