"""The words every room uses: sample, hypothesis, booster, ensemble, record, certificate."""

from .booster import Booster, State
from .certificate import Certificate, Certificates
from .distribution import RIGHT, SILENT, WRONG, Distribution, Verdict
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
    "RIGHT",
    "SILENT",
    "WRONG",
    "Booster",
    "BoostingWarning",
    "Callback",
    "Cells",
    "Certificate",
    "Certificates",
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
    "Verdict",
    "WeakLearner",
    "WeaklearnWarning",
    "play",
    "rounds",
]
