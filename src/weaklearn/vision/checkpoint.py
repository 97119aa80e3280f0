"""Where the training of a cascade stands, in a file: after each stage, to be taken up again."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.record import History
from ..files.disk import write
from .boosting import Node
from .training import Negatives, Trainer

__all__ = ["keep", "resume", "told_of"]

_FORMAT = 1


def told_of(*parts: Any) -> str:
    """A hash of what a training depends on: parameters and images."""
    told = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            told.update(str((part.shape, part.dtype.str)).encode())
            told.update(np.ascontiguousarray(part).tobytes())
        else:
            told.update(repr(part).encode())
    return told.hexdigest()


def keep(trainer: Trainer, path: str | os.PathLike[str], about: str) -> None:
    """Writes where a training stands, whole or not at all."""
    nodes = [node for stage in trainer.stages for node in stage]
    negatives = trainer.negatives
    arrays: dict[str, NDArray[Any]] = {
        "feature": np.array([node.feature for node in nodes], np.int64),
        "numbers": np.array([[n.threshold, n.low, n.high] for n in nodes], np.float64),
        "lengths": np.array([len(stage) for stage in trainer.stages], np.int64),
        "thresholds": np.array(trainer.thresholds, np.float64),
        "windows": negatives.windows,
        "keys": negatives.keys,
        "aside": negatives.aside,
    }
    facts = {
        "format": _FORMAT,
        "about": about,
        "at": trainer.backgrounds.at,
        "history": [dict(row) for row in trainer.history.facts],
    }
    arrays["facts"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    data = io.BytesIO()
    np.savez(data, **arrays)  # type: ignore[arg-type]
    write(Path(path), data.getvalue())


def resume(trainer: Trainer, path: str | os.PathLike[str], about: str) -> bool:
    """Takes up the training in a file, if there is one; another training's is refused."""
    if not Path(path).exists():
        return False
    try:
        with np.load(path, allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        facts = json.loads(arrays["facts"].tobytes())
        if facts["format"] != _FORMAT:
            raise KeyError("format")
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(
            f"checkpoint={os.fspath(path)!r} is no training of a cascade ({error}); remove the "
            "file, or name another."
        ) from None
    if facts["about"] != about:
        raise ValueError(
            f"checkpoint={os.fspath(path)!r} belongs to another training: faces, backgrounds or "
            "parameters differ; remove the file to begin anew, or name another."
        )
    rows = zip(arrays["feature"].tolist(), arrays["numbers"].tolist(), strict=True)
    nodes = iter([Node(feature, *numbers) for feature, numbers in rows])
    trainer.stages = [[next(nodes) for _ in range(n)] for n in arrays["lengths"].tolist()]
    trainer.thresholds = arrays["thresholds"].tolist()
    trainer.negatives = Negatives(arrays["windows"], arrays["keys"], arrays["aside"])
    trainer.backgrounds.at = int(facts["at"])
    trainer.history = History()
    for row in facts["history"]:
        trainer.history.append(row)
    return True
