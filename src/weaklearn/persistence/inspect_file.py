"""A summary of a model file, made without building the model."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.messages.table import Table, Tabular
from ..files import Envelope, ModelFileError, Reader, Writer
from ..files.envelope import MODEL, SETTINGS
from ..files.tree import TREE
from ..files.value import Part
from ..prediction.positive import score_side
from ..prediction.rows import label_values
from ..production.provenance import Provenance
from .book import BOOK, KEPT
from .profile_record import read_provenance


@dataclass(frozen=True, repr=False)
class Contents(Tabular):
    """The summary of a model file; printing shows it as a table.

    ``sizes`` counts the parts by name (stumps, trees, nodes, ...), ``unknown`` lists sections of a
    later version that this one leaves unread.
    """

    kind: str
    format: int
    n_bytes: int
    fingerprint: str
    parameters: dict[str, Any]
    n_features: int | None
    columns: tuple[str, ...] | None
    classes: list[Any] | None
    sizes: dict[str, int]
    origin: Provenance | None
    unknown: tuple[int, ...]
    positive: Any = None  # the class that is spoken of, of two, where the model was given one
    threshold: float | None = None  # on scores, where the model was given one

    def table(self) -> Table:
        origin = {} if self.origin is None else self.origin.in_words()
        rows = [
            ("kind", self.kind),
            ("format", self.format),
            ("bytes", self.n_bytes),
            ("fingerprint", self.fingerprint),
            ("features", self.n_features),
            ("columns", _few(self.columns)),
            ("classes", _few(self.classes)),
            ("positive class", self.positive),
            ("threshold", self._threshold_text()),
            *(sorted(self.sizes.items())),
            *((f"origin: {name}", value) for name, value in origin.items()),
            *((f"parameter: {name}", repr(value)) for name, value in self.parameters.items()),
            ("unknown sections", _few(self.unknown)),
        ]
        shown = [(name, value) for name, value in rows if value not in (None, "")]
        return Table("model file", ["what", "value"], shown, shown=len(shown))

    def _threshold_text(self) -> str:
        if self.threshold is None or self.classes is None:
            return ""
        code = 1 if self.positive is None else self.classes.index(self.positive)
        return f"{self.classes[code]} where the {score_side(self.classes, code, self.threshold)}"


def _few(items: Any, n: int = 6) -> str:
    if items is None:
        return ""
    shown = ", ".join(str(item) for item in list(items)[:n])
    return shown + (f", ... ({len(items)})" if len(items) > n else "")


def contents_of(envelope: Envelope) -> Contents:
    """The summary of a file whose checksum is right."""
    model, settings = envelope.sections[MODEL], envelope.sections[SETTINGS]
    aside = Reader(settings.data, BOOK, settings.start, build=False).only()
    kept = iter(aside if type(aside) is list else ())
    part = Reader(model.data, BOOK, model.start, aside=kept, build=False).only()
    kinds = {kind.number: kind.name for kind in KEPT}
    if type(part) is not Part or part.record.number not in kinds or len(part.fields) != 3:
        raise ModelFileError(f"byte {model.start}: the section of the model holds none")
    given, state, apart = part.fields
    if type(given) is not dict or type(state) is not dict:
        raise ModelFileError(f"byte {model.start}: the model has no parameters or fitted names")
    if type(apart) is list and apart and type(apart[0]) is dict:
        given = given | apart[0]
    known = _learnt(state)
    schema = known.get("_schema")
    n_features, names = schema.columns() if type(schema) is Part else (None, None)
    classes = state.get("classes_", known.get("classes_"))
    labels = label_values(classes) if isinstance(classes, np.ndarray) else None
    positive, threshold = _decision(apart, labels)
    return Contents(
        kinds[part.record.number],
        envelope.version,
        envelope.size,
        _fingerprint(part),
        {name: _parameter_text(value) for name, value in given.items()},
        n_features,
        names,
        labels,
        dict(_sizes(state)),
        read_provenance(envelope),
        envelope.unknown,
        positive,
        threshold,
    )


def _decision(apart: Any, labels: list[Any] | None) -> tuple[Any, float | None]:
    """The class that is spoken of and the threshold, where a file of two classes holds them."""
    beside = apart[1] if type(apart) is list and len(apart) > 1 else None
    kept = beside.get("_decision") if type(beside) is dict else None
    if type(kept) is not list or len(kept) != 2 or labels is None or len(labels) != 2:
        return None, None
    code, threshold = kept
    return (
        labels[code] if type(code) is int and 0 <= code < 2 else None,
        threshold if type(threshold) is float else None,
    )


def _learnt(state: dict[str, Any]) -> dict[str, Any]:
    """The fitted attributes of the model, or of the model that it wraps.

    Those of a model of texts are its own: the columns of the model in it are terms.
    """
    inner = None if "vectorizer_" in state else state.get("model_")
    if type(inner) is Part and len(inner.fields) == 3 and type(inner.fields[1]) is dict:
        return inner.fields[1]
    return state


def _fingerprint(part: Part) -> str:
    """The fingerprint of the model, computed from its unpacked fields."""
    writer = Writer(BOOK)
    writer.write(part)
    return hashlib.sha256(writer.data).hexdigest()


def _parameter_text(value: Any) -> Any:
    """A parameter value; an estimator as its name and parameters."""
    if type(value) is not Part:
        return value
    given = value.fields[0] if value.fields and type(value.fields[0]) is dict else {}
    listed = ", ".join(f"{name}={_parameter_text(v)!r}" for name, v in given.items())
    return _Words(f"{value.record.name}({listed})")


class _Words(str):
    """A text whose repr has no quotation marks."""

    __repr__ = str.__str__


def _sizes(value: Any) -> Counter[str]:
    """The number of records in a value by class name, and of nodes in trees."""
    if type(value) is Part:
        found = Counter({value.record.name: value.n})
        if value.record is TREE and len(value.fields) > 1:
            found["Node"] += np.size(value.fields[1])
        return found + _sizes(value.fields)
    if type(value) is dict:
        return _sizes(list(value.values()))
    found = Counter()
    if type(value) in (list, tuple):
        for item in value:
            if type(item) in (Part, dict, list, tuple):
                found += _sizes(item)
    return found
