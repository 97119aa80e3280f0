"""How the lab offers boosters, by the names of their estimators."""

from __future__ import annotations

from .row import Knob, Lab

_RATE = (Knob("learning_rate", "learning rate", 0.05, 2.0, 1.0),)
_CAP = (Knob("nu", "share ν given up", 0.01, 1.0, None),)

LABS = {
    "AdaBoostClassifier": Lab(
        "adaboost",
        "AdaBoost",
        "points in error gain weight, each rule votes by its error",
        "exponential",
        _RATE,
    ),
    "RealAdaBoostClassifier": Lab(
        "real-adaboost", "Real AdaBoost", "rules answer with their confidence", "exponential", _RATE
    ),
    "GentleBoostClassifier": Lab(
        "gentleboost", "GentleBoost", "confidences limited to -1 to +1", "exponential", _RATE
    ),
    "AdaBoostLClassifier": Lab(
        "adaboost-l", "AdaBoost.L", "logistic loss: no point's weight exceeds 1", "logistic", _RATE
    ),
    "AdaBoostStarClassifier": Lab(
        "adaboost-star",
        "AdaBoost*",
        "maximises the smallest margin up to ν, with a guarantee",
        "exponential",
        (Knob("nu", "margin lost ν", 0.01, 1.0, 0.1),),
    ),
    "ArcGVClassifier": Lab(
        "arc-gv", "arc-gv", "maximises the smallest margin", "exponential", _RATE
    ),
    "LPBoostClassifier": Lab(
        "lpboost",
        "LPBoost",
        "a linear program: all votes are recomputed in every round",
        knobs=_CAP,
    ),
    "TotalBoostClassifier": Lab(
        "totalboost",
        "TotalBoost",
        "totally corrective: all past rules lose their edge",
        knobs=(Knob("nu", "margin lost ν", 0.01, 1.0, 0.01),),
    ),
    "SoftBoostClassifier": Lab(
        "softboost", "SoftBoost", "TotalBoost with weights capped", knobs=_CAP
    ),
    "ERLPBoostClassifier": Lab(
        "erlpboost",
        "ERLPBoost",
        "LPBoost with an entropy term that stabilises its weights",
        knobs=_CAP,
    ),
    "BoostByMajorityClassifier": Lab(
        "majority",
        "Boost-by-majority",
        "a fixed number of rounds, all votes equal",
        knobs=(Knob("gamma", "edge γ", 0.01, 0.45, 0.1),),
    ),
    "MadaBoostClassifier": Lab(
        "madaboost", "MadaBoost", "no point weighs more than at the start", "capped", _RATE
    ),
    "SmoothBoostClassifier": Lab(
        "smoothboost",
        "SmoothBoost",
        "weights stay smooth under malicious noise",
        knobs=(
            Knob("kappa", "error κ aimed at", 0.01, 0.5, 0.05),
            Knob("gamma", "edge γ", 0.01, 0.45, 0.03),
        ),
    ),
    "BrownBoostClassifier": Lab(
        "brownboost",
        "BrownBoost",
        "gives up on points that stay wrong; has a clock",
        knobs=(Knob("epsilon", "error ε aimed at", 0.001, 0.9, None),),
    ),
    "NormalBoostClassifier": Lab(
        "normalboost",
        "NormalBoost",
        "gives up on points, aims at a margin; has a clock",
        knobs=(
            Knob("epsilon", "share ε given up", 0.001, 0.49, None),
            Knob("theta", "margin θ", 0.0, 2.0, 0.0),
            Knob("sigma_f", "width σ", 0.01, 2.0, 0.1),
        ),
    ),
}
