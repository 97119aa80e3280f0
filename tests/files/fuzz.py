"""Mutated model files through load and predict, by the million: ``python -m tests.files.fuzz``.

Small files of every kind are changed in a few places of one section, lengths and checksum are put
right, and the file is loaded by the library, and every other one by the runtime too. Each must
refuse it as a model file or give a model that answers rows of its columns. Anything else is a flaw
(another error, a crash, a file that takes longer than a few seconds), told with the seed that finds
it again.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.files.forge import loaded, mutated, relengthened, sections
from tests.frozen import HERE, frame
from weaklearn.files import ModelFileError, seal, unseal
from weaklearn.files.envelope import VERSION
from weaklearn.runtime.loading import opened as opened_small

_LARGEST = 12_000  # bytes of a file to begin with
_SLOWEST = 20  # seconds
FINE = ("refused", "answered")
# Rows that are none of the columns a mutated model asks for.
_FOREIGN = (
    *("feature", "holds", "lacks", "column", "categor", "missing", "NaN", "infinity", "mixes"),
    *("time zone", "Feature names", "classes", "twice", "too large", "no number", "numbers"),
    "learning began with",  # a parameter that was set after the fit
    *("predictor", "values"),  # a row of a predictor
    "were learnt",  # windows of another size
)
_WAYS = ("predict", "predict_proba", "decision_function", "transform", "predictor", "detect")


@dataclass(frozen=True)
class Base:
    """A file to begin with, and rows of its columns."""

    name: str
    data: bytes
    X: Any
    rows: Any  # as the runtime reads them


def bases() -> list[Base]:
    """The small ones of the frozen files of this version."""
    found = []
    for path in sorted(HERE.glob(f"{VERSION}-*.weak")):
        data = path.read_bytes()
        if len(data) > _LARGEST:
            continue
        X = frame(json.loads(path.with_suffix(".json").read_text())["columns"])
        if hasattr(X, "columns") and len(X.columns) == 1 and X.dtypes.iloc[0].kind == "O":
            rows: Any = X.iloc[:, 0].tolist()  # texts
        elif hasattr(X, "columns"):
            rows = {name: X[name].astype(object).tolist() for name in X.columns}
        else:
            rows = X
        found.append(Base(path.stem, data, X, rows))
    return found


def changed(rng: random.Random, data: bytes) -> bytes:
    """A file with mutations in one section, or anywhere; its lengths and checksum are right."""
    if rng.random() < 0.1:
        return relengthened(mutated(rng, data).ljust(56, b"\0"))
    parts = sections(data)
    number = rng.choice([1, 1, 1, 2, *parts])
    if rng.random() < 0.5:
        parts[number] = mutated(rng, parts[number])
    else:  # one byte: lengths stay, and more often a model comes of it
        part = bytearray(parts[number])
        place = rng.randrange(len(part))
        part[place] = rng.choice([rng.randrange(256), part[place] ^ (1 << rng.randrange(8))])
        parts[number] = bytes(part)
    return seal(parts)


def tried(rng: random.Random, base: Base, data: bytes) -> str:
    """What became of a file: refused, or answered; anything else is raised."""
    try:
        model = loaded(data)
    except ModelFileError:
        outcome = "refused"
    else:
        outcome = "answered"
        _asked(rng, model, base.X)
    if rng.random() < 0.5:
        try:
            small = opened_small(unseal(data))
        except ModelFileError:
            return outcome
        _asked(rng, small, base.rows)
    return outcome


def _asked(rng: random.Random, model: Any, X: Any) -> None:
    """One of the ways to ask a model, by chance."""
    in_columns = hasattr(model, "n_features_in_")
    ways = [name for name in _WAYS if hasattr(model, name) and (in_columns or name != "predictor")]
    way = rng.choice(ways)
    try:
        if way == "predictor":
            model.predictor()([0.5] * min(model.n_features_in_, 10_000))
        elif way == "detect":
            model.detect(np.tile(X[0], (3, 4)))
        else:
            getattr(model, way)(X)
    except (ValueError, TypeError) as error:
        if not any(word in str(error) for word in _FOREIGN):
            raise


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Ends what computes without end, by the clock of the processor."""

    def late(*_: Any) -> None:
        raise TimeoutError(f"a file took more than {seconds} seconds")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _place(error: BaseException) -> str:
    """The error, and the line of the library that it came from."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "weaklearn" in f.filename]
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    return f"{type(error).__name__} at {where}: {str(error)[:100]}"


def run(
    count: int,
    seed: int = 0,
    seconds: float = np.inf,
    report: Path | None = None,
    most_flaws: int = 1,
) -> Counter[str]:
    """So many mutations, or as many as there is time for; how they ended."""
    everything = bases()
    found: Counter[str] = Counter()
    began = time.monotonic()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(count):
            rng = random.Random(f"{seed}-{k}")
            base = everything[rng.randrange(len(everything))]
            data = changed(rng, base.data)
            if report is not None:
                report.write_bytes(data)  # a crash leaves the file that caused it
            try:
                with at_most(_SLOWEST):
                    found[tried(rng, base, data)] += 1
            except Exception as error:
                found[f"{_place(error)}; mutation {k} of seed {seed}, {base.name}"] += 1
                if sum(n for name, n in found.items() if name not in FINE) >= most_flaws:
                    break
            if time.monotonic() - began > seconds:
                break
    return found


def _most_memory() -> float:
    """The most that this process has held so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _side_by_side(given: argparse.Namespace) -> int:
    """As many processes as asked for; one that dies is a flaw, and its file is kept."""
    each = -(-given.count // given.jobs)
    folder = Path(tempfile.mkdtemp(prefix="fuzz-")) if given.report is None else given.report
    folder.mkdir(exist_ok=True)
    running = []
    for k in range(given.jobs):
        words = ["--count", each, "--seed", given.seed + k, "--seconds", given.seconds]
        command = [sys.executable, "-m", __spec__.name, *words, "--report", folder / f"{k}.weak"]
        running.append(subprocess.Popen([str(word) for word in command]))
    statuses = [process.wait() for process in running]
    if any(statuses):
        print(f"exit statuses {statuses}; the last files are in {folder}")
    return int(any(statuses))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=np.inf)
    parser.add_argument("--report", type=Path, help="where the file of the moment is kept")
    parser.add_argument(
        "--jobs", type=int, default=1, help="processes, each with a seed of its own"
    )
    given = parser.parse_args(arguments)
    if given.jobs > 1:
        return _side_by_side(given)
    began = time.monotonic()
    run(1000, given.seed + 1, given.seconds)  # whatever is loaded once is loaded now
    before = _most_memory()
    found = run(given.count, given.seed, given.seconds, given.report, most_flaws=50)
    took = time.monotonic() - began
    print(f"{found.total()} mutated files in {took:.0f} s: {found['refused']} refused, ", end="")
    print(f"{found['answered']} sound models; memory grew by {_most_memory() - before:.0f} MB")
    flaws = sorted(name for name in found if name not in FINE)
    print("\n".join(flaws))
    return int(bool(flaws))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
