"""The outer form: what is no model file, has lost or won bytes, or is too new is refused."""

from __future__ import annotations

import contextlib
import os
import pickle
import random
import struct
import threading
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn
from tests.files.forge import (
    assembled,
    loaded,
    relengthened,
    resealed,
    sections,
    small,
    small_file,
    with_model,
    with_settings,
    without_origin,
    written,
)
from weaklearn import ModelFileError
from weaklearn.files import disk, seal
from weaklearn.files.envelope import MODEL, ORIGIN, PROFILE, SETTINGS


@pytest.fixture(scope="module")
def data() -> bytes:
    return small_file()


def refused(data: bytes, words: str, folder: Path) -> None:
    """Neither loaded nor inspected, and the message names file and reason."""
    path = folder / "model.weak"
    path.write_bytes(data)
    for read in (weaklearn.load, weaklearn.inspect):
        with pytest.raises(ModelFileError, match=f"model.weak: .*{words}"):
            read(path)


def test_a_model_file_error_is_a_value_error() -> None:
    assert issubclass(ModelFileError, ValueError)


OTHERS = {
    "empty": (b"", "is empty"),
    "one byte": (b"x", "no model file"),
    "one byte of ours": (b"\x89", "truncated"),
    "text": (b"hello world, this is a text", "does not begin like one"),
    "pickle": (pickle.dumps({"a": 1}), "looks like a pickle"),
    "old pickle": (pickle.dumps({"a": 1}, protocol=0), "looks like an old pickle"),
    "JSON": (b'{"learner": {}}', "JSON"),
    "gzip": (b"\x1f\x8b\x08\0\0\0", "gzip"),
    "array": (b"\x93NUMPY\1\0", "numpy array"),
    "LightGBM": (b"tree\nversion=v4\n", "LightGBM"),
    "line ends translated": (b"\x89weak\n\x1a" + bytes(60), "no model file"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_files_are_refused_by_what_they_look_like(name: str, tmp_path: Path) -> None:
    refused(*OTHERS[name], tmp_path)


def test_zips_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../x", "evil")
    refused(path.read_bytes(), "zip archive", tmp_path)


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # to open it for reading would wait for a writer
    for path, words in (
        (tmp_path, "a directory"),
        (pipe, "a named pipe"),
        ("/dev/zero", "a device"),
    ):
        with pytest.raises(ModelFileError, match=words):
            weaklearn.load(path)
    with pytest.raises(FileNotFoundError):
        weaklearn.load(tmp_path / "nothing.weak")


def test_truncated_at_every_byte(data: bytes, tmp_path: Path) -> None:
    for n in range(1, len(data)):
        with pytest.raises(ModelFileError) as caught:
            loaded(data[:n])
        expected = f"expected {len(data)} bytes, found {n}" if n >= 56 else "truncated"
        assert expected in str(caught.value)
    for n in (1, 8, 55, 56, 57, len(data) - 1):
        refused(data[:n], "truncated, expected", tmp_path)


def test_every_bit_counts(data: bytes) -> None:
    for place in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[place] ^= 1 << bit
            with pytest.raises(ModelFileError):
                loaded(bytes(flipped))


def test_bytes_behind_the_end_are_refused(data: bytes, tmp_path: Path) -> None:
    refused(data + b"\0", "1 bytes follow the end", tmp_path)
    refused(relengthened(data + b"\0"), "bytes are left|bytes follow", tmp_path)


@pytest.mark.parametrize(
    ("version", "words"),
    [
        (0, "no version"),
        (1, "version 1 .* a draft before the first release .* fit the model again"),
        (2, "version 2 .* a draft before the first release .* fit the model again"),
        (4, "version 4 .* up to version 3"),
    ],
)
def test_versions(data: bytes, version: int, words: str, tmp_path: Path) -> None:
    other = resealed(data[:8] + struct.pack("<I", version) + data[12:])
    refused(other, words, tmp_path)
    refused(data[:8] + b"\xff" * 4 + data[12:], "newer weaklearn", tmp_path)


def test_sections(data: bytes, tmp_path: Path) -> None:
    kept = sections(data)
    model, settings = (MODEL, 1, kept[MODEL]), (SETTINGS, 1, kept[SETTINGS])
    assert loaded(assembled([model, settings])).n_iter_ == 2
    assert loaded(assembled([settings, model])).n_iter_ == 2
    for parts, words in (
        ([model], "no section 2"),
        ([settings], "no section 1"),
        ([], "no section 1"),
        ([model, settings, model], "section 1 stands twice"),
        ([model, settings, (77, 0, b"a"), (77, 0, b"b")], "section 77 stands twice"),
        ([model, settings, (9, 1, b"")], "section 9 is required and not known"),
        ([model, settings, (9, 4, b"")], "flags that are not known"),
    ):
        refused(assembled(parts), words, tmp_path)


def deflated(data: bytes, length: int | None = None) -> bytes:
    return struct.pack("<Q", len(data) if length is None else length) + zlib.compress(data)


def test_compressed_sections(data: bytes, tmp_path: Path) -> None:
    kept = sections(data)
    body, settings = kept[MODEL], (SETTINGS, 1, kept[SETTINGS])
    assert loaded(assembled([(MODEL, 3, deflated(body)), settings])).n_iter_ == 2
    assert loaded(assembled([(MODEL, 1, body), settings])).n_iter_ == 2
    for part, words in (
        (b"", "compressed section has 0 bytes"),
        (deflated(body)[:-1], "not the length"),
        (deflated(body)[:60], "not the length"),
        (deflated(body) + b"x", "not the length"),
        (deflated(body, len(body) + 1), "not the length"),
        (deflated(body, len(body) - 1), "not the length"),
        (deflated(body)[:8] + b"not compressed at all", "damaged"),
        (deflated(bytes(10**6)), "would grow to 1000000"),
        (deflated(bytes(2**16 + 5000)), "would grow"),
        (deflated(bytes(10**6), 2**63), "would grow"),
        (deflated(bytes(10**6), 1000), "not the length"),
    ):
        refused(assembled([(MODEL, 3, part), settings]), words, tmp_path)
    # What is not known is not inflated.
    bomb = (400, 2, deflated(bytes(10**6)))
    assert loaded(assembled([(MODEL, 1, body), settings, bomb])).n_iter_ == 2


def test_what_would_be_refused_is_not_compressed() -> None:
    flat = {MODEL: bytes(10**5), SETTINGS: b"short", PROFILE: bytes(10**6)}
    assert sections(seal(flat)) == flat
    assert 10**5 < len(seal(flat)) < 2 * 10**5
    mixed = {MODEL: bytes(range(256)) * 16, SETTINGS: b"short"}
    assert sections(seal(mixed)) == mixed
    assert len(seal(mixed)) < 1000


def test_unknown_optional_sections_are_left_unread_and_listed(data: bytes, tmp_path: Path) -> None:
    kept = sections(data)
    parts = [(number, int(number != ORIGIN), part) for number, part in kept.items()]
    path = tmp_path / "later.weak"
    path.write_bytes(assembled([*parts, (400, 0, b"from a later version"), (401, 0, b"")]))
    assert weaklearn.load(path).fingerprint() == small()[0].fingerprint()
    assert weaklearn.inspect(path).unknown == (400, 401)


def test_lengths_and_numbers_of_sections_that_do_not_match(data: bytes, tmp_path: Path) -> None:
    for place, value, words in (
        (12, struct.pack("<I", 2**32 - 1), "a section is announced"),
        (12, struct.pack("<I", 1), "bytes follow the last section"),
        (56 + 8, struct.pack("<Q", 2**63), "are left"),
        (56 + 8, struct.pack("<Q", 2**64 - 1), "are left"),
        (56 + 4, struct.pack("<I", 1), "not known"),
    ):
        other = data[:place] + value + data[place + len(value) :]
        refused(resealed(other), words, tmp_path)


def test_the_origin_may_be_left_out(data: bytes) -> None:
    assert loaded(without_origin(data)).fingerprint() == loaded(data).fingerprint()


def test_what_the_sections_hold(data: bytes, tmp_path: Path) -> None:
    refused(with_model(data, written([1, 2])), "holds none", tmp_path)
    refused(with_model(data, sections(data)[MODEL] + b"\0"), "1 bytes follow", tmp_path)
    for settings, words in (
        (written([]), "lacks its part"),
        (written([[{}, {"_resumed": False}], [{}, {}]]), "settings of nothing"),
        (written([[{}, {}]]), "'_resumed' is missing"),
        (written([[{}, {}], 3]), "no list of lists"),
        (written({}), "no list of lists"),
    ):
        with pytest.raises(ModelFileError, match=words):
            loaded(with_settings(data, settings))
    for origin in (written([]), written({"numpy": [1]})):
        refused(assembled_with_origin(data, origin), "origin", tmp_path)


def assembled_with_origin(data: bytes, origin: bytes) -> bytes:
    kept = sections(data) | {ORIGIN: origin}
    return assembled([(n, int(n != ORIGIN), part) for n, part in kept.items()])


def test_a_file_that_changes_while_it_is_read(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.weak"

    def shrinking(file: Any, n: int) -> bytes:
        head = file.read(n)
        os.truncate(path, len(data) // 2)
        return bytes(head)

    def growing(file: Any, n: int) -> bytes:
        with open(path, "ab") as other:
            other.write(b"more")
        return bytes(file.read(n))

    for change in (shrinking, growing):
        path.write_bytes(data)
        monkeypatch.setattr(disk, "_pieces", change)
        with pytest.raises(ModelFileError, match="changed while it was read"):
            weaklearn.load(path)


def test_a_file_rewritten_while_it_is_read_is_whole_or_refused(data: bytes, tmp_path: Path) -> None:
    path, done = tmp_path / "model.weak", threading.Event()
    path.write_bytes(data)

    def rewrite() -> None:
        rng = random.Random(0)
        while not done.is_set():
            path.write_bytes(data[: rng.randrange(len(data))])
            path.write_bytes(data)

    writer = threading.Thread(target=rewrite)
    writer.start()
    try:
        for _ in range(100):
            with contextlib.suppress(ModelFileError):
                assert weaklearn.load(path).n_iter_ == 2
    finally:
        done.set()
        writer.join()


def test_a_large_file_of_another_kind_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "large.pkl"
    with open(path, "wb") as file:
        file.write(pickle.dumps(np.zeros(3)))
        file.truncate(2**37)  # sparse: it takes no room
    with pytest.raises(ModelFileError, match="pickle"):
        weaklearn.load(path)
