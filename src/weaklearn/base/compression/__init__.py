"""Trees and numbers in few bytes, for pickles and model files."""
