"""The experiments, in the order of the page: their names, sources and functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .bias_and_variance import bias_and_variance
from .faces import faces
from .games_and_margins import games_and_margins
from .heart_disease import heart_disease
from .label_noise import label_noise
from .letters import letters
from .online_bounds import online_bounds
from .result import Result
from .sample_complexity import sample_complexity
from .setting import Setting
from .spam import spam
from .ten_points import ten_points
from .topics import topics
from .uci_tables import uci_tables


@dataclass(frozen=True)
class Experiment:
    """One experiment: ``needs`` says in words which data it asks for."""

    name: str
    title: str
    source: str
    needs: str
    run: Callable[[Setting], Result]


_BOOK = "Schapire and Freund (2012), Boosting: Foundations and Algorithms"
_SIMULATED = "nothing; its data are simulated"
EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment(
            "ten-points", "Ten points, three rounds", f"{_BOOK}, table 1.1", "nothing", ten_points
        ),
        Experiment(
            "heart-disease",
            "Heart disease by boosted stumps",
            f"{_BOOK}, section 1.2",
            "heart_disease.csv, or a download",
            heart_disease,
        ),
        Experiment(
            "letters",
            "Letters by boosted C4.5, and margins",
            "Schapire, Freund, Bartlett and Lee (1998), Boosting the margin",
            "letter.csv, or a download",
            letters,
        ),
        Experiment(
            "uci-tables",
            "A stump and C4.5, alone, boosted and bagged",
            "Freund and Schapire (1996), Experiments with a new boosting algorithm, table 2",
            "the tables of then as NAME.csv; iris comes along, heart disease and letters are "
            "downloaded",
            uci_tables,
        ),
        Experiment(
            "bias-variance",
            "Bagging against boosting: bias and variance",
            "Breiman (1996), Bias, variance, and arcing classifiers; Schapire and others (1998)",
            "nothing; with heart_disease.csv, ionosphere.csv and german_credit.csv also these",
            bias_and_variance,
        ),
        Experiment(
            "label-noise",
            "Wrong labels",
            "Dietterich (2000); Long and Servedio (2010), Random classification noise defeats all "
            "convex potential boosters",
            "nothing; the table comes with scikit-learn",
            label_noise,
        ),
        Experiment(
            "spam",
            "Spam by two hundred stumps",
            "the size of the error on Spambase, as often quoted",
            "spambase.csv, or a download",
            spam,
        ),
        Experiment(
            "topics",
            "Topics of news: real, discrete and ranking rules",
            "Schapire and Singer (1999), Improved boosting algorithms; (2000), BoosTexter",
            "reuters_r8_train.csv.gz and reuters_r8_test.csv.gz; else messages that come along",
            topics,
        ),
        Experiment(
            "faces",
            "Faces in photographs",
            "Viola and Jones (2001), Rapid object detection, table 2",
            "photos/ with boxes.csv; detector.weak, or faces_caltech24.npz and nonface_scenes/ to "
            "train one; haarcascade_frontalface_alt2.xml",
            faces,
        ),
        Experiment(
            "online-bounds",
            "One example at a time: mistakes and bounds",
            "Novikoff (1962); Littlestone (1988); Freund and Schapire (1997); Freund, Schapire, "
            "Singer and Warmuth (1997)",
            _SIMULATED,
            online_bounds,
        ),
        Experiment(
            "games",
            "Games, their values, and margins",
            "von Neumann (1928); Freund and Schapire (1999), Adaptive game playing",
            _SIMULATED,
            games_and_margins,
        ),
        Experiment(
            "sample-complexity",
            "How many examples are enough",
            "Blumer, Ehrenfeucht, Haussler and Warmuth (1989), Learnability and the "
            "Vapnik-Chervonenkis dimension",
            _SIMULATED,
            sample_complexity,
        ),
    )
}
