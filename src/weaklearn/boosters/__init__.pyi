# Made from the registry by `make stub`.
from .adaboost import AdaBoost
from .adaboost_l import AdaBoostL
from .adaboost_m1 import AdaBoostM1
from .adaboost_m2 import AdaBoostM2
from .adaboost_mh import AdaBoostMH
from .adaboost_mo import AdaBoostMO
from .adaboost_mr import AdaBoostMR
from .adaboost_r2 import AdaBoostR2
from .adaboost_star import AdaBoostStar
from .adtree import ADTree
from .all_pairs import AllPairs
from .alpha_boost import AlphaBoost
from .anyboost import AnyBoost
from .arc_gv import ArcGV
from .boost_by_majority import BoostByMajority
from .brownboost import BrownBoost
from .conditional_gradient import ConditionalGradient
from .coordinate import CoordinateBoost
from .erlpboost import ERLPBoost
from .filterboost import FilterBoost
from .gamma_majority import GammaMajority
from .gentleboost import GentleBoost
from .lpboost import LPBoost
from .madaboost import MadaBoost
from .majority_of_three import MajorityOfThree
from .normalboost import NormalBoost
from .one_vs_rest import OneVsRest
from .rankboost import RankBoost
from .real_adaboost import RealAdaBoost
from .samme import Samme
from .slipper import Slipper
from .smoothboost import SmoothBoost
from .softboost import SoftBoost
from .totalboost import TotalBoost

__all__ = [
    "ADTree",
    "AdaBoost",
    "AdaBoostL",
    "AdaBoostM1",
    "AdaBoostM2",
    "AdaBoostMH",
    "AdaBoostMO",
    "AdaBoostMR",
    "AdaBoostR2",
    "AdaBoostStar",
    "AllPairs",
    "AlphaBoost",
    "AnyBoost",
    "ArcGV",
    "BoostByMajority",
    "BrownBoost",
    "ConditionalGradient",
    "CoordinateBoost",
    "ERLPBoost",
    "FilterBoost",
    "GammaMajority",
    "GentleBoost",
    "LPBoost",
    "MadaBoost",
    "MajorityOfThree",
    "NormalBoost",
    "OneVsRest",
    "RankBoost",
    "RealAdaBoost",
    "Samme",
    "Slipper",
    "SmoothBoost",
    "SoftBoost",
    "TotalBoost",
]
