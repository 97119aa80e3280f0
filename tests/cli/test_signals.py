"""Ctrl-C and SIGTERM in the middle of a fit."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import weaklearn as wl
from tests.cli.calling import Called, call, patients, refused, start
from weaklearn.cli import signals

_NOTHING_YET = "no round was finished"


@dataclass(frozen=True)
class Ended:
    """How a process ended: status, what it said, and seconds of CPU since the signal."""

    status: int
    err: str
    cpu: float


def interrupted(number: int, *arguments: Any) -> Ended:
    """A fit of very many rounds, ended by a signal once it is under way."""
    for work in (0.3, 1.0, 3.0, 9.0):  # until the first round is played
        ended = _interrupted(number, work, *arguments)
        if _NOTHING_YET not in ended.err:
            break
    return ended


def _interrupted(number: int, work: float, *arguments: Any) -> Ended:
    run = start("fit", *arguments, "--target=sick", "--set=n_estimators=100000000", "--cv=0")
    assert run.stdout is not None
    try:
        for line in run.stdout:  # the columns are shown just before the fit
            if line.startswith("cost"):
                break
        _let_work(run.pid, work)
        others, used = _cpu_of_children(), _cpu_of(run.pid)
        run.send_signal(number)
        _, err = run.communicate(timeout=600)
        return Ended(run.returncode, err, _cpu_of_children() - others - used)
    finally:
        run.kill()


def _let_work(pid: int, seconds: float) -> None:
    """Waits until a process has used so much more CPU; by the clock where that cannot be read."""
    begin = _cpu_of(pid)
    time.sleep(seconds)
    while 0 < _cpu_of(pid) < begin + seconds:
        time.sleep(0.05)


def _cpu_of(pid: int) -> float:
    """Seconds of CPU that a process has used; none where that cannot be read."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_a_fit_that_is_ended_leaves_no_model(tmp_path: Path) -> None:
    data = patients(tmp_path / "p.csv", 2000)
    ended = interrupted(signal.SIGINT, data, "-o", tmp_path / "m.weak")
    assert ended.status == 130
    assert ended.err.splitlines()[-1] == "weaklearn: interrupted."
    assert "Traceback" not in ended.err
    if Path("/proc/self/stat").exists():
        assert ended.cpu < 1
    assert [p.name for p in tmp_path.iterdir()] == ["p.csv"]


@pytest.mark.parametrize(
    ("number", "status", "model"),
    [
        pytest.param(signal.SIGINT, 130, "adaboost", id="int", marks=pytest.mark.long),
        pytest.param(signal.SIGTERM, 143, "realboost", id="term"),
    ],
)
def test_a_checkpoint_keeps_what_was_learnt_and_plays_on(
    tmp_path: Path, number: int, status: int, model: str
) -> None:
    data = patients(tmp_path / "p.csv", 2000)
    kept = tmp_path / "so-far.weak"
    more = ("--model", model, "-o", tmp_path / "m.weak", "--checkpoint", kept)
    ended = interrupted(number, data, *more)
    assert ended.status == status
    assert "rounds fitted so far are saved in" in ended.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.csv", "so-far.weak"]
    found = wl.load(kept)
    n = found.n_iter_
    assert n > 0
    X, y = wl.datasets.read_table(data).split("sick")
    whole = type(found)(n_estimators=n + 5).fit(X, y)
    found.set_params(warm_start=True, n_estimators=n + 5).fit(X, y)
    assert found.n_iter_ == n + 5
    assert found.fingerprint() == whole.fingerprint()


@pytest.mark.parametrize("at", ["click", "weaklearn.cli.app"])
def test_a_signal_before_anything_is_loaded(monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    class Interrupting:
        def find_spec(self, name: str, *_: Any) -> None:
            if name == at:
                raise KeyboardInterrupt

    for name in [n for n in sys.modules if n == at or n.startswith(f"{at}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    assert call("--help") == Called(130, "", "")


def test_a_signal_while_a_class_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(given: list[str]) -> int:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr("weaklearn.cli.app._invoked", interrupt)
    assert refused("--help", status=130) == "weaklearn: interrupted."


KINDS = [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, signals.Terminated)]
_NEVER = 600  # seconds: a wait that only a signal ends


def ended_by(number: int) -> type[BaseException] | None:
    """What ends a block in whose destructor a signal comes."""

    class Dying:
        def __del__(self) -> None:
            signal.raise_signal(number)

    try:
        with signals.handled():
            Dying()
            time.sleep(_NEVER)
    except KeyboardInterrupt as interrupt:
        return type(interrupt)
    return None


@pytest.mark.parametrize(("number", "kind"), KINDS)
def test_a_signal_in_a_destructor_is_not_lost(number: int, kind: type[KeyboardInterrupt]) -> None:
    assert ended_by(number) is kind


@pytest.mark.parametrize(("number", "kind"), KINDS)
def test_a_signal_sent_again_while_the_first_is_still_told_of_is_not_lost(
    number: int, kind: type[KeyboardInterrupt]
) -> None:
    def dwell(frame: Any, event: str, _: Any) -> None:
        if event == "return" and frame.f_code is signals._send_again.__code__:
            time.sleep(10 * signals._SOON)  # the signal that is sent again comes here

    sys.setprofile(dwell)
    try:
        assert ended_by(number) is kind
    finally:
        sys.setprofile(None)


def test_handlers_are_put_back_and_ctrl_c_stays_ignored_where_it_was() -> None:
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    with signals.handled():
        pass
    assert [signal.getsignal(number) for number in numbers] == before
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does for what runs behind
        with signals.handled():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before[0])
