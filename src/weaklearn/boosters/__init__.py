"""How the weights move: one booster a file."""

from .adaboost import AdaBoost
from .m1 import AdaBoostM1
from .one_vs_rest import OneVsRest
from .samme import Samme

__all__ = ["AdaBoost", "AdaBoostM1", "OneVsRest", "Samme"]
