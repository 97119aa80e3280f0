"""The text of a table: bytes decompressed, checked and decoded, within limits; and its errors."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import IO, Any

from ..base.messages.spelling import listed, nearest

# The remedies as arguments of ``read_table``; the command line has a table of its own.
REMEDIES = {
    "categorical": "correct it, name it in missing=, or read the column as types={{{column}: "
    "'category'}}",
    "declared": "correct it, or name it in missing=",
    "finite": "correct it, or name it in missing= if it stands for no value",
    "decimal": "pass decimal=','",
    "comma": "leave the commas out, or pass decimal=',' if that is what they are",
    "dates": "pass dates='dmy' or dates='mdy'",
    "encoding": "name the encoding, for example encoding='cp1252'",
    "header": "pass header=False",
    "delimiter": "name the delimiter, for example delimiter=';'",
    "parquet": "pip install pyarrow, or save the table as CSV",
    "pipe": "if it has an end, save it as a file and name that",
}


class TableError(ValueError):
    """A file that is no valid table: the problem, its place, and the remedy.

    ``problem`` says it without the remedy, whose key in the table of remedies is ``hint``; ``line``
    and ``column`` are where it was found, as far as that is known.
    """

    def __init__(
        self, problem: str, hint: str = "", line: int | None = None, column: str | None = None
    ) -> None:
        self.problem, self.hint, self.line, self.column = problem, hint, line, column
        super().__init__(self.sentence(REMEDIES))

    def sentence(self, remedies: dict[str, str]) -> str:
        """The message with the remedy taken from ``remedies`` by its hint."""
        remedy = remedies.get(self.hint, "").format(column=repr(self.column))
        if remedy:
            return f"{self.problem}; {remedy}."
        return self.problem if self.problem.endswith((".", "?")) else f"{self.problem}."


def check_columns(file: str, names: Sequence[str], wanted: Collection[str]) -> None:
    """Refuses column names that a file does not have."""
    known = set(names)
    for name in wanted:
        if name not in known:
            raise TableError(
                f"{file} has no column {name!r}; its columns are {listed(names)}."
                f"{nearest(name, list(names), 0.7)}"
            )


MOST_LINE = 2**26  # characters of a line
MOST_OF_PIPE = 2**34  # bytes of a pipe, unless its reader allows more
_PIECE = 2**20
_PACKED: tuple[tuple[re.Pattern[bytes], Callable[..., Any]], ...] = (
    (re.compile(rb"\x1f\x8b"), gzip.open),
    (re.compile(rb"BZh[1-9]1AY&SY"), bz2.open),
    (re.compile(rb"\xfd7zXZ\x00"), lzma.open),
)
# What text never holds; tab, line feed, vertical tab, form feed and return are left.
_CONTROLS = bytes([*range(9), *range(14, 26), *range(27, 32)])
_OTHERS = (
    (b"PK\x03\x04", "a zip archive or a spreadsheet (.zip, .xlsx, .npz); save the table as CSV"),
    (b"\xd0\xcf\x11\xe0", "a spreadsheet (.xls); save the table as CSV"),
    (b"\x93NUMPY", "a numpy array (.npy); save it as CSV"),
    (b"\x7fELF", "a program"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\x89weak", "a model of weaklearn"),
)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Source:
    """The bytes of a file, or of standard input where the path is ``-``; can be read repeatedly.

    Files packed by gzip, bzip2 or xz are unpacked on the way. What cannot be read twice, such as a
    pipe, is copied to a temporary file first: ``most`` bytes of it, or 16 GB, or half of the free
    disk where that is less. A pipe with more, which may never end, is refused.
    """

    def __init__(
        self, path: str | os.PathLike[str], encoding: str | None = None, most: int | None = None
    ) -> None:
        self._most = most
        self.name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
        self._path = path
        self._copy: IO[bytes] | None = None
        self._open_pipe(encoding)
        head = self._head()
        if not head:
            raise TableError(f"{self.name} is empty: it has no header and no rows")
        self.is_parquet = head.startswith(b"PAR1")
        self.encoding = self._encoding(encoding, head)
        for magic, what in _OTHERS:
            if head.startswith(magic):
                raise TableError(f"{self.name} holds no table: it looks like {what}")

    def _open_pipe(self, encoding: str | None) -> None:
        """Copies a stream that can be read only once to a temporary file."""
        if os.fspath(self._path) == "-":
            self._copy = self._copied(sys.stdin.buffer, encoding)
        elif os.path.isdir(self._path):
            raise TableError(f"{self.name} is a directory; name a file")
        elif not os.path.isfile(self._path):
            with open(self._path, "rb") as pipe:  # raises where there is none
                self._copy = self._copied(pipe, encoding)

    def _copied(self, pipe: Any, encoding: str | None) -> IO[bytes]:
        """All of a stream; what may never end is refused: a device, and a text that is none."""
        piece = pipe.read(_PIECE)
        if piece:
            refuse_device(pipe, self.name)
        packed = piece.startswith(b"PAR1") or any(magic.match(piece) for magic, _ in _PACKED)
        is_checked = not packed and not _is_wide(self._encoding(encoding, piece))
        copy, before = tempfile.TemporaryFile(), 0  # noqa: SIM115  # it lives as long as the source
        most = _room_for_a_pipe() if self._most is None else self._most
        while piece:
            if before + len(piece) > most:
                copy.close()
                raise TableError(
                    f"{self.name} has given more than {most:,} bytes, the limit of a pipe, and may "
                    "never end",
                    "pipe",
                )
            if is_checked:
                _refuse_controls(piece, self.name, before)
            before += copy.write(piece)
            piece = pipe.read(_PIECE)
        copy.flush()
        return copy

    def raw(self) -> IO[bytes]:
        """The raw bytes, from the beginning."""
        if self._copy is None:
            return open(self._path, "rb")
        self._copy.seek(0)
        return os.fdopen(os.dup(self._copy.fileno()), "rb")

    def _packing(self) -> Callable[..., Any] | None:
        with self.raw() as file:
            start = file.read(10)
        return next((opener for magic, opener in _PACKED if magic.match(start)), None)

    def _head(self) -> bytes:
        opener = self._packing()
        with self.raw() as file, _Checked(opener(file) if opener else file, self.name) as stream:
            return stream.read(64) or b""

    def _encoding(self, given: str | None, head: bytes) -> str:
        if given is not None:
            try:
                io.TextIOWrapper(io.BytesIO(), encoding=given)
            except LookupError:  # unknown, or not one of text
                raise ValueError(
                    f"encoding={given!r} is not allowed: it must be the name of an encoding, such "
                    "as 'utf-8', 'latin-1' or 'cp1252'."
                ) from None
            # Of these bytes 0x80 to 0x9f Latin-1 makes control characters, which no table holds.
            same = {"utf-8": "utf-8-sig", "iso8859-1": "cp1252"}
            return same.get(codecs.lookup(given).name, given)
        return "utf-16" if head.startswith(_UTF16) else "utf-8-sig"

    @property
    def is_utf8(self) -> bool:
        return codecs.lookup(self.encoding).name in ("utf-8", "utf-8-sig", "ascii")

    def turns_out_utf8(self) -> bool:
        """Whether the bytes show UTF-8 where another encoding was named; it is then read as that.

        A byte order mark shows it; so do letters of several bytes, all of them valid, where the
        other encoding has one byte per letter: texts in it do not look like this by chance.
        """
        if self.is_parquet or self.is_utf8:
            return False
        named, self.encoding = self.encoding, "utf-8-sig"
        marked = self._head().startswith(codecs.BOM_UTF8)
        if not marked and not (_is_of_bytes(named) and self._has_letters_of_utf8()):
            self.encoding = named
        return self.encoding != named

    def _has_letters_of_utf8(self) -> bool:
        """Whether the bytes are valid UTF-8 and more than ASCII."""
        decoder, is_ascii = codecs.getincrementaldecoder("utf-8")(), True
        with self.binary() as file:
            try:
                while piece := file.read(_PIECE):
                    is_ascii = is_ascii and piece.isascii()
                    decoder.decode(piece)
                decoder.decode(b"", final=True)
            except UnicodeError:
                return False
        return not is_ascii

    def binary(self) -> Any:
        """The bytes, decompressed and checked, from the beginning."""
        opener = self._packing()
        file = self.raw()
        stream: Any = file if opener is None else opener(file)
        checked = _Checked(stream, self.name, not _is_wide(self.encoding), file)
        return io.BufferedReader(checked, _PIECE)

    def lines(self) -> Iterator[str]:
        """The lines of the text with their line ends, none longer than the limit."""
        with (
            self.binary() as file,
            io.TextIOWrapper(file, encoding=self.encoding, newline="") as text,
        ):
            try:
                while line := text.readline(MOST_LINE + 1):
                    if len(line) > MOST_LINE:
                        raise TableError(
                            f"{self.name} has a line of more than {MOST_LINE:,} characters, which "
                            "is the limit: is it a table of lines?"
                        )
                    yield line
            except UnicodeError:
                raise self._undecodable() from None

    def _undecodable(self) -> TableError:
        """The place of the first bytes that the encoding cannot decode."""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        before, lines = 0, 0
        with self.binary() as file:
            while True:
                piece = file.read(_PIECE)
                pending = len(decoder.getstate()[0])
                try:
                    lines += decoder.decode(piece, final=not piece).count("\n")
                except UnicodeError as error:
                    at = getattr(error, "start", 0)
                    seen: bytes = getattr(error, "object", b"")
                    line = lines + seen[:at].count(b"\n") + 1
                    found = f"0x{seen[at : at + 1].hex()}" if seen[at:] else "it"
                    byte = before - pending + at
                    name = "UTF-8" if self.is_utf8 else self.encoding
                    return TableError(
                        f"{self.name}, byte {byte:,} (line {line:,}): {found} is no {name}",
                        "encoding",
                        line,
                    )
                if not piece:
                    return TableError(f"{self.name} is no {self.encoding}", "encoding")
                before += len(piece)

    def close(self) -> None:
        if self._copy is not None:
            self._copy.close()


def _room_for_a_pipe() -> int:
    """How many bytes a pipe may give that nobody set a limit to."""
    return min(MOST_OF_PIPE, shutil.disk_usage(tempfile.gettempdir()).free // 2)


def refuse_device(file: Any, name: str) -> None:
    """Refuses a file opened from a device other than a terminal: it may never end."""
    try:
        mode = os.fstat(file.fileno()).st_mode
    except OSError:  # bytes in memory
        return
    if (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and not file.isatty():
        raise TableError(f"{name} is a device, which may never end; name a file or a pipe")


def _is_wide(encoding: str) -> bool:
    return codecs.lookup(encoding).name.startswith(("utf-16", "utf-32"))


def _is_of_bytes(encoding: str) -> bool:
    """Whether every letter is one byte."""
    return len(bytes(range(256)).decode(encoding, "replace")) == 256


def _refuse_controls(piece: bytes, name: str, before: int) -> None:
    """Refuses bytes of a text, of which ``before`` came earlier, with what text never holds."""
    if len(piece.translate(None, _CONTROLS)) != len(piece):
        at = next(i for i, byte in enumerate(piece) if byte in _CONTROLS)
        raise TableError(
            f"{name} is no text: byte {before + at:,} is 0x{piece[at]:02x}, a control character"
        )


class _Checked(io.RawIOBase):
    """A stream that refuses control characters; errors of decompression become TableError.

    ``packed`` is the file that it is unpacked from, which is closed with it.
    """

    def __init__(self, file: Any, name: str, checked: bool = False, packed: Any = None) -> None:
        self._file, self._name, self._is_checked = file, name, checked
        self._packed = packed
        self._before = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            piece: bytes = self._file.read(len(buffer))
        except (EOFError, lzma.LZMAError, zlib.error, OSError) as error:
            if getattr(error, "errno", None) is not None:
                raise  # of the disk, not of the packing
            raise TableError(f"{self._name} is a packed file that is broken: {error}") from None
        if self._is_checked:
            _refuse_controls(piece, self._name, self._before)
        self._before += len(piece)
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        self._file.close()
        if self._packed is not None:
            self._packed.close()
        super().close()
