"""History: one column a fact, one entry a round."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from weaklearn.base import History, Stop


def history() -> History:
    found = History()
    found.append({"epsilon": 0.3, "alpha": 0.4})
    found.append({"epsilon": 0.2, "alpha": 0.7})
    return found


def test_columns() -> None:
    found = history()
    assert len(found) == 2
    assert list(found) == ["t", "epsilon", "alpha"]
    assert found["epsilon"].tolist() == [0.3, 0.2]
    assert found["t"].tolist() == [1, 2]
    assert "alpha" in found
    assert "beta" not in found
    with pytest.raises(KeyError):
        found["beta"]
    assert dict(found)["alpha"].tolist() == [0.4, 0.7]
    assert found.last() == {"epsilon": 0.2, "alpha": 0.7}
    found["epsilon"][0] = 9  # a copy
    assert found["epsilon"][0] == 0.3


def test_empty() -> None:
    found = History()
    assert (len(found), bool(found), list(found)) == (0, False, ["t"])
    assert found["t"].tolist() == []
    assert "(no rows)" in str(found)
    assert found == History()
    assert history() != History()
    assert bool(history())


def test_facts_that_come_later() -> None:
    found = history()
    found.note("score", 0.9)  # of round 2
    found.append({"epsilon": 0.1, "alpha": 1.0})
    found.append({"epsilon": 0.1, "alpha": 1.0, "extra": 5.0})
    found.note("score", 0.8)
    found.note("score", 0.7)  # said again
    assert np.array_equal(found["score"], [np.nan, 0.9, np.nan, 0.7], equal_nan=True)
    assert np.array_equal(found["extra"], [np.nan] * 3 + [5.0], equal_nan=True)
    assert found["epsilon"].tolist() == [0.3, 0.2, 0.1, 0.1]
    assert len(found) == 4


def test_the_first_rounds() -> None:
    found = history()
    assert found.first(1)["epsilon"].tolist() == [0.3]
    assert found.first(9) == found
    assert len(found.first(0)) == 0
    shorter = found.first(1)
    shorter.append({"epsilon": 0.5, "alpha": 0.0})
    shorter.note("score", 1.0)
    assert found["epsilon"].tolist() == [0.3, 0.2]  # and the long one does not hear of it
    assert "score" not in found


def test_equality_counts_gaps_as_equal() -> None:
    a, b = history(), history()
    assert a == b
    a.note("score", float("nan"))
    assert a != b
    b.note("score", float("nan"))
    assert a == b
    assert a != "history"


def test_shown() -> None:
    text = str(history())
    assert text.splitlines()[0].split() == ["t", "epsilon", "alpha"]
    assert text.splitlines()[1].split() == ["1", "0.3", "0.4"]
    assert "<table " in history()._repr_html_()
    frame = history().to_frame()
    assert frame.columns.tolist() == ["t", "epsilon", "alpha"]
    assert frame["alpha"].tolist() == [0.4, 0.7]


def test_pickles() -> None:
    assert pickle.loads(pickle.dumps(history())) == history()


def test_long_histories_stay_quick() -> None:
    found = History()
    for t in range(100_000):
        found.append({"epsilon": 0.1, "alpha": float(t)})
    assert found["alpha"][-1] == 99_999
    assert len(str(found).splitlines()) < 20


def test_reasons_read_as_words() -> None:
    assert str(Stop.PERFECT) == "a hypothesis made no error"
    assert Stop("no hypothesis beats chance") is Stop.NO_EDGE
    assert len({str(stop) for stop in Stop}) == len(Stop)


def test_a_history_says_which_metrics_it_has() -> None:
    history = History()
    history.append({"epsilon": 0.25})
    for wrong in (3, "eps"):
        with pytest.raises(KeyError, match=r"no metric .*it has t, epsilon, each with entry t - 1"):
            history[wrong]  # type: ignore[index]
    assert "eps" not in history
    assert history.get("eps") is None
