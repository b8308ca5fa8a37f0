"""What a product wants back: the source's size, alpha and metadata, and untouched pixels outside the region."""
