# Made by `make stub` from the names that the module lists.
from .cascade import Cascade
from .curve import CascadeRates, DetectionCurve, cascade_rates, detection_curve
from .detector import CascadeDetector
from .haar import HaarFeature, HaarFeatures, haar_count, haar_features, haar_values
from .integral import integral_image, rectangle_sum, window_variance
from .window import WindowClassifier

__all__ = [
    "Cascade",
    "CascadeDetector",
    "CascadeRates",
    "DetectionCurve",
    "HaarFeature",
    "HaarFeatures",
    "WindowClassifier",
    "cascade_rates",
    "detection_curve",
    "haar_count",
    "haar_features",
    "haar_values",
    "integral_image",
    "rectangle_sum",
    "window_variance",
]
