"""Room for codes in a file: pages that the system may drop, and read again, as memory runs short.

The file has no name from the start, or loses it when it is closed: whatever ends a fit, an error,
an interrupt or the end of the process, the file ends with it.
"""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

VARIABLE = "WEAKLEARN_CACHE"  # in the environment: the folder of such files
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_AT_ONCE = 2**24  # bytes written at a time where no room can be asked for


def mapped_room(n_bytes: int) -> NDArray[np.uint8]:
    """So many bytes of a file in the folder ``WEAKLEARN_CACHE``, by default the temporary one."""
    if n_bytes == 0:
        return np.empty(0, np.uint8)
    folder = Path(os.environ.get(VARIABLE) or tempfile.gettempdir())
    try:
        with tempfile.TemporaryFile(dir=folder, prefix="weaklearn-") as file:
            _reserve(file, n_bytes)
            return np.memmap(file, np.uint8, "r+", shape=(n_bytes,))
    except OSError as error:
        remedy = "free so much space there, or name" if error.errno in _FULL else "name"
        raise OSError(
            error.errno,
            f"{n_bytes / 1e6:,.1f} MB of codes cannot be written to {folder} "
            f"({error.strerror or error}): {remedy} another folder with {VARIABLE}",
        ) from None


def _reserve(file: BinaryIO, n_bytes: int) -> None:
    """Makes the file so long, on disk too: a page without a place there would end the process."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, n_bytes)
        return
    for start in range(0, n_bytes, _AT_ONCE):
        file.write(bytes(min(_AT_ONCE, n_bytes - start)))
    file.flush()
