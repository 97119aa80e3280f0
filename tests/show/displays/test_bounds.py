"""A bound is drawn only where it is one."""

import numpy as np
import pytest

from tests.forms import ADABOOST, CANON, REAL, Form, each
from weaklearn.show.data.rounds import training_error_bound

TWO = [form for form in (ADABOOST, REAL, *CANON) if form.n_classes == 2]


@each(TWO)
def test_the_error_stays_below_every_bound_that_is_drawn(form: Form) -> None:
    model = form.fit()
    if not hasattr(model, "staged_predict"):
        pytest.skip("it has no stages")
    bound = training_error_bound(model)
    if bound is not None:
        errors = [np.mean(said != form.y) for said in model.staged_predict(form.X)]
        assert (errors <= bound[: len(errors)] + 1e-12).all()


@pytest.mark.parametrize("name", ["madaboost", "adaboost-l", "filterboost", "adtree"])
def test_what_is_no_bound_is_not_drawn(name: str) -> None:
    (form,) = [form for form in TWO if form.name == name]
    assert training_error_bound(form.fit()) is None
