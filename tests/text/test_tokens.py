"""Texts as tokens: all scripts, one spelling, and no text that upsets it."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.text.tokens import Ngrams, Tokens, is_number, spelt

texts = st.text(st.characters(), max_size=60) | st.text(
    "aB1.,'’_ é\u0301İßǆΣ\u0345\u200d\ufe0f😀👍🏽🇩🇪日ー한हि\u00ad\u200b$!٣½", max_size=30
)
forms = st.builds(Tokens, st.booleans(), st.booleans(), st.booleans())


@settings(max_examples=300, deadline=None)
@given(texts, forms)
def test_any_text_has_tokens_that_are_their_own(text: str, tokens: Tokens) -> None:
    found = tokens(text)
    assert all(token and not any(c.isspace() for c in token) for token in found)
    assert tokens(text) == found
    assert tokens(" ".join(found)) == found


@settings(max_examples=200, deadline=None)
@given(texts)
def test_a_spelling_is_spelt_as_it_is(text: str) -> None:
    assert spelt(spelt(text)) == spelt(text)
    assert Tokens()(unicodedata.normalize("NFD", text)) == Tokens()(
        unicodedata.normalize("NFC", text)
    )


@settings(max_examples=100, deadline=None)
@given(texts)
def test_without_numbers_and_punctuation_less_is_left(text: str) -> None:
    everything = Tokens(punctuation=True)(text)
    words = Tokens(numbers=False)(text)
    assert not any(map(is_number, words))
    assert [t for t in everything if t in set(words)] == words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Don't stop. Rock'n'roll 'quoted'", ["don't", "stop", "rock'n'roll", "quoted"]),
        ("Don’t", ["don't"]),
        ("1,000.50, 3.5kg on 12.05.2020, 2nd", ["1,000.50", "3.5kg", "on", "12.05.2020", "2nd"]),
        ("CAFÉ cafe\u0301 STRASSE straße", ["café", "café", "strasse", "strasse"]),
        ("Vi\u00adag\u200cra \u202ex\u202c", ["viagra", "x"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
        ("السَّلام عليكم", ["السَّلام", "عليكم"]),
        ("日本語テキスト", list("日本語テキスト")),
        ("한국어 문장", ["한국어", "문장"]),
        ("win 👍🏽👍 🇩🇪🇫🇷 ❤️", ["win", "👍🏽", "👍", "🇩🇪", "🇫🇷", "❤"]),
        ("👨\u200d👩\u200d👧👧 a\u200db", ["👨\u200d👩\u200d👧", "👧", "ab"]),
        ("snake_case b2b", ["snake", "case", "b2b"]),
        ("", []),
        (" \t\n\u2028\x00", []),
        ("\ud800 x", ["x"]),
    ],
)  # fmt: skip
def test_tokens_of_many_scripts(text: str, found: list[str]) -> None:
    assert Tokens()(text) == found


def test_punctuation_is_asked_for() -> None:
    assert Tokens(punctuation=True)("Win $5!! (no_joke) – “now”…") == [
        *("win", "$", "5", "!", "!", "(", "no", "_", "joke", ")", "–", "“", "now", "”", "…"),
    ]
    assert Tokens(punctuation=True)("a\x00\u200e\ud800b") == ["a", "b"]
    assert Tokens(numbers=False)("5 of 7,5 in 2nd") == ["of", "in", "2nd"]
    assert Tokens(lowercase=False)("Ab É") == ["Ab", "É"]


@pytest.mark.parametrize("piece", ["1.", "a'", "\u0301", "'", "👍\u200d", "é'", "1,", "😀"])
def test_long_texts_take_time_in_proportion(piece: str) -> None:
    text = piece * (300_000 // len(piece)) + "aé"
    started = time.process_time()
    Tokens(punctuation=True)(text)
    assert time.process_time() - started < 5


def test_ngrams_and_gaps() -> None:
    tokens = ["a", "b", "c", "d"]
    assert list(Ngrams(2, 2)(tokens)) == ["a b", "b c", "c d"]
    assert sorted(Ngrams(2, 2, gaps=2)(tokens)) == [
        *("a [...] c", "a [...] d", "a b", "b [...] d", "b c", "c d"),
    ]
    assert sorted(Ngrams(3, 3, gaps=1)(tokens)) == [
        *("a [...] c d", "a b [...] d", "a b c", "b c d"),
    ]
    assert list(Ngrams(1, 2)(["a", "", "b", "c"])) == ["a", "b", "c", "b c"]
    assert list(Ngrams(1, 3)([])) == []
    assert Ngrams(1, 3, gaps=1).n_shapes == 7


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from("abc"), max_size=8), st.integers(1, 3), st.integers(0, 2))
def test_ngrams_by_brute_force(tokens: list[str], most: int, gaps: int) -> None:
    wanted: list[str] = []

    def grow(at: int, n: int, term: str) -> None:
        wanted.append(term)
        for skip in range(gaps + 1):
            following = at + 1 + skip
            if n < most and following < len(tokens):
                between = " [...] " if skip else " "
                grow(following, n + 1, term + between + tokens[following])

    for at, token in enumerate(tokens):
        grow(at, 1, token)
    assert sorted(Ngrams(1, most, gaps)(tokens)) == sorted(wanted)
