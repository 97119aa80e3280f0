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
from functools import reduce
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray

from ..base.numeric.hashing import Keys, column_factors, keys_of_numbers
from ..base.rows import Rows
from ..base.sample import Sample
from ..base.streamed_cells import StreamedCells
from ..base.types import Floats, Partitions
from ..intake import later
from .profile import KEPT, Profile, one_column_each, profile_of, reads_cells, with_scores
from .row_sketch import RowSketch, row_keys

_AT_ONCE = 2**18  # labels hashed at a time: copies of them all would be the peak of a fit


@dataclass(frozen=True)
class Provenance:
    """The provenance of a model; no part of its fingerprint.

    ``rows`` is the hash of the training rows and ``n_examples`` how many there were, copies
    counted; both None where a fit did not note them, as is ``fitted``, its time in UTC. ``target``
    is the name of the column that was learnt, None where y brought none; ``reading`` says how the
    command line was told to read its file, in JSON, None for the usual way. ``since`` names the
    method, "update" or "refit", by which the model learnt from further rows, None where one fit
    gave it. ``row_sketch`` holds hashes of the rows that the fit looked at
    (``production/row_sketch.py``), None where they are not known, ``profile`` the histograms of
    their columns (``production/profile.py``).
    """

    weaklearn: str
    numpy: str
    scikit_learn: str
    python: str
    rows: str | None = None
    n_examples: int | None = None
    fitted: str | None = None
    target: str | None = None
    reading: str | None = None
    since: str | None = None
    row_sketch: RowSketch | None = field(default=None, repr=False, compare=False)
    profile: Profile | None = field(default=None, repr=False, compare=False)

    def in_words(self) -> dict[str, str | int | None]:
        """The fields that are texts and numbers; ``reading`` and ``since`` where they are known."""
        fields = asdict(replace(self, row_sketch=None, profile=None))
        del fields["row_sketch"], fields["profile"]
        unknown = [name for name in ("reading", "since") if fields[name] is None]
        return {name: value for name, value in fields.items() if name not in unknown}


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


def _noted(model: Any) -> Provenance | None:
    """What a fit has noted; None for models of others, which a bag may hold and a report show."""
    return getattr(model, "_origin", None)


def provenance_of(model: Any) -> Provenance:
    """The provenance of a fitted model; of a model without one, ``current_versions()``."""
    return _noted(model) or current_versions()


def forget_rows(model: Any) -> None:
    """Drops row hashes and histograms from a model; a bag keeps them once for all members."""
    noted = _noted(model)
    if noted is not None:
        model._origin = replace(noted, row_sketch=None, profile=None)


def name_target(model: Any, target: str | None, reading: str | None = None) -> None:
    """Sets the target column, and how its file is read, in the provenance of a fitted model."""
    noted = _noted(model)
    if noted is not None:
        model._origin = replace(noted, target=target, reading=reading)


def training_hash(sample: Sample) -> str:
    """A hash of the rows with their labels and weights, whatever their order.

    A weight of 3 is three copies. Rows are hashed as the fit saw them: where columns were binned
    for good, values of one bin are one value. It finds accidents, not forgeries: hashes of rows are
    added up, once for each of two ways to mix them, to 128 bits; those of all partitions too.
    """
    return _in_hex(_hash_sums(sample), sample.engine.collective)


def _hash_sums(sample: Sample) -> tuple[int, int]:
    """The two sums of the hashes of own rows."""
    rows, sums = sample.code_hashes, (0, 0)
    for start in range(0, len(rows), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        weights = None if sample.importance is None else sample.importance[some]
        copies = None if sample.copies is None else sample.copies[some]
        labels = _label_hashes(sample.y[some])
        first, second = sample.engine.rows.hash_examples(rows[some], labels, weights, copies)
        sums = (sums[0] + first) % 2**64, (sums[1] + second) % 2**64
    return sums


def _label_hashes(y: NDArray[Any]) -> Keys:
    """Labels, or numbers to predict, as 64 bits each."""
    if y.dtype.kind == "f":
        return keys_of_numbers(y)
    if y.ndim == 2:
        return later.label_keys(y)
    return y.astype(np.int64).view(np.uint64)


def _in_hex(sums: tuple[int, int], over: Partitions) -> str:
    """The sums over all partitions as a text."""
    return "".join(f"{sum(each) % 2**64:016x}" for each in zip(*over.gather(sums)))


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
        since=None if before is None else before.since,
    )


def _hashed(
    sample: Sample, held_out: Rows | None
) -> tuple[RowSketch, str, tuple[Floats, Floats] | None]:
    """The sketch of the rows, their hash, and the ends of dense columns; one pass over a matrix.

    Sketch and hash are of all partitions, the ends of own rows.
    """
    matrix, over = sample.cells.matrix, sample.engine.collective
    sums: tuple[int, int] | None = None
    ends: tuple[Floats, Floats] | None = None
    if isinstance(sample.cells, StreamedCells):
        assert sample.cells.summary is not None
        seen = sample.cells.summary
        keys, ends = seen.keys, (seen.low, seen.high)
    elif matrix is None:
        keys = row_keys(sample.cells, sample.engine.threads)
    else:
        factors, read = column_factors(matrix.shape[1]), sample.engine.rows.read_rows
        if sample.binning.keep_order:  # no value is lost in a bin: the pass over X hashes all
            labels = _label_hashes(sample.y)
            keys, low, high, sums = read(matrix, factors, labels, sample.importance, sample.copies)
        else:
            keys, low, high, _ = read(matrix, factors)
        ends = low, high
    threads = sample.engine.threads
    parts = [keys] if held_out is None else [keys, row_keys(held_out.cells, threads)]
    row_sketch = RowSketch.of_keys(parts, threads)
    del keys, parts
    row_sketch = reduce(RowSketch.joined, over.gather(row_sketch))
    return row_sketch, _in_hex(_hash_sums(sample) if sums is None else sums, over), ends


def after_stream(sample: Sample, before: Provenance | None) -> Provenance:
    """The provenance of a fit on a stream, whose rows are not kept."""
    target = sample.target or (None if before is None else before.target)
    return replace(fitted_now(), target=target)
