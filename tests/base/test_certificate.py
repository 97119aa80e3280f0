"""Tables of certificates: what they print, and what a DataFrame of them holds."""

from __future__ import annotations

import pytest

from weaklearn.base.certificate import Certificate, Certificates

REASON = "these are not the rows of training"


def certificates(*reasons: str) -> Certificates:
    found = [
        Certificate.not_applicable(f"theorem-{k}", "error <= bound", "a book", reason)
        for k, reason in enumerate(reasons)
    ]
    return Certificates([*found, Certificate("last", "error <= bound", "", bound=1, observed=0.5)])


def test_a_reason_is_printed_once() -> None:
    verdicts = [row[-1] for row in certificates(REASON, "other", REASON, REASON).table()]
    assert verdicts == [
        f"does not apply: {REASON}",
        "does not apply: other",
        "does not apply: as for theorem-0",
        "does not apply: as for theorem-0",
        "holds, says nothing",
    ]
    assert str(certificates(REASON, REASON, REASON)).count("not the rows") == 1


def test_verdicts_that_are_no_reasons_are_repeated() -> None:
    table = Certificates(certificates()[:] * 2).table()
    assert [row[-1] for row in table] == ["holds, says nothing"] * 2


def test_a_frame_holds_every_reason() -> None:
    pytest.importorskip("pandas")
    verdicts = certificates(REASON, REASON).to_frame()["verdict"].tolist()
    assert verdicts[:2] == [f"does not apply: {REASON}"] * 2


@pytest.mark.parametrize("bound", [-1.0, -0.3, 0.0, 0.7, 1e6])
def test_a_bound_that_is_reached_holds_whatever_its_sign(bound: float) -> None:
    for above, holds in (
        (0.0, True),
        (-1e-3, True),
        (1e-13, True),
        (1e-3 * (1 + abs(bound)), False),
    ):
        told = Certificate("margin", "margin <= bound", "", bound=bound, observed=bound + above)
        assert told.holds is holds
