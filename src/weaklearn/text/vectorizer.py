"""TermVectorizer: which terms each document contains."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field
from typing import Any, Literal, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from ..base.added_field import ADDED
from ..base.messages.value_text import show
from ..base.types import Ints
from ..estimators.model import Model, in_one_step
from ..intake import parameters
from ..production.provenance import fitted_now
from .term_weights import Weights
from .terms import Terms

Output = Literal["default", "pandas"]


@parameters.declared
class TermVectorizer(TransformerMixin, Model, auto_wrap_output_keys=None):
    """Turns texts into a sparse matrix: one row a document, one column a term.

    Terms are words, and what else is asked for: numbers, punctuation, n-grams, n-grams with gaps.
    The vocabulary is in lexicographic order, by code points, so that it does not depend on the
    order of documents. A document is a text, bytes (decoded by ``encoding``), or a list of tokens,
    which is taken as it is; None and NaN are empty documents, and those have no terms.

    Case is folded and characters are composed: "Café" is one word in all its spellings. Symbols
    such as emoji are terms. Han and kana, which know no spaces, are cut into characters, so there
    n-grams of two or three are of use; Thai and its like stay whole between spaces.

    Parameters
    ----------
    ngram_range : int or pair of int, default 1
        The least and the largest number of tokens in a term; a single number is the largest.
    gaps : int, default 0
        How many tokens may be left out between two neighbours of an n-gram, which is then written
        ``win [...] prize``.
    numbers : bool, default True
        Whether numbers are tokens.
    punctuation : bool, default False
        Whether every visible character outside of words and numbers is a token.
    lowercase : bool, default True
        Whether case is folded.
    min_df, max_df : int or float, default 1 and 1.0
        Terms in fewer, or more, documents are left out: a whole number counts documents, a float
        is their share.
    max_features : int, optional
        Keeps the terms of the most documents; of equals the first in order.
    binary : bool, default True
        1 where a document contains a term; otherwise how often.
    encoding : str, default "utf-8"
        How documents given as bytes are decoded.
    decode_error : {"replace", "ignore", "strict"}, default "replace"
        What becomes of bytes that are no text in the encoding: a mark that belongs to no word,
        nothing, or an error that names the byte.
    max_chars : int or None, default 1,000,000
        Only so much of a document is read, with a warning; None reads all.
    weights : {None, "tfidf"}, default None
        What a term weighs in a document: None, as ``binary`` says; "tfidf", 1 + ln of that times
        1 + ln((1 + n)/(1 + document frequency)), scaled so that the squares of a document have
        the sum 1.

    Attributes
    ----------
    vocabulary_ : dict from term to column
    document_frequency_ : ndarray
        In how many documents each term was.
    n_documents_ : int

    Examples
    --------
    >>> from weaklearn.text import TermVectorizer
    >>> model = TermVectorizer(ngram_range=2, min_df=2)
    >>> X = model.fit_transform(["Win a prize!", "You win a car", "A prize is a prize"])
    >>> model.get_feature_names_out().tolist()
    ['a', 'a prize', 'prize', 'win', 'win a']
    >>> X.toarray().astype(int).tolist()
    [[1, 1, 1, 1, 1], [1, 0, 0, 1, 1], [1, 1, 1, 0, 0]]
    """

    ngram_range: Any = 1
    gaps: int = 0
    numbers: bool = True
    punctuation: bool = False
    lowercase: bool = True
    min_df: int | float = 1
    max_df: int | float = 1.0
    max_features: int | None = None
    binary: bool = True
    encoding: str = "utf-8"
    decode_error: str = "replace"
    max_chars: int | None = 1_000_000
    weights: Weights = field(default=None, metadata=ADDED)

    def _check_parameters(self) -> None:
        self._terms()
        for name in ("min_df", "max_df"):
            parameters.count_or_share(name, getattr(self, name), 1)
        if self.max_features is not None:
            parameters.integer("max_features", self.max_features, 1, None, "None")

    def _terms(self) -> Terms:
        """How documents become terms."""
        return Terms.by(self.get_params(deep=False))

    # ----------------------------------------------------------------------------------- learning

    @in_one_step
    def fit(self, X: Any, y: Any = None) -> Self:
        """Finds the vocabulary of the documents."""
        self._learned(X, None)
        return self

    @in_one_step
    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Finds the vocabulary, and returns the matrix of the same documents."""
        return self._shown(self._learned(X, None), X)

    def _learned(self, X: Any, copies: Ints | None) -> Any:
        """``fit_transform`` of documents that count as so many copies; None: one each."""
        self._check_parameters()
        seen: defaultdict[str, int] = defaultdict()
        seen.default_factory = seen.__len__
        start, place, count = self._terms().counted(X, seen.__getitem__)
        n = len(start) - 1
        if n == 0:
            raise ValueError("X has 0 rows: pass at least one document.")
        times = None if copies is None else np.repeat(copies, np.diff(start))
        frequency = np.bincount(place, times, len(seen)).astype(np.int64)
        n = n if copies is None else int(copies.sum())
        kept = self._kept(list(seen), frequency, n)
        columns = np.full(len(seen), -1, np.int32)
        columns[kept] = np.arange(len(kept), dtype=np.int32)
        self._keep(list(seen), kept, frequency, n)
        return self._weighed(_matrix(start, columns[place], count, len(kept)))

    def _weighed(self, matrix: Any) -> Any:
        """The matrix with what terms weigh, where that is not how often they occur."""
        counted = (matrix.indptr, matrix.indices, matrix.data)
        frequency, n = self.document_frequency_, self.n_documents_
        matrix.data = self._terms().weighed(counted, frequency, n)
        return matrix

    def _keep(self, terms: list[str], kept: Ints, frequency: Ints, n: int) -> None:
        self.vocabulary_ = {terms[k]: j for j, k in enumerate(kept.tolist())}
        self.document_frequency_ = frequency[kept]
        self.n_documents_ = n
        self._origin = fitted_now()

    def _kept(self, terms: list[str], frequency: Ints, n: int) -> Ints:
        """The terms within the limits, in their order."""
        least, most = _documents(self.min_df, n), _documents(self.max_df, n)
        if least > most + 1e-9 * n:  # shares of n are rounded
            raise ValueError(
                f"min_df={self.min_df} and max_df={self.max_df} leave no term: of {n} documents "
                f"these are at least {least:g} and at most {most:g}."
            )
        inside = np.flatnonzero(
            (_measured(frequency, self.min_df, n) >= self.min_df)
            & (_measured(frequency, self.max_df, n) <= self.max_df)
        )
        if len(inside) == 0:
            raise ValueError(self._no_terms(len(terms), n))
        order = np.array(sorted(inside.tolist(), key=terms.__getitem__), np.int64)
        if self.max_features is not None and len(order) > self.max_features:
            best = np.argsort(-frequency[order], kind="stable")[: self.max_features]
            order = order[np.sort(best)]
        return order

    def _no_terms(self, n_terms: int, n: int) -> str:
        if n_terms == 0:
            return (
                f"X holds no terms: its {n} documents are empty, or hold only what the tokeniser "
                "leaves out; pass texts with words, or set punctuation=True."
            )
        return (
            f"no vocabulary is left: none of {n_terms} terms is within min_df={self.min_df} and "
            f"max_df={self.max_df} of {n} documents; lower min_df or raise max_df."
        )

    # ---------------------------------------------------------------------------------- describing

    def transform(self, X: Any) -> Any:
        """Which terms of the vocabulary each document contains, as a sparse matrix by rows."""
        return self._shown(self._counted(X), X)

    def _counted(self, X: Any) -> Any:
        """The sparse matrix of documents, whatever ``set_output`` asks for."""
        check_is_fitted(self, "vocabulary_")
        self._check_parameters()
        start, place, count = self._terms().counted(X, self.vocabulary_.get)
        return self._weighed(_matrix(start, place, count, len(self.vocabulary_)))

    def set_output(self, *, transform: str | None = None) -> Self:
        """Whether ``transform`` gives a sparse matrix, or a DataFrame of sparse columns.

        Parameters
        ----------
        transform : {"default", "pandas"}, optional
            "default" is the matrix, "pandas" the DataFrame, with a column for each term; None
            changes nothing. Where nothing was set, ``sklearn.set_config(transform_output=...)``
            holds.
        """
        if transform is not None:
            parameters.one_of("transform", transform, Output)
            self._sklearn_output_config = {"transform": transform}  # which clones take over
        return self

    def _shown(self, matrix: Any, X: Any) -> Any:
        """A matrix of X in the container that ``set_output`` asks for."""
        own = vars(self).get("_sklearn_output_config", {}).get("transform")
        asked = get_config()["transform_output"] if own is None else own
        if asked == "default":
            return matrix
        if asked != "pandas":
            raise ValueError(
                f"transform_output={show(asked)} is not for TermVectorizer, whose rows are "
                'sparse: set set_output(transform="pandas"), or "default" for a sparse matrix.'
            )
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("set_output needs pandas: pip install pandas") from error
        index = X.index if isinstance(X, pd.Series) else None
        names = self.get_feature_names_out()
        return pd.DataFrame.sparse.from_spmatrix(matrix, index=index, columns=names)

    def tokens(self, text: Any) -> list[str]:
        """The tokens of one document, in their order.

        >>> TermVectorizer().tokens("Two words")
        ['two', 'words']
        """
        return self._terms().tokens(text)

    def terms(self, text: Any) -> list[str]:
        """The terms of one document, each as often as it occurs."""
        how = self._terms()
        return list(how.ngrams(how.tokens(text)))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The terms, in the order of columns."""
        check_is_fitted(self, "vocabulary_")
        return np.array(list(self.vocabulary_), dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _documents(limit: int | float, n: int) -> float:
    """A limit as a number of documents."""
    return limit * n if isinstance(limit, (float, np.floating)) else float(limit)


def _measured(frequency: Ints, limit: int | float, n: int) -> NDArray[Any]:
    """Frequencies in the unit of the limit: numbers of documents, or shares of them."""
    return frequency / n if isinstance(limit, (float, np.floating)) else frequency


def _matrix(start: Ints, column: Any, count: Any, width: int) -> Any:
    """A sparse matrix by rows, in order; columns of -1 are left out."""
    inside = column >= 0
    if not inside.all():
        start = np.concatenate([[0], np.cumsum(inside)])[start]
        column, count = column[inside], count[inside]
    if start[-1] < 2**31:
        start = start.astype(np.int32)
    found = sp.csr_matrix((count, column, start), shape=(len(start) - 1, width))
    found.sort_indices()
    return found


def vectorizer_of(given: Any, **usual: Any) -> TermVectorizer:
    """A new vectorizer for the parameter ``vectorizer``; by default a ``TermVectorizer``."""
    if given is None:
        return TermVectorizer(**usual)
    if not isinstance(given, TermVectorizer):
        raise TypeError(
            f"vectorizer={show(given)} is not allowed: it must be a TermVectorizer; put others "
            "before a booster in a Pipeline."
        )
    found: TermVectorizer = clone(given)
    return found
