"""Runs experiments one after another, keeps what is finished, and writes page and CSV files."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from ..base.messages.spelling import nearest
from ..base.messages.value_text import show
from ..base.messages.warnings import WeaklearnWarning
from ..files.disk import write_out
from ..intake import parameters
from .catalogue import EXPERIMENTS, Experiment
from .csv_files import curves_csv, figures_csv
from .data_folder import DataFolder, NoDataError, data_folder
from .outcome import Outcome
from .parts import Parts
from .result import from_record
from .results_page import results_page
from .setting import Setting, silent

_FORMAT = 1  # of the files of finished experiments
_PAGE = "index.html"
_MOST_SEED = 4_000_000  # folds have seeds of a thousand times it, which must be below 2**32
Say = Callable[[str], None]


@dataclass(frozen=True)
class _Run:
    """One call: the folder of its output, and what decides about the numbers."""

    folder: Path
    data: DataFolder
    seed: int
    quick: bool
    runs: int | None
    say: Say

    @property
    def key(self) -> dict[str, Any]:
        """What a kept result must have been made with to be used again."""
        place = self.data.place
        return {
            "format": _FORMAT,
            "version": sys.modules["weaklearn"].__version__,
            "seed": self.seed,
            "quick": self.quick,
            "data": None if place is None else os.path.realpath(place),
        }


def reproduce(
    names: Iterable[str] = (),
    *,
    data: str | os.PathLike[str] | None = None,
    output: str | os.PathLike[str] = "results",
    seed: int = 0,
    quick: bool = False,
    runs: int | None = None,
    again: bool = False,
    say: Say | None = None,
) -> list[Outcome]:
    """Runs experiments of the founding texts, and writes ``index.html`` and CSV files.

    A finished experiment is kept in the output folder and not run again with the same data folder,
    seed and version; an interrupted one goes on from its last finished part where it has parts.
    One that cannot run does not stop the others: its outcome says why.

    Parameters
    ----------
    names : names of experiments, as in ``EXPERIMENTS``; all by default
    data : folder of tables, texts and pictures, optional
        Without it there are tables bundled with scikit-learn, and downloads.
    output : folder to write to, made where it does not exist
    seed : int, default 0
        At most 4,000,000.
    quick : bool, default False
        A short form with few rounds and rows: it shows that all runs, its numbers mean little. A
        folder with results of the full form is refused.
    runs : int, optional
        At most so many repetitions of a trial; as many as its source made by default. A kept
        result stays whatever it is.
    again : bool, default False
        Run also what is finished.
    say : function of a line of text, optional
        Progress: for instance ``print``.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> [outcome] = reproduce(["ten-points"], output=folder)
    >>> outcome.result.tables[0].rows[0].ours, outcome.kept
    (0.3, False)
    >>> reproduce(["ten-points"], output=folder)[0].kept
    True
    """
    asked = _named(names)
    parameters.integer("seed", seed, 0, _MOST_SEED)
    parameters.switch("quick", quick)
    parameters.switch("again", again)
    if runs is not None:
        parameters.integer("runs", runs, 1, 1000)
    run = _Run(_folder(output), data_folder(data), int(seed), bool(quick), runs, say or silent)
    if run.quick:
        _refuse_full_results(run.folder)
    outcomes = {name: kept for name in EXPERIMENTS if (kept := _kept(run, name)) is not None}
    _write_page(run, outcomes)  # a folder that cannot be written to is refused before the work
    for number, name in enumerate(asked, start=1):
        head = f"[{number}/{len(asked)}] {name}"
        if name in outcomes and not again:
            run.say(f"{head}: finished before, in {_duration(outcomes[name].seconds)}")
            continue
        form = ", quick" if run.quick else ""
        run.say(f"{head}: {EXPERIMENTS[name].title} (seed {run.seed}{form})")
        outcomes[name] = _outcome(run, EXPERIMENTS[name])
        _write_page(run, outcomes)
    run.say(f"the page: {run.folder / _PAGE}")
    return [outcomes[name] for name in asked]


def _named(names: Iterable[str]) -> list[str]:
    asked = [names] if isinstance(names, str) else list(names)
    for name in asked:
        if name not in EXPERIMENTS:
            raise ValueError(
                f"there is no experiment {show(name)}; the experiments are "
                f"{', '.join(EXPERIMENTS)}.{nearest(str(name), list(EXPERIMENTS))}"
            )
    return list(dict.fromkeys(asked)) or list(EXPERIMENTS)


def _folder(output: Any) -> Path:
    if not isinstance(output, (str, os.PathLike)):
        raise TypeError(f"output={show(output)} is not allowed: it must be the name of a folder.")
    path = Path(output)
    if path.exists() and not path.is_dir():
        raise ValueError(f"output={str(path)!r} is a file; name a folder.")
    path.mkdir(parents=True, exist_ok=True)
    return path


def _refuse_full_results(folder: Path) -> None:
    """Raises ValueError where a folder holds results, or finished parts, of the full form."""
    full = [name for name in EXPERIMENTS if _is_full(folder, name)]
    if full:
        few = ", ".join(full[:3]) + ", ..." * (len(full) > 3)
        raise ValueError(
            f"output={show(str(folder))} holds results of the full form ({few}), which the quick "
            "form would replace; name another folder."
        )


def _is_full(folder: Path, name: str) -> bool:
    """Whether a folder holds a result or finished parts of the full form; damaged files do not."""
    for file, of_key in ((f"{name}.json", lambda r: r), (f"{name}.parts.json", itemgetter("key"))):
        with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            if of_key(json.loads((folder / file).read_bytes()))["quick"] is False:
                return True
    return False


def _outcome(run: _Run, experiment: Experiment) -> Outcome:
    """Runs one experiment; what it finds goes to the folder at once."""
    parts = Parts(run.folder / f"{experiment.name}.parts.json", run.key)
    setting = Setting(
        run.data, run.seed, run.quick, parts, run.runs, lambda text: run.say(f"    {text}")
    )
    began = time.perf_counter()
    try:
        with warnings.catch_warnings():
            # Learners that stop at once, and rows unlike those of training, are part of them.
            warnings.simplefilter("ignore", WeaklearnWarning)
            result = experiment.run(setting)
    except NoDataError as error:
        return _failed(run, experiment, str(error))
    except Exception as error:  # the others shall run all the same
        return _failed(run, experiment, f"{type(error).__name__}: {error}")
    seconds = time.perf_counter() - began
    outcome = Outcome(experiment, result, "", seconds, machine())
    record = run.key | {
        "seconds": seconds,
        "machine": outcome.machine,
        "result": result.record(),
    }
    write_out(run.folder / f"{experiment.name}.json", json.dumps(record).encode())
    write_out(run.folder / f"{experiment.name}.csv", figures_csv(result).encode())
    write_out(run.folder / f"{experiment.name}-curves.csv", curves_csv(result).encode())
    parts.clear()
    run.say(f"    done in {_duration(seconds)}")
    return outcome


def _failed(run: _Run, experiment: Experiment, why: str) -> Outcome:
    run.say(f"    not run: {why}")
    return Outcome(experiment, None, why)


def _kept(run: _Run, name: str) -> Outcome | None:
    """What an earlier run with the same settings has found; None where there is none, or half."""
    try:
        record = json.loads((run.folder / f"{name}.json").read_bytes())
        if {key: record[key] for key in run.key} != run.key:
            return None
        result = from_record(record["result"])
        seconds, where = float(record["seconds"]), str(record["machine"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        run.say(f"{name}.json in the output folder cannot be read; {name} counts as not run")
        return None
    return Outcome(EXPERIMENTS[name], result, "", seconds, where, kept=True)


def _write_page(run: _Run, outcomes: dict[str, Outcome]) -> None:
    ordered = [outcomes[name] for name in EXPERIMENTS if name in outcomes]
    page = results_page(ordered, run.seed, run.quick)
    write_out(run.folder / _PAGE, page.encode("utf-8"))


def machine() -> str:
    """The machine in general words."""
    cores = os.cpu_count() or 1
    words = f"{cores} core{'s' * (cores > 1)}, {platform.machine()}"
    return f"{words}, Python {platform.python_version()}"


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.1f} min"
