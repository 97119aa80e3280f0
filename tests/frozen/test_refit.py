"""A fit of today gives the model of the frozen file: refactoring moves no fingerprint."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy
from sklearn.utils.fixes import parse_version

import weaklearn
from tests.frozen import HERE, answers, frame
from tests.frozen.add import KEPT, KeptEstimator, cases

# Whose last bits come from other libraries: solvers of scipy, functions of numpy.
BORROWED = (
    *("AdditiveBoostingClassifier", "AdditiveBoostingRegressor", "ID3Classifier"),
    *("ERLPBoostClassifier", "HingeLPClassifier"),
)
OTHER = any(
    parse_version(library.__version__) < parse_version(frozen_by)
    for library, frozen_by in ((np, "2.4"), (scipy, "1.17"))
)


@pytest.mark.filterwarnings("ignore::UserWarning")  # a few rows are enough here
@pytest.mark.parametrize("kind", KEPT, ids=lambda kind: kind.name)
def test_a_fit_gives_the_model_of_the_frozen_file(kind: KeptEstimator) -> None:
    for name, model, columns in cases(kind):
        path = HERE / f"{name}.weak"
        if OTHER and kind.name in BORROWED:
            told = json.loads(path.with_suffix(".json").read_text())["answers"]
            for method, found in answers(model, frame(columns)).items():
                if method == "predict":
                    assert found == told[method]
                else:
                    np.testing.assert_allclose(found, told[method], rtol=1e-9, atol=1e-12)
        else:
            assert model.fingerprint() == weaklearn.load(path).fingerprint(), name
