"""Boosting on a blackboard: ten points, three rounds, and how the weights move.

Each picture shows the points at their places, + and - for the labels, in brackets those that the
round's rule gets wrong, and below it the weights under which the rule was found.
"""

import weaklearn as wl


def board(X, y, wrong):
    """The points on a grid, ten high and ten wide."""
    rows = [["  .  "] * 10 for _ in range(10)]
    for (x1, x2), label, mistaken in zip(X.astype(int), y, wrong):
        sign = "+" if label > 0 else "-"
        rows[10 - x2][x1 - 1] = f" [{sign}] " if mistaken else f"  {sign}  "
    return "\n".join("".join(row) for row in rows)


X, y = wl.datasets.toy()
for r in wl.rounds(wl.AdaBoostClassifier(n_estimators=3), X, y):
    wrong = r.h.predict(X) != y
    side = "right of" if r.h.feature_ == 0 else "above"
    sign = "+" if r.h.polarity_ > 0 else "-"
    print(f"Round {r.t}: {side} {r.h.threshold_} answer {sign}")
    print(board(X, y, wrong))
    print("weights   ", " ".join(f"{weight:.2f}" for weight in r.D))
    print("mistakes  ", "    ".join("x" if mistaken else "." for mistaken in wrong))
    print(f"error {r.epsilon:.2f}, vote {r.alpha:.2f}")
    right = int((y * r.F > 0).sum())
    print(f"the vote so far is right about {right} of 10 points\n")
