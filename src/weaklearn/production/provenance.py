"""Provenance: a hash of the training rows, the time of the fit, versions of libraries."""

from __future__ import annotations

import platform
import sys
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import sklearn
from numpy.typing import NDArray

from ..base.numeric.hashing import GOLDEN, mixed
from ..base.sample import Sample
from ..intake.multilabel import label_keys
from .row_sketch import RowSketch

_AT_ONCE = 65536  # rows whose hashes are mixed at a time: they stay in the cache
_SALTS = (np.uint64(0x243F6A8885A308D3), np.uint64(0x13198A2E03707344))

if TYPE_CHECKING:
    from .profile import Profile


@dataclass(frozen=True)
class Provenance:
    """The provenance of a model; no part of its fingerprint.

    ``rows`` is the hash of the training rows and ``n_examples`` how many there were, copies
    counted; both None where a fit did not note them, as is ``fitted``, its time in UTC. ``target``
    is the name of the column that was learnt, None where y brought none. ``row_sketch`` holds
    hashes of the rows that the fit looked at (``production/row_sketch.py``), None where they are
    not known, ``profile`` the histograms of their columns (``production/profile.py``).
    """

    weaklearn: str
    numpy: str
    scikit_learn: str
    python: str
    rows: str | None = None
    n_examples: int | None = None
    fitted: str | None = None
    target: str | None = None
    row_sketch: RowSketch | None = field(default=None, repr=False, compare=False)
    profile: Profile | None = field(default=None, repr=False, compare=False)

    def in_words(self) -> dict[str, str | int | None]:
        """The fields that are texts and numbers."""
        fields = asdict(replace(self, row_sketch=None, profile=None))
        del fields["row_sketch"], fields["profile"]
        return fields


def current_versions() -> Provenance:
    """A provenance with the versions of the libraries installed here, and nothing else."""
    return Provenance(
        sys.modules["weaklearn"].__version__,
        np.__version__,
        sklearn.__version__,
        platform.python_version(),
    )


def fitted_now() -> Provenance:
    """A provenance with the current versions and time, without training rows."""
    return replace(current_versions(), fitted=datetime.now(UTC).isoformat(timespec="seconds"))


def provenance_of(model: Any) -> Provenance:
    """The provenance of a fitted model; of a model without one, ``current_versions()``."""
    return getattr(model, "_origin", None) or current_versions()


def forget_rows(model: Any) -> None:
    """Drops row hashes and histograms from a model; a bag keeps them once for all members."""
    if isinstance(getattr(model, "_origin", None), Provenance):
        model._origin = replace(model._origin, row_sketch=None, profile=None)


def name_target(model: Any, target: str | None) -> None:
    """Sets the name of the target column in the provenance of a fitted model."""
    if isinstance(getattr(model, "_origin", None), Provenance):
        model._origin = replace(model._origin, target=target)


def training_hash(sample: Sample, hashes: NDArray[np.uint64] | None = None) -> str:
    """A hash of the rows with their labels and weights, whatever their order.

    A weight of 3 is three copies. Rows are hashed as the fit saw them: where columns were binned
    for good, values of one bin are one value. It finds accidents, not forgeries: hashes of rows are
    added up, once for each of two ways to mix them, to 128 bits.
    """
    rows = sample.code_hashes if hashes is None else hashes
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
