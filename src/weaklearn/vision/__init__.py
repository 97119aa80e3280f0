"""How are faces found? Rectangle features, boosted windows, cascades, and scanning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .cascade import Cascade as Cascade
    from .curve import CascadeRates as CascadeRates
    from .curve import DetectionCurve as DetectionCurve
    from .curve import cascade_rates as cascade_rates
    from .curve import detection_curve as detection_curve
    from .detector import CascadeDetector as CascadeDetector
    from .haar import HaarFeature as HaarFeature
    from .haar import HaarFeatures as HaarFeatures
    from .haar import haar_count as haar_count
    from .haar import haar_features as haar_features
    from .haar import haar_values as haar_values
    from .integral import integral_image as integral_image
    from .integral import rectangle_sum as rectangle_sum
    from .integral import window_variance as window_variance
    from .window import WindowClassifier as WindowClassifier

__getattr__ = lazy_names(
    __name__,
    {
        **dict.fromkeys(("CascadeRates", "DetectionCurve"), "curve"),
        **dict.fromkeys(("cascade_rates", "detection_curve"), "curve"),
        **dict.fromkeys(("HaarFeature", "HaarFeatures", "haar_count"), "haar"),
        **dict.fromkeys(("haar_features", "haar_values"), "haar"),
        **dict.fromkeys(("integral_image", "rectangle_sum", "window_variance"), "integral"),
        "Cascade": "cascade",
        "CascadeDetector": "detector",
        "WindowClassifier": "window",
    },
)
