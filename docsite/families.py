"""Which algorithm stands in which family, and which page of docs/ tells its story."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """Algorithms that belong together: names of ``weaklearn``, each with the page of its story."""

    title: str
    about: str
    stories: dict[str, str]  # class to page


FAMILIES = [
    Family(
        "Boosters",
        "A game of rounds: a weak learner against a distribution. They differ in how the weights "
        "move, how the votes are found, and what is proved.",
        {
            "AdaBoostClassifier": "adaboost.md",
            "RealAdaBoostClassifier": "losses.md",
            "GentleBoostClassifier": "canon/noise.md",
            "AdaBoostLClassifier": "canon/logistic.md",
            "FilterBoostClassifier": "canon/logistic.md",
            "AnyBoostClassifier": "losses.md",
            "AnyBoostRegressor": "losses.md",
            "AdaBoostRegressor": "losses.md",
            "GradientBoostingClassifier": "gradient-boosting.md",
            "GradientBoostingRegressor": "gradient-boosting.md",
            "AdaBoostStarClassifier": "canon/margins.md",
            "ArcGVClassifier": "canon/margins.md",
            "CoordinateBoostClassifier": "canon/margins.md",
            "LPBoostClassifier": "canon/lp.md",
            "TotalBoostClassifier": "canon/lp.md",
            "SoftBoostClassifier": "canon/lp.md",
            "ERLPBoostClassifier": "canon/lp.md",
            "AlphaBoostClassifier": "canon/planned.md",
            "GammaMajorityClassifier": "canon/planned.md",
            "BoostByMajorityClassifier": "canon/planned.md",
            "MajorityOfThreeClassifier": "canon/planned.md",
            "MadaBoostClassifier": "canon/noise.md",
            "SmoothBoostClassifier": "canon/noise.md",
            "BrownBoostClassifier": "canon/brown.md",
            "NormalBoostClassifier": "canon/brown.md",
            "Boosted": "canon/own-booster.md",
        },
    ),
    Family(
        "Trees and forests",
        "Rules that ask one question, trees that ask several, and averages of many.",
        {
            "DecisionStumpClassifier": "stumps.md",
            "DecisionTreeClassifier": "trees.md",
            "DecisionTreeRegressor": "trees.md",
            "ID3Classifier": "trees.md",
            "BaggingClassifier": "forests.md",
            "BaggingRegressor": "forests.md",
            "RandomForestClassifier": "forests.md",
            "RandomForestRegressor": "forests.md",
        },
    ),
    Family(
        "Readable models",
        "Models to be read whole, checked, and corrected by hand.",
        {
            "AdditiveBoostingClassifier": "glass-box.md",
            "AdditiveBoostingRegressor": "glass-box.md",
            "ADTreeClassifier": "canon/readable.md",
            "SlipperClassifier": "canon/readable.md",
            "RuleClassifier": "canon/readable.md",
        },
    ),
    Family(
        "Many classes",
        "More than two classes, and several labels a row.",
        {
            "AdaBoostMHClassifier": "canon/labels.md",
            "AdaBoostMOClassifier": "canon/labels.md",
            "AdaBoostMRClassifier": "canon/labels.md",
            "AdaBoostM1Classifier": "canon/reductions.md",
            "AdaBoostM2Classifier": "canon/reductions.md",
            "OneVsRestBooster": "canon/reductions.md",
            "AllPairsBooster": "canon/reductions.md",
        },
    ),
    Family(
        "Ranking",
        "What comes first, learnt from preferences.",
        {"RankBoost": "canon/ranking.md", "BoostReranker": "canon/ranking.md"},
    ),
    Family(
        "Online learners",
        "One example at a time: predict, be told, move. Kernels and experts are among them.",
        {
            "Perceptron": "online.md",
            "AveragedPerceptron": "online.md",
            "MarginPerceptron": "online.md",
            "SGDClassifier": "online.md",
            "KernelPerceptron": "kernels.md",
            "KernelSVMClassifier": "kernels.md",
            "HingeLPClassifier": "kernels.md",
            "SleepingExperts": "experts.md",
            "HalvingClassifier": "experts.md",
            "OnlineDisjunction": "experts.md",
            "Hedge": "experts.md",
        },
    ),
    Family(
        "Simple learners",
        "The learners of the theory: exact, with what guarantees them.",
        {
            "ThresholdClassifier": "simple-learners.md",
            "IntervalUnionClassifier": "simple-learners.md",
            "ThreePieceClassifier": "simple-learners.md",
            "RectangleClassifier": "simple-learners.md",
            "MonomialClassifier": "simple-learners.md",
            "DisjunctionClassifier": "simple-learners.md",
            "CentroidClassifier": "simple-learners.md",
            "ERMClassifier": "simple-learners.md",
        },
    ),
    Family(
        "Text",
        "Words as rules of thumb: topics, spam, calls put through.",
        {
            "TermVectorizer": "terms.md",
            "BoosTexterClassifier": "text.md",
            "SpamFilter": "spam.md",
            "CallRouter": "routing.md",
        },
    ),
    Family(
        "Faces",
        "Rectangle features, boosted windows, cascades.",
        {"WindowClassifier": "faces.md", "CascadeDetector": "faces.md"},
    ),
]

# Rooms whose functions and classes share a page, by the title of the page.
ROOMS = {
    "Theory bounds": [
        "theory.bounds.concentration",
        "theory.bounds.finite",
        "theory.bounds.description",
        "theory.bounds.compression",
        "theory.bounds.dichotomies",
        "theory.bounds.growth",
        "theory.bounds.samples",
        "theory.bounds.training",
        "theory.bounds.rounds",
        "theory.bounds.margins",
        "theory.bounds.confidence",
        "theory.bounds.filtering",
        "theory.bounds.online",
    ],
    "Theory at work": ["theory", "theory.games", "theory.vc", "theory.simulate"],
    "Other rooms": [
        "losses",
        "metrics",
        "online",
        "datasets",
        "show",
        "vision",
        "text",
        "testing",
        "runtime",
        "lab",
    ],
}

# Public names that are no algorithm: what is done with models, and what comes out.
TOOLS = [
    "load",
    "inspect",
    "verify",
    "prove",
    "rounds",
    "compare",
    "Comparison",
    "Certificate",
    "History",
    "without_profile",
    "ModelFileError",
    "WeaklearnWarning",
    "DataWarning",
    "BoostingWarning",
    "PassesWarning",
    "ThreadsWarning",
]


def page_of(name: str) -> str:
    """The page of an algorithm or of a room.

    >>> page_of("AdaBoostClassifier"), page_of("theory.bounds.margins")
    ('algorithms/AdaBoostClassifier.md', 'algorithms/theory.bounds.margins.md')
    """
    return f"algorithms/{name}.md"


def pages() -> list[str]:
    """All pages of the reference."""
    algorithms = [page_of(name) for family in FAMILIES for name in family.stories]
    rooms = [page_of(room) for rooms in ROOMS.values() for room in rooms]
    return ["algorithms/index.md", *algorithms, *rooms, "algorithms/tools.md"]


def navigation() -> list[dict[str, object]]:
    """The reference as mkdocs' navigation has it."""
    entries: list[dict[str, object]] = [{"All of them": "algorithms/index.md"}]
    entries += [{f.title: [{n: page_of(n)} for n in f.stories]} for f in FAMILIES]
    entries += [
        {title: [{_short(room): page_of(room)} for room in rooms]} for title, rooms in ROOMS.items()
    ]
    return [*entries, {"Models kept and compared": "algorithms/tools.md"}]


def _short(room: str) -> str:
    return room.removeprefix("theory.bounds.")
