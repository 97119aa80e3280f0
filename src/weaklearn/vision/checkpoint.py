"""Checkpoints of the training of a cascade, one after each stage, to resume from."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..base.booster import History
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
        arrays, facts = self._read()
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

    def _read(self) -> tuple[dict[str, Any], dict[str, Any]]:
        name = os.fspath(self.path)
        try:
            with np.load(self.path, allow_pickle=False) as kept:
                arrays = {each: kept[each] for each in _NAMES}
            facts = json.loads(arrays["facts"].tobytes())
            if facts["format"] != _FORMAT:
                raise ValueError(f"format {facts['format']}")
        except (OSError, ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise ValueError(
                f"checkpoint={name!r} is no training of a cascade ({error}); remove the file, or "
                "name another."
            ) from None
        if facts["about"] != self.about:
            raise ValueError(
                f"checkpoint={name!r} belongs to another training: faces, backgrounds or "
                "parameters differ; remove the file to train anew, or name another."
            )
        return arrays, facts
