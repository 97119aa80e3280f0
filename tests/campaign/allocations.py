"""``python -m tests.campaign.allocations``: every allocation of a call fails once.

Needs an extension built with ``WEAKLEARN_FAULTS`` (``make faults``). Whatever call it is, what
comes is a MemoryError or the very answer that the call gives with memory enough, the model and the
file of before are untouched, and nothing that was allocated stays behind.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import weaklearn
from tests.frozen import answers, frame
from tests.frozen.add import KEPT, THREE, TWO, cases
from tests.odd_rows import ODD
from weaklearn import _core

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


def _target(name: str, kind: str) -> Any:
    ending = name.rpartition("-")[2]
    if ending == "odd":
        return ODD[kind].y
    return np.array(TWO if ending == "two" else THREE)


def trials(folder: Path, kinds: list[str]) -> Iterator[Trial]:
    """The calls of every kind of model."""
    for kind in KEPT:
        if kinds and kind.name not in kinds:
            continue
        for name, model, columns in cases(kind):
            X, y, path = frame(columns), _target(name, kind.name), folder / f"{name}.weak"
            model.save(path)
            told = [name.partition("-")[2], path, model, X, y]
            yield from _of_model(*told)


def _of_model(name: str, path: Path, model: Any, X: Any, y: Any) -> Iterator[Trial]:
    def again() -> Any:
        model.fit(X, y)
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


def hunt(faults: Faults, trial: Trial, most: int) -> tuple[Counter[str], list[str]]:
    """Lets each of the first ``most`` allocations of a call fail in turn; counts and complaints."""
    counts: Counter[str] = Counter()
    complaints: list[str] = []
    try:
        expected = trial.call()
        expected = trial.call()  # what is kept between calls is there now
    except Exception as error:  # the call is not for this model
        return Counter({"not for it": 1}), [f"{trial.name}: {error}"] if _is_odd(error) else []
    before = trial.state()
    for after in range(most):
        found, error, came = faults.call(trial.call, after)
        if error is None and not came:
            return counts, complaints
        counts["tried"] += 1
        wrong = _wrong(found, error, expected)
        if not wrong and trial.state() != before:
            wrong = "what was there before has changed"
        if wrong:
            counts["failed"] += 1
            complaints.append(f"{trial.name}, allocation {after}: {wrong}")
        else:
            counts["answered" if error is None else "refused"] += 1
    counts["cut"] += 1
    return counts, complaints


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


def _is_odd(error: Exception) -> bool:
    return not isinstance(error, (ValueError, TypeError, NotImplementedError))


def _wrong(found: Any, error: BaseException | None, expected: Any) -> str:
    if error is None:
        return "" if found == expected else "another answer"
    return "" if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaign.allocations")
    parser.add_argument("--most", type=int, default=100_000, help="allocations of a call that fail")
    parser.add_argument("--kinds", default="", help="only these kinds, with commas")
    parser.add_argument("--part", default="0/1", help="k/n: the k-th of n parts of the calls")
    given = parser.parse_args(arguments)
    part, parts = map(int, given.part.split("/"))
    warnings.simplefilter("ignore")
    faults, counts, complaints = Faults(), Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        kinds = [kind for kind in given.kinds.split(",") if kind]
        for k, trial in enumerate(trials(Path(folder), kinds)):
            if k % parts != part:
                continue
            found, wrong = hunt(faults, trial, given.most)
            for after in range(0, min(found["tried"], 100), 9):
                if leak := leaks(faults, trial, after):
                    found["failed"] += 1
                    wrong.append(leak)
                    break
            counts += found
            complaints += wrong
            print(f"{trial.name}: {dict(found)}", flush=True)
    print("\n".join(complaints))
    print(f"allocations that failed: {dict(counts)}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
