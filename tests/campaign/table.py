"""The table of a campaign, as text, in Markdown and as JSON.

``python -m tests.campaign.table table.md`` puts that of a run into the page of the documentation.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.campaign.counts import COLUMNS, Outcome
from tests.campaign.parts import PARTS
from tests.layout import ROOT

PAGE = ROOT / "docs" / "trials.md"
BEGIN, END = "<!-- the table of a campaign -->\n", "<!-- its end -->\n"
HEAD = ("part", *COLUMNS, "seconds", "commit", "note")


def _rows(outcomes: dict[str, Outcome], commit: str) -> list[tuple[str, ...]]:
    found = []
    for name, outcome in outcomes.items():
        counted = [str(getattr(outcome.counts, column)) for column in COLUMNS]
        note = "all of it" if outcome.complete else f"numbers up to {outcome.next}"
        if outcome.beyond:
            note += f", and {len(outcome.beyond)} beyond"
        if not outcome.began:
            note = "no trial ended in time" if outcome.seconds else "not run"
        if outcome.missing:
            note = f"could not run: {outcome.missing}"
        found.append((name, *counted, f"{outcome.seconds:.0f}", commit, note))
    return found


def _failures(outcomes: dict[str, Outcome], seed: int) -> list[dict[str, str]]:
    again = {part.name: part.again for part in PARTS}
    return [
        {"part": name, "why": why, "again": again[name](seed, number)}
        for name, outcome in outcomes.items()
        for number, why in outcome.counts.failures
    ]


def write_tables(folder: Path, outcomes: dict[str, Outcome], seed: int) -> str:
    """Writes ``table.txt``, ``table.md`` and ``table.json`` to a folder; returns the first."""
    commit = folder.name.rsplit("-run", 1)[0]
    rows, failures = _rows(outcomes, commit), _failures(outcomes, seed)
    widths = [max(len(row[k]) for row in (HEAD, *rows)) for k in range(len(HEAD))]
    numbers = range(1, len(COLUMNS) + 2)
    lines = [
        "  ".join(
            word.rjust(n) if k in numbers else word.ljust(n)
            for k, (word, n) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (HEAD, *rows)
    ]
    lines += [f"\n{f['part']}: {f['why']}\n  again: {f['again']}" for f in failures]
    rule = ["---:" if k in numbers else "---" for k in range(len(HEAD))]
    marked = ["| " + " | ".join(row) + " |" for row in (HEAD, rule, *rows)]
    marked += ["", *(f"- {f['part']}: `{f['again']}`" for f in failures)]
    told = {
        "commit": commit,
        "seed": seed,
        "parts": [dict(zip(HEAD, row, strict=True)) for row in rows],
        "details": {name: outcome.counts.details for name, outcome in outcomes.items()},
        "failures": failures,
    }
    (folder / "table.txt").write_text("\n".join(lines) + "\n")
    (folder / "table.md").write_text("\n".join(marked) + "\n")
    (folder / "table.json").write_text(json.dumps(told, indent=1))
    return "\n".join(lines)


def put_into(page: str, table: str) -> str:
    """The text of a page, with another table in the place of the one that it has."""
    before, rest = page.split(BEGIN)
    return before + BEGIN + table.rstrip("\n") + "\n" + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(put_into(PAGE.read_text(), Path(sys.argv[1]).read_text()))
