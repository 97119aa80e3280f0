"""From documents to their terms: reading, tokenising and counting."""

from __future__ import annotations

import codecs
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.types import Ints
from ..intake import parameters
from .documents import Document, Documents
from .term_weights import Weights, tfidf
from .tokens import MOST_SHAPES, Ngrams, Tokens

Counted = tuple[Ints, NDArray[np.int32], NDArray[np.float32]]


@dataclass(frozen=True)
class Terms:
    """How documents become terms.

    >>> how = {"ngram_range": 2, "gaps": 0, "numbers": True, "punctuation": False}
    >>> how |= {"lowercase": True, "binary": True, "encoding": "utf-8"}
    >>> terms = Terms.by({**how, "decode_error": "replace", "max_chars": None})
    >>> terms.tokens("Win a prize!")
    ['win', 'a', 'prize']
    >>> start, place, count = terms.counted(["A prize", ""], {"a": 0, "a prize": 1}.get)
    >>> start.tolist(), sorted(place.tolist())
    ([0, 2, 2], [0, 1])
    """

    cut: Tokens
    ngrams: Ngrams
    binary: bool
    encoding: str
    decode_error: str
    max_chars: int | None
    weights: Weights = None

    @classmethod
    def by(cls, given: Mapping[str, Any]) -> Terms:
        """From the parameters of a vectorizer, which are checked."""
        ngrams = _ngrams(given["ngram_range"], given["gaps"])
        if ngrams.n_shapes > MOST_SHAPES:
            raise ValueError(
                f"ngram_range={show(given['ngram_range'])} and gaps={given['gaps']} make "
                f"{ngrams.n_shapes} terms of every word; at most {MOST_SHAPES} are allowed: lower "
                "one of them."
            )
        for name in ("numbers", "punctuation", "lowercase", "binary"):
            parameters.switch(name, given[name])
        check_encoding(given["encoding"])
        parameters.one_of("decode_error", given["decode_error"], ["replace", "ignore", "strict"])
        if given["max_chars"] is not None:
            parameters.integer("max_chars", given["max_chars"], 1, None, "None")
        parameters.one_of("weights", given.get("weights"), Weights)
        tokens = Tokens(*(bool(given[name]) for name in ("numbers", "punctuation", "lowercase")))
        reading = {name: given[name] for name in ("encoding", "decode_error", "max_chars")}
        return cls(tokens, ngrams, bool(given["binary"]), **reading, weights=given.get("weights"))

    def weighed(self, counted: Counted, frequency: Ints, n: int) -> NDArray[np.float32]:
        """The values of counted terms: the counts, or what the terms weigh."""
        return counted[2] if self.weights is None else tfidf(*counted, frequency, n)

    @property
    def reader(self) -> Documents:
        """Reads documents one by one."""
        return Documents(self.encoding, self.decode_error, self.max_chars)

    def tokens(self, text: Any) -> list[str]:
        """The tokens of one document, in their order."""
        document = self.reader.one(text, "text")
        return document if isinstance(document, list) else self.cut(document)

    def counted(self, X: Any, column: Callable[[str], int | None]) -> Counted:
        """The matrix in CSR form: starts, columns and counts; terms without a column are left out.

        The rows of a matrix by rows, in no order within a row.
        """

        def terms(document: Document) -> Iterable[str]:
            return self.ngrams(document if isinstance(document, list) else self.cut(document))

        start, place, count = array("q", [0]), array("i"), array("f")
        for document in self.reader.read(X):
            if self.binary:
                found = map(column, set(terms(document)))
                place.extend([j for j in found if j is not None])
            else:
                for term, k in Counter(terms(document)).items():
                    j = column(term)
                    if j is not None:
                        place.append(j)
                        count.append(k)
            start.append(len(place))
        places = np.frombuffer(place, np.int32) if place else np.zeros(0, np.int32)
        ones = np.ones(len(place), np.float32)
        return (
            np.array(start, np.int64),
            places,
            ones if self.binary or not count else np.frombuffer(count, np.float32),
        )


def check_encoding(name: Any) -> None:
    """The name of an encoding that turns bytes into text."""
    try:
        codecs.getincrementaldecoder(name)
        b"abcd".decode(name, "ignore")
    except (LookupError, TypeError, ValueError):
        raise ValueError(
            f"encoding={show(name)} is not allowed: it must be the name of an encoding of text, "
            "such as 'utf-8' or 'latin-1'."
        ) from None


def _ngrams(given: Any, gaps: Any) -> Ngrams:
    """The n-grams of ``ngram_range`` and ``gaps``, each limited to 10."""
    if isinstance(given, (tuple, list)) and len(given) == 2:
        least = parameters.integer("ngram_range[0]", given[0], 1, 10)
        most = parameters.integer("ngram_range[1]", given[1], least, 10)
    else:
        others = "a pair of the least and the largest"
        least, most = 1, parameters.integer("ngram_range", given, 1, 10, others)
    return Ngrams(least, most, parameters.integer("gaps", gaps, 0, 10))
