"""Odd tables through fit, predict, save, load, runtime, explain and export of every estimator.

Each is answered, by library, loaded file, runtime and exported source alike, or refused by a
ValueError or TypeError that names an argument.
``python -m tests.campaign.odd_tables --count 2000 --jobs 2`` tries so many tables.
"""

from __future__ import annotations

import re
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import weaklearn
from tests.campaign import hunting
from tests.campaign.counts import Counts
from tests.campaign.odd_columns import Table, table
from weaklearn import runtime
from weaklearn.registry import ROWS, Row, class_of

ANSWERS = ("predict", "predict_proba", "decision_function")
TELLING = ("explain", "rules", "to_text", "card", "feature_importances_", "_repr_html_")
EXPORTS = ("to_python", "to_c", "to_sql")
OTHER_SUMS = ("AdaBoostMOClassifier", "BaggingClassifier", "RandomForestClassifier")
NAMED = re.compile(
    r"\b(X|y|sample_weight|weights|[Ff]eature names|array|data|categorical_features|loss|\w+=)"
    r"(\b|\W)"
)
ROWS_TRIED = [
    row
    for row in ROWS.values()
    if row.reads == "columns" and row.name not in ("Boosted", "BoostReranker", "HalvingClassifier")
]


class Wrong(Exception):
    """An answer that differs from another, or an error of no use to the user."""


def made(row: Row) -> Any:
    """The estimator of a row, with few rounds."""
    given: dict[str, Any] = {}
    if row.name == "ERMClassifier":
        given["hypotheses"] = [lambda X: np.zeros(len(X), int), lambda X: np.ones(len(X), int)]
    model = class_of(row)(**given)
    if "n_estimators" in model.get_params(deep=False):
        model.set_params(n_estimators=4)
    return model


def outcome(ask: Callable[[], Any], of_data: bool = False) -> tuple[str, Any]:
    """What is answered, or the message of a refusal, of data by name; other errors go on."""
    try:
        return "answered", ask()
    except (ValueError, TypeError) as error:
        words = str(error)
        if not words or (of_data and not NAMED.search(words)):
            raise Wrong(f"{type(error).__name__} names no argument: {words!r}") from error
        return "refused", words


def _same(a: Any, b: Any) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and bool((a == b).all())


def _compare(name: str, ours: tuple[str, Any], theirs: tuple[str, Any]) -> None:
    if ours[0] != theirs[0] or (ours[0] == "answered" and not _same(ours[1], theirs[1])):
        raise Wrong(f"{name}: {str(ours)[:300]} against {str(theirs)[:300]}")


def _checked(name: str, model: Any, X: Any) -> tuple[str, Any]:
    found = outcome(lambda: np.asarray(getattr(model, name)(X)), of_data=True)
    if found[0] == "answered":
        values, n = found[1], _n_rows(X)
        if len(values) != n:
            raise Wrong(f"{name}: {len(values)} answers for {n} rows")
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise Wrong(f"{name}: {values[~np.isfinite(values)][0]} among the answers")
        shares = values if name == "predict_proba" else np.zeros(0)
        if len(shares) and not np.allclose(shares.sum(axis=1), 1):
            raise Wrong(f"predict_proba: sums to {shares.sum(axis=1)[0]}")
    return found


def _n_rows(X: Any) -> int:
    if isinstance(X, dict):
        return len(next(iter(X.values())))
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _as_runtime(X: Any) -> Any:
    """X as a program without pandas has it."""
    if not isinstance(X, pd.DataFrame):
        return X.toarray() if hasattr(X, "toarray") else X
    if all(isinstance(name, str) for name in X.columns):
        return {name: X[name].tolist() for name in X.columns}
    return [list(row) for row in X.itertuples(index=False, name=None)]


def _ask_files(row: Row, model: Any, given: Table, said: dict[str, Any], seen: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.weak"
        kept = outcome(lambda: model.save(path))
        seen[f"save {kept[0]}"] += 1
        if kept[0] == "refused":
            return
        again = weaklearn.load(path)
        if again.fingerprint() != model.fingerprint():
            raise Wrong("load: another fingerprint")
        small = runtime.load(path) if row.runtime is not None else None
        for (name, k), before in said.items():
            X = (given.X, given.later)[k]
            _compare(f"load, {name}", before, _checked(name, again, X))
            if small is not None and hasattr(small, name):
                theirs = _checked(name, small, _as_runtime(X))
                seen[f"runtime {theirs[0]}"] += 1
                if before[0] == "answered":
                    _compare(f"runtime, {name}", before, theirs)


def _ask_source(model: Any, given: Table, said: dict[str, Any], seen: Any) -> None:
    for name in EXPORTS:
        if not hasattr(model, name):
            continue
        found = outcome(getattr(model, name))
        seen[f"export {found[0]}"] += 1
        if name != "to_python" or found[0] == "refused":
            continue
        scope: dict[str, Any] = {}
        exec(found[1], scope)
        for k, X in enumerate((given.X, given.later)):
            before = said.get(("predict", k))
            if before is None or before[0] != "answered" or not isinstance(X, pd.DataFrame):
                continue
            named = hasattr(model, "feature_names_in_")
            rows = X.to_dict("records") if named else X.astype(object).values.tolist()
            answers = np.array([scope["predict"](row) for row in rows])
            F = said.get(("decision_function", k), ("", np.zeros((len(rows), 1))))[1]
            best = np.sort(F if np.ndim(F) == 2 else np.stack([F, -F], axis=1), axis=1)
            clear = (best[:, -1] - best[:, max(0, best.shape[1] - 2)] > 1e-9) | (best.shape[1] < 2)
            before = (before[0], before[1][clear])
            answers = answers[clear]
            close = before[1].dtype.kind == "f" and np.allclose(answers, before[1], rtol=1e-9)
            if not close and not _same(answers, before[1]):
                raise Wrong(f"to_python: {answers[:9]} against {before[1][:9]}")


def _ask_telling(model: Any, given: Table, said: dict[str, Any], seen: Any) -> None:
    for name in TELLING:
        takes_rows = name == "explain"

        def ask(name: str = name, takes_rows: bool = takes_rows) -> Any:
            found = getattr(model, name)
            return found(given.X) if takes_rows else found() if callable(found) else found

        if not hasattr(type(model), name):
            continue
        found = outcome(ask)
        seen[f"{name} {found[0]}"] += 1
        if name == "explain" and found[0] == "answered" and type(model).__name__ not in OTHER_SUMS:
            F = said.get(("decision_function", 0))
            if F is not None and F[0] == "answered" and np.ndim(F[1]) == 1:
                scores = np.asarray(found[1].scores).reshape(len(F[1]), -1)
                if scores.shape[1] == 1 and not np.allclose(scores[:, 0], F[1], atol=1e-9):
                    raise Wrong(f"explain: scores {scores[:3, 0]} against {F[1][:3]}")


def attempt(number: int, seed: int = 0) -> Counts:
    """The counts of one table: one of them, and, as details, the steps that it went through."""
    rng = np.random.default_rng([number, 7, seed] if seed else [number, 7])
    row = ROWS_TRIED[int(rng.integers(len(ROWS_TRIED)))]
    given = table(rng, numbers=row.predicts == "numbers" or row.name in ("RankBoost", "Hedge"))
    counts, step = Counts(), "fit"
    seen = counts.details
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            model = made(row)
            weights = {} if given.weight is None else {"sample_weight": given.weight}
            fitted = outcome(lambda: model.fit(given.X, given.y, **weights), of_data=True)
            seen[f"fit {fitted[0]}"] += 1
            if fitted[0] == "answered":
                step = "predict"
                said = {
                    (name, k): _checked(name, model, X)
                    for name in ANSWERS
                    for k, X in enumerate((given.X, given.later))
                    if hasattr(model, name)
                }
                seen.update(f"predict {found[0]}" for found in said.values())
                all_count = given.weight is None or (np.asarray(given.weight) > 0).all()
                if said and all_count and said[min(said)][0] == "refused":
                    raise Wrong(f"the rows of training are refused: {said[min(said)][1]}")
                step = "files"
                _ask_files(row, model, given, said, seen)
                step = "telling"
                _ask_telling(model, given, said, seen)
                step = "export"
                _ask_source(model, given, said, seen)
            counts.add(fitted[0])
    except Exception as error:
        counts.fail(number, f"{row.name} {step} {given.told}: {hunting.place(error)}")
    return counts


def main(arguments: list[str]) -> int:
    given = hunting.parser(__doc__, usual=2000).parse_args(arguments)
    return hunting.main(hunting.Hunt(partial(attempt, seed=given.seed)), given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
