"""Learners that take one example at a time: perceptrons, SGD, kernels, experts."""
