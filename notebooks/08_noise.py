# %% [markdown]
# # 8. Wrong labels
#
# A booster looks hardest at what it gets wrong. Where labels are wrong, that is the noise. This
# chapter flips labels and watches.
#
# **Letters.** $D_t(i)$ is the weight of example $i$ in round $t$. The *noise* is the probability
# with which each training label is replaced by the other. A loss is *convex* where no point of
# its curve lies above a chord.

# %%
import warnings

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import weaklearn as wl

X, X_test, y, y_test = train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)
noisy = wl.datasets.flip_labels(y, 0.2, random_state=0)
flipped = noisy != y
print(f"{flipped.sum()} of {len(y)} training labels are flipped; test labels are not")

# %% [markdown]
# ## Where the weight goes
#
# The share of all weight that AdaBoost puts on the flipped examples, round by round:

# %%
shares = {}
for booster in (wl.AdaBoostClassifier(n_estimators=100), wl.MadaBoostClassifier(n_estimators=100)):
    rounds = wl.rounds(booster, X, noisy)
    shares[type(booster).__name__] = [r.D[flipped].sum() for r in rounds]
figure, ax = plt.subplots(figsize=(7, 3.4), layout="constrained")
for (name, curve), colour in zip(shares.items(), ("#d55e00", "#0072b2")):
    ax.plot(range(1, len(curve) + 1), curve, color=colour, label=name)
ax.axhline(flipped.mean(), color="0.6", linewidth=1)
ax.set(xlabel="rounds", ylabel="weight on flipped examples", ylim=(0, 1))
ax.legend()

# %%
ada = shares["AdaBoostClassifier"]
print(f"AdaBoost begins with {ada[0]:.2f} on them and has {ada[-1]:.2f} in round {len(ada)}")

# %% tags=["check"]
assert max(ada) > 2 * ada[0]

# %% [markdown]
# ## Boosters that bear it
#
# MadaBoost lets no example outgrow its first weight. SmoothBoost has a limit for shares of the
# weight. BrownBoost gives up examples that stay wrong, in a time that it sets itself.

# %%
boosters = {
    "AdaBoost": wl.AdaBoostClassifier(),
    "MadaBoost, learning_rate=0.3": wl.MadaBoostClassifier(learning_rate=0.3),
    "SmoothBoost": wl.SmoothBoostClassifier(),
    "BrownBoost": wl.BrownBoostClassifier(epsilon=0.4),
}
scores = {}
for name, booster in boosters.items():
    with warnings.catch_warnings():  # on noise, promises of the weak learner are broken
        warnings.simplefilter("ignore", wl.BoostingWarning)
        booster.fit(X, noisy)
    scores[name] = booster.score(X_test, y_test)
    print(f"{name:30} right on {scores[name]:.1%} of the test rows")

# %% tags=["check"]
assert max(scores.values()) > scores["AdaBoost"]

# %% [markdown]
# ## No convex loss is safe
#
# Every booster that descends along a convex loss can be led astray by noise, whatever its steps.
# Of 21 bits the majority is the label, one bit in a rule is all that is needed, and 15 % of the
# labels are flipped:

# %%
bits, labels = wl.datasets.noisy_bits(2000, noise=0.15, random_state=1)
bits_test, labels_test = wl.datasets.noisy_bits(2000, noise=0.0, random_state=2)
convex = wl.AdaBoostClassifier().fit(bits, labels)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", wl.BoostingWarning)
    giving_up = wl.BoostByMajorityClassifier(n_estimators=301, gamma=0.05).fit(bits, labels)
print(f"AdaBoost: {convex.score(bits_test, labels_test):.3f}")
print(f"boost-by-majority, which gives examples up: {giving_up.score(bits_test, labels_test):.3f}")

# %% tags=["check"]
assert giving_up.score(bits_test, labels_test) > convex.score(bits_test, labels_test) + 0.1

# %% [markdown]
# [Wrong labels](../canon/noise.md) and [against the clock](../canon/brown.md) have the weights,
# the guarantees and measured errors over several tables.

# %% [markdown]
# ## Exercises
#
# **1.** An example that stays wrong for ten rounds of $\alpha = 0.5$: by what factor does its
# weight outgrow that of one that stays right?

# %% tags=["answer"]
import math

print(f"{math.exp(2 * 10 * 0.5):,.0f}")

# %% tags=["check"]
assert round(math.exp(10)) == 22026

# %% [markdown]
# **2.** What is the least error that any rule can have on training labels, 20 % of which are
# flipped? Does AdaBoost stay above it?

# %% tags=["answer"]
fitted = wl.AdaBoostClassifier(n_estimators=400).fit(X, noisy)
print(f"the true labels err on {(y != noisy).mean():.3f} of the noisy ones")
print(f"AdaBoost errs on {1 - fitted.score(X, noisy):.3f}: it has learnt wrong labels by heart")

# %% tags=["check"]
assert 1 - fitted.score(X, noisy) < (y != noisy).mean()

# %% [markdown]
# ## Where it is from
#
# Schapire and Freund (2012), *Boosting: Foundations and Algorithms*, chapters 12 to 14; Long and
# Servedio (2010), *Random classification noise defeats all convex potential boosters*. [The
# books](../references.md) lists them by chapter.
