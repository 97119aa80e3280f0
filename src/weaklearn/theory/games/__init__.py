"""Games of two players, weak learning as one of them, and how to learn to play.

``game_value(M)`` and ``solve(M)`` by a linear program; ``play(M, T)`` by multiplicative weights,
against a matrix or an oracle; ``weak_learnability(M)`` and ``boosting_game(M)`` for boosting.
"""

from __future__ import annotations

from .playing import Oracle, Play, play
from .value import Solution, WeakLearnability, boosting_game, game_value, solve, weak_learnability

__all__ = [
    "Oracle",
    "Play",
    "Solution",
    "WeakLearnability",
    "boosting_game",
    "game_value",
    "play",
    "solve",
    "weak_learnability",
]
