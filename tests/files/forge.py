"""Model files taken apart and put together again, with a right checksum."""

from __future__ import annotations

import hashlib
import random
import struct
from collections.abc import Iterable
from typing import Any

from weaklearn import AdaBoostClassifier, DecisionStumpClassifier
from weaklearn.files import Reader, Writer, seal, unseal
from weaklearn.files.envelope import MODEL, ORIGIN, SETTINGS, VERSION
from weaklearn.persistence.book import BOOK
from weaklearn.persistence.model_bytes import opened, sealed

HEAD = 56  # bytes of the header


def resealed(data: bytes) -> bytes:
    """The same bytes with the checksum that they should have."""
    digest = hashlib.sha256(data[:24] + data[HEAD:]).digest()
    return data[:24] + digest + data[HEAD:]


def relengthened(data: bytes) -> bytes:
    """The same bytes with their own length, and the checksum that they should have."""
    return resealed(data[:16] + struct.pack("<Q", len(data)) + data[24:])


def assembled(parts: Iterable[tuple[int, int, bytes]]) -> bytes:
    """A file of the given sections: number, flags, bytes."""
    parts = list(parts)
    body = b"".join(struct.pack("<HHIQ", n, flags, 0, len(part)) + part for n, flags, part in parts)
    head = struct.pack("<8sIIQ", b"\x89weak\r\n\x1a", VERSION, len(parts), HEAD + len(body))
    return resealed(head + bytes(32) + body)


def stored(data: bytes) -> dict[int, tuple[int, bytes]]:
    """The flags of each section, and its bytes as they lie in the file, perhaps compressed."""
    found = {}
    for number, section in unseal(data).sections.items():
        _, flags = struct.unpack_from("<HH", data, section.start - 16)
        found[number] = (flags, data[section.start : section.end])
    return found


def sections(data: bytes) -> dict[int, bytes]:
    """The bytes of each section."""
    return {number: bytes(section.data) for number, section in unseal(data).sections.items()}


def with_model(data: bytes, model: bytes) -> bytes:
    """The file with another section of the model."""
    return seal(sections(data) | {MODEL: model})


def with_settings(data: bytes, settings: bytes) -> bytes:
    return seal(sections(data) | {SETTINGS: settings})


def without_origin(data: bytes) -> bytes:
    kept = sections(data)
    kept.pop(ORIGIN)
    return seal(kept)


def written(value: Any, compact: bool = False) -> bytes:
    """A value as bytes."""
    writer = Writer(BOOK, compact)
    writer.write(value)
    return writer.data


def reread(data: bytes) -> Any:
    """The value that the bytes hold."""
    return Reader(memoryview(data), BOOK).only()


def loaded(data: bytes) -> Any:
    """The model of a file's bytes."""
    return opened(unseal(data))


def mutated(rng: random.Random, data: bytes) -> bytes:
    """Bytes replaced, removed, doubled, exchanged or put in, in one to four places."""
    out = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        a = rng.randrange(max(1, len(out)))
        b = min(len(out), a + rng.choice([1, 1, 2, 4, 8, 40]))
        out[a:b] = rng.choice(
            [
                lambda part: bytes(rng.randrange(256) for _ in part),
                lambda part: b"",
                lambda part: part + part,
                lambda part: bytes([rng.choice([0, 1, 127, 128, 255])]) * len(part),
                lambda part: part + bytes(rng.randrange(20) for _ in range(3)),
                lambda part: b"\xff\xff\xff\xff\xff\xff\xff\x7f",
            ]
        )(bytes(out[a:b]))
    return bytes(out) or b"\0"


def small() -> tuple[Any, Any, Any]:
    """A model of two stumps on three columns, and what it was fitted on."""
    import pandas as pd

    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0, 5.0], "b": list("xyxyz"), "c": [0.5, 0, 1, 0, 1]})
    y = [0, 1, 1, 0, 1]
    return AdaBoostClassifier(n_estimators=2).fit(X, y), X, y


def small_file() -> bytes:
    return sealed(small()[0])


def tiny() -> tuple[Any, Any, Any]:
    """A stump on two columns without names, and what it was fitted on."""
    X, y = [[1.0, 5.0], [2.0, 5.0], [3.0, 6.0]], [0, 0, 1]
    return DecisionStumpClassifier().fit(X, y), X, y
