"""Where the time of a fit goes, on request."""

import sys

import numpy as np
import pytest

import weaklearn as wl


def test_a_fit_prints_where_its_time_went(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    X = np.random.default_rng(0).normal(size=(3000, 5))
    model = wl.GradientBoostingClassifier(n_estimators=3)
    model.fit(X, X[:, 0] > 0)
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("WEAKLEARN_PROFILE", "1")
    model.fit(X, X[:, 0] > 0)
    first, *phases = capsys.readouterr().err.splitlines()
    assert first.startswith("GradientBoostingClassifier: ")
    seconds = {line[:18].strip(): float(line[18:].split()[0]) for line in phases}
    assert {"coding", "histograms", "splits", "dividing rows", "losses", "leaves"} == set(seconds)
    assert all(value >= 0 for value in seconds.values())


def test_rounds_of_stumps_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40_000, 8)), rng.integers(0, 2, 40_000)
    monkeypatch.setenv("WEAKLEARN_PROFILE", "1")
    for n_jobs in (1, 3):
        wl.AdaBoostClassifier(n_estimators=30, n_jobs=n_jobs).fit(X, y)
        first, *phases = capsys.readouterr().err.splitlines()
        wall, outside = (float(part.split()[0]) for part in first.split(": ")[1].split(",")[:2])
        seconds = {line[:18].strip(): float(line[18:].split()[0]) for line in phases}
        assert all(seconds[phase] > 0 for phase in ("coding", "losses", "histograms", "splits"))
        assert 0 < outside < wall
        if n_jobs == 1:
            assert sum(seconds.values()) <= wall + 0.005  # as rounded


def test_a_fit_that_fails_leaves_nothing_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEAKLEARN_PROFILE", "1")
    with pytest.raises(ValueError, match="n_estimators"):
        wl.GradientBoostingClassifier(n_estimators=-1).fit([[0.0], [1.0]], [0, 1])
    capsys.readouterr()
    wl.AdaBoostClassifier(n_estimators=1).fit([[0.0], [1.0]], [0, 1])
    assert capsys.readouterr().err.startswith("AdaBoostClassifier: ")


def test_0_asks_for_nothing_and_a_program_may_have_no_console(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = wl.AdaBoostClassifier(n_estimators=1)
    monkeypatch.setenv("WEAKLEARN_PROFILE", "0")
    model.fit([[0.0], [1.0]], [0, 1])
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("WEAKLEARN_PROFILE", "1")
    monkeypatch.setattr(sys, "stderr", None)
    assert model.fit([[0.0], [1.0]], [0, 1]).score([[0.0], [1.0]], [0, 1]) == 1.0
