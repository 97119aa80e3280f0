"""A WSGI application that predicts rows sent as JSON, and tells how it fares."""

from __future__ import annotations

import json
import logging
import math
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

import numpy as np

from ..base.messages.value_text import show
from ..base.messages.warnings import suppressed_warnings
from ..intake.raw_column import Kind
from ..prediction.outputs import shares_of_classes
from ..prediction.positive import threshold_words
from ..prediction.rows import classes_of
from ..production.drift import flags_of
from ..production.methods import of_columns
from .requests import Refusal, cells_of, method_of, reasons_of, request_of

WINDOW = 10_000  # rows that /drift compares with those of training
log = logging.getLogger("weaklearn")

Start = Callable[..., Any]
Environ = dict[str, Any]


class Service:
    """A WSGI application for one fitted model; any WSGI server can run it.

    ``POST /predict`` takes ``{"rows": [...]}``, each row an object by names of columns, a list of
    all columns, or a text for models of texts; ``"reasons": n`` adds the n columns that did most,
    ``"flags": true`` values that training never had. ``GET /`` describes the model, ``/health``
    answers while it can, ``/metrics`` counts in the form of Prometheus, ``/drift`` compares the
    last 10,000 rows with those of training.

    >>> import weaklearn
    >>> from weaklearn.serving import Service
    >>> X, y = weaklearn.datasets.toy()
    >>> service = Service(weaklearn.AdaBoostClassifier(n_estimators=3).fit(X, y))
    >>> service.predicted({"rows": [[1.0, 5.0]]})["predictions"][0]["prediction"]
    1
    """

    def __init__(self, model: Any, *, max_rows: int = 10_000, max_body: int = 2**20) -> None:
        self.model, self.max_rows, self.max_body = model, max_rows, max_body
        self._columns = _reader_of(model)
        self._lock = threading.Lock()
        self._recent: deque[list[Any]] = deque(maxlen=WINDOW)
        self._requests: Counter[tuple[str, int]] = Counter()
        self._rows, self._seconds = 0, 0.0
        self._fingerprint = model.fingerprint()
        self._paths: dict[str, tuple[str, Callable[[Environ], Any]]] = {
            "/": ("GET", lambda _: self.described()),
            "/health": ("GET", lambda _: {"status": "ok", "fingerprint": self._fingerprint}),
            "/metrics": ("GET", lambda _: self.metrics()),
            "/drift": ("GET", lambda _: self.drift()),
            "/predict": ("POST", lambda environ: self.predicted(self._body(environ))),
        }

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        """The answer to one request."""
        began, path = time.perf_counter(), str(environ.get("PATH_INFO", ""))
        more: list[tuple[str, str]] = []
        try:
            status, answer = HTTPStatus.OK, self._answer(environ, path, more)
        except Refusal as refusal:
            status, answer = refusal.status, {"error": str(refusal)}
        except Exception:
            log.exception("a request to %s failed", path if path in self._paths else "?")
            status, answer = HTTPStatus.INTERNAL_SERVER_ERROR, {"error": "the request failed"}
        with self._lock:
            self._requests[path if path in self._paths else "other", int(status)] += 1
            self._seconds += time.perf_counter() - began
        kind = "text/plain; version=0.0.4" if isinstance(answer, str) else "application/json"
        text = answer if isinstance(answer, str) else json.dumps(answer, allow_nan=False)
        body = text.encode("utf-8")
        head = [("Content-Type", f"{kind}; charset=utf-8"), ("Content-Length", str(len(body)))]
        start(f"{int(status)} {status.phrase}", [*head, ("Cache-Control", "no-store"), *more])
        return [b"" if environ.get("REQUEST_METHOD") == "HEAD" else body]

    def _answer(self, environ: Environ, path: str, more: list[tuple[str, str]]) -> Any:
        if path not in self._paths:
            known = ", ".join(self._paths)
            raise Refusal(HTTPStatus.NOT_FOUND, f"there is no such path; there are {known}")
        method, answer = self._paths[path]
        asked = environ.get("REQUEST_METHOD")
        if asked != method and not (asked == "HEAD" and method == "GET"):
            more.append(("Allow", method))
            raise Refusal(HTTPStatus.METHOD_NOT_ALLOWED, f"{path} is asked by {method}")
        return answer(environ)

    def _body(self, environ: Environ) -> Any:
        """The JSON of a request; a text of another form, or one too long, is refused."""
        try:
            length = int(environ.get("CONTENT_LENGTH") or 0)
        except ValueError:
            raise Refusal(HTTPStatus.BAD_REQUEST, "Content-Length is no number") from None
        if length > self.max_body:
            raise Refusal(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"the body has {length:,} bytes, more than {self.max_body:,}; send fewer rows",
            )
        return request_of(environ["wsgi.input"].read(length) if length > 0 else b"")

    # ------------------------------------------------------------------------------------- answers

    def described(self) -> dict[str, Any]:
        """The model: its class, columns and classes."""
        found: dict[str, Any] = {
            "model": type(self.model).__name__,
            "fingerprint": self._fingerprint,
            "target": None if self.model._origin is None else self.model._origin.target,
            "rows": "texts" if self._columns is None else "columns",
        }
        if self._columns is not None:
            schema = self._columns._schema
            kinds = [column.kind for column in schema.columns]
            found["columns"] = [
                {"name": None if schema.names is None else schema.names[j], "kind": _NOUN[kind]}
                for j, kind in enumerate(kinds)
            ]
        if classes_of(self.model) is not None:
            found["classes"] = [_plain(label) for label in self.model.classes_]
            if self.model._positive is not None:
                found["positive_class"] = found["classes"][self.model._positive]
        threshold = threshold_words(self.model)
        if threshold is not None:
            found["threshold"] = threshold
        return found

    def predicted(self, request: Any) -> dict[str, Any]:
        """The predictions for a request, a dict as JSON gives it."""
        if not isinstance(request, dict) or not isinstance(request.get("rows"), list):
            raise Refusal(HTTPStatus.BAD_REQUEST, 'send an object such as {"rows": [{...}, {...}]}')
        for name in request.keys() - {"rows", "reasons", "flags"}:
            raise Refusal(
                HTTPStatus.BAD_REQUEST, f"{show(name)} is unknown; there are rows, reasons, flags"
            )
        rows, reasons, flags = request["rows"], request.get("reasons", 0), request.get("flags")
        if not 0 < len(rows) <= self.max_rows:
            raise Refusal(
                HTTPStatus.BAD_REQUEST,
                f"the request has {len(rows):,} rows; send 1 to {self.max_rows:,}",
            )
        if type(reasons) is not int or reasons < 0:
            raise Refusal(HTTPStatus.BAD_REQUEST, "reasons must be a number of columns, such as 3")
        if flags not in (None, True, False):
            raise Refusal(HTTPStatus.BAD_REQUEST, "flags must be true or false")
        X = cells_of(self._columns, rows)
        try:
            with suppressed_warnings():
                found = self._predictions(X, reasons, bool(flags))
        except (ValueError, TypeError, OverflowError) as error:
            raise Refusal(HTTPStatus.BAD_REQUEST, str(error)) from None
        with self._lock:
            self._rows += len(rows)
            if self._columns is not None:
                self._recent.extend(X.tolist())
        return {"predictions": found}

    def _predictions(self, X: Any, reasons: int, flags: bool) -> list[dict[str, Any]]:
        labels = np.asarray(self.model.predict(X))
        found: list[dict[str, Any]] = [{"prediction": _plain(label)} for label in labels]
        if method_of(self.model, "predict_proba") is not None:
            by_output = [
                [dict(zip(names, row, strict=True)) for row in shares.tolist()]
                for names, shares in shares_of_classes(self.model, X)
            ]
            for row, *shares in zip(found, *by_output, strict=True):
                row["probabilities"] = shares[0] if len(shares) == 1 else shares
        if reasons:
            for row, why in zip(found, reasons_of(self.model, X, labels, reasons), strict=True):
                row["reasons"] = why
        if flags:
            for row, odd in zip(found, self._flags(X), strict=True):
                row["flags"] = odd
        return found

    def _flags(self, X: Any) -> list[dict[str, str]]:
        origin = self.model._origin
        if self._columns is None or origin is None or origin.profile is None:
            raise ValueError("the model keeps no histograms of its training; leave flags out")
        return flags_of(self._columns._schema, origin.profile, X)

    def drift(self) -> dict[str, Any]:
        """The drift of the last rows against those of training."""
        with self._lock:
            rows = list(self._recent)
        if not rows or self._columns is None:
            raise Refusal(HTTPStatus.CONFLICT, "no rows of columns were asked for yet")
        try:
            with suppressed_warnings():
                found: dict[str, Any] = self.model.check(_array(rows)).to_dict()
        except ValueError as error:
            raise Refusal(HTTPStatus.CONFLICT, str(error)) from None
        return dict(_plain(found))

    def metrics(self) -> str:
        """Counts of requests, rows and seconds, as Prometheus reads them."""
        with self._lock:
            requests, rows, seconds = dict(self._requests), self._rows, self._seconds
        lines = ["# TYPE weaklearn_requests_total counter"]
        lines += [
            f'weaklearn_requests_total{{path="{path}",status="{status}"}} {count}'
            for (path, status), count in sorted(requests.items())
        ]
        lines += ["# TYPE weaklearn_rows_total counter", f"weaklearn_rows_total {rows}"]
        lines += ["# TYPE weaklearn_seconds_total counter", f"weaklearn_seconds_total {seconds}"]
        return "\n".join(lines) + "\n"


_NOUN = {
    Kind.NUMBER: "number",
    Kind.CATEGORY: "category",
    Kind.WIDE: "integer",
    Kind.DATETIME: "datetime",
    Kind.TIMEDELTA: "timedelta",
}


def _reader_of(model: Any) -> Any:
    """The model that reads columns; None where a row is a text."""
    reader = of_columns(model)
    texts = () if reader is None else reader._schema.text_columns
    if any(column.name is not None for column in texts):
        raise TypeError(
            f"this {type(model).__name__} reads tables of which some columns are texts, which is "
            "not served; use predict."
        )
    return None if texts else reader


def _array(rows: list[list[Any]]) -> Any:
    found = np.empty((len(rows), len(rows[0])), object)
    for i, row in enumerate(rows):
        found[i, :] = row
    return found


def _plain(value: Any) -> Any:
    """A value in JSON's types; what is no number is null, other types are texts."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.generic) and value.dtype.kind not in "mM":
        return _plain(value.item())
    if isinstance(value, (np.ndarray, list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
