"""Trees, rules and terms as data: nodes, leaves, cells and their values."""
