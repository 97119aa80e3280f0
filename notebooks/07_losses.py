# %% [markdown]
# # 7. Boosting as descent
#
# AdaBoost can be read in another way: it lowers
#
# $$L(F) = \frac{1}{m} \sum_{i=1}^{m} e^{-y_i F(x_i)}$$
#
# one coordinate at a time. The rule with the largest edge is the steepest direction, and
# $\alpha_t$ the exact minimum along it.

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
assert np.allclose(loss, np.cumprod(model.history_["Z"]))
print("the loss after rounds 1, 2, 3, 30:", *(f"{loss[t - 1]:.4f}" for t in (1, 2, 3, 30)))

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

# %%
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
