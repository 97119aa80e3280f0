# %% [markdown]
# # 1. Weak rules, strong vote
#
# A rule of thumb is easy to find and often wrong. Ask for one rule, and for the next one on the
# same examples with new weights: those that the first got wrong count more. AdaBoost says how
# much more, and how the rules should vote.
#
# Ten points in the plane, five of each class, are enough to see all of it.

# %%
import math
from fractions import Fraction

import pandas as pd

import weaklearn as wl

X, y = wl.datasets.toy()
pd.DataFrame({"x1": X[:, 0], "x2": X[:, 1], "label": y}, index=range(1, 11)).astype(int).T

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
EXPECTED = {  # the founding text's Table 1.1: weights, products, and the numbers of each round
    "D": [
        [0.10] * 10,
        [0.17, 0.17, 0.17, 0.07, 0.07, 0.07, 0.07, 0.07, 0.07, 0.07],
        [0.11, 0.11, 0.11, 0.05, 0.05, 0.17, 0.17, 0.05, 0.17, 0.05],
    ],
    "product": [
        [0.15, 0.15, 0.15, 0.07, 0.07, 0.07, 0.07, 0.07, 0.07, 0.07],
        [0.09, 0.09, 0.09, 0.04, 0.04, 0.14, 0.14, 0.04, 0.14, 0.04],
        [0.04, 0.04, 0.04, 0.11, 0.11, 0.07, 0.07, 0.11, 0.07, 0.02],
    ],
    "epsilon": [0.30, 0.21, 0.14],
    "alpha": [0.42, 0.65, 0.92],
    "Z": [0.92, 0.82, 0.69],
}
lines = {}
for r in wl.rounds(wl.AdaBoostClassifier(n_estimators=3), X, y):
    epsilon = float(r.D[r.h.predict(X) != y].sum())
    alpha = 0.5 * math.log((1 - epsilon) / epsilon)
    exponent = -alpha * y * r.h.predict(X)
    products = [d * math.exp(e) for d, e in zip(r.D, exponent)]
    lines[f"D_{r.t}(i)"] = [f"{d:.2f}" for d in r.D]
    lines[f"exponent, round {r.t}"] = [f"{e:.2f}" for e in exponent]
    lines[f"factor, round {r.t}"] = [f"{math.exp(e):.2f}" for e in exponent]
    lines[f"product, round {r.t}"] = [f"{p:.2f}" for p in products]
    assert [round(float(d), 2) for d in r.D] == EXPECTED["D"][r.t - 1]
    assert [round(p, 2) for p in products] == EXPECTED["product"][r.t - 1]
    assert round(epsilon, 2) == EXPECTED["epsilon"][r.t - 1]
    assert round(alpha, 2) == EXPECTED["alpha"][r.t - 1]
    assert round(sum(products), 2) == EXPECTED["Z"][r.t - 1]
pd.DataFrame(lines, index=range(1, 11)).T

# %% [markdown]
# ## The same in exact fractions
#
# Since $e^{\alpha_t} = \sqrt{(1-\varepsilon_t)/\varepsilon_t}$, the new weight is the old one
# over $2\varepsilon_t$ where the rule was wrong, and over $2(1-\varepsilon_t)$ where it was
# right. No root is left: weights and errors are fractions.

# %%
D = [Fraction(1, 10)] * 10
fractions = {}
for h in model.estimators_:
    right = [bool(answer == label) for answer, label in zip(h.predict(X), y)]
    epsilon = sum(d for d, good in zip(D, right) if not good)
    fractions[f"D, error {epsilon}"] = [str(d) for d in D]
    D = [d / (2 * (1 - epsilon)) if good else d / (2 * epsilon) for d, good in zip(D, right)]
    assert sum(D) == 1
    # All that the rule knew has been used: under the new weights it is a coin.
    assert sum(d for d, good in zip(D, right) if not good) == Fraction(1, 2)
assert list(fractions) == [f"D, error {e}" for e in ("3/10", "3/14", "3/22")]
pd.DataFrame(fractions, index=range(1, 11)).T

# %% [markdown]
# The library's own weights are these fractions up to rounding, and so are its errors:

# %%
for t, (found, exact) in enumerate(zip(model.estimator_errors_, ("3/10", "3/14", "3/22")), 1):
    print(f"round {t}: {found:.15f}, exactly {exact} = {float(Fraction(exact)):.15f}")
    assert math.isclose(found, Fraction(exact), rel_tol=1e-9)

# %% [markdown]
# **Try it.** Why are two rounds never better than the better of the two rules? (Their votes
# differ in size, and the larger one always has its way.) From three rounds on a vote can do what
# no member does.
