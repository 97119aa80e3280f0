"""The step after a fit: a description of the training rows, kept beside the model.

None of it is fitting, and no part of what was learnt: a hash of the training rows, a sketch by
which single rows are looked up (``row_sketch.py``), histograms of the columns and of the scores
(``profile.py``). Within ``without_profile`` parts of it are left out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..base.sample import Rows, Sample
from .profile import hashes_rows, one_column_each, profile_of, reads_cells, with_scores
from .provenance import Provenance, fitted_now, training_hash
from .row_sketch import RowSketch


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
    row_sketch, rows = None, None
    if hashes_rows():
        tables = [sample.cells, *([] if held_out is None else [held_out.cells])]
        row_sketch = RowSketch.of(tables)
        rows = training_hash(sample)
    if before is not None and row_sketch is not None:
        known = before.row_sketch
        row_sketch = None if known is None else row_sketch.joined(known)
    profile = profile_of(sample)
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


def after_stream(sample: Sample, before: Provenance | None) -> Provenance:
    """The provenance of a fit on a stream, whose rows are not kept."""
    target = sample.target or (None if before is None else before.target)
    return replace(fitted_now(), target=target)
