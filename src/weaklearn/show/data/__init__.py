"""The numbers behind pictures: computed once, drawn by displays and by the report's pages.

Nothing here draws. Displays turn these records into matplotlib's artists, the report into SVG.
"""
