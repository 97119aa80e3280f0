"""What users read: warnings, tables, spelling suggestions, values in error messages."""
