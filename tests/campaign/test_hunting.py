"""Hunts count in one way, survive what they hunt, and go on where they ended."""

from __future__ import annotations

import itertools
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.campaign import hunting
from tests.campaign.bad_hunt import judge, never_begin, trial
from tests.campaign.counts import Outcome


def test_trials_that_raise_die_or_hang_are_failures_and_the_others_go_on() -> None:
    bad = partial(trial, dies_at=5, hangs_at=6)
    outcome = Outcome()
    hunting.run(hunting.Hunt(bad, 12, patience=5), outcome, jobs=2)
    counts = outcome.counts
    assert (counts.tried, counts.refused, counts.answered, counts.failed) == (12, 5, 4, 3)
    assert counts.details["sum"] == sum(range(12)) - 3 - 5 - 6
    assert [number for number, _ in counts.failures] == [3, 5, 6]
    raised, died, hung = (why for _, why in counts.failures)
    assert raised.startswith("KeyError at bad_hunt.py")
    assert died == "the process ended with status -9"
    assert hung == "it took more than 5 seconds"
    assert outcome.complete


def test_short_trials_given_ahead_to_a_process_that_dies_are_tried_by_others() -> None:
    outcome = Outcome()
    hunting.run(hunting.Hunt(partial(trial, dies_at=250), 400), outcome, jobs=2)
    counts = outcome.counts
    assert (outcome.next, outcome.beyond, outcome.complete) == (400, [], True)
    assert [number for number, _ in counts.failures] == [3, 250]
    assert (counts.tried, counts.details["sum"]) == (400, sum(range(400)) - 3 - 250)


def test_a_later_call_goes_on_where_an_earlier_one_ended(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "outcome.json"
    for count in (2, 7):
        words = ["--count", str(count), "--outcome", str(path)]
        given = hunting.parser("a hunt").parse_args(words)
        status = hunting.main(hunting.Hunt(trial), given)
    outcome = Outcome.read(path)
    assert (status, outcome.next, outcome.complete) == (1, 9, False)
    assert outcome.counts.details == {"sum": sum(range(9)) - 3}
    told = capsys.readouterr().out
    assert "9 tried, 5 refused, 3 answered, 1 failed" in told
    assert "(--seed 0 --first 3 --count 1)" in told


def test_no_trial_begins_after_its_time() -> None:
    outcome = Outcome()
    hunting.run(hunting.Hunt(trial), outcome, seconds=0)
    assert outcome.next == outcome.counts.tried == 0


def test_a_trial_that_does_not_end_in_time_holds_up_no_other(tmp_path: Path) -> None:
    path = tmp_path / "outcome.json"
    slow = hunting.Hunt(partial(trial, hangs_at=1), 6)
    began = time.monotonic()
    hunting.run(slow, Outcome(), jobs=2, seconds=30, path=path)
    assert time.monotonic() - began < 60
    outcome = Outcome.read(path)
    assert (outcome.next, outcome.beyond, outcome.complete) == (1, [2, 3, 4, 5], False)
    assert (outcome.counts.tried, outcome.counts.failed) == (5, 1)
    hunting.run(hunting.Hunt(trial, 6), outcome)  # the one that is left, and none twice
    assert (outcome.next, outcome.beyond, outcome.complete) == (6, [], True)
    assert outcome.counts.details["sum"] == sum(range(6)) - 3


def test_what_all_trials_tell_together_is_judged_each_time() -> None:
    outcome = Outcome(next=4)
    hunt = hunting.Hunt(trial, judge=judge)
    for failed in (0, 1, 1):  # 4 + 5 + 6, + 7 + 8 + 9, ...
        hunting.run(hunt, outcome, count=3)
        assert outcome.counts.failed == len(outcome.counts.failures) == failed


def test_a_process_that_cannot_begin_is_no_trial() -> None:
    with pytest.raises(SystemExit, match="before its first trial the process ended with status 3"):
        hunting.run(hunting.Hunt(trial, begin=never_begin), Outcome(), count=3)


def test_what_computes_without_end_is_ended() -> None:
    with pytest.raises(TimeoutError, match="more than 1 seconds"), hunting.at_most(1):
        all(True for _ in itertools.count())
