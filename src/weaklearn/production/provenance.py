"""Where a model comes from: a hash of its training rows, when it was fitted, and by what."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray

from ..base.numeric.hashing import GOLDEN, mixed
from ..base.sample import Cells, Sample
from ..intake.multilabel import label_keys
from .profile import Profile, profile_of
from .row_sketch import Seen

_AT_ONCE = 65536  # rows whose hashes are mixed at a time: they stay in the cache
_SALTS = (np.uint64(0x243F6A8885A308D3), np.uint64(0x13198A2E03707344))


@dataclass(frozen=True)
class Origin:
    """The provenance of a model; no part of its fingerprint.

    ``rows`` is the hash of the training rows and ``n_examples`` how many there were, copies
    counted; both None where a fit did not note them, as is ``fitted``, its time in UTC. ``target``
    is the name of the column that was learnt, None where y brought none. ``seen`` is a sketch of
    the rows that the fit looked at (``production/row_sketch.py``), None where they are not known,
    ``profile`` the histograms of their columns (``production/profile.py``).
    """

    weaklearn: str
    numpy: str
    scikit_learn: str
    python: str
    rows: str | None = None
    n_examples: int | None = None
    fitted: str | None = None
    target: str | None = None
    seen: Seen | None = field(default=None, repr=False, compare=False)
    profile: Profile | None = field(default=None, repr=False, compare=False)

    def in_words(self) -> dict[str, str | int | None]:
        """All that is said in words and numbers."""
        told = asdict(replace(self, seen=None, profile=None))
        del told["seen"], told["profile"]
        return told


def here() -> Origin:
    """What would be the origin of a model of unknown rows."""
    return Origin(
        sys.modules["weaklearn"].__version__,
        np.__version__,
        sklearn.__version__,
        platform.python_version(),
    )


def here_and_now() -> Origin:
    """The origin of a model fitted now, on rows that it does not note."""
    return replace(here(), fitted=datetime.now(UTC).isoformat(timespec="seconds"))


def earlier(model: Any) -> Origin:
    """The origin of a fitted model; of one that tells none, an origin of unknown rows."""
    return getattr(model, "_origin", None) or here()


def forget_rows(model: Any) -> None:
    """A member need not remember what the whole does."""
    if isinstance(getattr(model, "_origin", None), Origin):
        model._origin = replace(model._origin, seen=None, profile=None)


def name_target(model: Any, target: str | None) -> None:
    """Notes the name of the column that a fitted model has learnt."""
    if isinstance(getattr(model, "_origin", None), Origin):
        model._origin = replace(model._origin, target=target)


def origin_of(
    sample: Sample,
    hashes: NDArray[np.uint64] | None = None,
    *,
    judged: Sequence[Cells] = (),
    before: Origin | None = None,
) -> Origin:
    """The origin of a model fitted on a sample, now; estimators keep it as ``_origin``.

    ``hashes`` are those of the engine for its rows, where they are known already; ``judged`` are
    rows that the fit was stopped or tuned by, and ``before`` is the origin of the fit that this one
    goes on with.
    """
    seen: Seen | None = Seen.of([sample.cells, *judged])
    if before is not None:
        seen = None if before.seen is None or seen is None else seen.joined(before.seen)
    return replace(
        here_and_now(),
        rows=training_hash(sample, hashes),
        n_examples=sample.m,
        target=sample.target or (None if before is None else before.target),
        seen=seen,
        profile=profile_of(sample),
    )


def training_hash(sample: Sample, hashes: NDArray[np.uint64] | None = None) -> str:
    """A hash of the rows with their labels and weights, whatever their order.

    A weight of 3 is three copies. Rows are hashed as the fit saw them: where columns were binned
    for good, values of one bin are one value. It finds accidents, not forgeries: hashes of rows are
    added up, once for each of two ways to mix them, to 128 bits.
    """
    rows = sample.engine.columns.row_hashes(sample.coded) if hashes is None else hashes
    sums = [0] * len(_SALTS)
    for first in range(0, len(rows), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        targets = sample.y[part]
        if targets.ndim == 2:
            labels = label_keys(targets)
        elif targets.dtype.kind == "f":
            labels = (targets + 0.0).view(np.uint64)  # -0.0 is 0.0
        else:
            labels = targets.astype(np.int64).view(np.uint64)
        keys = mixed(rows[part] + GOLDEN * (labels + np.uint64(1)))
        if sample.importance is not None:
            keys = mixed(keys ^ sample.importance[part].view(np.uint64))
        copies = np.uint64(1) if sample.copies is None else sample.copies[part].astype(np.uint64)
        for k, salt in enumerate(_SALTS):
            sums[k] += int((mixed(keys ^ salt) * copies).sum(dtype=np.uint64))
    return "".join(f"{total % 2**64:016x}" for total in sums)
