"""Plain twins of the kernels: slow, short and plainly right, to test the fast ones against."""
