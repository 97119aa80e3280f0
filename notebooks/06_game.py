# %% [markdown]
# # 6. Boosting as a game
#
# Two players. One picks an example, the other a rule; the first loses where the rule is right.
# Both may mix. Von Neumann's theorem says that it does not matter who has to announce the mixture
# first:
#
# $$\min_P \max_Q P^{\top} M Q = \max_Q \min_P P^{\top} M Q$$
#
# and boosting is playing this game.
#
# **Letters.** $M(i, j)$ is what the row player loses when row $i$ meets column $j$. $P$ and $Q$
# are mixtures: probabilities of the rows and of the columns; $P^{\top} M Q$ is the loss to
# expect. $\eta$ is a learning rate. $\gamma$ is an edge, $h$ a rule, and $x_i, y_i$ an example
# with its label.

# %%
import matplotlib.pyplot as plt
import numpy as np

import weaklearn as wl
from weaklearn.theory import bounds, games

M = np.array([[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]])  # rock, paper, scissors
value, P, Q = games.solve(M)
print("value", round(value, 6), "rows", P.round(3), "columns", Q.round(3))

# %% tags=["check"]
assert np.isclose(value, 0.5)

# %% [markdown]
# ## Learning to play
#
# Multiplicative weights need not know the game: they see the column that the other side plays,
# and multiply the weight of row $i$ by $e^{-\eta M(i, j)}$. What they lose beyond the best single
# row, the *regret*, is bounded against any opponent.

# %%
played = games.play(M, 500)
print(f"value {value:.3f}, held between {played.lower_from_Q:.3f} and {played.upper_from_P:.3f}")
print("rounds for a mean regret of 0.05:", bounds.mw_rounds(3, 0.05))
figure, ax = plt.subplots(figsize=(7, 3.4), layout="constrained")
ax.plot(played.regret, color="#0072b2", label="regret")
ax.plot(played.regret_bound, color="#d55e00", label="its bound")
ax.set(xlabel="rounds", ylabel="sum of losses")
ax.legend()

# %% tags=["check"]
assert (played.regret <= played.regret_bound + 1e-9).all()

# %% [markdown]
# ## Edges become margins
#
# Now let rows be the ten points and columns all stumps, with $M(i, h) = y_i h(x_i)$. The value of
# this game has two readings. For the examples: under every distribution some stump has an edge of
# at least $\gamma$. For the stumps: some vote gives every example a margin of at least $2\gamma$.
# They are one number.

# %%
X, y = wl.datasets.toy()
columns = []
for j in range(2):
    cuts = np.unique(X[:, j])
    for cut in [cuts[0] - 1, *(cuts[1:] + cuts[:-1]) / 2]:
        h = np.where(X[:, j] > cut, 1, -1)
        columns += [y * h, -y * h]
pool = games.weak_learnability(np.array(columns).T)
print(f"every distribution leaves some stump an edge of {pool.gamma:.4f}")
print(f"some vote gives every point a margin of {pool.value:.4f}")

# %% tags=["check"]
assert np.isclose(pool.value, 2 * pool.gamma)
assert np.isclose(pool.value, 1 / 3)

# %% [markdown]
# ## Boosting plays it
#
# The booster is the row player: its distribution is its mixture, the rule of the round the other
# side's best answer. Equal votes are multiplicative weights with a fixed step
# ([`AlphaBoostClassifier`](../canon/planned.md)); AdaBoost chooses its steps. Both come near the
# value:

# %%
for booster in (
    wl.AlphaBoostClassifier(n_estimators=600, alpha=0.05),
    wl.AdaBoostClassifier(n_estimators=600),
    wl.LPBoostClassifier(nu=0.1),
):
    least = booster.fit(X, y).margins(X, y).min()
    print(f"{type(booster).__name__:22} smallest margin {least:.4f} of {pool.value:.4f}")

# %% tags=["check"]
assert least <= pool.value + 1e-9

# %% [markdown]
# ## Exercises
#
# **1.** What is the value of matching pennies, [[1, 0], [0, 1]], and how should one play?

# %% tags=["answer"]
value, P, Q = games.solve(np.eye(2))
print(f"value {value:.3f}: rows {P.round(3)}, columns {Q.round(3)}")

# %% tags=["check"]
assert np.isclose(value, 0.5)
assert np.allclose(P, 0.5)

# %% [markdown]
# **2.** After how many rounds is the mean regret of multiplicative weights over 1,000 rows below
# 0.1? And over a million?

# %% tags=["answer"]
for n in (1000, 1_000_000):
    print(f"{n:>9,} rows: {bounds.mw_rounds(n, 0.1)} rounds")

# %% tags=["check"]
assert bounds.mw_rounds(1_000_000, 0.1) < 2.2 * bounds.mw_rounds(1000, 0.1)

# %% [markdown]
# ## Where it is from
#
# Schapire and Freund (2012), *Boosting: Foundations and Algorithms*, chapter 6; Freund and
# Schapire (1999), *Adaptive game playing using multiplicative weights*. [The
# books](../references.md) lists them by chapter.
