"""Squared error as bias, variance and noise; how predictions vary with the training set."""
