# Made by `make stub` from the names that the module lists.
from .disk import write
from .envelope import Envelope, read, seal, unseal
from .error import Flaw, ModelFileError
from .reader import Reader
from .record import Book, Record
from .shape import Shape
from .writer import Writer

__all__ = [
    "Book",
    "Envelope",
    "Flaw",
    "ModelFileError",
    "Reader",
    "Record",
    "Shape",
    "Writer",
    "read",
    "seal",
    "unseal",
    "write",
]
