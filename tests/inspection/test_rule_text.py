"""Thresholds of dates and moments, as people read them."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

from weaklearn import AdaBoostClassifier, DecisionTreeClassifier
from weaklearn.inspection.rule_text import value_text
from weaklearn.intake.column_schema import named_zone, offset_at, offset_text

pd = pytest.importorskip("pandas")


def told(column, y) -> str:
    """The test of the one rule that parts the rows."""
    X = pd.DataFrame({"when": column})
    test = AdaBoostClassifier(n_estimators=1).fit(X, y).rules()[0][1]
    line = DecisionTreeClassifier().fit(X, y).to_text().splitlines()[1]
    assert line.startswith(test + ":")  # both speak alike
    return test


@pytest.mark.parametrize(
    "days",
    [
        pd.date_range("2024-03-01", periods=6),
        [datetime.date(2024, 3, day) for day in range(1, 7)],
        pd.date_range("2024-03-01", periods=6, tz="Asia/Kolkata"),
        pd.date_range("2024-03-29", periods=6, tz="Europe/Berlin") - pd.Timedelta(0),  # one of 23 h
        pd.period_range("2024-03-01", periods=6, freq="D"),
    ],
)
def test_days_are_parted_by_days(days) -> None:
    last = pd.DataFrame({"when": days})["when"].astype(str)[2][:10]
    assert told(days, [0, 0, 0, 1, 1, 1]) == f"when > {last}"


def test_moments_are_told_in_the_zone_of_their_column() -> None:
    hours = pd.date_range("2024-07-01T22:00", periods=6, freq="h", tz="America/New_York")
    y = [0, 0, 0, 1, 1, 1]
    assert told(hours, y) == "when > 2024-07-02T00:30:00-04:00"
    assert told(hours.tz_convert("UTC"), y) == "when > 2024-07-02T04:30:00+00:00"
    assert told(hours.tz_convert("+05:30"), y) == "when > 2024-07-02T10:00:00+05:30"
    assert told(hours.tz_localize(None), y) == "when > 2024-07-02T00:30:00"


def test_midnights_of_another_zone_are_no_days() -> None:
    days = pd.date_range("2024-03-01", periods=6, tz="UTC").tz_convert("Asia/Kolkata")
    assert told(days, [0, 0, 0, 1, 1, 1]) == "when > 2024-03-03T17:30:00+05:30"


def test_a_zone_that_nobody_knows_is_told_in_utc() -> None:
    moment = np.datetime64("2024-07-01T00:00", "ns")
    assert named_zone("Middle/Earth") is None
    assert named_zone("tzfile('/usr/share/zoneinfo/X')") is None
    assert offset_at(moment, "Middle/Earth") == np.timedelta64(0, "s")
    assert offset_at(np.datetime64("20000-01-01", "s"), "Asia/Tokyo") == np.timedelta64(0, "s")
    assert offset_text(offset_at(moment, "Asia/Tokyo")) == "+09:00"
    assert offset_text(offset_at(moment, "-0330")) == "-03:30"


def test_periods_are_dates_by_their_start() -> None:
    months = pd.period_range("2023-01", periods=24, freq="M")
    X, y = pd.DataFrame({"month": months}), np.arange(24) > 11
    model = DecisionTreeClassifier().fit(X, y)
    assert model.to_text().startswith("month <= 2023-12-16: ")
    starts = pd.DataFrame({"month": months.to_timestamp()})
    assert (model.predict(starts) == y).all()
    assert (model.predict(X.astype(object)) == y).all()
    gap = pd.DataFrame({"month": [months[0], pd.NaT]}, dtype="period[M]")
    assert len(model.predict(gap)) == 2
    with pytest.raises(ValueError, match="mixes periods and text"):
        model.fit(pd.DataFrame({"month": [months[0], "May"]}), [0, 1])


@pytest.mark.parametrize("kind", [np.datetime64, np.timedelta64])
def test_a_moment_beyond_all_is_named(kind: type) -> None:
    assert value_text(kind("NaT")) == "NaT"
