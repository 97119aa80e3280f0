"""Parts of pictures: axes, bars, heat maps, steps, labels."""
