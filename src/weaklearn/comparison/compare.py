"""Cross-validation of several estimators on several data sets, with the same folds for all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import get_scorer

from ..base.messages.value_text import show
from ..intake.parameters import integer, nearest, seed
from .result import Comparison
from .trial import NUMBERS, Trial, failure_text, read_task, run_trial


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
    these. Two classes, more classes and regression are recognised by y, folds are stratified for
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
            f"baseline={show(baseline)} is not allowed: it must be the name of an estimator, one "
            f"of {', '.join(map(repr, lineup))}.{nearest(baseline, list(lineup))}"
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
                yield partial(Trial, name, "unread", key, failure=failure_text(error))
            continue
        for key, estimator in lineup.items():
            if fits(estimator, task.kind):
                how = {"scorers": scorers, "curves": curves, "seed": start}
                yield partial(run_trial, key, estimator, task, **how)


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


def estimators_by_name(given: Any) -> dict[str, Any]:
    """A dict by name from a dict, a list, a list of (name, estimator), or one estimator."""
    if hasattr(given, "fit"):
        given = [given]
    named = [
        (str(one[0]), one[1])
        if isinstance(one, tuple) and len(one) == 2
        else (type(one).__name__, one)
        for one in _listed("estimators", given)
    ]
    for name, estimator in named:
        if isinstance(estimator, type) or not (
            hasattr(estimator, "fit") and hasattr(estimator, "predict")
        ):
            raise TypeError(
                f"the estimator {name} is {show(estimator)}; pass objects with fit and predict, "
                "such as AdaBoostClassifier()."
            )
    return _unique(named)


def datasets_by_name(given: Any) -> dict[str, Any]:
    """A dict by name from a dict, a list, or one data set; functions give their names."""
    if _is_one(given):
        given = [given]
    listed = _listed("datasets", given)
    if isinstance(given, Mapping):
        return {str(name): one for name, one in listed}
    return _unique([(_called(one, k), one) for k, one in enumerate(listed, start=1)])


def _is_one(given: Any) -> bool:
    """Whether it is one data set: a Bunch, a function, or a tuple that begins with a matrix."""
    bunch = hasattr(given, "data") and hasattr(given, "target")
    matrix = isinstance(given, tuple) and len(given) > 1 and len(_shape(given[0])) == 2
    return bunch or callable(given) or matrix


def _shape(X: Any) -> tuple[int, ...]:
    return tuple(getattr(X, "shape", ()))


def _called(dataset: Any, k: int) -> str:
    name = getattr(dataset, "__name__", "")
    for beginning in ("load_", "fetch_", "make_"):
        name = name.removeprefix(beginning)
    return name if name.isidentifier() else f"data {k}"


def _listed(what: str, given: Any) -> list[Any]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"{what}={show(given)} is not allowed: it must be a list, or a dict.")
    listed = list(given.items() if isinstance(given, Mapping) else given)
    if not listed:
        raise ValueError(f"{what} is empty; pass at least one.")
    return listed


def _unique(named: list[tuple[str, Any]]) -> dict[str, Any]:
    """A dict of the pairs; repeated names get a number."""
    found: dict[str, Any] = {}
    for name, value in named:
        free = name
        k = 2
        while free in found:
            free = f"{name} {k}"
            k += 1
        found[free] = value
    return found


def scorers_by_name(scoring: Any) -> dict[str, Callable[[Any, Any, Any], float]]:
    """Scorers of scikit-learn from a name, a list of names, a dict, or a function."""
    if scoring is None:
        return {}
    if isinstance(scoring, Mapping):
        return {str(key): get_scorer(value) for key, value in scoring.items()}
    listed = [scoring] if isinstance(scoring, str) or callable(scoring) else list(scoring)
    return {getattr(one, "__name__", str(one)): get_scorer(one) for one in listed}


def fits(estimator: Any, kind: str) -> bool:
    """Whether the estimator suits the target: no classifier on numbers, no regressor on classes."""
    return not (is_classifier(estimator) if kind == NUMBERS else is_regressor(estimator))


def meant(estimators: Iterable[Any]) -> bool | None:
    """Whether integers in y are regression targets to these estimators; None: nobody says."""
    lineup = list(estimators)
    if all(map(is_regressor, lineup)):
        return True
    return False if all(map(is_classifier, lineup)) else None
