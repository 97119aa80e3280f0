"""Small data sets to learn from, and tables read from files."""

from __future__ import annotations

from ..lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "data_table": "DataColumn DataTable",
        "reading": "read_chunks read_table",
        "source": "TableError",
        "synthetic": "flip_labels long_servedio make_three_piece messages noisy_bits toy",
        "uci": "fetch_heart fetch_letters fetch_spambase",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
