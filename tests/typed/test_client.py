"""The program that type checkers read uses every public estimator."""

from __future__ import annotations

from tests.typed.write import CLIENT, client


def test_the_client_uses_every_public_estimator() -> None:
    assert CLIENT.read_text() == client(), "write it anew: python -m tests.typed.write"
