"""``python -m tests.campaign.bits``: every estimator gives the same bits whatever must not matter.

Threads, the order of rows, copies in place of weights, containers, a file in between, instruction
sets of ours and of numpy and OpenBLAS, and hash seeds: each fit is compared with a plain one by
fingerprint and answers, bit for bit.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

import weaklearn
from tests.campaign import hunting
from tests.campaign.bits_cases import NOT_BY_DEFINITION, Case, cases
from tests.campaign.counts import Counts
from weaklearn import _core
from weaklearn.registry import ROWS

METHODS = ("predict", "predict_proba", "decision_function", "transform", "apply", "leaves")
THREADS = (2, 3, 8, 32)
# numpy and OpenBLAS round sums, products and exponentials otherwise with other instruction sets.
_FOUND = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])  # type: ignore[call-overload]
# Settings of a process: instruction sets and hash seeds.
PROCESSES: dict[str, dict[str, dict[str, str]]] = {
    "instruction sets": {name: {"WEAKLEARN_SIMD": name} for name in ("baseline", "avx2", "avx512")},
    "libraries": {
        "numpy": {"NPY_DISABLE_CPU_FEATURES": " ".join(_FOUND)},
        "OpenBLAS": {"OPENBLAS_CORETYPE": "Prescott"},
    },
    "hash seeds": {seed: {"PYTHONHASHSEED": seed} for seed in ("1", "2", "4294967295")},
}

_TOGETHER = 12  # estimators that a process of another setting tries

Found = Iterator[tuple[str, str, str]]  # what was tried, what came out, what should


def answers(model: Any, X: Any) -> str:
    """A hash of all that a model answers for rows."""
    found = hashlib.sha256()
    for name in METHODS:
        if hasattr(model, name):
            said = getattr(model, name)(X)
            said = np.asarray(said.toarray() if sp.issparse(said) else said)
            words = repr(said.tolist()).encode() if said.dtype == object else said.tobytes()
            found.update(f"{name} {said.shape} ".encode() + words)
    return found.hexdigest()


def bits(model: Any, X: Any) -> str:
    """Fingerprint and answers."""
    return f"{model.fingerprint()} {answers(model, X)}"


def by_threads(case: Case) -> Found:
    expected = bits(case.fit(case.X, case.y), case.X)
    for threads in THREADS:
        os.environ["WEAKLEARN_NUM_THREADS"] = str(threads)
        try:
            found = bits(case.fit(case.X, case.y, threads=threads), case.X)
        finally:
            del os.environ["WEAKLEARN_NUM_THREADS"]
        yield str(threads), found, expected


def by_order(case: Case) -> Found:
    expected = bits(case.fit(case.X, case.y), case.X)
    for seed in (0, 1):
        order = np.random.default_rng(seed).permutation(len(case.y))
        yield "shuffled", bits(case.fit(*_rows(case, order)), case.X), expected
    if case.name in NOT_BY_DEFINITION["copies"]:
        return
    weight = np.random.default_rng(2).random(len(case.y)) + 0.1
    expected = bits(case.fit(case.X, case.y, weight), case.X)
    order = np.random.default_rng(3).permutation(len(case.y))
    shuffled = case.fit(*_rows(case, order), weight[order])
    yield "shuffled, weighted", bits(shuffled, case.X), expected


def by_copies(case: Case) -> Found:
    rng = np.random.default_rng(4)
    m = len(case.y)
    for name, weight in (("twice", np.full(m, 2)), ("0 to 3 times", rng.integers(0, 4, m))):
        expected = bits(case.fit(case.X, case.y, weight), case.X)
        rows = np.repeat(np.arange(m), weight)
        for order in (rows, rng.permutation(rows)):
            yield name, bits(case.fit(*_rows(case, order)), case.X), expected


def _rows(case: Case, rows: Any) -> tuple[Any, Any]:
    X = case.X.iloc[rows] if hasattr(case.X, "iloc") else case.X[rows]
    return X, np.asarray(case.y)[rows]


def by_containers(case: Case) -> Found:
    """Containers without names are compared with a matrix, those with names with pandas."""
    if isinstance(case.X, pd.DataFrame):
        frame = case.X
    elif case.X.ndim == 2 and case.X.dtype.kind == "f":
        expected = bits(case.fit(case.X, case.y), case.X)
        plain = expected.split()[-1]
        for name, other in _matrices(case.X).items():
            alone = sp.issparse(other) and case.name in NOT_BY_DEFINITION["fingerprint of sparse"]
            yield from _tried(case, name, other, *((plain, answers) if alone else (expected, bits)))
        frame = pd.DataFrame(case.X, columns=[f"x{j}" for j in range(case.X.shape[1])])
    else:
        return
    expected = bits(case.fit(frame, case.y), frame)
    for name, other in _frames(frame).items():
        yield from _tried(case, name, other, expected, bits)


def _tried(case: Case, name: str, X: Any, expected: str, told: Callable[[Any, Any], str]) -> Found:
    try:
        model = case.fit(X, case.y)
    except (ValueError, TypeError):
        yield f"{name}, refused", expected, expected
        return
    yield name, told(model, X), expected


def _matrices(X: Any) -> dict[str, Any]:
    wide = np.zeros((len(X), 2 * X.shape[1]))
    wide[:, ::2] = X
    return {
        "Fortran order": np.asfortranarray(X),
        "every other column": wide[:, ::2],
        "float32": X.astype(np.float32),
        "big endian": X.astype(">f8"),
        "lists": X.tolist(),
        "csr": sp.csr_matrix(X),
        "csc": sp.csc_array(X),
        "coo": sp.coo_matrix(X),
    }


def _frames(frame: Any) -> dict[str, Any]:
    """The frame in other containers, without those of packages that are not installed."""
    columns = {name: list(frame[name].astype(object)) for name in frame}
    columns = {n: [None if v is None or v != v else v for v in c] for n, c in columns.items()}
    found = {"pandas, blocks apart": pd.concat([frame[[name]] for name in frame], axis=1)}
    if find_spec("polars") is not None:
        found["polars"] = import_module("polars").DataFrame(columns, strict=False)
    if find_spec("pyarrow") is not None:
        found["pyarrow"] = import_module("pyarrow").table(columns)
    return found


def by_files(case: Case) -> Found:
    model = case.fit(case.X, case.y)
    expected = bits(model, case.X)
    yield "pickled", bits(pickle.loads(pickle.dumps(model)), case.X), expected
    if ROWS[case.name].number is None:
        return
    with TemporaryDirectory() as folder:
        once, twice = Path(folder, "once.weak"), Path(folder, "twice.weak")
        model.save(once)
        loaded = weaklearn.load(once)
        yield "loaded", bits(loaded, case.X), expected
        loaded.save(twice)
        yield "saved again", _hash(twice.read_bytes()), _hash(once.read_bytes())


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


AXES: dict[str, Callable[[Case], Found]] = {
    "threads": by_threads,
    "order": by_order,
    "copies": by_copies,
    "containers": by_containers,
    "files": by_files,
}


def hunt(name: str, rows: int, axes: list[str], number: int = 0) -> Counts:
    """Tries one estimator along the axes."""
    counts = Counts()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in cases(rows, [name]):
            for axis in axes:
                if name in NOT_BY_DEFINITION.get(axis, {}):
                    counts.details[f"{axis}: not by definition"] += 1
                    continue
                for tried, found, expected in _caught(AXES[axis](case)):
                    counts.details[axis] += 1
                    if found != expected:
                        counts.fail(number, f"{case}, {axis}: {tried}{_how(found, expected)}")
                    else:
                        counts.add("refused" if tried.endswith("refused") else "answered")
    return counts


def _caught(found: Found) -> Found:
    """What was found; an error, which no axis is to raise, as a difference."""
    try:
        yield from found
    except Exception as error:
        yield f"{type(error).__name__}: {error}", "an error", "none"


def _how(found: str, expected: str) -> str:
    """Whether only the fingerprints differ."""
    return " (fingerprint only)" if found.split()[-1] == expected.split()[-1] else ""


def digests(names: list[str], rows: int) -> dict[str, str]:
    """The bits of every case, as this process finds them; and its instruction set."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {str(c): bits(c.fit(c.X, c.y, threads=2), c.X) for c in cases(rows, names)}
    return found | {"": _core.variant()}


def in_a_process(names: list[str], rows: int, setting: dict[str, str]) -> dict[str, str]:
    """``digests`` of another process with these environment variables."""
    code = "import sys, json; from tests.campaign.bits import digests; "
    code += "print(json.dumps(digests(json.loads(sys.argv[1]), int(sys.argv[2]))))"
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(names), str(rows)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)} | setting,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


def across(names: list[str], rows: int, axes: list[str], number: int = 0) -> Counts:
    """Compares processes of other settings with one of none."""
    counts = Counts()
    plain = in_a_process(names, rows, {"PYTHONHASHSEED": "0"})
    for axis in axes:
        for setting, variables in PROCESSES[axis].items():
            found = in_a_process(names, rows, {"PYTHONHASHSEED": "0"} | variables)
            variant = found.pop("")
            if axis == "instruction sets" and variant != setting:
                counts.details[f"{axis}: {setting} not on this processor"] += 1
                continue
            for case, expected in plain.items():
                if not case:
                    continue
                counts.details[axis] += 1
                if found.get(case) != expected:
                    counts.fail(number, f"{case}, {axis}: {setting}")
                else:
                    counts.add("answered")
    return counts


Task = tuple[str, list[str], int, list[str]]  # inside or across, estimators, rows, axes


def tasks(names: list[str], axes: list[str], rows: int, threads_rows: int) -> list[Task]:
    """What is tried, in pieces of some seconds to minutes."""
    inside = [axis for axis in axes if axis in AXES and axis != "threads"]
    found: list[Task] = [("inside", [name], rows, inside) for name in names if inside]
    if "threads" in axes:
        found += [("inside", [name], threads_rows, ["threads"]) for name in names]
    if beside := [axis for axis in axes if axis in PROCESSES]:
        parts = [names[k : k + _TOGETHER] for k in range(0, len(names), _TOGETHER)]
        found += [("across", part, rows, beside) for part in parts]
    return found


def attempt(number: int, pieces: list[Task]) -> Counts:
    """The counts of one piece."""
    kind, names, rows, axes = pieces[number]
    if kind == "inside":
        return hunt(names[0], rows, axes, number)
    return across(names, rows, axes, number)


def main(arguments: list[str]) -> int:
    parser = hunting.parser(__doc__)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--threads-rows", type=int, default=20_000, help="rows for threads")
    parser.add_argument("--only", nargs="*", help="names of estimators")
    parser.add_argument("--axes", nargs="*", default=[*AXES, *PROCESSES])
    given = parser.parse_args(arguments)
    pieces = tasks(given.only or list(ROWS), given.axes, given.rows, given.threads_rows)
    trial = partial(attempt, pieces=pieces)
    return hunting.main(hunting.Hunt(trial, len(pieces), patience=1800), given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
