"""How are faces found? Rectangle features, boosted windows, cascades, and scanning."""

from .cascade import Cascade
from .curve import DetectionCurve, detection_curve
from .detector import CascadeDetector
from .haar import HaarFeature, HaarFeatures, haar_count, haar_features, haar_values
from .integral import integral_image, rectangle_sum, window_variance
from .rates import CascadeRates, cascade_rates
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
