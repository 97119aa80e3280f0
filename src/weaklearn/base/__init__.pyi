# Made by `make stub` from the names that the module lists.
from .booster import Booster, Callback, Played, Round, State, Stop, play
from .certificate import Certificate, Certificates
from .ensemble import Ensemble, StackedEnsemble
from .history import History
from .hypothesis import Form, FormError, Hypothesis, NoHypothesis, Oracle, WeakLearner
from .messages.table import Table
from .messages.warnings import (
    BoostingWarning,
    DataWarning,
    InconsistentVersionWarning,
    PassesWarning,
    ThreadsWarning,
    WeaklearnWarning,
)
from .rows import Cells, Rows
from .sample import ABSTAINED, RIGHT, WRONG, Correctness, Distribution, Sample

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
    "InconsistentVersionWarning",
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
]
