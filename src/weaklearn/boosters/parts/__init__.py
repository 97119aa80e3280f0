"""Code that several boosters share: margin states, line searches, projections, reductions."""
