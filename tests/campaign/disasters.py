"""What befalls programs: ``python -m tests.campaign.disasters --count 550``.

Disks fill up, folders vanish or may only be read, files change while they are read, processes are
killed, spawned and nested. After each of these the file of before or the whole new one is there,
an error is one that is documented, and answers are the same to the bit.
"""

from __future__ import annotations

import asyncio
import importlib
import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import weaklearn as wl
from tests.campaign import hunting
from tests.campaign.counts import Counts
from tests.cli.calling import PYTHON, patients
from tests.vision.test_detector import QUICK, faces, same, scenes
from weaklearn.datasets import read_table
from weaklearn.datasets.source import TableError
from weaklearn.files import ModelFileError


def _table(n: int = 200, seed: int = 0) -> tuple[Any, Any]:
    X = np.random.default_rng(seed).normal(size=(n, 5))
    return X, X[:, 0] * X[:, 1] > 0


def _in_child(work: Callable[[], None]) -> int:
    """The exit status of a forked process: 0 after ``work``, 3 where it raised an OSError."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        except OSError as error:
            status = 3 if error.filename else 1  # it must name the file
            if status == 1:
                traceback.print_exc()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# ------------------------------------------------------------------------------- disks and folders


def _writers() -> dict[str, Callable[[Path], object]]:
    """Everything that writes a file, by its name."""
    X, y = _table()
    model = wl.AdaBoostClassifier(n_estimators=3, n_jobs=1).fit(X, y)
    glass = wl.AdditiveBoostingClassifier(n_estimators=5, n_jobs=1).fit(X, y)
    return {
        "m.weak": model.save,
        "m.py": model.to_python,
        "m.c": model.to_c,
        "m.onnx": model.to_onnx,
        "card.csv": glass.to_scorecard().to_csv,
        "run.html": lambda path: wl.lab.export(path, rounds=2),
        "report.html": lambda path: wl.show.report(model, X, y, path, examples=False),
    }


_MADE: dict[str, Callable[[Path], object]] = {}


def _writer(rng: random.Random) -> tuple[str, Callable[[Path], object]]:
    if not _MADE:
        _MADE.update(_writers())
    return rng.choice(list(_MADE.items()))


def _check_name(error: OSError, path: Path) -> None:
    """An error of the system must name the file that was to be written."""
    assert str(path) in str(error), repr(error)


def full_disk(rng: random.Random, folder: Path) -> str:
    """A limit of sizes as a disk that is soon full: the old file stays, or the new one is whole."""
    name, write = _writer(rng)
    path = folder / name
    write(path)
    whole = path.read_bytes()
    old = b"old" if rng.random() < 0.7 else None
    path.write_bytes(old) if old else path.unlink()
    most = rng.randrange(len(whole) * 5 // 4)

    def work() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        write(path)

    status = _in_child(work)
    assert os.listdir(folder) == ([name] if old or status == 0 else []), os.listdir(folder)
    if status == 0:
        assert _alike(path.read_bytes(), whole), f"{name} is cut"
        return "answered"
    assert status == 3, f"{name}: another error"
    assert old is None or path.read_bytes() == old, f"{name} was replaced"
    return "refused"


def _alike(found: bytes, whole: bytes) -> bool:
    """Of the same length but for a time in it."""
    return abs(len(found) - len(whole)) < 64


@contextmanager
def _read_only(folder: Path) -> Iterator[Path]:
    """A folder in which nothing can be written, by whoever runs this."""
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "ro,size=64k", "tmpfs", str(disk)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    if not mounted:
        disk.chmod(0o500)
    try:
        yield disk
    finally:
        if mounted:
            subprocess.run(["umount", str(disk)], check=True)
        disk.chmod(0o700)
        disk.rmdir()


def read_only_folder(rng: random.Random, folder: Path) -> str:
    """An error of the system that names the file."""
    name, write = _writer(rng)
    with _read_only(folder) as disk:
        if os.access(disk, os.W_OK):  # a superuser without the right to mount
            return "refused"
        try:
            write(disk / name)
        except OSError as error:
            _check_name(error, disk / name)
            return "refused"
    raise AssertionError(f"{name} was written where nothing can be")


def vanishing_folder(rng: random.Random, folder: Path) -> str:
    """A folder that is removed during the fit, or beside the writing."""
    name, write = _writer(rng)
    place = folder / "place"
    place.mkdir()
    gone = threading.Timer(rng.random() * 0.01, shutil.rmtree, [place], {"ignore_errors": True})
    gone.start()
    try:
        write(place / name)
    except OSError as error:
        _check_name(error, place / name)
        return "refused"
    finally:
        gone.join()
    return "answered"


# ------------------------------------------------------------------- files that change when read


def changing_file(rng: random.Random, folder: Path) -> str:
    """A table or model that is rewritten, cut and emptied while it is read, again and again."""
    kind = rng.choice(["csv", "csv.gz", "parquet", "weak"])
    path = folder / f"t.{kind}"
    _write_some(path, 400)
    versions = [path.read_bytes()]
    _write_some(path, 900)
    versions.append(path.read_bytes())
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            data = rng.choice(versions)
            with open(path, "r+b") as file:
                file.truncate(rng.randrange(len(data)))
                file.seek(0)
                file.write(data[: rng.choice([len(data), rng.randrange(len(data))])])

    changer = threading.Thread(target=change)
    changer.start()
    try:
        return _read_for_a_while(path, kind)
    finally:
        stop.set()
        changer.join()


def _write_some(path: Path, n: int) -> None:
    X, y = _table(n)
    if path.suffix == ".weak":
        wl.AdaBoostClassifier(n_estimators=n // 100, n_jobs=1).fit(X, y).save(path)
        return
    import pandas as pd

    frame = pd.DataFrame(X, columns=list("abcde"))
    frame.to_parquet(path) if path.suffix == ".parquet" else frame.to_csv(path, index=False)


def _read_for_a_while(path: Path, kind: str) -> str:
    ended = Counter[str]()
    end = time.monotonic() + 0.2
    while time.monotonic() < end:
        try:
            wl.load(path) if kind == "weak" else read_table(path)
            ended["answered"] += 1
        except (TableError, ModelFileError):
            ended["refused"] += 1
    return max(ended, key=ended.__getitem__)


# ----------------------------------------------------------------------------- signals and kills


def killed_checkpoint(rng: random.Random, folder: Path) -> str:
    """A cascade's training, killed again and again, comes to the same end from its checkpoint."""
    path = folder / "cascade.npz"
    training = wl.CascadeDetector(**QUICK)
    whole = clone(training).fit(faces(), scenes())
    for _ in range(200):
        child = os.fork()
        if child == 0:
            try:
                training.fit(faces(), scenes(), checkpoint=path).save(folder / "done.weak")
            finally:
                os._exit(0)
        time.sleep(rng.random() * 0.5)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if (folder / "done.weak").exists():
            break
    else:  # this machine is slow: whatever is there must do
        training.fit(faces(), scenes(), checkpoint=path).save(folder / "done.weak")
    assert same(wl.load(folder / "done.weak"), whole), "another cascade"
    return "answered"


def ended_command(rng: random.Random, folder: Path) -> str:
    """A command ended by SIGTERM at any moment, and killed soon after: no half file is left."""
    data, out, kept = folder / "p.csv", folder / "m.weak", folder / "c.weak"
    patients(data, 300)
    words = ["--target", "sick", "--cv", "0", "--rounds", "4000", "-o", out, "--checkpoint", kept]
    run = subprocess.Popen(
        [*PYTHON, "fit", *map(str, [data, *words])],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(rng.random() * 3)
    run.send_signal(signal.SIGTERM)
    is_killed = rng.random() < 0.5
    if is_killed:
        time.sleep(rng.random() * 0.1)
        run.kill()
    err = run.communicate(timeout=600)[1]
    allowed = {0, 143, -signal.SIGTERM, *([-signal.SIGKILL] if is_killed else [])}
    assert run.returncode in allowed, (run.returncode, err)
    assert "Traceback" not in err, err
    for path in folder.iterdir():
        if path.name.endswith(".tmp"):
            assert is_killed, "a temporary file is left"
        elif path.suffix == ".weak":
            found = wl.load(path)
            assert found.n_iter_ > 0
    return "answered" if out.exists() or kept.exists() else "refused"


# ------------------------------------------------------------------------------------ processes


def _fingerprint(seed: int) -> str:
    X, y = _table(seed=seed)
    return str(wl.AdaBoostClassifier(n_estimators=5).fit(X, y).fingerprint())


def spawned(rng: random.Random, folder: Path) -> str:
    """Processes that are spawned, forked or served fit and answer as this one does."""
    way = rng.choice(["spawn", "forkserver", "fork"])
    seeds = [rng.randrange(100) for _ in range(3)]
    with multiprocessing.get_context(way).Pool(2) as pool:
        assert pool.map(_fingerprint, seeds) == [_fingerprint(seed) for seed in seeds]
        X, y = _table()
        model = wl.GradientBoostingClassifier(n_estimators=5).fit(X, y)
        parts = np.concatenate(pool.map(model.predict_proba, np.array_split(X, 3)))
    assert (parts == model.predict_proba(X)).all()
    return "answered"


def in_asyncio(rng: random.Random, folder: Path) -> str:
    """Fits in threads of an event loop, some of them given up, beside a loop that goes on."""
    seeds = [rng.randrange(100) for _ in range(4)]

    async def all_of_them() -> list[str]:
        tasks = [asyncio.create_task(asyncio.to_thread(_fingerprint, seed)) for seed in seeds]
        given_up = asyncio.create_task(asyncio.to_thread(_fingerprint, 7))
        await asyncio.sleep(0)
        given_up.cancel()
        while not all(task.done() for task in tasks):
            await asyncio.sleep(0.001)
        return [await task for task in tasks]

    assert asyncio.run(all_of_them()) == [_fingerprint(seed) for seed in seeds]
    return "answered"


def _searched(seed: int, jobs: int) -> Any:
    X, y = _table(60, seed=seed)
    grid = {"n_estimators": [1, 3], "learning_rate": [0.5, 1.0]}
    search = GridSearchCV(wl.AdaBoostClassifier(n_jobs=jobs), grid, cv=2, n_jobs=jobs)
    return search.fit(X, y).cv_results_["mean_test_score"].tolist()


def nested_joblib(rng: random.Random, folder: Path) -> str:
    """Searches within workers of joblib's, which ask for workers of their own."""
    way = rng.choice(["loky", "threading", "multiprocessing"])
    seeds = [rng.randrange(100) for _ in range(2)]
    alone = [_searched(seed, 1) for seed in seeds]
    with joblib.parallel_config(backend=way), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = joblib.Parallel(n_jobs=2)(joblib.delayed(_searched)(seed, 2) for seed in seeds)
    assert found == alone
    return "answered"


def one_processor(rng: random.Random, folder: Path) -> str:
    """A process that may use one processor of many, by its affinity: the same models."""
    if not hasattr(os, "sched_setaffinity"):
        return "refused"
    expected = _fingerprint(3)
    code = (
        "import os; os.sched_setaffinity(0, list(os.sched_getaffinity(0))[:1])\n"
        "from weaklearn.engines import available_threads; assert available_threads() == 1\n"
        "from tests.campaign.disasters import _fingerprint; print(_fingerprint(3))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == [expected]
    return "answered"


DISASTERS: dict[str, Callable[[random.Random, Path], str]] = {
    "full disk": full_disk,
    "read-only folder": read_only_folder,
    "vanishing folder": vanishing_folder,
    "changing file": changing_file,
    "killed checkpoint": killed_checkpoint,
    "ended command": ended_command,
    "spawn": spawned,
    "asyncio": in_asyncio,
    "nested joblib": nested_joblib,
    "one processor": one_processor,
}
SLOW = ("killed checkpoint", "ended command", "spawn", "nested joblib", "one processor")
TURNS = [name for name in DISASTERS if name not in SLOW] * 10 + list(SLOW)


def attempt(number: int, seed: int = 0, name: str | None = None) -> Counts:
    """How one disaster ended; all take their turns, the slow ones a tenth as often."""
    name = name or TURNS[number % len(TURNS)]
    counts = Counts()
    try:
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rng = random.Random(f"{name}-{seed}-{number}")
            counts.add(DISASTERS[name](rng, Path(folder)))
    except Exception as error:
        counts.fail(number, f"{name}: {hunting.place(error)}")
    counts.details[name] += 1
    return counts


def main(arguments: list[str]) -> int:
    parser = hunting.parser(__doc__, usual=10 * len(TURNS))
    parser.add_argument("--only", choices=list(DISASTERS))
    given = parser.parse_args(arguments)
    trial = partial(attempt, seed=given.seed, name=given.only)
    return hunting.main(hunting.Hunt(trial), given)


if __name__ == "__main__":
    # By its own name, so that processes of joblib find its functions.
    sys.exit(importlib.import_module("tests.campaign.disasters").main(sys.argv[1:]))
