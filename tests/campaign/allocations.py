"""``python -m tests.campaign.allocations``: every allocation of a call fails once.

Trial by trial some allocations of some calls of a kind of model: after all kinds, the next ones.

Needs an extension built with ``WEAKLEARN_FAULTS`` (``make faults``). Whatever call it is, what
comes is a MemoryError or the very answer that the call gives with memory enough, the model and the
file of before are untouched, and nothing that was allocated stays behind.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import weaklearn
from tests.campaign import hunting
from tests.campaign.counts import Counts
from tests.frozen import answers, frame
from tests.frozen.add import KEPT, cases, target_of
from tests.odd_rows import ODD
from weaklearn import _core

_PIECES = 8  # among which the calls of a kind are divided
SET_HANDLER = 304  # PyDataMem_SetHandler in numpy's table of functions


class _Allocator(ctypes.Structure):
    _fields_ = [
        ("context", ctypes.c_void_p),
        *((name, ctypes.c_void_p) for name in ("malloc", "calloc", "realloc", "free")),
    ]


class _Handler(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("allocator", _Allocator),
    ]


class Faults:
    """Lets the n-th allocation from now fail, of the extension and of numpy's arrays."""

    def __init__(self) -> None:
        core = ctypes.CDLL(_core.__file__)
        if not hasattr(core, "weaklearn_fail_allocation"):
            raise SystemExit("this extension was built without WEAKLEARN_FAULTS: run make faults")
        self._fail = core.weaklearn_fail_allocation
        self._fail.argtypes = [ctypes.c_long]
        self._left = core.weaklearn_allocations_left
        self._alive = core.weaklearn_allocations_alive
        self._left.restype = self._alive.restype = ctypes.c_long
        self._handler = _Handler(b"faults", 1)
        for name in ("malloc", "calloc", "realloc", "free"):
            function = getattr(core, f"weaklearn_numpy_{name}")
            setattr(self._handler.allocator, name, ctypes.cast(function, ctypes.c_void_p).value)
        self._capsule = self._to_numpy()

    def _to_numpy(self) -> Any:
        """Gives numpy the handler; a capsule that must live as long as arrays do."""
        api = ctypes.pythonapi
        api.PyCapsule_New.restype = ctypes.py_object
        api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        api.PyCapsule_GetPointer.restype = ctypes.c_void_p
        api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        table = api.PyCapsule_GetPointer(np._core._multiarray_umath._ARRAY_API, None)
        place = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))[SET_HANDLER]
        assert place is not None
        capsule = api.PyCapsule_New(ctypes.addressof(self._handler), b"mem_handler", None)
        ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(place)(capsule)
        return capsule

    def call(
        self, function: Callable[[], Any], after: int
    ) -> tuple[Any, BaseException | None, bool]:
        """What the function gave or raised, and whether the allocation came to be."""
        self._fail(after)
        try:
            return function(), None, self._left() < 0
        except BaseException as error:
            return None, error.with_traceback(None), self._left() < 0
        finally:
            self._fail(-1)

    def alive(self) -> int:
        """Allocations that were not freed yet."""
        gc.collect()
        return int(self._alive())


@dataclass(frozen=True)
class Trial:
    """One call of a model: what it does, and what must be as before when it failed."""

    name: str
    call: Callable[[], Any]
    state: Callable[[], Any]


def trials(folder: Path, kind: Any) -> Iterator[Trial]:
    """The calls of a kind of model."""
    for name, model, columns in cases(kind):
        X, y, path = frame(columns), target_of(kind.name, name), folder / f"{name}.weak"
        model.save(path)
        beside = ODD[kind.name].beside if name.endswith("-odd") else {}
        yield from _of_model(name.partition("-")[2], path, model, X, y, beside)


def _of_model(
    name: str, path: Path, model: Any, X: Any, y: Any, beside: dict[str, Any]
) -> Iterator[Trial]:
    def again() -> Any:
        model.fit(X, y, **beside)
        return model.fingerprint()

    edited = "-edited-" in name
    if not edited:  # a fit forgets what was edited
        yield Trial(f"{name} fit", again, model.fingerprint)
    yield Trial(f"{name} predict", lambda: answers(model, X), model.fingerprint)
    yield Trial(f"{name} save", lambda: model.save(path), path.read_bytes)
    yield Trial(f"{name} load", lambda: weaklearn.load(path).fingerprint(), path.read_bytes)
    if hasattr(model, "explain"):
        yield Trial(f"{name} explain", lambda: str(model.explain(X)), model.fingerprint)
    if hasattr(model, "certify"):
        yield Trial(f"{name} certify", lambda: str(model.certify(X, y)), model.fingerprint)


def hunt(faults: Faults, trial: Trial, numbers: range, number: int = 0) -> Counts:
    """Lets some of the allocations of a call fail, each by itself."""
    counts = Counts()
    try:
        expected = trial.call()
        expected = trial.call()  # what is kept between calls is there now
    except (ValueError, TypeError, NotImplementedError):  # the call is not for this model
        return counts
    before = trial.state()
    for after in numbers:
        found, error, came = faults.call(trial.call, after)
        if error is None and not came:
            return counts
        wrong = _wrong(found, error, expected)
        if not wrong and trial.state() != before:
            wrong = "what was there before has changed"
        if wrong:
            counts.fail(number, f"{trial.name}, allocation {after}: {wrong}")
        else:
            counts.add("answered" if error is None else "refused")
        if not after % 9 and after < 100 and (leak := leaks(faults, trial, after)):
            counts.fail(number, leak)
    counts.details["calls with more allocations than were tried"] += 1
    return counts


def leaks(faults: Faults, trial: Trial, after: int) -> str:
    """A complaint where the same failure twice leaves more behind than once."""
    faults.call(trial.call, after)
    once = faults.alive()
    for _ in range(3):
        faults.call(trial.call, after)
    more = faults.alive() - once
    return (
        f"{trial.name}, allocation {after}: {more} more stay with each failure" if more >= 3 else ""
    )


def _wrong(found: Any, error: BaseException | None, expected: Any) -> str:
    if error is None:
        return "" if found == expected else "another answer"
    return "" if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}"


@cache
def _faults() -> Faults:
    return Faults()


def attempt(number: int, most: int, kinds: list[int]) -> Counts:
    """The next allocations of some of the calls of a kind."""
    rest, k = divmod(number, len(kinds))
    time, piece = divmod(rest, _PIECES)
    counts = Counts()
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        for trial in islice(trials(Path(folder), KEPT[kinds[k]]), piece, None, _PIECES):
            counts += hunt(_faults(), trial, range(most * time, most * (time + 1)), number)
    return counts


def main(arguments: list[str]) -> int:
    parser = hunting.parser(__doc__)
    parser.add_argument("--most", type=int, default=10, help="allocations of a call in a trial")
    parser.add_argument("--up-to", type=int, default=30_000, help="allocations of a call in all")
    parser.add_argument("--kinds", default="", help="only these kinds, with commas")
    given = parser.parse_args(arguments)
    _faults()
    named = given.kinds.split(",") if given.kinds else [kind.name for kind in KEPT]
    kinds = [k for k, kind in enumerate(KEPT) if kind.name in named]
    trial = partial(attempt, most=given.most, kinds=kinds)
    length = len(kinds) * _PIECES * -(-given.up_to // given.most)
    return hunting.main(hunting.Hunt(trial, length), given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
