# %% [markdown]
# # 3. Bounds on the training error
#
# Call $\gamma_t = \frac{1}{2} - \varepsilon_t$ the *edge* of round $t$: how much better than a
# coin its rule was. The first theorem of boosting says that edges add up:
#
# $$\widehat{\mathrm{err}}(H) \le \prod_{t=1}^{T} Z_t = \prod_{t=1}^{T} \sqrt{1 - 4 \gamma_t^2}
# \le \exp\left(-2 \sum_{t=1}^{T} \gamma_t^2\right)$$
#
# whatever the data are, and whatever the weak learner does.
#
# **Letters.** $\varepsilon_t$ is the share of the weights $D_t$ on which the rule $h_t$ is wrong,
# $Z_t$ the sum by which the new weights are divided ([chapter 1](01_weak_learning.md)).
# $\widehat{\mathrm{err}}(H)$ is the training error of the vote $H$: the share of the $m$ training
# examples that it gets wrong. $\prod$ multiplies over the $T$ rounds.

# %%
import numpy as np
from sklearn.datasets import load_breast_cancer

import weaklearn as wl
from weaklearn.show import EdgeDisplay, RoundsDisplay
from weaklearn.theory import bounds

X, y = load_breast_cancer(return_X_y=True)
model = wl.AdaBoostClassifier(n_estimators=60).fit(X, y)
Z, epsilon = model.history_["Z"], model.history_["epsilon"]
print("training error after 60 rounds:", 1 - model.score(X, y))
print("product of Z:                  ", np.prod(Z).round(6))
print("exp(-2 sum of squared edges):  ", round(bounds.ada_exp(epsilon), 6))

# %%
RoundsDisplay.from_estimator(model)

# %% [markdown]
# ## Why it is true
#
# Unravel the update of the weights: after $T$ rounds they are
#
# $$D_{T+1}(i) = \frac{e^{-y_i F(x_i)}}{m \prod_t Z_t}$$
#
# They sum to 1, so the mean of $e^{-y_i F(x_i)}$ is the product; and where the vote is wrong,
# $e^{-y_i F(x_i)} \ge 1$. All of this can be seen in the numbers.

# %%
signs = np.where(y == model.classes_[1], 1, -1)
F = model.decision_function(X)
print("mean of exp(-y F):", np.exp(-signs * F).mean().round(6))

# %% tags=["check"]
assert np.isclose(np.exp(-signs * F).mean(), np.prod(Z))
assert np.allclose(Z, 2 * np.sqrt(epsilon * (1 - epsilon)))
assert (1 - model.score(X, y)) <= np.prod(Z) <= bounds.ada_exp(epsilon)

# %% [markdown]
# ## The edges
#
# They begin large, since the first rules are good ones, and become small, since each distribution
# is made against the rules so far. The theorem needs no lower limit; but if there is one,
# $\gamma_t \ge \gamma$, the error falls exponentially.

# %%
EdgeDisplay.from_estimator(model)

# %% [markdown]
# ## How many rounds are enough?
#
# An error below $1/m$ is no error. With $\gamma_t \ge \gamma$ that takes more than
# $\ln m / (2 \gamma^2)$ rounds:

# %%
for gamma in (0.05, 0.1, 0.2, 0.3):
    print(f"edge {gamma}: {bounds.rounds_exp_gt(len(y), gamma):>6} rounds for {len(y)} examples")

# %% [markdown]
# ## Certificates
#
# `certify` evaluates every theorem that applies to a fit, with both numbers:

# %%
for certificate in model.certify(X, y).training[:4]:
    print(certificate)

# %% tags=["check"]
for certificate in model.certify(X, y).training:
    assert certificate.bound is None or certificate.observed <= certificate.bound

# %% [markdown]
# ## A learner as bad as the theorem allows
#
# A learner that answers right with probability $\frac{1}{2} + \gamma$ on each example by chance
# is enough. The library has such test doubles:

# %%
from weaklearn.testing import NoisyLearner

for gamma in (0.05, 0.1, 0.2):
    noisy = wl.AdaBoostClassifier(NoisyLearner(gamma, random_state=0), n_estimators=400).fit(X, y)
    curve = noisy.history_["train_error"]
    left = np.flatnonzero(curve == 0)
    when = (
        f"no training error from round {left[0] + 1} on" if len(left) else f"error {curve[-1]:.3f}"
    )
    print(f"edge {gamma}: {when}")

# %% [markdown]
# ## Exercises
#
# **1.** With edges of at least $\gamma = 0.1$, after how many rounds is the training error of
# 1,000 examples certainly zero? What does an edge twice as large save?

# %% tags=["answer"]
for gamma in (0.1, 0.2):
    print(f"edge {gamma}: {bounds.rounds_exp_gt(1000, gamma)} rounds")

# %% tags=["check"]
assert bounds.rounds_exp_gt(1000, 0.1) > 3.9 * bounds.rounds_exp_gt(1000, 0.2)

# %% [markdown]
# **2.** Which is smaller, $\sqrt{1 - 4\gamma^2}$ or $e^{-2\gamma^2}$? By how much at $\gamma =
# 0.1$ and $0.4$?

# %% tags=["answer"]
for gamma in (0.1, 0.4):
    print(f"edge {gamma}: {np.sqrt(1 - 4 * gamma**2):.4f} and {np.exp(-2 * gamma**2):.4f}")
# 1 - x is at most exp(-x), with x = 4 gamma^2; then both are rooted.

# %% tags=["check"]
assert all(np.sqrt(1 - 4 * g**2) <= np.exp(-2 * g**2) for g in np.linspace(0, 0.5, 51))

# %% [markdown]
# ## Where it is from
#
# Schapire and Freund (2012), *Boosting: Foundations and Algorithms*, chapter 3, Theorem 3.1;
# Shalev-Shwartz and Ben-David (2014), *Understanding Machine Learning*, chapter 10, has the same
# proof for votes of equal edges. [The books](../references.md) lists them by chapter.
