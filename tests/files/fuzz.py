"""Mutated model files by the million, each loaded and asked: ``python -m tests.files.fuzz``.

Small files of every kind are changed in a few values of their sections (``anatomy``) or in a few
bytes, lengths and checksum are put right, and the file is loaded: within a bound of time and
memory it must be refused as a model file, or give a model that answers in every way that it can be
asked (``asking``), saved again and read by the runtime among them. Anything else is a failure.
"""

from __future__ import annotations

import json
import os
import random
import resource
import sys
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from tests.campaign import hunting
from tests.campaign.counts import Counts
from tests.files.anatomy import Anatomy, altered
from tests.files.asking import Question, ask, ways
from tests.files.forge import assembled, loaded, mutated, relengthened, sections
from tests.frozen import HERE, frame
from weaklearn.files import ModelFileError, unseal
from weaklearn.files.envelope import REQUIRED, VERSION
from weaklearn.runtime.loading import opened as opened_small

_LARGEST = 12_000  # bytes of a file to begin with
_SLOWEST = 20  # seconds
_ROWS = 6  # that a model is mostly asked about
_WHOLE = 0.06  # of the models are asked about all rows instead, in a frame
_DEAR = {"plot": 0.05, "saved": 0.5, "_repr_html_": 0.5}  # how often, where not all ways are asked
_PAGE = os.sysconf("SC_PAGE_SIZE")
_SANITIZED = "san" in os.environ.get("LD_PRELOAD", "")


@dataclass(frozen=True)
class Base:
    """A file to begin with; what it is made of, and rows of its columns, when they are needed."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem

    @cached_property
    def data(self) -> bytes:
        return self.path.read_bytes()

    @cached_property
    def anatomies(self) -> tuple[Anatomy, Anatomy]:
        """The values of the file, with packed fields spelt out, and as bytes."""
        return Anatomy.of(self.data, spelled=True), Anatomy.of(self.data, spelled=False)

    @cached_property
    def parts(self) -> dict[int, bytes]:
        """The sections in full."""
        return sections(self.data)

    @cached_property
    def question(self) -> Question:
        """Rows of the columns, and labels for them."""
        X = frame(json.loads(self.path.with_suffix(".json").read_text())["columns"])
        if hasattr(X, "columns") and len(X.columns) == 1 and X.dtypes.iloc[0].kind == "O":
            rows: Any = X.iloc[:, 0].tolist()  # texts
        elif hasattr(X, "columns"):
            rows = {name: X[name].astype(object).tolist() for name in X.columns}
        else:
            rows = X
        model = loaded(self.data)
        y = _labels(model.predict(X)) if hasattr(model, "predict") else None
        return Question(X, rows, y)

    @cached_property
    def cuts(self) -> tuple[Question, ...]:
        """The question in a few rows at a time."""
        n = len(self.question.X)
        return tuple(self.question.cut(a, a + _ROWS) for a in range(0, n - _ROWS + 1, _ROWS - 1))

    def some(self, rng: random.Random) -> Question:
        """A few of the rows, or, less often, all of them as they come."""
        return self.question if rng.random() < _WHOLE else rng.choice(self.cuts)


@cache
def bases() -> list[Base]:
    """The small ones of the frozen files of this version."""
    paths = sorted(HERE.glob(f"{VERSION}-*.weak"))
    return [Base(path) for path in paths if path.stat().st_size <= _LARGEST]


def _labels(answers: Any) -> Any:
    """What a model answers, with some label in the place of those that it does not know."""
    if answers.dtype != object:
        return answers
    known = [label for label in answers.tolist() if label is not None]
    return np.array([known[0] if label is None else label for label in answers.tolist()], object)


def changed(rng: random.Random, base: Base, other: Base) -> bytes:
    """A file with values or bytes changed; its lengths and checksum are right."""
    if rng.random() < 0.75:
        data = altered(rng, rng.choice(base.anatomies), rng.choice(other.anatomies))
        if data is not None:
            return data
    if rng.random() < 0.2:
        return relengthened(mutated(rng, base.data).ljust(56, b"\0"))
    number = rng.choice([1, 1, 1, 2, *base.parts])
    if rng.random() < 0.5:
        part = mutated(rng, base.parts[number])
    else:  # one byte: lengths stay, and more often a model comes of it
        flipped = bytearray(base.parts[number])
        place = rng.randrange(len(flipped))
        flipped[place] = rng.choice([rng.randrange(256), flipped[place] ^ (1 << rng.randrange(8))])
        part = bytes(flipped)
    kept = base.anatomies[0].kept | {number: (REQUIRED, part)}
    return assembled((n, flags, body) for n, (flags, body) in kept.items())


class Greedy(AssertionError):
    """A file that takes more time or memory than one of its size may."""


def bounds(n_bytes: int) -> tuple[float, int]:
    """Seconds and bytes that reading a file of so many bytes may take."""
    seconds = 0.1 if n_bytes <= 10**6 else 0.5
    return seconds, 2**26 + 4 * n_bytes


def measured(data: bytes) -> Any:
    """The model of a file, read within bounds of processor time and of resident memory."""
    seconds, most = bounds(len(data))
    resident, peak, began = _resident(), _peak(), time.process_time()
    try:
        return loaded(data)
    finally:
        took = time.process_time() - began
        grown = _peak() - resident if _peak() > peak else 0
        if not _SANITIZED and took > seconds:
            took = min(took, _again(data), _again(data))  # not the collector of garbage
            if took > seconds:
                raise Greedy(f"reading {len(data)} bytes took {took:.2f} s")
        if not _SANITIZED and grown > most:
            raise Greedy(f"reading {len(data)} bytes took {grown / 2**20:.0f} MB")


def _again(data: bytes) -> float:
    began = time.process_time()
    with suppress(ModelFileError):
        loaded(data)
    return time.process_time() - began


def _resident() -> int:
    return int(os.pread(_statm(), 100, 0).split()[1]) * _PAGE


@cache
def _statm() -> int:
    return os.open("/proc/self/statm", os.O_RDONLY)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def tried(rng: random.Random, base: Base, data: bytes, n_ways: int | None = None) -> str:
    """What became of a file: refused, or answered; anything else is raised."""
    try:
        model = measured(data)
    except ModelFileError:
        if rng.random() < 0.5:
            _refused_by_runtime(data, base.some(rng))
        return "refused"
    question = _of_times(model, base.some(rng))
    for way in _asked(rng, ways(model), n_ways):
        try:
            ask(model, way, question)
        except Exception as error:
            error.add_note(f"asked by {way}")
            raise
    return "answered"


def _asked(rng: random.Random, listed: list[str], n_ways: int | None) -> list[str]:
    """All ways to ask, or so many of them by chance, the dear ones with less."""
    if n_ways is None:
        return listed
    cheap = [way for way in listed if rng.random() < _DEAR.get(way, 1)]
    return sorted(rng.sample(cheap, min(n_ways, len(cheap))), key=listed.index)


def _of_times(model: Any, question: Question) -> Question:
    """The question, with labels of the model where these are dates: no metric compares others."""
    labels = getattr(model, "classes_", None)
    if question.y is None or not isinstance(labels, np.ndarray) or labels.dtype.kind != "M":
        return question
    return replace(question, y=np.resize(labels, len(question.y)))


def _refused_by_runtime(data: bytes, question: Question) -> None:
    """The runtime may take what the library refuses for its parameters, and must answer then."""
    try:
        small = opened_small(unseal(data))
    except ModelFileError:
        return
    ask(small, "predict", replace(question, X=question.rows))


def mutation(number: int, seed: int = 0, n_ways: int | None = None) -> Counts:
    """How a file ended that is altered by its number."""
    everything, counts = bases(), Counts()
    rng = random.Random(f"{seed}-{number}")
    base, other = rng.choice(everything), rng.choice(everything)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = changed(rng, base, other)
        try:
            with hunting.at_most(_SLOWEST):
                counts.add(tried(rng, base, data, n_ways))
        except Exception as error:
            counts.fail(number, f"{base.name}: {hunting.place(error)}")
    return counts


def _begin(seed: int) -> None:
    """Whatever is loaded once is loaded now."""
    for number in range(300):
        mutation(number, seed + 2**20)


def main(arguments: list[str]) -> int:
    parser = hunting.parser(__doc__, usual=1_000_000)
    less = ", ".join(f"{way} in {share:g}" for way, share in _DEAR.items())
    parser.add_argument(
        "--ways",
        type=int,
        default=0,
        help=f"ways, by chance, to ask each model ({less} of those draws); 0: every one",
    )
    given = parser.parse_args(arguments)
    # Large blocks are mapped and given back, so that resident memory shows what a file takes.
    os.environ |= {"MALLOC_MMAP_THRESHOLD_": "131072", "OMP_NUM_THREADS": "1"}
    trial = partial(mutation, seed=given.seed, n_ways=given.ways or None)
    hunt = hunting.Hunt(trial, begin=partial(_begin, given.seed), patience=300)
    return hunting.main(hunt, given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
