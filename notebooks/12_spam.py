# %% [markdown]
# # 12. Spam
#
# The founding text (Schapire and Freund 2012) opens with a spam filter. An expert is asked for
# rules of thumb ("if it contains *buy now*, it is spam"); each is only a little better than a
# guess; boosting makes a filter of them. Here the rules are found in 180 short messages, made up
# for this library.
#
# **Letters.** A *term* is a word or a mark of a message. The *score* is a sum over the terms in
# it; above 0 it is spam. A *fold* is a part of the messages that is kept for testing.

# %%
import numpy as np
from sklearn.model_selection import StratifiedKFold

import weaklearn as wl

texts, labels = wl.datasets.messages()
texts, labels = np.asarray(texts, object), np.asarray(labels)
for kind in ("spam", "ham"):
    print(f"{kind}: {texts[labels == kind][0]}")

# %%
model = wl.SpamFilter(n_estimators=60).fit(texts, labels)
print(model.rules(8))

# %% tags=["check"]
assert model.predict(["Claim your free prize now"])[0] == "spam"

# %% [markdown]
# ## Why?
#
# The score of a message is a sum over its words, so that every prediction can be explained:

# %%
print(model.explain("Dear Ann, win our prize: see the link"))

# %% [markdown]
# ## One rule, and sixty
#
# Judged on messages that were not learnt from:

# %%
folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(texts, labels))
for n in (1, 5, 20, 60):
    wrong = 0
    for seen, new in folds:
        learnt = wl.SpamFilter(n_estimators=n).fit(texts[seen], labels[seen])
        wrong += int((learnt.predict(texts[new]) != labels[new]).sum())
    print(f"{n:3} rules: {wrong:3} of {len(texts)} messages wrong")

# %% [markdown]
# ## Learning on
#
# A correction moves the weights of sleeping experts, one for each term of the rules, awake where
# the term is. The number of mistakes stays near that of the best of them, whatever comes.

# %%
club = "Our club gives a free prize to every member: claim it now at the desk"
print("before:", model.predict([club])[0])
while model.predict([club])[0] == "spam":
    model.update(club, "ham")
print(f"after {model.n_updates_} corrections:", model.predict([club])[0])

# %% tags=["check"]
assert model.predict(["Claim your free prize now"])[0] == "spam"

# %% [markdown]
# [A spam filter](../spam.md) says how mail, folders and tables are read, and how false positives
# are limited.

# %% [markdown]
# ## Exercises
#
# **1.** Which words speak most against spam? Write a message of them and of *free*, and see which
# side wins.

# %% tags=["answer"]
verdict = model.explain("the report is free, and the meeting is over lunch")
print(verdict)

# %% tags=["check"]
by = dict(verdict.reasons)
assert by["the"] < 0 < by["free"]

# %% [markdown]
# **2.** What does a filter that says *ham* always get wrong here? Is the error of the last line
# above far below it?

# %% tags=["answer"]
print(f"always ham: {(labels == 'spam').sum()} of {len(labels)} wrong")
print(f"sixty rules: {wrong}")

# %% tags=["check"]
assert wrong < (labels == "spam").sum() / 2

# %% [markdown]
# ## Where it is from
#
# Schapire and Freund (2012), *Boosting: Foundations and Algorithms*, the opening of chapter 1;
# sleeping experts: Blum, Hopcroft and Kannan (2020), *Foundations of Data Science*, chapter 5.
# [The books](../references.md) lists them by chapter.
