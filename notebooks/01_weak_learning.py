# %% [markdown]
# # 1. Weak rules, strong vote
#
# A rule of thumb is easy to find and often wrong. Ask for one rule, and for the next one on the
# same examples with new weights: those that the first got wrong count more. AdaBoost says how
# much more, and how the rules should vote.
#
# Ten points in the plane, five of each class, are enough to see all of it.
#
# **Letters.** $x_i$ is example $i$ of $m$ (here a point, $m = 10$), $y_i$ its label, $-1$ or
# $+1$. $T$ rounds are counted by $t$. $D_t(i)$ is the weight of example $i$ in round $t$; the
# weights of a round sum to 1. $h_t$ is the rule of round $t$, and $h_t(x)$ its answer. $F =
# \sum_t \alpha_t h_t$ is the score, $H = \mathrm{sign}(F)$ the vote.

# %%
import math
from fractions import Fraction

import pandas as pd

import weaklearn as wl

X, y = wl.datasets.toy()
pd.DataFrame({"x₁": X[:, 0], "x₂": X[:, 1], "label": y}, index=range(1, 11)).astype(int).T

# %% [markdown]
# ## No single rule will do
#
# A *stump* asks whether one coordinate is above a threshold. The best stump errs on three of the
# ten points:

# %%
stump = wl.DecisionStumpClassifier().fit(X, y)
wrong = stump.predict(X) != y
print(stump.rules())
print("it errs on the points", [i + 1 for i in range(10) if wrong[i]])

# %% tags=["check"]
assert wrong.sum() == 3

# %% [markdown]
# ## Three of them will
#
# With the distribution $D_t$ over the examples, and $\varepsilon_t$ the weight that the rule
# $h_t$ of round $t$ gets wrong, its vote is
#
# $$\alpha_t = \frac{1}{2} \ln \frac{1-\varepsilon_t}{\varepsilon_t}$$
#
# and the weights move to
#
# $$D_{t+1}(i) = \frac{D_t(i)}{Z_t} e^{-\alpha_t y_i h_t(x_i)}$$
#
# with $Z_t$ such that they sum to 1.

# %%
model = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
print(model.rules())
print(model.history_)

# %% tags=["check"]
assert model.score(X, y) == 1.0

# %% [markdown]
# ## Figures 1.1 and 1.2
#
# The points as large as their weights, the rule of each round, and the vote of the three:

# %%
from weaklearn.show import StagesDisplay

StagesDisplay.from_estimator(wl.AdaBoostClassifier(), X, y, n_rounds=3)

# %% [markdown]
# ## Table 1.1, round by round
#
# The table of the founding text (Schapire and Freund 2012) has, for every round, the weights, the
# exponent, the factor and the product before it is normalised. Here it is, to two decimals, as
# there.

# %%
lines, found = {}, []
for r in wl.rounds(wl.AdaBoostClassifier(n_estimators=3), X, y):
    epsilon = float(r.D[r.h.predict(X) != y].sum())
    alpha = 0.5 * math.log((1 - epsilon) / epsilon)
    exponent = -alpha * y * r.h.predict(X)
    products = [d * math.exp(e) for d, e in zip(r.D, exponent)]
    lines[f"D_{r.t}(i)"] = [f"{d:.2f}" for d in r.D]
    lines[f"exponent, round {r.t}"] = [f"{e:.2f}" for e in exponent]
    lines[f"factor, round {r.t}"] = [f"{math.exp(e):.2f}" for e in exponent]
    lines[f"product, round {r.t}"] = [f"{p:.2f}" for p in products]
    found.append([*r.D, *products, epsilon, alpha, sum(products)])
pd.DataFrame(lines, index=range(1, 11)).T

# %% tags=["check"]
D = [  # the founding text's Table 1.1: weights, products, and the numbers of each round
    [0.10] * 10,
    [0.17, 0.17, 0.17, 0.07, 0.07, 0.07, 0.07, 0.07, 0.07, 0.07],
    [0.11, 0.11, 0.11, 0.05, 0.05, 0.17, 0.17, 0.05, 0.17, 0.05],
]
PRODUCTS = [
    [0.15, 0.15, 0.15, 0.07, 0.07, 0.07, 0.07, 0.07, 0.07, 0.07],
    [0.09, 0.09, 0.09, 0.04, 0.04, 0.14, 0.14, 0.04, 0.14, 0.04],
    [0.04, 0.04, 0.04, 0.11, 0.11, 0.07, 0.07, 0.11, 0.07, 0.02],
]
NUMBERS = [[0.30, 0.42, 0.92], [0.21, 0.65, 0.82], [0.14, 0.92, 0.69]]
for mine, *printed in zip(found, D, PRODUCTS, NUMBERS):
    assert [round(float(v), 2) for v in mine] == [v for part in printed for v in part]

# %% [markdown]
# ## The same in exact fractions
#
# Since $e^{\alpha_t} = \sqrt{(1-\varepsilon_t)/\varepsilon_t}$, the new weight is the old one
# over $2\varepsilon_t$ where the rule was wrong, and over $2(1-\varepsilon_t)$ where it was
# right. No root is left: weights and errors are fractions. The last column is the error of each
# rule under the weights that follow it: all that the rule knew has been used, and it is a coin.

# %%
D = [Fraction(1, 10)] * 10
fractions = {}
for h in model.estimators_:
    right = [bool(answer == label) for answer, label in zip(h.predict(X), y)]
    epsilon = sum(d for d, good in zip(D, right) if not good)
    fractions[f"D, error {epsilon}"] = [str(d) for d in D]
    D = [d / (2 * (1 - epsilon)) if good else d / (2 * epsilon) for d, good in zip(D, right)]
    again = sum(d for d, good in zip(D, right) if not good)
    fractions[f"D, error {epsilon}"].append(f"then {again}")
pd.DataFrame(fractions, index=[*range(1, 11), "the rule's error"]).T

# %% tags=["check"]
assert all(column[-1] == "then 1/2" for column in fractions.values())
assert sum(D) == 1
assert list(fractions) == [f"D, error {e}" for e in ("3/10", "3/14", "3/22")]

# %% [markdown]
# The library's own weights are these fractions up to rounding, and so are its errors:

# %%
for t, (error, exact) in enumerate(zip(model.estimator_errors_, ("3/10", "3/14", "3/22")), 1):
    print(f"round {t}: {error:.15f}, exactly {exact} = {float(Fraction(exact)):.15f}")

# %% tags=["check"]
assert all(
    math.isclose(error, Fraction(exact), rel_tol=1e-9)
    for error, exact in zip(model.estimator_errors_, ("3/10", "3/14", "3/22"))
)

# %% [markdown]
# ## Exercises
#
# **1.** Why are two rounds never better than the better of the two rules?

# %% tags=["answer"]
two = wl.AdaBoostClassifier(n_estimators=2).fit(X, y)
larger = two.estimators_[int(two.estimator_weights_.argmax())]
# The votes differ in size, and the larger one always has its way. From three rounds on a vote can
# do what no member does: there, two may outvote the third.
print("the vote of two answers as the rule with the larger vote does:")
print((two.predict(X) == larger.predict(X)).all())

# %% tags=["check"]
assert (two.predict(X) == larger.predict(X)).all()

# %% [markdown]
# **2.** Show that the first rule's error under $D_2$ is $\frac{1}{2}$, from the update of the
# weights alone.

# %% tags=["answer"]
right, wrong = Fraction(7, 10), Fraction(3, 10)  # the weights of round 1
# exp(-alpha) and exp(alpha) are the roots of wrong/right and of right/wrong: the products with the
# weights are the same on both sides, so that each side has one half after dividing by their sum.
print(right**2 * (wrong / right), "=", wrong**2 * (right / wrong))

# %% tags=["check"]
assert right**2 * (wrong / right) == wrong**2 * (right / wrong)

# %% [markdown]
# ## Where it is from
#
# Schapire and Freund (2012), *Boosting: Foundations and Algorithms*, chapter 1 (Algorithm 1.1,
# Table 1.1, Figures 1.1 and 1.2); first in Freund and Schapire (1997), *A decision-theoretic
# generalization of on-line learning and an application to boosting*. [The
# books](../references.md) lists them by chapter.
