"""The families of estimators, in the order of the documentation."""

from __future__ import annotations

from .row import Family

BOOSTERS = Family(
    "Boosters",
    "A game of rounds: a weak learner against a distribution. They differ in how the weights "
    "move, how the votes are found, and what is proved.",
)
TREES = Family(
    "Trees and forests",
    "Rules that ask one question, trees that ask several, and averages of many.",
)
READABLE = Family("Readable models", "Models to be read whole, checked, and corrected by hand.")
MANY_CLASSES = Family("Many classes", "More than two classes, and several labels a row.")
RANKING = Family("Ranking", "What comes first, learnt from preferences.")
ONLINE = Family(
    "Online learners",
    "One example at a time: predict, be told, move. Kernels and experts are among them.",
)
SIMPLE = Family("Simple learners", "The learners of the theory: exact, with what guarantees them.")
TEXT = Family("Text", "Words as rules of thumb: topics, spam, calls put through.")
FACES = Family("Faces", "Rectangle features, boosted windows, cascades.")

FAMILIES = (BOOSTERS, TREES, READABLE, MANY_CLASSES, RANKING, ONLINE, SIMPLE, TEXT, FACES)
