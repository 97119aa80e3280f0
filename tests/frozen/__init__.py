"""Model files of every released version, beside the rows and the answers that they had then.

They must load for ever. ``python -m tests.frozen.add`` writes files for kinds and versions that
have none yet; a file once released is never written again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
METHODS = ("predict", "predict_proba", "decision_function", "apply")


def frame(columns: dict[str, dict[str, Any]]) -> Any:
    """The rows of a JSON file: numbers, texts, moments, durations and whole numbers, with gaps.

    Windows of images are no columns, but a stack; candidates are lists of lists.
    """
    if "groups" in columns:
        return np.array(columns["groups"]["values"], object)
    if "windows" in columns:
        return np.array(columns["windows"]["values"], np.uint8)
    make = {
        "number": lambda v: np.array([np.nan if x is None else float.fromhex(x) for x in v]),
        "text": lambda v: pd.Series(v, dtype=object),
        "moment": lambda v: pd.to_datetime(pd.Series(v)),
        "duration": lambda v: pd.to_timedelta(pd.Series(v, dtype="int64"), unit="s"),
        "whole": lambda v: np.array(v, np.int64),
    }
    return pd.DataFrame({name: make[c["type"]](c["values"]) for name, c in columns.items()})


def answers(model: Any, X: Any) -> dict[str, list[Any]]:
    """What a model says of rows, in JSON's words, which keep numbers to the last bit."""
    said = {name: getattr(model, name)(X) for name in METHODS if hasattr(model, name)}
    if hasattr(model, "transform"):
        said["transform"] = model.transform(X).toarray()
    return {name: np.asarray(array).tolist() for name, array in said.items()}
