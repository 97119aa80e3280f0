"""The data types every package uses: sample, hypothesis, booster, ensemble, record, certificate."""

from .booster import Booster, State
from .certificate import Certificate, Certificates
from .distribution import ABSTAINED, RIGHT, WRONG, Correctness, Distribution
from .ensemble import Ensemble, StackedEnsemble
from .hypothesis import Form, FormError, Hypothesis, NoHypothesis, Oracle, WeakLearner
from .messages.table import Table
from .messages.warnings import (
    BoostingWarning,
    DataWarning,
    PassesWarning,
    ThreadsWarning,
    WeaklearnWarning,
)
from .record import Callback, History, Round, Stop
from .rounds import Played, play, rounds
from .sample import Cells, Rows, Sample

__all__ = [
    "ABSTAINED",
    "RIGHT",
    "WRONG",
    "Booster",
    "BoostingWarning",
    "Callback",
    "Cells",
    "Certificate",
    "Certificates",
    "Correctness",
    "DataWarning",
    "Distribution",
    "Ensemble",
    "Form",
    "FormError",
    "History",
    "Hypothesis",
    "NoHypothesis",
    "Oracle",
    "PassesWarning",
    "Played",
    "Round",
    "Rows",
    "Sample",
    "StackedEnsemble",
    "State",
    "Stop",
    "Table",
    "ThreadsWarning",
    "WeakLearner",
    "WeaklearnWarning",
    "play",
    "rounds",
]
