"""The normal distribution by elementary steps, beside scipy's."""

import numpy as np
import pytest
from scipy.stats import norm

from weaklearn.base.numeric.normal import densities, hazards, log_upper_tails, upper_tails

Z = np.concatenate([np.linspace(-37, 37, 4001), np.geomspace(1e-300, 1e-3, 50), [0.0, -0.0]])


def test_tails_and_their_logarithms_are_scipys() -> None:
    np.testing.assert_allclose(upper_tails(Z), norm.sf(Z), rtol=3e-13)
    np.testing.assert_allclose(log_upper_tails(Z), norm.logsf(Z), rtol=3e-13)
    np.testing.assert_allclose(densities(Z), norm.pdf(Z), rtol=3e-13)


def test_hazards_are_the_quotient_and_finite_far_out() -> None:
    near = np.abs(Z) < 30
    np.testing.assert_allclose(hazards(Z)[near], (norm.pdf(Z) / norm.sf(Z))[near], rtol=1e-12)
    far = np.array([1e3, 1e8, 1e150])
    np.testing.assert_allclose(hazards(far), far + 1 / far - 2 / far**2 / far, rtol=1e-15)
    assert hazards(-far).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("of", [upper_tails, log_upper_tails, hazards])
def test_rows_do_not_depend_on_their_number(of: object) -> None:
    assert callable(of)
    assert np.concatenate([of(Z[i : i + 1]) for i in range(50)]).tobytes() == of(Z)[:50].tobytes()
