"""How trials ended, in numbers that add up: the same for every hunt."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOW = ("refused", "answered", "failed")
COLUMNS = ("tried", *HOW)


@dataclass
class Counts:
    """How many trials there were and how they ended.

    ``failures`` holds the number of each trial that failed, and why; ``details`` whatever else
    a hunt adds up, by name.
    """

    tried: int = 0
    refused: int = 0
    answered: int = 0
    failed: int = 0
    failures: list[tuple[int, str]] = field(default_factory=list)
    details: Counter[str] = field(default_factory=Counter)

    def add(self, how: str, times: int = 1) -> None:
        """Counts trials that were ``refused``, ``answered`` or ``failed``."""
        self.tried += times
        setattr(self, how, getattr(self, how) + times)

    def fail(self, number: int, why: str) -> None:
        """Counts a trial that failed."""
        self.add("failed")
        self.failures.append((number, why))

    def __iadd__(self, more: Counts) -> Counts:
        for name in COLUMNS:
            setattr(self, name, getattr(self, name) + getattr(more, name))
        self.failures += more.failures
        self.details.update(more.details)
        return self


@dataclass
class Outcome:
    """What a hunt has found up to trial ``next`` and in those ``beyond``, and the seconds it took.

    ``missing`` says why it could not run.
    """

    counts: Counts = field(default_factory=Counts)
    next: int = 0
    beyond: list[int] = field(default_factory=list)
    seconds: float = 0.0
    complete: bool = False
    missing: str = ""

    @property
    def began(self) -> bool:
        """Whether any trial has ended."""
        return self.next > 0 or len(self.beyond) > 0

    @classmethod
    def read(cls, path: Path) -> Outcome:
        """The outcome in a file, or one of nothing."""
        if not path.exists():
            return cls()
        given: dict[str, Any] = json.loads(path.read_text())
        counts = given.pop("counts")
        failures = [(number, why) for number, why in counts.pop("failures")]
        details = Counter(counts.pop("details"))
        return cls(Counts(**counts, failures=failures, details=details), **given)

    def write(self, path: Path) -> None:
        """Puts the outcome into a file, whole at any moment."""
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".tmp")
        partial.write_text(json.dumps(vars(self) | {"counts": vars(self.counts)}, indent=1))
        os.replace(partial, path)
