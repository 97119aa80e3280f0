"""The data types every package uses: sample, hypothesis, booster, ensemble, record, certificate."""

from __future__ import annotations

from ..lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "booster": "Booster Callback Played Round State Stop play",
        "certificate": "Certificate Certificates",
        "ensemble": "Ensemble StackedEnsemble",
        "history": "History",
        "hypothesis": "Form FormError Hypothesis NoHypothesis Oracle WeakLearner",
        "messages.table": "Table",
        "messages.warnings": "BoostingWarning DataWarning InconsistentVersionWarning PassesWarning "
        "ThreadsWarning WeaklearnWarning",
        "rows": "Cells Rows",
        "sample": "ABSTAINED RIGHT WRONG Correctness Distribution Sample",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
