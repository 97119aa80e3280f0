"""The row of one public estimator in the registry, and the families that rows belong to."""

from __future__ import annotations

from typing import Literal, NamedTuple

MODELS = range(100, 1100)  # numbers that files know estimators by
AROUND = "around"  # a wrapper: the runtime loads the model in it


class Family(NamedTuple):
    """Estimators that belong together in the documentation."""

    title: str
    about: str


class Knob(NamedTuple):
    """A parameter of a booster that can be turned in the lab; ``first`` is its own default.

    None is a default that the booster finds from the data.
    """

    name: str
    label: str
    least: float
    most: float
    first: float | None


class Lab(NamedTuple):
    """A booster as the lab offers it.

    ``bound`` names the bound on the training error that is drawn beside it (``lab/choices.py``).
    """

    key: str
    name: str
    summary: str
    bound: Literal["exponential", "logistic", "capped"] | None = None
    knobs: tuple[Knob, ...] = ()


class Row(NamedTuple):
    """One public estimator: what every list of the library holds of it.

    ``home``: module and name of the class, from ``weaklearn`` on.
    ``boosters``: module and name of the classes of ``weaklearn.boosters`` that it brings, in an
    order that stays: files number them by it.
    ``number``: its number in model files, never reused; None where it is not saved.
    ``kept``: the rule by which model files keep it (a ``Kept``, or a function that makes one of
    the row and what follows), by module and name.
    ``runtime``: the class of ``weaklearn.runtime`` that predicts for it; None where there is none.
    ``odds``: the rule of ``losses/links.py`` that turns its scores into half the log-odds.
    ``command``, ``predicts``, ``reads``: its name on the command line, and for which data.
    ``lab``: how the lab offers it.
    ``family``, ``page``: where the documentation puts it, and the page that tells of it.
    """

    home: str
    family: Family
    page: str
    boosters: tuple[str, ...] = ()
    number: int | None = None
    kept: tuple[str, ...] = ()
    runtime: str | None = None
    odds: Literal["votes", "half", "loss", "edge", "smooth"] = "votes"
    command: str | None = None
    predicts: Literal["classes", "numbers"] = "classes"
    reads: Literal["columns", "texts", "images"] = "columns"
    lab: Lab | None = None

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.home.rpartition(".")[2]

    @property
    def address(self) -> str:
        """Module and name of the class."""
        return f"weaklearn.{self.home}"

    @property
    def module(self) -> str:
        """The module of the class, from ``weaklearn`` on."""
        return self.home.rpartition(".")[0]

    @property
    def schemes(self) -> tuple[str, ...]:
        """The names of its boosters, which a fitted model stores as its scheme."""
        return tuple(booster.rpartition(".")[2] for booster in self.boosters)


BOOSTERS = Family(
    "Boosters",
    "In each round a weak learner is fitted under a distribution. They differ in how the weights "
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
