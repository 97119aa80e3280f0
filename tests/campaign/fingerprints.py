"""``python -m tests.campaign.fingerprints``: fifteen models have the fingerprints they always had.

Each is fitted on 1 to 32 threads with every instruction set of the processor, a process for each
pair, and compared with ``fingerprints.json`` beside this file. ``--record`` writes that file anew.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine, make_classification

import weaklearn as wl
from tests.campaign import hunting
from tests.campaign.counts import Counts
from weaklearn import _core

GOLDEN = Path(__file__).with_suffix(".json")
SETTINGS = list(product(("baseline", "avx2", "avx512"), (1, 2, 3, 8, 16, 32)))

Rows = tuple[Any, Any]


def _breast() -> Rows:
    return load_breast_cancer(return_X_y=True)


def _wine() -> Rows:
    return load_wine(return_X_y=True)


def _diabetes() -> Rows:
    return load_diabetes(return_X_y=True)


@cache
def _made() -> Rows:
    """30,000 rows with many equal values."""
    X, y = make_classification(30_000, 20, n_informative=10, random_state=3)
    return np.round(X, 3), y


MODELS: dict[str, tuple[Callable[..., Any], dict[str, Any], Callable[[], Rows]]] = {
    "AdaBoost, breast cancer": (wl.AdaBoostClassifier, {"n_estimators": 50}, _breast),
    "gradient boosting, breast cancer": (
        wl.GradientBoostingClassifier,
        {"n_estimators": 50},
        _breast,
    ),
    "glass box, breast cancer": (
        wl.AdditiveBoostingClassifier,
        {"max_leaf_nodes": 4, "max_features": 0.5, "n_pairs": 10},
        _breast,
    ),
    "glass box at drawn cuts, breast cancer": (wl.AdditiveBoostingClassifier, {}, _breast),
    "RealAdaBoost, breast cancer": (wl.RealAdaBoostClassifier, {"n_estimators": 40}, _breast),
    "LPBoost, breast cancer": (wl.LPBoostClassifier, {"n_estimators": 30}, _breast),
    "BrownBoost, breast cancer": (wl.BrownBoostClassifier, {}, _breast),
    "alternating tree, breast cancer": (wl.ADTreeClassifier, {"n_estimators": 20}, _breast),
    "SLIPPER, breast cancer": (wl.SlipperClassifier, {"n_estimators": 15}, _breast),
    "gradient boosting, wine": (wl.GradientBoostingClassifier, {}, _wine),
    "forest, wine": (wl.RandomForestClassifier, {"n_estimators": 20, "random_state": 0}, _wine),
    "AdaBoost.MH, wine": (wl.AdaBoostMHClassifier, {"n_estimators": 60}, _wine),
    "gradient boosting, diabetes": (wl.GradientBoostingRegressor, {"n_estimators": 80}, _diabetes),
    "AdaBoost, 30,000 rows": (wl.AdaBoostClassifier, {"n_estimators": 200}, _made),
    "gradient boosting, 30,000 rows": (wl.GradientBoostingClassifier, {"n_estimators": 60}, _made),
}


def fingerprint(name: str, threads: int) -> str:
    """The fingerprint of one of the models, fitted on so many threads."""
    made, given, rows = MODELS[name]
    os.environ["WEAKLEARN_NUM_THREADS"] = str(threads)  # more than there are cores, where asked
    try:
        return str(made(**given, n_jobs=threads).fit(*rows()).fingerprint())
    finally:
        del os.environ["WEAKLEARN_NUM_THREADS"]


def here(names: list[str], threads: int) -> dict[str, str]:
    """The fingerprints of these models; and the instruction set of this process."""
    return {name: fingerprint(name, threads) for name in names} | {"": _core.variant()}


def in_a_process(instructions: str, threads: int, names: list[str]) -> dict[str, str]:
    """The same of another process with this instruction set, where the processor has it."""
    code = "import sys, json; from tests.campaign.fingerprints import here; "
    code += "print(json.dumps(here(json.loads(sys.argv[1]), int(sys.argv[2]))))"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, json.dumps(names), str(threads)],
        env=os.environ | {"WEAKLEARN_SIMD": instructions},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"a process ended with {done.returncode}:\n{done.stderr[-2000:]}")
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


def attempt(number: int, names: list[str] | None = None) -> Counts:
    """The counts of one instruction set on one number of threads."""
    instructions, threads = SETTINGS[number]
    counts, expected = Counts(), golden()
    found = in_a_process(instructions, threads, names or list(MODELS))
    if found.pop("") != instructions:
        counts.details[f"{instructions}: not on this processor"] += 1
        return counts
    for name, told in found.items():
        counts.details[f"{instructions}, {threads} threads"] += 1
        if told == expected[name]:
            counts.add("answered")
        else:
            counts.fail(number, f"{name}, {instructions}, {threads} threads: {told}")
    return counts


def golden() -> dict[str, str]:
    """The fingerprints on record."""
    known: dict[str, str] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return known


def main(arguments: list[str]) -> int:
    parser = hunting.parser(__doc__)
    parser.add_argument("--record", action="store_true", help="write the fingerprints anew")
    given = parser.parse_args(arguments)
    if given.record:
        found = {name: fingerprint(name, 1) for name in MODELS}
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        return 0
    return hunting.main(hunting.Hunt(attempt, len(SETTINGS), patience=1800), given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
