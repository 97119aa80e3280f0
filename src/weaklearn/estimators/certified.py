"""``certify`` of a classifier that plays no game: what test rows say of its true error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ..base.certificate import Certificate, Certificates
from . import parameters


class HeldOut:
    """Certificates from rows never seen, and from those of training where a class has theorems."""

    def certify(
        self,
        X: Any = None,
        y: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        delta: float = 0.05,
    ) -> Certificates:
        """What is known of the true error: the first line is the one to quote.

        X and y are the rows of fit, and serve where a theorem speaks of them; X_test and y_test
        are rows that the model has never seen. Rows that it has seen are found by their content.
        All statements hold at once with probability 1 - delta: where both kinds of rows are given,
        each has one half of delta.
        """
        from ..theory.held_out import held_out
        from .judged_rows import judged_rows

        check_is_fitted(self)
        parameters.real("delta", delta, 0.0, 0.999999)
        together(X, y, X_test, y_test)
        share = delta / 2 if X is not None and X_test is not None else delta
        found = [] if X is None else list(self._from_training(X, y, share))
        if X_test is not None:
            found += held_out(judged_rows(self, X_test, y_test), share)
        if not found:
            return Certificates([], "rows not used in fitting are needed: pass X_test and y_test")
        return Certificates.ranked(found, f"all hold at once with probability {1 - delta:g}")

    def _from_training(self, X: Any, y: Any, delta: float) -> Sequence[Certificate]:
        """What the rows of training alone say of the true error."""
        return ()


def together(X: Any, y: Any, X_test: Any, y_test: Any) -> None:
    """Rows come with their labels."""
    if (X is None) != (y is None) or (X_test is None) != (y_test is None):
        raise ValueError("pass X together with y, and X_test together with y_test.")
