"""How are faces found? Rectangle features, boosted windows, cascades, and scanning."""

from __future__ import annotations

from ..lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "cascade": "Cascade",
        "curve": "CascadeRates DetectionCurve cascade_rates detection_curve",
        "detector": "CascadeDetector",
        "haar": "HaarFeature HaarFeatures haar_count haar_features haar_values",
        "integral": "integral_image rectangle_sum window_variance",
        "window": "WindowClassifier",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
