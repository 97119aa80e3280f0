"""Texts for users: warnings, tables, spelling suggestions, values in error messages."""
