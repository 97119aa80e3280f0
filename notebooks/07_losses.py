# %% [markdown]
# # 7. Boosting as descent
#
# AdaBoost can be read in another way: it lowers
#
# $$L(F) = \frac{1}{m} \sum_{i=1}^{m} e^{-y_i F(x_i)}$$
#
# one coordinate at a time. The rule with the largest edge is the steepest direction, and
# $\alpha_t$ the exact minimum along it.
#
# **Letters.** $F$ is the score of the vote so far, $m$ the number of training examples, $y_i$ the
# label of example $i$, $-1$ or $+1$. $L(F)$ is the mean exponential loss, $\alpha_t$ the vote of
# round $t$. $\Pr[y = +1 \mid x]$ is the probability of the label $+1$ where the row is $x$.

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import weaklearn as wl

X, X_test, y, y_test = train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)
signs = np.where(y == 1, 1, -1)
model = wl.AdaBoostClassifier(n_estimators=30).fit(X, y)
loss = [np.exp(-signs * F).mean() for F in model.staged_decision_function(X)]
print("the loss after rounds 1, 2, 3, 30:", *(f"{loss[t - 1]:.4f}" for t in (1, 2, 3, 30)))

# %% tags=["check"]
assert np.allclose(loss, np.cumprod(model.history_["Z"]))

# %% [markdown]
# Along the direction of round 4 the loss is least exactly at the vote that AdaBoost gives:

# %%
before = list(model.staged_decision_function(X))[2]
h = np.where(model.estimators_[3].predict(X) == 1, 1, -1)
steps = np.linspace(0, 1.5, 151)
along = [np.exp(-signs * (before + a * h)).mean() for a in steps]
alpha = model.estimator_weights_[3]
figure, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
ax.plot(steps, along, color="#0072b2")
ax.axvline(alpha, color="#d55e00", label=f"the vote, {alpha:.3f}")
ax.set(xlabel="step along the rule of round 4", ylabel="exponential loss")
ax.legend()

# %% tags=["check"]
assert abs(steps[int(np.argmin(along))] - alpha) < 0.02

# %% [markdown]
# ## Other losses
#
# Put another loss in its place and the same idea gives another booster. The logistic loss,
# $\ln(1 + e^{-2yF})$ or a multiple of it, counts examples far on the wrong side by their distance
# and not exponentially. [Any loss, any learner](../losses.md) says how to bring one's own.

# %%
z = np.linspace(-2, 3, 200)
figure, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
curves = {
    "error": np.where(z <= 0, 1.0, 0.0),
    "exponential": np.exp(-z),
    "logistic, in bits": np.log2(1 + np.exp(-z)),
    "hinge": np.maximum(0, 1 - z),
}
for (name, values), colour in zip(curves.items(), ("0.3", "#d55e00", "#0072b2", "#009e73")):
    ax.plot(z, values, color=colour, label=name)
ax.set(ylim=(0, 4), xlabel="y F(x)", ylabel="loss")
ax.legend()

# %%
for booster in (
    wl.AdaBoostClassifier(n_estimators=100),
    wl.AdaBoostLClassifier(n_estimators=100),
    wl.AnyBoostClassifier(loss="logistic", n_estimators=100),
    wl.GradientBoostingClassifier(n_estimators=100),
):
    booster.fit(X, y)
    print(f"{type(booster).__name__:28} test error {1 - booster.score(X_test, y_test):.3f}")

# %% [markdown]
# ## Scores become probabilities
#
# The minimum of the exponential loss over all functions is half the log-odds, so that
#
# $$\Pr[y = +1 \mid x] = \frac{1}{1 + e^{-2 F(x)}}$$
#
# would be right at the minimum. Long votes leave it far behind and are too sure of themselves;
# `calibrate="slope"` (temperature scaling) corrects that without changing a label.

# %%
from sklearn.metrics import log_loss

for how in (None, "slope"):
    long = wl.AdaBoostClassifier(n_estimators=400, calibrate=how).fit(X, y)
    cost = log_loss(y_test, long.predict_proba(X_test))
    print(
        f"calibrate={how!s:6} log-loss {cost:.3f}, test error {1 - long.score(X_test, y_test):.3f}"
    )

# %% [markdown]
# ## Exercises
#
# **1.** At which vote is $(1-\varepsilon) e^{-\alpha} + \varepsilon e^{\alpha}$ least? Check the
# formula on $\varepsilon = 0.3$.

# %% tags=["answer"]
alphas = np.linspace(0, 1, 10_001)
costs = 0.7 * np.exp(-alphas) + 0.3 * np.exp(alphas)
print(f"least at {alphas[costs.argmin()]:.4f}; the formula says {0.5 * np.log(0.7 / 0.3):.4f}")

# %% tags=["check"]
assert np.isclose(alphas[costs.argmin()], 0.5 * np.log(0.7 / 0.3), atol=1e-4)

# %% [markdown]
# **2.** How much does one example with $yF = -5$ cost under each of the losses drawn above?

# %% tags=["answer"]
print(f"exponential {np.exp(5):.1f}, logistic {np.log2(1 + np.exp(5)):.1f}, hinge {1 + 5}")

# %% tags=["check"]
assert np.exp(5) > 20 * np.log2(1 + np.exp(5))

# %% [markdown]
# ## Where it is from
#
# Schapire and Freund (2012), *Boosting: Foundations and Algorithms*, chapter 7; Friedman, Hastie
# and Tibshirani (2000), *Additive logistic regression: a statistical view of boosting*. [The
# books](../references.md) lists them by chapter.
