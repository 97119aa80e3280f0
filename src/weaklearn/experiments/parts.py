"""The finished parts of an interrupted experiment, in a file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..files.disk import write_out


@dataclass(frozen=True)
class Parts:
    """Parts by name, of a run whose settings are ``key``: a file of another key counts as empty."""

    place: Path
    key: dict[str, Any]

    def known(self) -> dict[str, Any]:
        """The parts kept so far; none where the file is absent, damaged, or of another run."""
        try:
            record = json.loads(self.place.read_bytes())
            return dict(record["parts"]) if record["key"] == self.key else {}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return {}

    def keep(self, name: str, found: Any) -> None:
        """Adds a part to the file."""
        record = {"key": self.key, "parts": self.known() | {name: found}}
        write_out(self.place, json.dumps(record).encode())

    def clear(self) -> None:
        """Removes the file: the experiment is finished."""
        self.place.unlink(missing_ok=True)
