"""Terms from tokens: single tokens, n-grams, and n-grams with gaps (skip-grams)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, groupby, product

GAP = "[...]"
MOST_SHAPES = 100


@dataclass(frozen=True)
class Ngrams:
    """n-grams of ``least`` to ``most`` tokens, with up to ``gaps`` left out between neighbours.

    A term is its tokens with a blank between them, and ``[...]`` where some are left out. An empty
    token is a break, which no term spans.

    >>> sorted(Ngrams(1, 2, gaps=1)(["win", "a", "prize"]))
    ['a', 'a prize', 'prize', 'win', 'win [...] prize', 'win a']
    """

    least: int = 1
    most: int = 1
    gaps: int = 0

    @property
    def n_shapes(self) -> int:
        """The largest number of terms that begin at a token."""
        return sum((self.gaps + 1) ** (n - 1) for n in range(self.least, self.most + 1))

    @cached_property
    def _shapes(self) -> list[tuple[list[int], str]]:
        """The token offsets of each kind of n-gram, and how it is written."""
        made = []
        for n in range(max(2, self.least), self.most + 1):
            for left_out in product(range(self.gaps + 1), repeat=n - 1):
                places = list(accumulate((k + 1 for k in left_out), initial=0))
                between = (f" {GAP} %s" if k else " %s" for k in left_out)
                made.append((places, "".join(["%s", *between])))
        return made

    def __call__(self, tokens: list[str]) -> Iterator[str]:
        """The terms of a document, with repetitions."""
        if "" not in tokens:
            return self._within(tokens)
        parts = (list(part) for kept, part in groupby(tokens, bool) if kept)
        return chain.from_iterable(map(self._within, parts))

    def _within(self, tokens: list[str]) -> Iterator[str]:
        if self.most == 1:
            return iter(tokens)
        runs: list[Iterator[str]] = [iter(tokens)] if self.least == 1 else []
        for places, written in self._shapes:
            side_by_side = zip(*(tokens[k:] for k in places), strict=False)
            runs.append(map(written.__mod__, side_by_side))
        return chain.from_iterable(runs)
