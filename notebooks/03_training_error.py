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
assert np.isclose(np.exp(-signs * F).mean(), np.prod(Z))
assert np.allclose(Z, 2 * np.sqrt(epsilon * (1 - epsilon)))
assert (1 - model.score(X, y)) <= np.prod(Z) <= bounds.ada_exp(epsilon)
print("mean of exp(-y F):", np.exp(-signs * F).mean().round(6))

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
