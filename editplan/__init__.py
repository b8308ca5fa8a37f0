"""Plan an image edit, make it with one call to an unchanged editor, measure whether the planning helped."""
