# %% [markdown]
# # 2. Base against boosted
#
# Does boosting help on data that nobody has made up? The founding text takes a learner, boosts
# it, and compares the test errors over many tables. Here it is done on tables that come with
# scikit-learn, then with the text's own heart patients where they are at hand.
#
# **Letters.** The *test error* is the share of rows, not learnt from, on which the answer is
# wrong. In cross-validation the rows are cut into *folds*; each is predicted by a model that has
# learnt from the others.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine, make_moons
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

import weaklearn as wl

digits = load_digits(return_X_y=True)
close = np.isin(digits[1], (3, 8))
moons = make_moons(400, noise=0.3, random_state=0)
tables = {
    "breast cancer": load_breast_cancer(return_X_y=True),
    "3 against 8": (digits[0][close], digits[1][close]),
    "wine": load_wine(return_X_y=True),
    "moons": moons,
    "digits": (digits[0][:400], digits[1][:400]),
}

# %%
pairs = {
    "stumps": (wl.DecisionStumpClassifier(), wl.AdaBoostClassifier(n_estimators=100)),
    "trees": (
        wl.DecisionTreeClassifier(pruning="pessimistic"),
        wl.AdaBoostClassifier("tree", n_estimators=30),
    ),
}
folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=1, random_state=0)
errors = {
    (name, kind): [1 - cross_val_score(m, X, y, cv=folds).mean() for m in pair]
    for name, (X, y) in tables.items()
    for kind, pair in pairs.items()
}
print(f"{'':15}{'one stump':>10}{'boosted':>9}{'one tree':>11}{'boosted':>9}")
for name in tables:
    a, b, c, d = (100 * e for kind in pairs for e in errors[name, kind])
    print(f"{name:15}{a:>9.1f} %{b:>7.1f} %{c:>9.1f} %{d:>7.1f} %")

# %% [markdown]
# ## Figure 1.3
#
# The scatter of the founding text: one point per table, above the diagonal where boosting has the
# smaller error.

# %%
figure, axes = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
for ax, kind in zip(axes, pairs):
    points = np.array([errors[name, kind] for name in tables]) * 100
    for name, (base, boosted), marker in zip(tables, points, "osD^v"):
        ax.scatter(boosted, base, marker=marker, label=name)
    most = points.max() * 1.1
    ax.plot([0, most], [0, most], color="0.6", linewidth=1)
    ax.set(xlabel=f"boosted {kind}, test error in %", ylabel="one of them, test error in %")
axes[1].legend(loc="lower right")

# %% [markdown]
# Boosted stumps are better everywhere. Boosted trees are better wherever classes can be
# separated; on the moons, which overlap, the single pruned tree had found what there is, and its
# votes learn the overlap by heart. That is [chapter 8](08_noise.md).

# %% tags=["check"]
assert all(boosted < base for (_, kind), (base, boosted) in errors.items() if kind == "stumps")

# %% [markdown]
# ## Table 1.2: rules of thumb from heart patients
#
# The text's table lists the first six rules that AdaBoost finds for 303 patients of the Cleveland
# study: an attribute, what it is compared with, and the verdict. With the data of the UCI archive
# in the cache of `fetch_heart()`, or at the path in `WEAKLEARN_HEART`, this is that table;
# otherwise the patients are those of the breast-cancer data.


# %%
def heart():
    """The text's own patients if they are at hand, and whether they are."""
    from weaklearn.datasets.uci import cache_folder

    path = os.environ.get("WEAKLEARN_HEART")
    if path or (cache_folder(None) / "processed.cleveland.data").exists():
        X, y = wl.datasets.fetch_heart(path)
        return X.to_frame(), y, True
    data = load_breast_cancer(as_frame=True)
    return data.data, data.target_names[data.target], False


patients, diagnosis, own = heart()
print("heart patients:" if own else "no heart data at hand, so these are breast-cancer patients:")
model = wl.AdaBoostClassifier(n_estimators=100).fit(patients, diagnosis)
print(model.rules(6))

# %% [markdown]
# On the heart data the six rules are those of the text, in its order: `thal = normal`, `ca >
# 0.5`, `cp = asymptomatic`, `oldpeak > 0.75`, `chol > 228.5`, `restecg = normal`.

# %% tags=["check"]
if own:
    asked = [test.split()[0] for _, test, *_ in model.rules(6)]
    assert asked == ["thal", "ca", "cp", "oldpeak", "chol", "restecg"]

# %% [markdown]
# ## Figure 1.5: the heart curve
#
# The error over the rounds, by cross-validation. With few patients and noisy diagnoses the test
# error has its least value early and rises slowly from there, while the training error goes on
# falling: boosting can overfit, and on the heart data it does. [Rules of thumb from heart
# patients](../heart.md) has the numbers beside those of the text.

# %%
rounds, repeats, n_parts = 200, *((5, 10) if own else (1, 5))
train, test = np.zeros(rounds), np.zeros(rounds)
parts = RepeatedStratifiedKFold(n_splits=n_parts, n_repeats=repeats, random_state=0)
for seen, new in parts.split(np.zeros(len(diagnosis)), diagnosis):
    booster = wl.AdaBoostClassifier(n_estimators=rounds).fit(patients.iloc[seen], diagnosis[seen])
    train += booster.history_["train_error"] / (repeats * n_parts)
    staged = booster.staged_score(patients.iloc[new], diagnosis[new])
    test += (1 - np.fromiter(staged, float)) / (repeats * n_parts)
figure, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
ax.plot(range(1, rounds + 1), 100 * train, color="#999999", label="training")
ax.plot(range(1, rounds + 1), 100 * test, color="#d55e00", label="test")
ax.set(
    xscale="log", xlabel="rounds", ylabel="error in %", title="heart" if own else "breast cancer"
)
ax.legend()

# %%
print(f"least test error {100 * test.min():.1f} % after {test.argmin() + 1} rounds")

# %% [markdown]
# The curve on the heart patients themselves, by ten folds ten times over:
#
# ![Training and test error over a thousand rounds on the heart data](../images/heart.png)

# %% [markdown]
# ## Exercises
#
# **1.** Does boosting a stump help where a single stump is right already? Try a table that one
# column decides.

# %% tags=["answer"]
decided = np.arange(20.0).reshape(-1, 1), np.repeat([0, 1], 10)
one = wl.AdaBoostClassifier(n_estimators=50).fit(*decided)
print(f"rounds played: {len(one.estimators_)}; training accuracy {one.score(*decided)}")

# %% tags=["check"]
assert len(one.estimators_) == 1
assert one.score(*decided) == 1

# %% [markdown]
# **2.** A tree of depth 2 asks two questions one after another. Does boosting need them on the
# moons? Compare trees of depth 2 with stumps, each boosted for 20 rounds.

# %% tags=["answer"]
of_moons = {}
for name, learner in (("stumps", None), ("depth 2", wl.DecisionTreeClassifier(max_depth=2))):
    model = wl.AdaBoostClassifier(learner, n_estimators=20)
    of_moons[name] = 1 - cross_val_score(model, *moons, cv=5).mean()
    print(f"boosted {name}: test error {of_moons[name]:.3f}")

# %% tags=["check"]
assert abs(of_moons["stumps"] - of_moons["depth 2"]) < 0.02

# %% [markdown]
# ## Where it is from
#
# Schapire and Freund (2012), *Boosting: Foundations and Algorithms*, sections 1.2 and 1.3; the
# comparison over many tables is that of Freund and Schapire (1996), *Experiments with a new
# boosting algorithm*. [The books](../references.md) lists them by chapter.
