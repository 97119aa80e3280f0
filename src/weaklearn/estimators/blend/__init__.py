"""Blends: many kinds of models, weighed by their predictions for examples they did not see."""
