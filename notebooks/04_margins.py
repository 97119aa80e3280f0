# %% [markdown]
# # 4. Margins
#
# The training error is zero after a few rounds, and yet the test error goes on falling. The
# founding text's answer is the *margin*: how clearly the vote is right, not only whether.
#
# $$\mathrm{margin}(x, y) = \frac{y \sum_t \alpha_t h_t(x)}{\sum_t |\alpha_t|}$$
#
# **Letters.** $\alpha_t$ is the vote of the rule $h_t$, $y$ a label of $-1$ or $+1$. $\theta$ is
# a margin that is asked for. $\gamma_t = \frac{1}{2} - \varepsilon_t$ is the edge of round $t$
# ([chapter 3](03_training_error.md)).

# %%
import os

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split

import weaklearn as wl
from weaklearn.show import MarginDisplay
from weaklearn.theory import bounds


def letters():
    """The text's letters if they are at hand, else digits: X, y, rows to learn from, a name."""
    from weaklearn.datasets.uci import cache_folder

    path = os.environ.get("WEAKLEARN_LETTERS")
    if path or (cache_folder(None) / "letter-recognition.data").exists():
        X, y = wl.datasets.fetch_letters(path)
        return X.to_frame(), y, 16_000, "letters"
    X, y = load_digits(return_X_y=True, as_frame=True)
    return X, y.to_numpy(), 1_200, "digits (the letters are not at hand)"


# %% [markdown]
# ## Figures 1.6 and 1.7: letters, their error and their margins
#
# The text boosts C4.5 trees on 16,000 letters of 26 kinds, and shows training and test error over
# a thousand rounds (Figure 1.6) and how the margins are distributed after 5, 100 and 1,000 of them
# (Figure 1.7). With the UCI archive's letters at hand (the cache of `fetch_letters()`, or a path
# in `WEAKLEARN_LETTERS`) the next lines are that experiment, and take a minute; otherwise the
# letters are scanned digits, and sixty rounds do.

# %%
X, y, n, name = letters()
rounds = 1000 if name == "letters" else 60
few = 100 if name == "letters" else 20
model = wl.AdaBoostClassifier("tree", n_estimators=rounds).fit(X[:n], y[:n])
train = 1 - np.fromiter(model.staged_score(X[:n], y[:n]), float)
test = 1 - np.fromiter(model.staged_score(X[n:], y[n:]), float)
print(name)
for t in (1, 5, few, rounds):
    least = model.truncate(t).margins(X[:n], y[:n]).min()
    errors = f"training error {train[t - 1]:6.2%}, test {test[t - 1]:6.2%}"
    print(f"{t:4} rounds: {errors}, least margin {least:6.3f}")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
left.plot(range(1, rounds + 1), 100 * train, color="#999999", label="training")
left.plot(range(1, rounds + 1), 100 * test, color="#d55e00", label="test")
left.set(xscale="log", xlabel="rounds", ylabel="error in %", title=name.split(" (")[0])
left.legend()
MarginDisplay.from_estimator(model, X[:n], y[:n], rounds=(5, few, rounds), ax=right)

# %% tags=["check"]
assert test[-1] < test[4] < test[0]
assert model.margins(X[:n], y[:n]).min() > model.truncate(5).margins(X[:n], y[:n]).min()

# %% [markdown]
# Long after the last training error is gone, the vote becomes clearer and the test error smaller.
# The same on the UCI letters: 13.2 % for one tree, 4.4 % after 10 rounds, 2.6 % after 100 and
# 2.4 % after 1,000 ([trees](../trees.md) has the lines); the text's C4.5 errs on 13.8 % and,
# boosted a thousand times, on 3.1 %.
#
# ![Error and margins of boosted trees on 26 letters over 1,000 rounds](../images/letters.png)
#
# ## The theorem
#
# The share of training examples with a margin of at most $\theta$ is at most
#
# $$\prod_{t=1}^{T} \sqrt{(1 + 2 \gamma_t)^{1+\theta} (1 - 2 \gamma_t)^{1-\theta}}$$
#
# so that, where edges stay above $\theta$, it falls exponentially too.

# %%
Xb, Xb_test, yb, yb_test = train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)
stumps = wl.AdaBoostClassifier(n_estimators=300).fit(Xb, yb)
margins = stumps.margins(Xb, yb)
for theta in (0.0, 0.05, 0.1):
    bound = bounds.margin_product(stumps.history_["gamma"], theta)
    print(f"share of margins <= {theta}: {(margins <= theta).mean():.4f}, at most {bound:.4g}")

# %% tags=["check"]
for theta in (0.0, 0.05, 0.1):
    assert (margins <= theta).mean() <= bounds.margin_product(stumps.history_["gamma"], theta)

# %% [markdown]
# ## The largest margin there is
#
# AdaBoost increases margins without aiming at the smallest. Others do aim at it: AdaBoost* with a
# deadline, LPBoost by a linear program in every round.

# %%
Xt, yt = wl.datasets.toy()
for booster in (
    wl.AdaBoostClassifier(n_estimators=500),
    wl.AdaBoostStarClassifier(n_estimators=500),
    wl.LPBoostClassifier(nu=0.1),
):
    booster.fit(Xt, yt)
    print(f"{type(booster).__name__:24} smallest margin {booster.margins(Xt, yt).min():.4f}")

# %% [markdown]
# On the ten points no vote of stumps has a smallest margin above 1/3, and the linear program
# finds it.

# %% [markdown]
# ## Exercises
#
# **1.** What is the margin of an example on which three rules with the votes 0.42, 0.65 and 0.92
# answer right, right and wrong?

# %% tags=["answer"]
votes = np.array([0.42, 0.65, 0.92])
print(f"{(votes @ [1, 1, -1]) / votes.sum():.3f}")

# %% tags=["check"]
assert np.isclose((votes @ [1, 1, -1]) / votes.sum(), 0.15 / 1.99)

# %% [markdown]
# **2.** Multiply all votes by ten. What becomes of the margins, and what of the mean of
# $e^{-y F(x)}$, which bounds the training error?

# %% tags=["answer"]
tens = 10 * stumps.decision_function(Xb)
signs = np.where(yb == stumps.classes_[1], 1, -1)
same = signs * tens / (10 * stumps.estimator_weights_.sum())
print("margins are the same:", np.allclose(same, margins))
before, after = (np.exp(-signs * score).mean() for score in (tens / 10, tens))
print(f"the mean of exp(-yF) was {before:.2g} and is {after:.2g}")

# %% tags=["check"]
assert np.allclose(same, margins)

# %% [markdown]
# ## Where it is from
#
# Schapire and Freund (2012), *Boosting: Foundations and Algorithms*, chapter 5; Schapire, Freund,
# Bartlett and Lee (1998), *Boosting the margin: a new explanation for the effectiveness of voting
# methods*. [The books](../references.md) lists them by chapter.
