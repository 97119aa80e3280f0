"""Reranking: a parser proposes trees, and boosted features put the right one first."""

from weaklearn import BoostReranker

# For each sentence the candidates of a parser: its log-likelihood, and what the tree looks like.
# "with" may belong to the verb or to the noun; the parser likes the noun too much.
SENTENCES = {
    "She ate the soup with a spoon": [
        (-2.1, ["verb + tool"], True),
        (-1.4, ["noun + tool"], False),
    ],
    "He saw the man with a dog": [
        (-1.9, ["noun + companion"], True),
        (-2.0, ["verb + companion"], False),
    ],
    "They cut the bread with a knife": [
        (-2.4, ["verb + tool"], True),
        (-1.2, ["noun + tool"], False),
    ],
    "I know the girl with red hair": [
        (-1.1, ["noun + feature"], True),
        (-2.7, ["verb + feature"], False),
    ],
    "We opened the door with a key": [
        (-2.0, ["verb + tool"], True),
        (-1.6, ["noun + tool"], False),
        (-3.0, ["verb + tool", "odd order"], False),
    ],
    "She bought the house with a garden": [
        (-1.3, ["noun + feature"], True),
        (-1.5, ["verb + feature"], False),
    ],
}
lists = [
    [{"loglik": loglik, "features": features} for loglik, features, _ in candidates]
    for candidates in SENTENCES.values()
]
best = [[right for *_, right in candidates].index(True) for candidates in SENTENCES.values()]

first = sum(max(each, key=lambda c: c["loglik"]) is each[k] for each, k in zip(lists, best)) / len(
    lists
)
model = BoostReranker(n_estimators=10).fit(lists, best)
print(f"right tree first: parser alone {first:.0%}, reranked {model.score(lists, best):.0%}\n")
print(model.rules())

new = [
    {"loglik": -1.0, "features": ["noun + tool"]},
    {"loglik": -1.8, "features": ["verb + tool"]},
]
print("\nHe hit the nail with a hammer: the tool belongs to the", end=" ")
print(["noun", "verb"][int(model.predict([new])[0])])
