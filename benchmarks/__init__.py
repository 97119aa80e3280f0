"""Side by side with the peers: ``python -m benchmarks`` prints one table of ratios."""
