"""Classifiers as learners of signs on samples of any target."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..base.hypothesis import Form, WeakLearner
from ..base.sample import Binning

if TYPE_CHECKING:
    from ..base.hypothesis import Oracle
    from ..base.sample import Sample


@dataclass(frozen=True)
class SignedLearner(WeakLearner):
    """A learner of labels, for boosters that pass targets -1 and +1 whatever the sample's y is."""

    learner: WeakLearner

    @property
    def title(self) -> str:
        return self.learner.title

    @property
    def binning(self) -> Binning:
        return self.learner.binning

    @property
    def form(self) -> Form:
        return self.learner.form

    def bind(self, sample: Sample) -> Oracle:
        labels = np.ones(len(sample), np.int8)
        return self.learner.bind(replace(sample, y=labels, n_classes=2, classes=np.array([-1, 1])))
