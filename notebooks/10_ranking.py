# %% [markdown]
# # 10. Ranking
#
# What comes first? A preference is a pair: $v$ should be above $u$. RankBoost keeps a
# distribution over pairs, asks for a rule that puts much of it in order, and gives the rule the
# vote
#
# $$\alpha = \frac{1}{2} \ln \frac{W_+}{W_-}$$
#
# where $W_+$ and $W_-$ weigh the pairs that it puts in order and the wrong way round. The share
# of pairs that are not in order is at most $\prod_t Z_t$.
#
# **Letters.** $u$ and $v$ are items of a pair. $W_+$, $W_-$ and $Z_t$ are sums of weights of
# pairs, $\alpha$ is the vote of a rule. The *grade* of an item says how good it is; all items of
# a higher grade should be above all of a lower one.

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import roc_auc_score

import weaklearn as wl
from weaklearn.metrics import mean_reciprocal_rank, ndcg, rank_loss

rng = np.random.default_rng(0)
films = rng.normal(size=(400, 4))
liking = films[:, 0] - films[:, 1] + 0.4 * rng.normal(size=400)
stars = np.digitize(liking, [-1, 0, 1])
model = wl.RankBoost(n_estimators=60).fit(films[:300], stars[:300])
print(model.certify())
print(f"pairs of new films in order: {model.score(films[300:], stars[300:]):.3f}")

# %%
Z = np.cumprod(model.history_["Z"])
figure, ax = plt.subplots(figsize=(7, 3.2), layout="constrained")
ax.plot(range(1, len(Z) + 1), Z, color="#d55e00", label="product of Z")
staged = [rank_loss(stars[:300], F) for F in model.staged_predict(films[:300])]
ax.plot(range(1, len(Z) + 1), staged, color="#0072b2", label="pairs not in order")
ax.set(xlabel="rounds", ylabel="share", ylim=(0, 1))
ax.legend()

# %% tags=["check"]
assert all(loss <= bound + 1e-9 for loss, bound in zip(staged, Z))

# %% [markdown]
# ## Two grades: the area under the ROC curve
#
# With two grades every preference is between a good and a bad item, and the share of pairs in
# order is the area under the ROC curve.

# %%
good = (stars >= 2).astype(int)
two = wl.RankBoost(n_estimators=40).fit(films[:300], good[:300])
F = two.predict(films[300:])
in_order, area = two.score(films[300:], good[300:]), roc_auc_score(good[300:], F)
print(f"pairs in order {in_order:.4f}, area {area:.4f}")

# %% tags=["check"]
assert np.isclose(in_order, area)

# %% [markdown]
# ## Pairs of one's own, and how good an order is

# %%
pairs = [(u, v) for u, v in rng.integers(0, 300, size=(2000, 2)) if liking[u] < liking[v]]
chosen = wl.RankBoost(n_estimators=40).fit(films[:300], pairs=pairs)
F = chosen.predict(films[300:])
first = mean_reciprocal_rank(good[300:], F)
print(f"{len(pairs)} pairs; ndcg {ndcg(stars[300:], F):.3f}, reciprocal rank {first:.3f}")

# %% [markdown]
# [Ranking](../canon/ranking.md) is about groups, about lists of candidates, and why pairs are
# never listed where they come from grades.

# %% [markdown]
# ## Exercises
#
# **1.** How many pairs are there between 100 good and 200 bad items, and what share is in order
# when all scores are equal, with ties counted half?

# %% tags=["answer"]
print(100 * 200, "pairs;", roc_auc_score([1] * 100 + [0] * 200, np.zeros(300)))

# %% tags=["check"]
assert roc_auc_score([1] * 100 + [0] * 200, np.zeros(300)) == 0.5

# %% [markdown]
# **2.** The rank loss does not see the sizes of scores. Check it on a monotone function of them.

# %% tags=["answer"]
scores = model.predict(films[300:])
print(rank_loss(stars[300:], scores), rank_loss(stars[300:], np.exp(scores)))

# %% tags=["check"]
assert np.isclose(rank_loss(stars[300:], scores), rank_loss(stars[300:], np.exp(scores)))

# %% [markdown]
# ## Where it is from
#
# Schapire and Freund (2012), *Boosting: Foundations and Algorithms*, chapter 11; Freund, Iyer,
# Schapire and Singer (2003), *An efficient boosting algorithm for combining preferences*. [The
# books](../references.md) lists them by chapter.
