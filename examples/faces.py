"""A small face detector, trained in seconds on a hundred faces, finds an astronaut."""

import warnings

from skimage import data

import weaklearn as wl

# So few backgrounds may run dry before the last stage, and the training says so.
warnings.filterwarnings("ignore", category=wl.BoostingWarning)

windows = data.lfw_subset()  # 100 faces and 100 other windows of 25 x 25 pixels
faces, others = windows[:100], windows[100:]
NAMES = ["brick", "chelsea", "coffee", "coins", "grass", "gravel", "page", "text", "moon", "rocket"]
scenes = [getattr(data, name)()[::2, ::2] for name in NAMES]

detector = wl.vision.CascadeDetector(
    max_false_positive_rate=0.3,
    max_stages=8,
    max_stage_features=40,
    max_features=0.05,
    n_negatives=2000,
    copies=3,
    shift=1.0,
    scale=0.1,
    rotation=8.0,
)
detector.fit(faces, scenes, negatives=others)

print("stage  features  false positives  so far    windows seen")
for stage, metrics in enumerate(detector.history_.metrics, start=1):
    print(
        f"{stage:5}  {metrics['features']:8}  {metrics['false_positive_rate']:15.1%}  "
        f"{metrics['overall_false_positive']:.1e}  {metrics['windows_seen']:12,}"
    )

boxes, scores = detector.detect(data.astronaut(), min_size=40)
left, top, width, height = (int(side) for side in boxes[0])
ahead = scores[0] / scores[1:].max(initial=1e-9)
print(f"\n{len(boxes)} boxes; the one of the highest score, {ahead:.1f} times")
print(f"that of the next, is {width} x {height} pixels at x = {left}, y = {top}.")
inside = left < 221 < left + width and top < 116 < top + height
print("The astronaut's nose is in it." if inside else "The astronaut's nose is not in it.")
