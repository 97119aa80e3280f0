"""Cross-validation of several estimators on several data sets, with the same folds for all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..intake.parameters import integer, nearest, seed
from .arguments import datasets_by_name, estimators_by_name, fits, meant, scorers_by_name
from .result import Comparison
from .task import read_task
from .trial import Trial, failure_text, run_trial


def compare(
    estimators: Any,
    datasets: Any,
    *,
    cv: Any = 10,
    baseline: str | None = None,
    scoring: Any = None,
    curves: bool = True,
    random_state: Any = 0,
    n_jobs: int | None = 1,
    verbose: int = 0,
) -> Comparison:
    """Estimators cross-validated on data sets, the same shuffled folds for all of them.

    ``estimators`` is a list or a dict by name, ``datasets`` too; a data set is (X, y), (X, y,
    (train, test)) with row numbers, a Bunch of scikit-learn, or a function that returns one of
    these. Two classes, more classes and regression are told apart by y, folds are stratified for
    classes, and classifiers are tried on classes only, regressors on numbers only.

    Measured are, for classes, ``error``, ``log_loss``, ``auc`` (of one class against the rest,
    averaged) and ``calibration`` (the mean distance of what was said from what happened, over ten
    bins of equal count; of the probability of the second of two classes, else of the one
    answered); for numbers ``mse``, ``rmse``, ``mae`` and ``r2``; always ``fit_time`` and
    ``predict_time`` in seconds. ``scoring`` adds scorers of scikit-learn, as a list of their names
    or a dict. What fails is recorded with its text and ranks last; the others go on.

    ``cv`` is a number of folds or a splitter; ``curves=False`` leaves out the error after every
    round. ``random_state`` is the seed of the folds, and of every estimator that has none. With
    ``n_jobs`` trials run side by side, and their times then say less.

    >>> import weaklearn as wl
    >>> from sklearn.datasets import load_breast_cancer
    >>> stump = wl.DecisionStumpClassifier()
    >>> boosted = wl.AdaBoostClassifier(n_estimators=20)
    >>> datasets = [load_breast_cancer, wl.datasets.toy]
    >>> result = wl.compare({"stump": stump, "boosted": boosted}, datasets, cv=5)
    >>> print(result.table("error"))
    data set        stump  boosted
    breast_cancer  0.1089  0.04394
    toy               0.5      0.4
    mean rank           2        1
    """
    lineup = estimators_by_name(estimators)
    baseline = next(iter(lineup)) if baseline is None else baseline
    if baseline not in lineup:
        raise ValueError(
            f"baseline={baseline!r} is not allowed: it must be the name of an estimator, one of "
            f"{', '.join(map(repr, lineup))}.{nearest(baseline, list(lineup))}"
        )
    if isinstance(cv, str) or not hasattr(cv, "split"):
        integer("cv", cv, 2, others="a splitter of scikit-learn")
    integer("verbose", verbose, 0)
    scorers = scorers_by_name(scoring)
    start = seed("random_state", random_state)
    jobs = _jobs(lineup, datasets_by_name(datasets), cv, scorers, curves, start)
    return Comparison(_played(jobs, n_jobs, verbose), baseline, tuple(scorers))


Job = Callable[[], Trial]


def _jobs(
    lineup: Mapping[str, Any],
    sets: Mapping[str, Any],
    cv: Any,
    scorers: Any,
    curves: bool,
    start: int,
) -> Iterator[Job]:
    for name, given in sets.items():
        try:
            task = read_task(name, given, cv, start, meant(lineup.values()))
        except Exception as error:  # a loader may raise anything
            for key in lineup:
                yield _Failed(Trial(name, "unread", key, failure=failure_text(error)))
            continue
        for key, estimator in lineup.items():
            if fits(estimator, task.kind):
                yield _Run(key, estimator, task, scorers, curves, start)


class _Failed:
    """A trial whose data set could not be read."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def __call__(self) -> Trial:
        return self._trial


class _Run:
    """A trial to be run, in this or another process."""

    def __init__(
        self, name: str, estimator: Any, task: Any, scorers: Any, curves: bool, start: int
    ) -> None:
        self._what = (name, estimator, task)
        self._how = {"scorers": scorers, "curves": curves, "seed": start}

    def __call__(self) -> Trial:
        return run_trial(*self._what, **self._how)


def _played(jobs: Iterable[Job], n_jobs: int | None, verbose: int) -> list[Trial]:
    if n_jobs in (None, 1):
        trials: Iterable[Trial] = (job() for job in jobs)
    else:
        from joblib import Parallel, delayed

        trials = Parallel(n_jobs=n_jobs, return_as="generator")(delayed(job)() for job in jobs)
    played = []
    for trial in trials:
        played.append(trial)
        if verbose:
            print(_progress_line(trial), file=sys.stderr, flush=True)
    return played


def _progress_line(trial: Trial) -> str:
    result = trial.failure or ", ".join(f"{key} {value:.4g}" for key, value in trial.scores.items())
    return f"{trial.dataset}, {trial.estimator}: {result}"
