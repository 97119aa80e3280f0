"""Tokens of texts, and terms of them: n-grams, and n-grams with gaps (skip-grams)."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, chain, groupby, product, takewhile

# Characters that only steer how a text is drawn: soft hyphens, joiners, marks of direction,
# selectors of a glyph. A word with one of them inside is the word without.
_UNSEEN = "\u00ad\u061c\u180e\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
_SKINS = "\U0001f3fb-\U0001f3ff"
_FLAGS = "\U0001f1e6-\U0001f1ff"
# Scripts written without spaces whose every character stands for itself: Han and kana.
_ALONE = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d"
)
_ALONE_BEYOND = "\U00020000-\U0003ffff"
_NUMBER = r"\d++(?:[.,]\d++)*+"


@dataclass(frozen=True)
class Tokens:
    """How a text is cut into tokens.

    A text is brought into one spelling first: composed characters (Unicode's form C), case folded
    where ``lowercase``, a curly apostrophe made straight, and what only steers the drawing left
    out. Tokens are then, from left to right:

    - words: letters of any script with their marks, digits among them, apostrophes between them;
    - numbers, with the points and commas inside: ``1,000.50`` (left out where not ``numbers``);
    - each character of Han and kana by itself;
    - symbols such as emoji: a sequence that is drawn as one is one token;
    - all other visible characters, one by one, where ``punctuation`` is asked for.

    >>> Tokens()("Don't pay 1,000.50 € for CAFE\\u0301 coffee!")
    ["don't", 'pay', '1,000.50', 'for', 'café', 'coffee']
    >>> Tokens(numbers=False, punctuation=True)("Win $100 now!")
    ['win', '$', 'now', '!']
    """

    numbers: bool = True
    punctuation: bool = False
    lowercase: bool = True

    def __call__(self, text: str) -> list[str]:
        if text.isascii():
            found = self._ascii.findall(text.lower() if self.lowercase else text)
        else:
            text = spelt(text, self.lowercase)
            reach = _reach(text)
            found = _pattern(self.punctuation, reach).findall(text)
            if self.punctuation:
                found = [token for token in found if token.isprintable() or len(token) > 1]
        return found if self.numbers else [token for token in found if not is_number(token)]

    @cached_property
    def _ascii(self) -> re.Pattern[str]:
        word = r"[A-Za-z][A-Za-z0-9]*+(?:'[A-Za-z][A-Za-z0-9]*+)*+"
        marks = r"|[!-/:-@\[-`{-~]" if self.punctuation else ""
        return re.compile(rf"{word}|[0-9]++(?:[.,][0-9]++)*+[A-Za-z0-9]*+{marks}")


_REACHES = (
    0x300,
    0x10000,
    0x110000,
)  # no marks below the first; beyond the second classes are slow
_BEYOND = [re.compile(f"[{chr(code)}-{chr(sys.maxunicode)}]") for code in _REACHES[:2]]


def _reach(text: str) -> int:
    """A code point that all characters of a text lie below, one of three."""
    for reach, beyond in zip(_REACHES, _BEYOND, strict=False):
        if beyond.search(text) is None:
            return reach
    return _REACHES[-1]


@cache
def _pattern(punctuation: bool, reach: int) -> re.Pattern[str]:
    """The pattern of a token, for texts whose characters are below ``reach``."""
    marks, symbols = _classes(reach)
    alone = _ALONE if reach < _REACHES[-1] else _ALONE + _ALONE_BEYOND
    letter, any_letter = rf"[^\W\d_{alone}]", rf"[^\W_{alone}]"
    inside = rf"(?:{any_letter}++|[{marks}]++)*+" if marks else rf"{any_letter}*+"
    after = rf"[{marks}{_SKINS}]*+" if marks else ""
    kinds = [
        rf"{letter}{inside}(?:'{letter}{inside})*+",
        rf"{_NUMBER}{inside}",
        rf"{any_letter}{inside}",  # numerals that are no digits
        rf"(?=\w)[{alone}]{after}",  # not those that Unicode has left free
        rf"[{_FLAGS}]{{2}}",
        rf"[{symbols}]{after}(?:\u200d[{symbols}]{after})*+",
    ]
    if punctuation:
        kinds.append(rf"[^\w\s{marks}]|_")
    return re.compile("|".join(kinds))


def spelt(text: str, lowercase: bool = True) -> str:
    """The Unicode-normalised text; normalising it again changes nothing."""
    text = re.sub(rf"[{_UNSEEN}]+", "", text.replace("\u2019", "'"))
    if "\u200d" in text:  # a joiner is kept where it joins symbols
        _, symbols = _classes(_REACHES[-1])
        text = re.sub(rf"(?<![{symbols}{_SKINS}])\u200d+|\u200d+(?![{symbols}])", "", text)
    if not lowercase:
        return unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


def is_number(token: str) -> bool:
    """Whether a token is digits with points and commas among them, and nothing else.

    >>> [is_number(token) for token in ["7", "1,000.50", "2nd", "one"]]
    [True, True, False, False]
    """
    return token[0].isdecimal() and token.replace(".", "").replace(",", "").isdecimal()


@cache
def _classes(reach: int) -> tuple[str, str]:
    """Marks, and symbols, of this Python's Unicode below ``reach``, as ranges of a pattern."""
    marks: list[int] = []
    symbols: list[int] = []
    planes = chain(range(0x20000), range(0xE0000, 0xE0200))  # others have none
    for code in takewhile(reach.__gt__, planes):
        kind = unicodedata.category(chr(code))
        if kind[0] == "M":
            marks.append(code)
        elif kind == "So" and code != 0xFFFD:  # which stands for what could not be read
            symbols.append(code)
    return _ranges(marks), _ranges(symbols)


def _ranges(codes: list[int]) -> str:
    """Neighbouring characters as ranges: ``a-c``."""
    parts: list[str] = []
    first = last = codes[0] if codes else 0
    for code in [*codes[1:], sys.maxunicode + 1] if codes else ():
        if code == last + 1:
            last = code
            continue
        parts.append(f"\\U{first:08x}-\\U{last:08x}" if last > first else f"\\U{first:08x}")
        first = last = code
    return "".join(parts)


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
