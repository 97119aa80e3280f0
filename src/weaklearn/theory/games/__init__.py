"""Games of two players, weak learning as one of them, and how to learn to play.

``game_value(M)`` and ``solve(M)`` by a linear program; ``play(M, T)`` by multiplicative weights,
against a matrix or an oracle; ``weak_learnability(M)`` and ``boosting_game(M)`` for boosting.
"""

from __future__ import annotations

from ...lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "playing": "Oracle Play play",
        "value": "Solution WeakLearnability boosting_game game_value solve weak_learnability",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
