"""The rows of the estimators of texts."""

from __future__ import annotations

from typing import Any

from ..registry.row import TEXT, Row


def _row(number: int, home: str, page: str, rule: str, **more: Any) -> Row:
    return Row(
        home=f"text.{home}",
        family=TEXT,
        page=page,
        number=number,
        kept=(f"text.kept.{rule}",),
        reads="texts",
        **more,
    )


ROWS = (
    _row(175, "vectorizer.TermVectorizer", "terms.md", "vocabulary"),
    _row(
        172,
        "boostexter.BoosTexterClassifier",
        "text.md",
        "boosted_terms",
        runtime="votes.VoteClassifier",
        command="boostexter",
    ),
    _row(
        173,
        "spam.SpamFilter",
        "spam.md",
        "spam_filter",
        runtime="texts.SpamFilter",
        command="spam",
    ),
    _row(174, "router.CallRouter", "routing.md", "router", runtime="texts.CallRouter"),
)
RECORDS = ("text.sleepers", "text.handwritten", "text.table_record")
