# %% [markdown]
# # 12. Spam
#
# The founding text (Schapire and Freund 2012) opens with a spam filter. An expert is asked for
# rules of thumb ("if it contains *buy now*, it is spam"); each is only a little better than a
# guess; boosting makes a filter of them. Here the rules are found in 180 short messages, made up
# for this library.

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
assert model.predict(["Claim your free prize now"])[0] == "spam"

# %% [markdown]
# [A spam filter](../spam.md) says how mail, folders and tables are read, and how false positives
# are limited.
