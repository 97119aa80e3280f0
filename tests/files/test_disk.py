"""Files are put in place whole, or not at all."""

from __future__ import annotations

import errno
import multiprocessing
import os
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn
from tests.small_disk import small_disk
from weaklearn import AdaBoostClassifier, ModelFileError, datasets
from weaklearn.files import disk


def model(n: int = 3) -> Any:
    return AdaBoostClassifier(n_estimators=n).fit(*datasets.toy())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with an earlier model."""
    model(1).save(tmp_path / "model.weak")
    return tmp_path / "model.weak"


def untouched(path: Path) -> bool:
    """The earlier model is there, and nothing else."""
    return weaklearn.load(path).n_iter_ == 1 and os.listdir(path.parent) == [path.name]


def test_a_later_model_takes_the_place(path: Path) -> None:
    model().save(path)
    assert weaklearn.load(str(path)).n_iter_ == 3
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_an_error_leaves_the_old_file(path: Path, step: str, monkeypatch: Any) -> None:
    def fail(*args: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "a temporary file")

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with pytest.raises(OSError, match="No space left") as caught:
            model().save(path)
    assert caught.value.filename == str(path)
    assert untouched(path)


def test_an_interrupt_leaves_the_old_file(path: Path, monkeypatch: Any) -> None:
    def interrupt(*args: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            model().save(path)
    assert untouched(path)


def test_a_full_disk_leaves_the_old_file(path: Path) -> None:
    larger = model()
    with small_disk(500), pytest.raises(OSError, match="File too large") as caught:
        larger.save(path)
    assert type(caught.value) is OSError
    assert caught.value.filename == str(path)
    assert untouched(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(path: Path) -> None:
    path.parent.chmod(0o555)
    try:
        with pytest.raises(PermissionError):
            model().save(path)
    finally:
        path.parent.chmod(0o755)
    assert untouched(path)


def test_places_where_no_file_can_be(path: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        model().save(tmp_path / "no" / "folder.weak")
    assert caught.value.filename.endswith("folder.weak")
    with pytest.raises(IsADirectoryError) as found:
        model().save(tmp_path)
    assert found.value.filename == os.fspath(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for other, words in (
        (pipe, "a named pipe"),
        ("/dev/null", "device"),
    ):
        with pytest.raises(ModelFileError, match=words):
            model().save(other)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_permissions_are_those_of_new_files_or_of_the_old_one(tmp_path: Path) -> None:
    fresh, plain = tmp_path / "fresh.weak", tmp_path / "plain"
    plain.touch()
    model().save(fresh)
    assert fresh.stat().st_mode == plain.stat().st_mode
    fresh.chmod(0o640)
    model().save(fresh)
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o640


def test_of_a_link_the_file_behind_it_is_replaced(path: Path) -> None:
    link = path.with_name("link.weak")
    link.symlink_to(path)
    model().save(link)
    assert link.is_symlink()
    assert weaklearn.load(path).n_iter_ == 3


def _write(path: Path, letter: bytes) -> None:
    for _ in range(20):
        disk.write(path, letter * 200_000)


def test_of_two_writers_one_whole_file_wins(tmp_path: Path) -> None:
    path = tmp_path / "file"
    disk.write(path, b"a" * 200_000)
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write, args=(path, letter)) for letter in (b"a", b"b")]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        found = path.read_bytes()
        assert len(found) == 200_000
        assert len(set(np.frombuffer(found, np.uint8).tolist())) == 1
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert os.listdir(tmp_path) == ["file"]
