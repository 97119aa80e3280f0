# %% [markdown]
# # 11. Faces
#
# Viola and Jones found faces in photographs with AdaBoost, one rectangle feature per rule. A
# feature is the difference between sums of pixels in rectangles side by side; an integral image
# gives each sum in four look-ups.
#
# **Letters.** A *feature* $f(x)$ is a number computed from a window $x$ of pixels; a rule asks
# whether it is above a threshold. $d$ is the share of the faces that a stage lets pass, $f$ that
# of the other windows, $k$ the number of stages.

# %%
import matplotlib.pyplot as plt
import numpy as np

from weaklearn.show import HaarDisplay
from weaklearn.vision import WindowClassifier, haar_count, integral_image, rectangle_sum

image = np.arange(12).reshape(3, 4)
total = rectangle_sum(integral_image(image), top=1, left=1, height=2, width=2)
print("sum of a rectangle:", int(total), "=", int(image[1:3, 1:3].sum()))
print(f"rectangle features of a window of 24 x 24 pixels: {haar_count(24, 24):,}")

# %% tags=["check"]
assert total == image[1:3, 1:3].sum()
assert haar_count(24, 24) == 134_736

# %% [markdown]
# ## A hundred faces
#
# Scikit-image has a hundred faces and as many other windows of 25 x 25 pixels. Every second one
# is to learn from.

# %%
from skimage.data import lfw_subset

windows, labels = lfw_subset(), np.repeat(["face", "other"], 100)
figure, axes = plt.subplots(2, 8, figsize=(8, 2.2), layout="constrained")
for ax, window in zip(axes.ravel(), [*windows[:8], *windows[100:108]]):
    ax.imshow(window, cmap="gray")
    ax.set_axis_off()

# %%
model = WindowClassifier(n_estimators=10).fit(windows[::2], labels[::2])
print(f"right on {model.score(windows[1::2], labels[1::2]):.1%} of the windows held out")

# %% tags=["check"]
assert model.score(windows[1::2], labels[1::2]) > 0.9

# %% [markdown]
# ## The first features: Figure 3 of Viola and Jones (2001)
#
# On thousands of frontal faces the first two are those of the famous picture: the eyes are darker
# than the cheeks, and darker than the bridge of the nose.
#
# ![The first two features over the mean of 2,429 faces](../images/faces-first.png)
#
# Fifty faces, with windows as plain as these beside them, teach less: a corner of dark hair beside
# a bright forehead, and a forehead that ends above the eyes.

# %%
HaarDisplay.from_estimator(model, windows[:100], n=2)

# %% [markdown]
# ## From a window to a photograph
#
# A cascade of such votes, each asking more than the one before, drops most windows at the first
# glance. That takes more data and some seconds: [the example](../examples/faces.md) trains one
# that finds an astronaut.
#
# With a detection rate $d$ and a false-positive rate $f$ in each of $k$ stages, the cascade has
# $d^k$ and $f^k$; with 0.99 and 0.3:

# %%
for stages in (1, 5, 10, 20):
    faces, others = 0.99**stages, 0.3**stages
    print(f"{stages:2} stages: {faces:.3f} of the faces, {others:.1e} of the other windows")

# %% [markdown]
# ## Exercises
#
# **1.** A feature of two rectangles side by side: how many look-ups in the integral image, where
# rectangles share corners?

# %% tags=["answer"]
print("two rectangles of 4 corners each, of which 2 are shared:", 4 + 4 - 2)

# %% tags=["check"]
assert 4 + 4 - 2 == 6

# %% [markdown]
# **2.** Ten stages are to keep 90 % of the faces. What must each keep? And what may each let pass
# of other windows for one false positive in a million?

# %% tags=["answer"]
print(f"{0.9 ** (1 / 10):.4f} of the faces, {1e-6 ** (1 / 10):.3f} of the others")

# %% tags=["check"]
assert np.isclose((0.9 ** (1 / 10)) ** 10, 0.9)

# %% [markdown]
# ## Where it is from
#
# Viola and Jones (2001), *Rapid object detection using a boosted cascade of simple features*;
# Shalev-Shwartz and Ben-David (2014), *Understanding Machine Learning*, section 10.4; Schapire
# and Freund (2012), *Boosting: Foundations and Algorithms*, section 3.4. [The
# books](../references.md) lists them by chapter.
