# Made by `make stub` from the names that the module lists.
from .data_table import DataColumn, DataTable
from .reading import read_chunks, read_table
from .source import TableError
from .synthetic import flip_labels, long_servedio, make_three_piece, messages, noisy_bits, toy
from .uci import fetch_heart, fetch_letters, fetch_spambase

__all__ = [
    "DataColumn",
    "DataTable",
    "TableError",
    "fetch_heart",
    "fetch_letters",
    "fetch_spambase",
    "flip_labels",
    "long_servedio",
    "make_three_piece",
    "messages",
    "noisy_bits",
    "read_chunks",
    "read_table",
    "toy",
]
