"""Reading and writing files on disk: reads are limited in size, writes are atomic."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..base.messages.value_text import show
from .error import ModelFileError

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 2**40
_PIECE = 2**24

# Beginnings of files of other kinds, for a message that helps.
_OTHERS = (
    (b"PK\x03\x04", "a zip archive (.npz, .zip, a Keras or PyTorch model)"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b", "a gzip file"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ\x00", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a zstandard file"),
    (b"\x93NUMPY", "a numpy array (.npy)"),
    (b"\x89HDF\r\n", "an HDF5 file"),
    (b"PAR1", "a Parquet file"),
    (b"\x7fELF", "a program or library"),
    (b"MZ", "a program or library"),
    (b"ustar", "a tar archive"),
    (b"CBM1", "a CatBoost model"),
    (b"tree\n", "a LightGBM model"),
    (b"{", "a JSON file"),
    (b"<", "an XML or HTML file"),
)


def looks_like(head: bytes) -> str:
    """A sentence that guesses the kind of a file from its first bytes."""
    if len(head) > 1 and head[0] == 0x80 and 2 <= head[1] <= 5:
        return "it looks like a pickle (.pkl, .joblib), which weaklearn never opens"
    for magic, name in _OTHERS:
        if head.startswith(magic):
            return f"it looks like {name}"
    if head[:1] in (b"(", b"c") and b"\n" in head[:64]:
        return "it looks like an old pickle, which weaklearn never opens"
    return "it does not begin like one"


def _kind(mode: int) -> str | None:
    """The kind of a path that is no regular file; None for a regular file."""
    kinds = (
        (stat.S_ISDIR, "a directory"),
        (stat.S_ISFIFO, "a named pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    )
    if stat.S_ISREG(mode):
        return None
    return next((name for is_kind, name in kinds if is_kind(mode)), "no regular file")


def _refuse_others(mode: int) -> None:
    kind = _kind(mode)
    if kind is not None:
        raise ModelFileError(f"it is {kind}; a model file is a regular file")


def read(
    path: str | os.PathLike[str], check_head: Callable[[bytes, int], None], n_head: int
) -> bytearray:
    """The bytes of a regular file; ``check_head`` gets the first ``n_head`` bytes and the size.

    Nothing is mapped into memory, so that a file cut short while it is read is an error here and
    not a signal.
    """
    _refuse_others(os.stat(path).st_mode)
    # Not to wait for a writer, should the path have become a pipe in between.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags | getattr(os, "O_CLOEXEC", 0)), "rb", buffering=0) as file:
        status = os.fstat(file.fileno())
        _refuse_others(status.st_mode)
        size = status.st_size
        if size > MOST_BYTES:
            raise ModelFileError(f"it has {size} bytes; {MOST_BYTES} are allowed")
        data = bytearray(_pieces(file, n_head))
        check_head(bytes(data), size)
        while len(data) <= size and (piece := file.read(min(_PIECE, size + 1 - len(data)))):
            data += piece
        if len(data) != size or os.fstat(file.fileno()).st_size != size:
            raise ModelFileError(
                f"it changed while it was read: it had {size} bytes, of which {len(data)} came; "
                "load it again when nobody writes it"
            )
        return data


def _pieces(file: Any, n: int) -> bytes:
    """The first n bytes of a file, or all of them if there are fewer."""
    head = b""
    while len(head) < n and (piece := file.read(n - len(head))):
        head += piece
    return head


def write(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes a file atomically: readers find the old file or the new one, never a part.

    The bytes go to a temporary file beside it, to the disk, and only then take the name. On any
    error the temporary file is removed and the old file is as it was.
    """
    place = os.path.realpath(path)  # of a link, what it leads to is replaced
    mode = None
    with contextlib.suppress(FileNotFoundError):
        mode = os.stat(place).st_mode
    if mode is not None:
        _refuse_others(mode)
    folder = os.path.dirname(place)
    temporary = os.path.join(folder, f".weaklearn-{os.urandom(8).hex()}.tmp")
    try:
        with _created(temporary) as file:
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), stat.S_IMODE(mode))
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest[:_PIECE]) :]
            os.fsync(file.fileno())
        os.replace(temporary, place)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):  # the user knows nothing of a temporary file
            error.filename, error.filename2 = place, None
        raise
    _settle(folder)


@contextlib.contextmanager
def _created(path: str) -> Iterator[Any]:
    """Context manager: a new file, opened for writing, with default permissions."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags, 0o666), "wb", buffering=0) as file:
        yield file


def _settle(folder: str) -> None:
    """Flushes the folder entry to disk (fsync), where folders can be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_out(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes a file that is no model: atomically, unless a device or a pipe has the name."""
    place = writable_path(path)
    if place.exists() and not place.is_file():
        with open(place, "wb") as file:
            file.write(data)
    else:
        write(place, data)


def writable_path(path: str | os.PathLike[str]) -> Path:
    """The path, refused unless it names a file in a folder that exists."""
    from pathlib import Path

    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path={show(path)} is not allowed: it must be the name of a file.")
    place, name = Path(path), os.fspath(path)
    if place.is_dir():
        inside = os.fspath(place / "model.weak")
        raise IsADirectoryError(
            errno.EISDIR, f"path is a folder; name a file in it, such as {inside!r}", name
        )
    if not place.parent.is_dir():
        folder = os.fspath(place.parent)
        raise FileNotFoundError(
            errno.ENOENT, f"path is in a folder that does not exist; make {folder!r} first", name
        )
    return place
