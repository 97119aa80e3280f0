# Made by `make stub` from the names that the module lists.
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
