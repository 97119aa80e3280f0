"""How the weights move: one booster a file."""

from .adaboost import AdaBoost
from .anyboost import AnyBoost
from .confidence import RealAdaBoost
from .m1 import AdaBoostM1
from .madaboost import MadaBoost
from .one_vs_rest import OneVsRest
from .r2 import AdaBoostR2
from .samme import Samme

__all__ = [
    "AdaBoost",
    "AdaBoostM1",
    "AdaBoostR2",
    "AnyBoost",
    "MadaBoost",
    "OneVsRest",
    "RealAdaBoost",
    "Samme",
]
