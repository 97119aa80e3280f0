"""The outer form of a model file: a header with a checksum, then sections of known length."""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from collections.abc import Mapping
from typing import NamedTuple

from . import disk
from .error import ModelFileError

MAGIC = b"\x89weak\r\n\x1a"  # a first byte that is no text, and line ends that copying may spoil
VERSION = 3  # of the format: raised when files are written that older readers would misread
FIRST_RELEASED = 3  # 1 and 2 were drafts
MODEL, SETTINGS, ORIGIN, PROFILE = 1, 2, 3, 4
NAMES = {MODEL: "model", SETTINGS: "settings", ORIGIN: "origin", PROFILE: "profile"}
_OPTIONAL = (ORIGIN, PROFILE)
REQUIRED = 1  # flag: a reader that does not know the section must refuse the file
DEFLATED = 2  # flag: the section is compressed, after its length in full
# A section in full takes so many bytes at most, and so many times those that it takes in the file:
# no small file fills memory. Packed trees are larger yet when they are spelt out.
_MOST_TIMES = 4
_MORE = {MODEL: 2**16}
_MORE_ELSEWHERE = 2**20

_HEADER = struct.Struct("<8sIIQ32s")  # magic, version, number of sections, length, SHA-256
_SECTION = struct.Struct("<HHIQ")  # number, flags, 0, length
_LENGTH = struct.Struct("<Q")  # of a section in full
_SUM = slice(24, 56)  # where the checksum stands; it covers all other bytes


class Section(NamedTuple):
    """The decompressed bytes of a section, and where it begins and ends in the file."""

    start: int
    end: int
    data: memoryview


class Envelope(NamedTuple):
    """A model file whose checksum is right: its sections by number, and unknown section numbers."""

    version: int
    size: int
    sections: Mapping[int, Section]
    unknown: tuple[int, ...]


def seal(sections: Mapping[int, bytes]) -> bytes:
    """The bytes of a file with the given sections; readers may skip only provenance and profile."""
    body = bytearray()
    for number, data in sections.items():
        flags, part = packed(number, data)
        body += _SECTION.pack(number, flags, 0, len(part)) + part
    size = _HEADER.size + len(body)
    head = _HEADER.pack(MAGIC, VERSION, len(sections), size, bytes(32))
    digest = _checksum(memoryview(head), memoryview(body))
    return head[: _SUM.start] + digest + bytes(body)


def _most(number: int, n_bytes: int) -> int:
    """The largest decompressed size allowed for a section that takes ``n_bytes`` in the file."""
    return _MORE.get(number, _MORE_ELSEWHERE) + _MOST_TIMES * n_bytes


def packed(number: int, data: bytes) -> tuple[int, bytes]:
    """The flags of a section, and its bytes in a file: compressed where that is shorter.

    A section that a reader would refuse for how far it grows is left as it is.
    """
    flags = 0 if number in _OPTIONAL else REQUIRED
    small = _LENGTH.pack(len(data)) + zlib.compress(data)
    if len(small) < len(data) <= _most(number, len(small)):
        return flags | DEFLATED, small
    return flags, data


def _inflated(number: int, at: int, data: memoryview) -> memoryview:
    """A section decompressed; refused above the announced or the allowed size."""
    if len(data) < _LENGTH.size:
        raise ModelFileError(f"byte {at}: a compressed section has {len(data)} bytes")
    (length,) = _LENGTH.unpack(data[: _LENGTH.size])
    if length > _most(number, len(data)):
        raise ModelFileError(
            f"byte {at}: a section of {len(data)} bytes would grow to {length}; "
            f"{_most(number, len(data))} are allowed"
        )
    inflater = zlib.decompressobj()
    try:
        full = inflater.decompress(data[_LENGTH.size :], length + 1)
    except zlib.error:
        raise ModelFileError(f"byte {at}: a compressed section is damaged") from None
    if len(full) != length or not inflater.eof or inflater.unused_data:
        raise ModelFileError(f"byte {at}: a compressed section has not the length it announces")
    return memoryview(full)


def _checksum(head: memoryview, body: memoryview) -> bytes:
    digest = hashlib.sha256(head[: _SUM.start])
    digest.update(body)
    return digest.digest()


def read(path: str | os.PathLike[str]) -> Envelope:
    """The envelope of a file on disk."""
    return unseal(disk.read(path, check_head, _HEADER.size))


def check_head(head: bytes, size: int) -> None:
    """Refuses a header that is no model file's, of another version, or of another length."""
    if size == 0:
        raise ModelFileError("it is empty")
    if not head.startswith(MAGIC[: len(head)]) or head[:1] != MAGIC[:1]:
        raise ModelFileError(f"it is no model file of weaklearn: {disk.looks_like(head)}")
    if len(head) < _HEADER.size:
        raise ModelFileError(
            f"it is truncated, expected at least {_HEADER.size} bytes, found {size}"
        )
    _, version, _, length, _ = _HEADER.unpack(head[: _HEADER.size])
    if version > VERSION:
        raise ModelFileError(
            f"byte 8: it was written in version {version} of the format, and this weaklearn reads "
            f"up to version {VERSION}; install a newer weaklearn"
        )
    if version < 1:
        raise ModelFileError(f"byte 8: {version} is no version of the format")
    if version < FIRST_RELEASED:
        raise ModelFileError(
            f"byte 8: it was written in version {version} of the format, a draft before the first "
            "release that no weaklearn reads any more; fit the model again and save it"
        )
    if length > size:
        raise ModelFileError(f"it is truncated, expected {length} bytes, found {size}")
    if length < size:
        raise ModelFileError(f"byte {length}: {size - length} bytes follow the end of the file")


def unseal(data: bytes | bytearray) -> Envelope:
    """The envelope of a file's bytes; refused if the checksum or a section is wrong."""
    view = memoryview(data)
    check_head(bytes(view[: _HEADER.size]), len(view))
    _, version, n_sections, size, digest = _HEADER.unpack(view[: _HEADER.size])
    if _checksum(view[: _HEADER.size], view[_HEADER.size :]) != digest:
        raise ModelFileError("its checksum is wrong: some of its bytes have changed")
    sections: dict[int, Section] = {}
    unknown: dict[int, None] = {}
    at = _HEADER.size
    for _ in range(n_sections):
        number, section = _section(view, at)
        if number in sections or number in unknown:
            raise ModelFileError(f"byte {at}: section {number} stands twice")
        if number in NAMES:
            sections[number] = section
        else:
            unknown[number] = None
        at = section.end
    if at != size:
        raise ModelFileError(f"byte {at}: {size - at} bytes follow the last section")
    for number in (MODEL, SETTINGS):
        if number not in sections:
            raise ModelFileError(f"it has no section {number} ({NAMES[number]})")
    return Envelope(version, size, sections, tuple(unknown))


def _section(view: memoryview, at: int) -> tuple[int, Section]:
    if len(view) - at < _SECTION.size:
        raise ModelFileError(f"byte {at}: a section is announced, {len(view) - at} bytes are left")
    number, flags, zero, length = _SECTION.unpack(view[at : at + _SECTION.size])
    start = at + _SECTION.size
    if flags & ~(REQUIRED | DEFLATED) or zero != 0:
        raise ModelFileError(f"byte {at}: section {number} has flags that are not known")
    if length > len(view) - start:
        raise ModelFileError(
            f"byte {at}: section {number} has {length} bytes, {len(view) - start} are left"
        )
    if flags & REQUIRED and number not in NAMES:
        raise ModelFileError(
            f"byte {at}: section {number} is required and not known here; install a newer weaklearn"
        )
    data = view[start : start + length]
    if flags & DEFLATED and number in NAMES:
        data = _inflated(number, start, data)
    return number, Section(start, start + length, data)
