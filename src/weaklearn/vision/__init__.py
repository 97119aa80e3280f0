"""How are faces found? Rectangle features, boosted windows, cascades, and scanning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
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

__getattr__ = lazy_names(
    __name__,
    {
        "Cascade": "cascade",
        "CascadeDetector": "detector",
        "CascadeRates": "curve",
        "DetectionCurve": "curve",
        "HaarFeature": "haar",
        "HaarFeatures": "haar",
        "WindowClassifier": "window",
        "cascade_rates": "curve",
        "detection_curve": "curve",
        "haar_count": "haar",
        "haar_features": "haar",
        "haar_values": "haar",
        "integral_image": "integral",
        "rectangle_sum": "integral",
        "window_variance": "integral",
    },
)
