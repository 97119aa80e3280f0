"""The data types every package uses: sample, hypothesis, booster, ensemble, record, certificate."""

from __future__ import annotations

from ..lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "booster": "Booster Callback History Played Round State Stop play",
        "certificate": "Certificate Certificates",
        "ensemble": "Ensemble StackedEnsemble",
        "hypothesis": "Form FormError Hypothesis NoHypothesis Oracle WeakLearner",
        "messages.table": "Table",
        "messages.warnings": "BoostingWarning DataWarning InconsistentVersionWarning PassesWarning "
        "ThreadsWarning WeaklearnWarning",
        "sample": "ABSTAINED RIGHT WRONG Cells Correctness Distribution Rows Sample",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
