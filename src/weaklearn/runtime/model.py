"""What all models of the runtime share: parameters, columns, and how rows are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..base.messages.warnings import suppressed_warnings
from ..base.offered import Method, fact, methods_of, offers
from ..base.rows import Rows
from ..base.types import Floats, TreeHolder
from ..engines import choose
from ..engines.threads import resolve_threads
from ..files.check import one_of
from ..files.error import Flaw
from ..persistence.kept import Held, checked_decision, kept_of
from ..prediction.rows import read_rows
from . import later
from .columns import Columns

if TYPE_CHECKING:
    from ..production.predictor import Predictor


class Model:
    """A fitted model from a file, which predicts and cannot be fitted.

    ``kind`` is the name of its estimator. What ``weaklearn.load`` would give predicts the same, to
    the bit. Where there are no probabilities or scores, there is no such method.
    """

    _schema: Columns  # None where examples are texts
    _reads: ClassVar[str] = "texts"  # where it is not asked about columns
    _tree_holder: ClassVar[TreeHolder] = None
    _ensemble: Any = None
    _within: Any = None
    _indicator: tuple[int, bool] | None = None  # how y with several labels was written
    _offered: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        cls._offered = methods_of(cls)

    _positive: int | None = None  # the place of the class that is spoken of, where one was given
    _threshold: float | None = None  # of scores, where one was given

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """The fitted names of the file."""

    def __init__(self, source: Held) -> None:
        self.row = source.row
        self.kind = source.name
        self.parameters = source.parameters
        self.__dict__.update(source.state)
        if self._schema is not None:
            self.n_features_in_: int = self._schema.n_features
            if self._schema.names is not None:
                self.feature_names_in_ = np.array(self._schema.names, dtype=object)
        self._unseen, self._strict = self._reading()
        jobs = source.parameters.get("n_jobs")
        try:
            with suppressed_warnings():
                resolve_threads(jobs)
        except (TypeError, ValueError) as error:
            raise Flaw(str(error)) from None
        self.n_jobs: int | None = jobs
        self._restore()
        if source.decision is not None:
            self._positive, self._threshold = checked_decision(source.decision, self)
        consistent = kept_of(source.row).consistent
        if consistent is not None:
            consistent(self)

    @classmethod
    def of(cls, source: Held) -> Model:
        """The model of an estimator in a file."""
        return cls(source)

    def _restore(self) -> None:
        """Makes of the parts, and of parameters, what answers."""

    def _reading(self) -> tuple[str, bool]:
        """What becomes of values never seen, and whether missing ones are refused."""
        strict = self.parameters.get("missing") == "error"
        unseen = self.parameters.get("unseen", "missing")
        one_of("missing", "error")("unseen", unseen)
        return ("error" if strict else str(unseen)), strict

    def _rows(self, X: Any) -> Rows:
        engine = choose(self.n_jobs)
        return read_rows(self._schema, X, engine, unseen=self._unseen, strict=self._strict)

    def _numbers(self, X: Any) -> Floats:
        """Rows of numbers."""
        rows = self._schema.read(X).matrix
        assert rows is not None
        return rows

    def _complete(self, X: Any) -> Floats:
        """Rows of numbers, none of them missing."""
        rows = self._numbers(X)
        gaps = np.flatnonzero(np.isnan(rows).any(axis=1))
        if len(gaps):
            raise ValueError(
                f"Input X contains NaN: row {gaps[0]} has no score; {self.kind} needs a number in "
                "every column."
            )
        return np.ascontiguousarray(rows, np.float64)

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row, or the number."""
        raise NotImplementedError

    def predictor(self) -> Predictor:
        """A function of one row, as a dict, a list or an array, that answers with a number.

        It is what ``predictor`` of the estimators is.
        """
        if self._schema is None:
            raise TypeError(
                f"{self.kind} has no predictor of one row: it is not asked about columns; use "
                "predict with a list of one."
            )
        return later.predictor_of(self, self.kind, self.parameters)

    def __repr__(self) -> str:
        of = self._reads if self._schema is None else f"{self.n_features_in_} columns"
        return f"<{self.kind} of {of}, for prediction>"


@offers.register
def _(model: Model, method: Method) -> bool:
    return method in model._offered


@fact.register
def _(model: Model, name: str) -> Any:
    return vars(model).get(name)
