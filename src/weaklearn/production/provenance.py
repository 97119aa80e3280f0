"""Provenance: a description of the training rows, the time of the fit, versions of libraries.

``after_fit`` makes it, the step after a fit. None of it is fitting, and no part of what was learnt:
a hash of the training rows, a sketch by which single rows are looked up (``row_sketch.py``),
histograms of the columns and of the scores (``profile.py``). Within ``without_profile`` parts of it
are left out.
"""

from __future__ import annotations

import platform
import sys
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray

from ..base.numeric.hashing import GOLDEN, mixed
from ..base.sample import Rows, Sample
from ..base.types import Floats
from ..intake.multilabel import label_keys
from .profile import KEPT, Profile, one_column_each, profile_of, reads_cells, with_scores
from .row_sketch import RowSketch, read_matrix, row_keys

_AT_ONCE = 8192  # rows whose hashes are mixed at a time: they stay in the cache
_SALTS = (np.uint64(0x243F6A8885A308D3), np.uint64(0x13198A2E03707344))


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
        keys = labels + np.uint64(1)
        keys *= GOLDEN
        keys += rows[part]
        keys = mixed(keys)
        if sample.importance is not None:
            keys = mixed(keys ^ sample.importance[part].view(np.uint64))
        for k, salt in enumerate(_SALTS):
            terms = mixed(keys ^ salt)
            if sample.copies is not None:
                terms *= sample.copies[part].astype(np.uint64)
            sums[k] += int(terms.sum(dtype=np.uint64))
    return "".join(f"{total % 2**64:016x}" for total in sums)


def after_fit(
    sample: Sample,
    *,
    held_out: Rows | None = None,
    before: Provenance | None = None,
    ensemble: Any = None,
) -> Provenance:
    """The provenance of a fit that has just ended; estimators keep it as ``_origin``.

    ``held_out`` are rows that the fit was stopped or tuned by, and ``before`` is the description of
    the fit that this one goes on with. The scores of an ensemble are described too, of the rows
    held out, or of training's where these will do.
    """
    histograms, hashes = KEPT.get()
    row_sketch: RowSketch | None = None
    rows: str | None = None
    ends: tuple[Floats, Floats] | None = None
    if hashes:
        row_sketch, rows, ends = _hashed(sample, held_out)
        if before is not None:
            known = before.row_sketch
            row_sketch = None if known is None else row_sketch.joined(known)
    profile = profile_of(sample, ends) if histograms else None
    if profile is not None and ensemble is not None and reads_cells(ensemble):
        scored = sample if held_out is None and one_column_each(ensemble) else held_out
        profile = with_scores(profile, ensemble, scored)
    return replace(
        fitted_now(),
        rows=rows,
        n_examples=sample.m,
        target=sample.target or (None if before is None else before.target),
        row_sketch=row_sketch,
        profile=profile,
    )


def _hashed(
    sample: Sample, held_out: Rows | None
) -> tuple[RowSketch, str, tuple[Floats, Floats] | None]:
    """The sketch of the rows, their hash, and the ends of dense columns; one pass over a matrix."""
    matrix = sample.cells.matrix
    hashes: NDArray[np.uint64] | None = None
    ends: tuple[Floats, Floats] | None = None
    if matrix is None:
        keys = row_keys(sample.cells)
    else:  # where the order of rows is kept, no value is lost in a bin
        exact, threads = sample.binning.keep_order, sample.engine.threads
        keys, hashes, low, high = read_matrix(matrix, hashes=exact, threads=threads)
        ends = low, high
    others = [] if held_out is None else [row_keys(held_out.cells)]
    return RowSketch.of_keys([keys, *others]), training_hash(sample, hashes), ends


def after_stream(sample: Sample, before: Provenance | None) -> Provenance:
    """The provenance of a fit on a stream, whose rows are not kept."""
    target = sample.target or (None if before is None else before.target)
    return replace(fitted_now(), target=target)
