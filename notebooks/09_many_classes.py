# %% [markdown]
# # 9. Many classes
#
# A rule that names one of ten digits is hardly ever right half of the time. There are three ways
# out: ask for stronger rules, ask every label a question of its own, or turn classes into codes.
#
# **Letters.** $K$ classes are counted by $\ell$. $D(i, \ell)$ is the weight of the question
# whether example $i$ has the label $\ell$. $\varepsilon_t$ is the weighted error of round $t$,
# $Z_t$ what the new weights are divided by.

# %%
import numpy as np
from sklearn.datasets import load_digits, make_multilabel_classification

import weaklearn as wl

X, y = load_digits(return_X_y=True)
X, X_test, y, y_test = X[:1200], X[1200:], y[:1200], y[1200:]

# %% [markdown]
# ## Stronger rules: AdaBoost.M1
#
# Trees err on less than half of the weight, and the theorem is that of two classes: the training
# error is at most $\prod_t 2 \sqrt{\varepsilon_t (1 - \varepsilon_t)}$.

# %%
m1 = wl.AdaBoostM1Classifier("tree", n_estimators=30).fit(X, y)
one, thirty = (1 - model.score(X_test, y_test) for model in (m1.truncate(1), m1))
print(f"one tree {one:.3f}, thirty {thirty:.3f}")
print(m1.certify(X, y).training[0])

# %% [markdown]
# ## A question for every label: AdaBoost.MH
#
# Weights are on pairs of an example and a label, $D(i, \ell)$. One test parts the examples, the
# same for all labels, and each side answers every label with a confidence. The Hamming loss, the
# share of wrong pairs, is at most $\prod_t Z_t$.

# %%
mh = wl.AdaBoostMHClassifier(n_estimators=100).fit(X, y)
for certificate in mh.certify(X, y).training[:2]:
    print(certificate)
print(f"stumps, 100 rounds: test error {1 - mh.score(X_test, y_test):.3f}")

# %% [markdown]
# ## Classes as codes: AdaBoost.MO
#
# Every class has a word of bits; the bits are learnt, and the class of the nearest word is the
# answer. Some bits may be wrong.

# %%
others = {
    "MO, a random code": wl.AdaBoostMOClassifier(n_estimators=60, random_state=0),
    "one against the rest": wl.OneVsRestBooster(wl.AdaBoostClassifier(n_estimators=60)),
    "every two": wl.AllPairsBooster(wl.AdaBoostClassifier(n_estimators=20)),
    "stumps that name a class (SAMME)": wl.AdaBoostClassifier(multiclass="samme"),
}
errors = {name: 1 - model.fit(X, y).score(X_test, y_test) for name, model in others.items()}
for name, error in errors.items():
    print(f"{name:34} test error {error:.3f}")

# %% tags=["check"]
assert errors["stumps that name a class (SAMME)"] > 1 - mh.score(X_test, y_test)

# %% [markdown]
# ## Several labels per row
#
# The same algorithm takes rows with any number of labels. [Many labels](../canon/labels.md) has the
# guarantees, [reductions](../canon/reductions.md) the other ways.

# %%
Z, Y = make_multilabel_classification(600, 10, n_classes=4, random_state=0)
several = wl.AdaBoostMHClassifier(n_estimators=50).fit(Z[:400], Y[:400])
print("predicted", several.predict(Z[400:403]).tolist())
print("true     ", Y[400:403].tolist())
print("Hamming loss", round(wl.metrics.hamming_loss(Y[400:], several.predict(Z[400:])), 3))

# %% tags=["check"]
assert np.mean(several.predict(Z[400:]) != Y[400:]) < 0.25

# %% [markdown]
# ## Exercises
#
# **1.** Guessing one of ten digits is right in a tenth of the cases. How much better than that is
# one stump, and is it enough for M1?

# %% tags=["answer"]
stump = wl.DecisionStumpClassifier().fit(X, y)
print(f"one stump is right on {stump.score(X, y):.3f}; M1 asks for more than 0.5")

# %% tags=["check"]
assert 0.1 < stump.score(X, y) < 0.5

# %% [markdown]
# **2.** How many bits tell ten classes apart, and how many errors can a code of 60 random bits
# bear, where two words differ in at least 20?

# %% tags=["answer"]
print(f"{int(np.ceil(np.log2(10)))} bits; {(20 - 1) // 2} errors")

# %% tags=["check"]
assert 2**3 < 10 <= 2**4

# %% [markdown]
# ## Where it is from
#
# Schapire and Freund (2012), *Boosting: Foundations and Algorithms*, chapter 10; Schapire and
# Singer (1999), *Improved boosting algorithms using confidence-rated predictions*. [The
# books](../references.md) lists them by chapter.
