"""Order and probabilities of classes, side by side."""

from __future__ import annotations

from ...page.element import tag
from .calibration import calibration
from .roc import roc
from .section import Absent, Part, Section
from .subject import Subject

_TITLE = "ROC and calibration"


def probability(subject: Subject) -> Part:
    """The ROC curve with its area, and how far probabilities can be taken at their word."""
    if not subject.classifies:
        return Absent(_TITLE, "the model does not tell one class for a row")
    pictures = [found for found in (roc(subject), calibration(subject)) if found is not None]
    if not pictures:
        return Absent(_TITLE, "the model gives neither scores nor probabilities, or one class only")
    data = {name: told for _, texts in pictures for name, told in texts.items()}
    about = f"Judged on {subject.words_for_rows}."
    body = [tag("div", [picture for picture, _ in pictures], class_="two")]
    return Section("probability", _TITLE, body, about, data)
