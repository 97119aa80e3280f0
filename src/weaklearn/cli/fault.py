"""Errors of a command line, as one sentence and an exit status."""

from __future__ import annotations

import errno
from typing import Any

# 0: done; 130 and 143: ended by SIGINT and SIGTERM, as a shell counts them.
FAILED, WRONG_CALL = 1, 2

# The remedies for faulty tables, as options of the command line.
REMEDIES = {
    "categorical": "correct it, name it with --missing, or read the column with --categorical "
    "{column}",
    "declared": "correct it, or name it with --missing",
    "finite": "correct it, or name it with --missing if it stands for no value",
    "decimal": "pass --decimal ','",
    "comma": "leave the commas out, or pass --decimal ',' if that is what they are",
    "dates": "pass --dates dmy or --dates mdy",
    "encoding": "name the encoding, for example --encoding cp1252",
    "header": "pass --no-header",
    "delimiter": "name the delimiter, for example --delimiter ';'",
    "parquet": "pip install pyarrow, or save the table as CSV",
    "pipe": "if it has an end, save it as a file and name that, or allow more with --pipe-limit",
}

# The remedies of certificates, drift checks and warnings, by the words of the library.
_ARGUMENTS = {
    "pass X_test and y_test": "name a file of them with --test",
    "pass the training rows, X and y": "pass the training rows as DATA",
    "score(X_test, y_test) tells it for rows": "weaklearn report with --test tells it for rows",
    "pass rows not used in fitting as reference": "name a file of rows not used in fitting with "
    "--reference",
    "pass X_val and y_val as well": "verify it in Python, by weaklearn.verify with X_val and y_val",
    "Pass more rows of it that the fit has not looked at": "Hold out more rows with --hold-out, or "
    "fit on more",
}


def in_options(note: str) -> str:
    """A note of the library with options of the command line in place of Python's arguments.

    >>> in_options("rows not used in fitting are needed: pass X_test and y_test")
    'rows not used in fitting are needed: name a file of them with --test'
    """
    for argument, option in _ARGUMENTS.items():
        note = note.replace(argument, option)
    return note


class Fault(Exception):
    """An error with its sentence and exit status: by default that of a wrong call."""

    def __init__(self, sentence: str, status: int = WRONG_CALL) -> None:
        super().__init__(sentence)
        self.status = status


def sentence_and_status(error: BaseException) -> tuple[str, int]:
    """The sentence and the exit status of an error."""
    from ..datasets.source import TableError

    if isinstance(error, Fault):
        return str(error), error.status
    if isinstance(error, TableError):
        return error.sentence(REMEDIES), WRONG_CALL
    if isinstance(error, MemoryError):
        return "there is not enough memory for this.", FAILED
    if isinstance(error, OSError):
        return _of_system(error)
    if isinstance(error, (ValueError, TypeError, KeyError, ImportError)):
        status = FAILED if isinstance(error, ImportError) else WRONG_CALL
        return one_line(_text(error)), status
    what = f"{type(error).__name__}: {one_line(_text(error))}"
    return f"{what} (set WEAKLEARN_TRACEBACK=1 to see where)", FAILED


def _of_system(error: OSError) -> tuple[str, int]:
    """Sentence and status of an OSError: an unreadable file is a wrong call, a full disk is not."""
    if error.errno is None:
        return one_line(str(error)), FAILED
    where = "" if error.filename is None else f"{error.filename or repr('')}: "
    reads = (
        errno.ENOENT,
        errno.EACCES,
        errno.EISDIR,
        errno.ENOTDIR,
        errno.ELOOP,
        errno.ENAMETOOLONG,
    )
    status = WRONG_CALL if error.errno in reads else FAILED
    return one_line(f"{where}{error.strerror}."), status


def _text(error: BaseException) -> str:
    return str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)


def one_line(text: Any) -> str:
    """A text as one line, with control characters escaped."""
    joined = " ".join(str(text).split())
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in joined)
