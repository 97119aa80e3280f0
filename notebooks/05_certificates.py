# %% [markdown]
# # 5. Certificates
#
# What is known of the error on rows to come? A theorem about it needs assumptions (rows drawn
# independently, from one source), some of which can be checked and some of which cannot.
# `certify` applies all that the library knows and says of each what was checked, what is assumed,
# and both numbers.
#
# **Letters.** $\mathrm{err}$ is the true error, the probability that a new row is answered
# wrongly; with a hat it is the share among rows at hand. $n$ is the number of test rows, $m$ that
# of training rows. $\delta$ is the probability with which a statement may fail. $\mathcal{H}$ is
# the set that rules are chosen from, $|\mathcal{H}|$ their number; $f$ is the score over the sum
# of the votes, $\theta$ a margin.

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import weaklearn as wl
from weaklearn.theory import bounds, simulate

X, X_test, y, y_test = train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)
model = wl.AdaBoostClassifier(n_estimators=20).fit(X, y)
certificates = model.certify(X, y, X_test, y_test)
best = certificates[0]
print(best)
print("checked:", *best.checked)
print("assumed:", *best.assumed)

# %% [markdown]
# ## A test set is one hypothesis, fixed before
#
# With $k$ errors on $n$ rows that nobody has looked at, the true error is in an exact interval of
# the binomial distribution; Hoeffding's inequality is simpler and wider:
#
# $$\mathrm{err} \le \widehat{\mathrm{err}} + \sqrt{\frac{\ln(1/\delta)}{2n}}$$

# %%
k, n = int((model.predict(X_test) != y_test).sum()), len(y_test)
exact, simple = bounds.binomial_upper(k, n, 0.05), bounds.single_upper(k / n, n, 0.05)
print(f"{k} errors on {n} rows: at most {exact:.4f} by the binomial, {simple:.4f} by Hoeffding")

# %% tags=["check"]
assert k / n < exact < simple

# %% [markdown]
# ## Training rows alone
#
# A vote of $T$ rules was chosen by the data, so it must pay for the choice: by the number of
# rules it was chosen from, by bits, by the VC dimension, or by margins. On a few hundred rows all
# of these bounds say nothing, and the table says *vacuous*; the theorems are about the rate at
# which they fall. Margins do not mention the number of rounds at all:
#
# $$\mathrm{err}(f) \le \widehat{\Pr}[y f(x) \le \theta]
# + O\left(\sqrt{\frac{\ln |\mathcal{H}|}{m \theta^2}}\right)$$

# %%
for certificate in certificates.truth[2:6]:
    verdict = "says nothing" if certificate.bound >= 1 else ""
    print(f"{certificate.id:14} {certificate.bound:6.3f} {verdict}")

# %%
m = np.logspace(2.5, 7, 40)
figure, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
colours = ("#0072b2", "#d55e00", "#009e73")
for d, colour in zip((2, 10, 50), colours):
    curve = [bounds.consistent_vc(int(rows), d, 0.05) for rows in m]
    ax.plot(m, curve, color=colour, label=f"VC dimension {d}")
ax.axhline(1, color="0.6", linewidth=1)
ax.set(
    xscale="log",
    ylim=(0, 1.3),
    xlabel="training rows, none of them wrong",
    ylabel="true error, at most",
)
ax.legend()

# %% [markdown]
# ## Theorems tried out
#
# On thresholds on the line the true error is known, so that a bound can be held against it many
# times. It must fail in at most a share $\delta$ of the trials:

# %%
trial = simulate.thresholds("finite_class_upper", m=200, delta=0.1, trials=300)
print(trial)

# %% tags=["check"]
assert trial.holds

# %% [markdown]
# ## Sets that cover
#
# If a label is to be right in 90 of 100 cases, say several where in doubt. Conformal prediction
# needs nothing but rows to calibrate on:

# %%
X_cal, X_new, y_cal, y_new = train_test_split(X_test, y_test, test_size=0.5, random_state=0)
model.conformalize(X_cal, y_cal)
sets = model.predict_set(X_new)
matrix = np.asarray(sets)
covered = matrix[np.arange(len(y_new)), np.searchsorted(model.classes_, y_new)].mean()
n_labels = matrix.sum(axis=1).mean()
print(f"covered: {covered:.3f} of {len(y_new)} rows; labels per row: {n_labels:.2f}")

# %% [markdown]
# ## Exercises
#
# **1.** No error on 100 test rows: how large can the true error be, at 95 %? (Once by the
# binomial, once by Hoeffding.)

# %% tags=["answer"]
print(f"{bounds.binomial_upper(0, 100, 0.05):.4f}, {bounds.single_upper(0.0, 100, 0.05):.4f}")
print(f"by hand: 1 - 0.05^(1/100) = {1 - 0.05 ** (1 / 100):.4f}")

# %% tags=["check"]
assert np.isclose(bounds.binomial_upper(0, 100, 0.05), 1 - 0.05 ** (1 / 100))

# %% [markdown]
# **2.** How many test rows does Hoeffding's inequality need for an interval half as wide?

# %% tags=["answer"]
wide, narrow = (bounds.single_upper(0.1, n, 0.05) - 0.1 for n in (400, 1600))
print(f"{wide:.4f} with 400 rows, {narrow:.4f} with 1,600")

# %% tags=["check"]
assert np.isclose(wide, 2 * narrow)

# %% [markdown]
# ## Where it is from
#
# Schapire and Freund (2012), *Boosting: Foundations and Algorithms*, chapters 2, 4 and 5; Shalev-
# Shwartz and Ben-David (2014), *Understanding Machine Learning*, chapters 2 to 7; Blum, Hopcroft
# and Kannan (2020), *Foundations of Data Science*, chapter 5. [The books](../references.md) lists
# them by chapter.
