"""Checkpoints of the training of a cascade, one after each stage, to resume from."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..base.history import History
from ..files.disk import write
from .boosting import Node
from .training import Negatives, Trainer

_FORMAT = 1
_NAMES = (
    "feature",
    "numbers",
    "lengths",
    "thresholds",
    "windows",
    "keys",
    "aside",
    "facts",
)

_BROKEN = (
    *(OSError, ValueError, TypeError, KeyError, EOFError, MemoryError),
    *(zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error),
)


def training_hash(*parts: Any) -> str:
    """A hash of the parameters and images that a training depends on."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(str((part.shape, part.dtype.str)).encode())
            digest.update(np.ascontiguousarray(part).tobytes())
        else:
            digest.update(repr(part).encode())
    return digest.hexdigest()


@dataclass(frozen=True)
class Checkpoint:
    """The checkpoint file of one training, identified by its hash ``about``."""

    path: str | os.PathLike[str]
    about: str

    def write(self, trainer: Trainer) -> None:
        """Writes the state of a training, replacing the file atomically."""
        nodes = [node for stage in trainer.stages for node in stage]
        negatives = trainer.negatives
        facts = {
            "format": _FORMAT,
            "about": self.about,
            "at": trainer.backgrounds.at,
            "history": [dict(row) for row in trainer.history.metrics],
        }
        arrays: dict[str, Any] = {
            "feature": np.array([node.feature for node in nodes], np.int64),
            "numbers": np.array([[n.threshold, n.low, n.high] for n in nodes], np.float64),
            "lengths": np.array([len(stage) for stage in trainer.stages], np.int64),
            "thresholds": np.array(trainer.thresholds, np.float64),
            "windows": negatives.windows,
            "keys": negatives.keys,
            "aside": negatives.aside,
            "facts": np.frombuffer(json.dumps(facts).encode(), np.uint8),
        }
        data = io.BytesIO()
        np.savez(data, **arrays)
        write(Path(self.path), data.getvalue())

    def resume(self, trainer: Trainer) -> bool:
        """Resumes the training in the file, if there is one; that of another training is refused.

        Of more stages than are asked for by now, the first are taken.
        """
        if not Path(self.path).exists():
            return False
        arrays, facts = self._read(trainer)
        rows = zip(arrays["feature"].tolist(), arrays["numbers"].tolist(), strict=True)
        nodes = iter([Node(feature, *numbers) for feature, numbers in rows])
        most = trainer.plan.max_stages
        lengths = arrays["lengths"].tolist()[:most]
        trainer.stages = [[next(nodes) for _ in range(n)] for n in lengths]
        trainer.thresholds = arrays["thresholds"].tolist()[:most]
        trainer.negatives = Negatives(arrays["windows"], arrays["keys"], arrays["aside"])
        trainer.backgrounds.at = int(facts["at"])
        trainer.history = History()
        for row in facts["history"][:most]:
            trainer.history.append(row)
        return True

    def _read(self, trainer: Trainer) -> tuple[dict[str, Any], dict[str, Any]]:
        name = os.fspath(self.path)
        try:
            with np.load(self.path, allow_pickle=False) as kept:
                arrays = {each: kept[each] for each in _NAMES}
            facts = json.loads(arrays["facts"].tobytes())
            if facts["format"] != _FORMAT:
                raise ValueError(f"format {facts['format']}")
        except _BROKEN as error:
            raise ValueError(
                f"checkpoint={name!r} is no training of a cascade ({error}); remove the file, or "
                "name another."
            ) from None
        if facts.get("about") != self.about:
            raise ValueError(
                f"checkpoint={name!r} belongs to another training: faces, backgrounds or "
                "parameters differ; remove the file to train anew, or name another."
            )
        if not _fits(arrays, facts, trainer):
            raise ValueError(
                f"checkpoint={name!r} is no training of a cascade (its arrays do not fit each "
                "other); remove the file, or name another."
            )
        return arrays, facts


def _fits(arrays: dict[str, Any], facts: dict[str, Any], trainer: Trainer) -> bool:
    """Whether the arrays of a file fit each other and the training."""
    given = trainer.negatives
    n, n_stages, n_windows = (arrays[name].size for name in ("feature", "lengths", "aside"))
    wanted: dict[str, tuple[Any, tuple[int, ...]]] = {
        "feature": (np.int64, (n,)),
        "numbers": (np.float64, (n, 3)),
        "lengths": (np.int64, (n_stages,)),
        "thresholds": (np.float64, (n_stages,)),
        "windows": (given.windows.dtype, (n_windows, *given.windows.shape[1:])),
        "keys": (given.keys.dtype, (n_windows, *given.keys.shape[1:])),
        "aside": (np.bool_, (n_windows,)),
    }
    if any((arrays[k].dtype, arrays[k].shape) != found for k, found in wanted.items()):
        return False
    feature, lengths, history = arrays["feature"], arrays["lengths"], facts.get("history")
    return (
        not bool(np.isnan(arrays["numbers"]).any())
        and bool(((feature >= 0) & (feature < len(trainer.features))).all())
        and bool((lengths > 0).all() and (lengths <= n).all() and lengths.sum() == n)
        and isinstance(history, list)
        and len(history) == n_stages
        and all(isinstance(row, dict) for row in history)
        and type(facts.get("at")) is int
        and 0 <= facts["at"] < 2**63
    )
